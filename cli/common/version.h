// The version of the command and the library, in this one place.
#pragma once

namespace postroom {

inline constexpr const char* kVersion = "0.1.0";

}  // namespace postroom
