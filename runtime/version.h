// The version of the library and the command, in this one place.
//
//   #if POSTROOM_VERSION >= 10200   // 1.2.0
#pragma once

/// Major version * 10000 + minor * 100 + patch.
#define POSTROOM_VERSION 100

namespace postroom {

/// The same, as the command says it.
inline constexpr const char* kVersion = "0.1.0";

}  // namespace postroom
