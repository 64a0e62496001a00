#include "pictures/utf8.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace postroom {
namespace {

/// How many bytes the character has with which `text` begins; 0 where that is none.
std::size_t character_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t bytes = first < 0xc2   ? 0
                            : first < 0xe0 ? 2
                            : first < 0xf0 ? 3
                            : first < 0xf5 ? 4
                                           : 0;
  if (bytes == 0 || bytes > text.size()) return 0;
  std::uint32_t code = first & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return 0;
    code = code << 6U | (byte(i) & 0x3fU);
  }
  const bool too_long = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  const bool half_of_a_pair = code >= 0xd800 && code < 0xe000;
  return too_long || half_of_a_pair || code > 0x10ffff ? 0 : bytes;
}

}  // namespace

std::string as_utf8(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t bytes = character_bytes(text);
    if (bytes == 0) {
      result += "\xef\xbf\xbd";
    } else {
      result += text.substr(0, bytes);
    }
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return result;
}

std::size_t letters(std::string_view text) {
  // All but the bytes that go on with one.
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }));
}

}  // namespace postroom
