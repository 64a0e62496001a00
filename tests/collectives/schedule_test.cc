// Every collective under many orders of messages: with one thread a seed decides who runs next, so
// each seed is an execution of its own, and the same one again.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "collectives/allgather.h"
#include "collectives/allreduce.h"
#include "collectives/gather.h"
#include "collectives/reduce.h"
#include "tests/collectives/all_collectives.h"
#include "tests/collectives/testing.h"

namespace postroom {
namespace {

constexpr std::uint64_t kSeeds = 40;
constexpr std::size_t kBlocks[] = {1, 70};  // inside the mailbox; read where it lies

using List = std::vector<std::int64_t>;

// Calls every collective twice in a row, so that what one leaves behind would meet the next.
void call_all(Machine& machine, int p) {
  for (const Collective& collective : all_collectives(p)) {
    for (const std::size_t count : kBlocks) {
      SCOPED_TRACE(collective.name + ", count " + std::to_string(count));
      machine.run([&](Processor& self) {
        collective.call(self, 0, count);
        collective.call(self, p - 1, count);
      });
    }
  }
}

// The results of the combining and the rearranging ones, with every algorithm.
void check_results(Processor& self, std::size_t count) {
  const int p = self.count();
  for (const Algorithm algorithm : allreduce_algorithms()) {
    if (!allreduce_keeps_order(algorithm)) continue;
    std::vector<Word> out(count);
    allreduce(self, words_of(self.id(), count), out, join, algorithm);
    EXPECT_EQ(out, joined(0, p, count)) << algorithm;
  }
  for (const Algorithm algorithm : reduce_algorithms()) {
    std::vector<Word> out(count);
    const auto call = [&] { reduce(self, 1, words_of(self.id(), count), out, join, algorithm); };
    if (!runs(algorithm, call)) continue;
    EXPECT_EQ(out, self.id() == 1 ? joined(0, p, count) : std::vector<Word>(count)) << algorithm;
  }
  for (const Algorithm algorithm : {Algorithm::circulant(), Algorithm::ring, Algorithm::shared}) {
    List all = unset(count * static_cast<std::size_t>(p));
    allgather(self, elements(self.id(), 0, count), all, algorithm);
    EXPECT_EQ(all, elements_of_all(p, count)) << algorithm;
  }
  for (const Algorithm algorithm : gather_algorithms()) {
    List all = unset(count * static_cast<std::size_t>(p));
    gather(self, 1, elements(self.id(), 0, count), all, algorithm);
    EXPECT_EQ(all, self.id() == 1 ? elements_of_all(p, count) : unset(all.size())) << algorithm;
  }
}

class Schedule : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Processors, Schedule, ::testing::Values(2, 3, 5, 8));

TEST_P(Schedule, EveryCollectiveEndsUnderEveryOrder) {
  const int p = GetParam();
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE("p = " + std::to_string(p) + ", schedule_seed " + std::to_string(seed));
    Machine machine({.processors = p, .threads = 1, .schedule_seed = seed});
    call_all(machine, p);
    if (HasFailure()) return;
  }
}

TEST_P(Schedule, ResultsAreRightUnderEveryOrder) {
  const int p = GetParam();
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE("p = " + std::to_string(p) + ", schedule_seed " + std::to_string(seed));
    Machine machine({.processors = p, .threads = 1, .schedule_seed = seed});
    for (const std::size_t count : kBlocks) {
      machine.run([&](Processor& self) { check_results(self, count); });
    }
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace postroom
