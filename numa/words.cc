#include "numa/words.h"

namespace postroom {

std::string counted(std::int64_t count, std::string_view what) {
  return std::to_string(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

std::string leaves_in_words(int first, int last) {
  if (last - first == 1) return "leaf " + std::to_string(first);
  return "leaves " + std::to_string(first) + "-" + std::to_string(last - 1);
}

}  // namespace postroom
