// Medians of measurements in turns, and the time of a run.
#include "cli/reproduce/timed_rounds.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "runtime/virtual_clock.h"

namespace postroom::cli {
namespace {

TEST(TimedRounds, ContestantsTakeTurnsAndTheFirstRoundDoesNotCount) {
  std::string order;
  int calls = 0;
  const std::vector<Summary> times = in_turns({[&] {
                                                 order += 'a';
                                                 return calls++ == 0 ? 1000.0 : 1.0;
                                               },
                                               [&] {
                                                 order += 'b';
                                                 return 2.0;
                                               }},
                                              3);
  EXPECT_EQ(order, "abababab");
  EXPECT_EQ(times[0].upper_quartile, 1);
  EXPECT_EQ(times[1].median, 2);
}

TEST(TimedRounds, TheTimeOfARunIsThatOfTheLastAndWithoutWhatPreparesIt) {
  const auto clock = std::make_shared<VirtualClock>(2);
  TimedMachine machine(3, clock);
  const double seconds = machine.seconds(
      [](Processor& self) {
        if (self.id() == 2) self.compute(7);
      },
      2, [](Processor& self) { self.compute(100); });
  // A tick counts as a nanosecond.
  EXPECT_NEAR(seconds * 1e9 / static_cast<double>(clock->ticks_per_unit()), 7, 1e-9);
}

}  // namespace
}  // namespace postroom::cli
