// Text for files that have to be UTF-8, whatever a program or a path has in it.
#pragma once

#include <string>
#include <string_view>

namespace postroom {

/// `text` with U+FFFD for each byte that is no part of a character in UTF-8.
std::string as_utf8(std::string_view text);

}  // namespace postroom
