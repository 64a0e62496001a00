// What the tests of virtual time share: the times at which a program ends.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "runtime/virtual_clock.h"
#include "tests/runtime/testing.h"

namespace postroom {

using Times = std::vector<Rational>;

/// The time of each processor at the end of `program`, under the clock that `parameters` describe.
inline Times times_of(int p, PostalParameters parameters, const Machine::Program& program,
                      int threads = 1) {
  const auto clock = std::make_shared<VirtualClock>(parameters);
  Machine machine({.processors = p, .threads = threads, .clock = clock});
  machine.run(program);
  Times times;
  for (int id = 0; id < p; ++id) times.push_back(clock->time(id));
  return times;
}
inline Rational latest(const Times& times) { return *std::ranges::max_element(times); }

}  // namespace postroom
