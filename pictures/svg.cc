#include "pictures/svg.h"

#include "pictures/utf8.h"

namespace postroom {

std::string svg_text(std::string_view text) {
  std::string result;
  for (const char c : as_utf8(text)) {
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (static_cast<unsigned char>(c) >= 0x20) {
      result += c;
    }
  }
  return result;
}

}  // namespace postroom
