// What the tests of the runtime share.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "runtime/errors.h"
#include "runtime/machine.h"
#include "tests/thrown.h"

namespace postroom {

/// The counts of processors that every test goes through: one, primes, powers of two and their
/// neighbours.
inline constexpr int kCounts[] = {1, 2, 3, 4, 5, 7, 8, 13, 16, 33};

/// How many times as much as else may be taken of what is small because nothing happens, or soon:
/// under ThreadSanitizer each look and each switch takes long.
#if defined(__SANITIZE_THREAD__)
inline constexpr int kSlowness = 4;
#else
inline constexpr int kSlowness = 1;
#endif

/// Every way to carry p processors: a thread for each, two threads, one thread; that in two random
/// orders, too, but under ThreadSanitizer, which has nothing to see there; in one under
/// AddressSanitizer, which is slow.
inline std::vector<MachineOptions> ways_to_carry(int p) {
  std::vector<MachineOptions> ways{{.processors = p, .threads = p}};
  if (p > 2) ways.push_back({.processors = p, .threads = 2});
  if (p > 1) {
    ways.push_back({.processors = p, .threads = 1});
    if (kSlowness > 1) return ways;
    ways.push_back({.processors = p, .threads = 1, .schedule_seed = 1});
#if !defined(__SANITIZE_ADDRESS__)
    ways.push_back({.processors = p, .threads = 1, .schedule_seed = 2});
#endif
  }
  return ways;
}

/// Runs what must end soon, long before anybody would take it for a program that hangs.
template <class Body>
void ends_soon(Body body) {
  using SteadyClock = std::chrono::steady_clock;
  const auto start = SteadyClock::now();
  body();
  EXPECT_LT(std::chrono::duration<double>(SteadyClock::now() - start).count(), 10.0);
}

/// The text of the ProcessorError that `program` ends in; checks the processor's number.
inline std::string failure_of(Machine& machine, int processor, const Machine::Program& program) {
  try {
    machine.run(program);
  } catch (const ProcessorError& error) {
    EXPECT_EQ(error.processor(), processor) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "the run did not fail";
  return "";
}

}  // namespace postroom
