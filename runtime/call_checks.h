// The arguments of a Processor's calls, checked: std::invalid_argument names the value, what is
// allowed and the line of the program.
#pragma once

#include <cstddef>
#include <functional>

#include "runtime/elements.h"
#include "runtime/rational.h"
#include "runtime/where.h"

namespace postroom {

[[noreturn]] void throw_no_peer(const char* call, const char* role, int peer, int count,
                                Where where);

/// `peer`, which plays `role` ("target") in `call` ("send"), is one of 0 … count-1.
inline void check_peer(const char* call, const char* role, int peer, int count, Where where) {
  if (peer < 0 || peer >= count) [[unlikely]] {
    throw_no_peer(call, role, peer, count, where);
  }
}
[[noreturn]] void throw_overlap(const char* call, Where where);

/// What goes out in `call` and what comes in have no memory in common.
inline void check_apart(const char* call, ConstBytes out, ConstBytes in, Where where) {
  const std::less<const std::byte*> before;  // also of different arrays
  if (!out.empty() && !in.empty() && before(out.data(), in.data() + in.size()) &&
      before(in.data(), out.data() + out.size())) [[unlikely]] {
    throw_overlap(call, where);
  }
}
/// What is computed takes no negative time.
void check_computing(const Rational& units, Where where);

}  // namespace postroom
