// Whether this process was forked off, as whoever keeps threads wants to know: they do not follow
// into the child. Who starts some remembers forks(), and compares before it counts on them.
//
// Who may call: any thread. Cost: a load. What is not seen: a child that was made by vfork or by a
// system call of the program's own.
#pragma once

#include <cstdint>

namespace postroom {

/// How many forks lie between the process that has loaded the library and this one.
std::uint32_t forks() noexcept;

}  // namespace postroom
