// What the tests of collectives on processors that share threads have in common: machines, an
// operator, and what a wrong program gets.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "runtime/machine.h"

namespace postroom {

using Number = std::uint64_t;
using Numbers = std::vector<Number>;

/// On one thread, on two, on three, in two orders.
inline void on_few_threads(const std::function<void(Machine&)>& body) {
  for (const int p : {2, 3, 5, 8, 17}) {
    for (int threads = 1; threads <= 3 && threads < p; ++threads) {
      for (const std::uint64_t seed : {0, 7}) {
        Machine machine({.processors = p, .threads = threads, .schedule_seed = seed});
        body(machine);
      }
    }
  }
}

/// x -> a x + b; to do one and then the other is associative and does not commute.
struct Line {
  std::uint32_t a;
  std::uint32_t b;
  friend bool operator==(const Line&, const Line&) = default;
};
inline Line then(const Line& f, const Line& g) { return {f.a * g.a, f.b * g.a + g.b}; }

/// On one to three threads `program` ends with an error whose words are `words`, and `afterwards`
/// runs on the same machine.
inline void expect_error_of(int processors, const std::string& words,
                            const Machine::Program& program, const Machine::Program& afterwards) {
  for (int threads = 1; threads <= 3; ++threads) {
    Machine machine({.processors = processors, .threads = threads});
    for (int repeat = 0; repeat < 2; ++repeat) {
      std::string text;
      try {
        machine.run(program);
      } catch (const std::exception& error) {
        text = error.what();
      }
      EXPECT_NE(text.find(words), std::string::npos) << threads << " threads: " << text;
      machine.run(afterwards);
    }
  }
}

}  // namespace postroom
