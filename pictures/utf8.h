// Text in UTF-8, as files have to be, whatever a program or a path has in it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace postroom {

/// `text` with U+FFFD for each byte that is no part of a character in UTF-8.
std::string as_utf8(std::string_view text);

/// How many characters `text` has, which is UTF-8.
std::size_t letters(std::string_view text);

}  // namespace postroom
