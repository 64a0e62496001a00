// Numbers of things, as texts for people have them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace postroom {

/// "1 link", "3 links".
std::string counted(std::int64_t count, std::string_view what);

/// first … last-1: "leaf 3", "leaves 3-5".
std::string leaves_in_words(int first, int last);

}  // namespace postroom
