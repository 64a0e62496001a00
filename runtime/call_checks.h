// The arguments of a Processor's calls, checked: std::invalid_argument names the value, what is
// allowed and the line of the program.
#pragma once

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
/// What is computed takes no negative time.
void check_computing(const Rational& units, Where where);

}  // namespace postroom
