#include "collectives/barrier.h"

#include "tests/collectives/testing.h"

namespace postroom {
namespace {

// Plain writes before the barrier, plain reads after it: a barrier that lets one pass too early
// shows in the values, one that orders nothing under the thread sanitizer.
void check_barrier(Machine& machine, Algorithm algorithm) {
  SCOPED_TRACE(to_string(algorithm));
  std::vector<int> rounds(machine.processors(), -1);
  machine.run([&](Processor& self) {
    for (int round = 0; round < 20; ++round) {
      rounds[self.id()] = round;
      barrier(self, algorithm);
      for (const int seen : rounds) EXPECT_EQ(seen, round);
      barrier(self, algorithm);
    }
  });
}

TEST(Barrier, LetsNobodyPassBeforeAllHaveCome) {
  for_each_machine([](Machine& machine) {
    check_barrier(machine, Algorithm::automatic);
    for (const Algorithm algorithm : barrier_algorithms()) check_barrier(machine, algorithm);
  });
}

TEST(Barrier, RefusesWrongArguments) {
  machine_of(2).run([](Processor& self) {
    EXPECT_EQ(refusal([&] { barrier(self, Algorithm::binomial); }),
              "barrier: binomial is not allowed; automatic, machine, dissemination");
  });
  EXPECT_EQ(refusal([] { (void)barrier_cost(2, Algorithm::binomial); }),
            "barrier: binomial is not allowed; automatic, machine, dissemination");
}

}  // namespace
}  // namespace postroom
