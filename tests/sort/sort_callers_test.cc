// Who calls the front door: several threads at once, programs of a machine, the projection of
// another sort; thousands of times in a row. See also sort_tbb_test and sort_fork_test.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <thread>
#include <vector>

#include "runtime/machine.h"
#include "sort/datasets.h"
#include "sort/engine/lease.h"
#include "sort/sort.h"
#include "tests/sort/sorting.h"
#include "tests/sort/sorts_well.h"

namespace postroom {
namespace {

TEST(SortCallers, SeveralThreadsAtOnce) {
  std::atomic<int> failures{0};
  std::vector<std::jthread> threads;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i) {
        const std::size_t size = i % 2 == 0 ? kEnoughForAll : 500;
        if (!sorts_well(size, t * 100 + i, {.processors = 1 + (t + i) % 3})) ++failures;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(failures, 0);
}

TEST(SortCallers, ProgramsOfAMachine) {
  Machine machine({.processors = 3, .pin = false});
  std::atomic<int> failures{0};
  machine.run([&](Processor& self) {
    if (!sorts_well(kEnoughForAll, self.id(), {.processors = 2})) ++failures;
    self.barrier();
  });
  EXPECT_EQ(failures, 0);
}

TEST(SortCallers, ProjectionsOfAnotherSort) {
  auto keys = keys_of<std::uint32_t>(Distribution::uniform, kEnoughForAll, 1);
  std::atomic<int> calls{0};
  std::atomic<int> failures{0};
  const auto projection = [&](std::uint32_t key) {
    if (calls++ % 20'000 == 0 && !sorts_well(kEnoughForAll, key, {.processors = 2})) ++failures;
    return key;
  };
  auto expected = keys;
  std::ranges::sort(expected);
  sort(keys, projection, {.processors = 2});
  EXPECT_EQ(keys, expected);
  EXPECT_EQ(failures, 0);
}

// On the very machine that it is to run on.
TEST(SortCallers, AProgramOfTheMachineOfTheOptions) {
  for (const int threads : {1, 3}) {
    Machine machine({.processors = 3, .threads = threads, .pin = false});
    machine.run([&](Processor& self) {
      const SortOptions options{.machine = &machine};
      EXPECT_TRUE(sorts_well(500, static_cast<std::uint64_t>(self.id()), options));
      auto many = keys_of<std::uint64_t>(Distribution::uniform, 500'000, 1);
      const auto before = many;
      EXPECT_THROW(sort(many, options), std::logic_error);
      EXPECT_EQ(many, before);
      self.barrier();
    });
    EXPECT_TRUE(sorts_well(500'000, 1, {.machine = &machine}));
  }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which need more
// As SortOptions::machine says.
TEST(SortCallers, StacksOf64KiBSuffice) {
  Machine machine({.processors = 4, .threads = 1, .stack_bytes = std::size_t{64} << 10});
  const SortOptions options{.machine = &machine};
  for (const Distribution distribution : kDistributions) {
    for (const std::size_t size : {std::size_t{50'000}, std::size_t{1'000'000}}) {
      auto keys = keys_of<std::uint64_t>(distribution, size, 1);
      auto records = numbered(keys_of<std::uint32_t>(distribution, size, 1));
      auto numbers = keys_of<double>(distribution, size, 1);
      sort(keys, options);
      sort(records, &Numbered<std::uint32_t>::key, options);
      sort(numbers, options);
      EXPECT_TRUE(std::ranges::is_sorted(keys)) << to_string(distribution);
      EXPECT_TRUE(std::ranges::is_sorted(records, {}, &Numbered<std::uint32_t>::key));
      EXPECT_TRUE(std::ranges::is_sorted(numbers, comes_before<double>));
    }
  }
}
#endif

TEST(SortCallers, ThousandsOfTimes) {
  for (int i = 0; i < 5000; ++i) ASSERT_TRUE(sorts_well(100, i));
  for (int i = 0; i < 300; ++i) ASSERT_TRUE(sorts_well(kEnoughForAll, i, {.processors = 2}));
}

TEST(SortCallers, EachNumberOfProcessorsInTurn) {
  for (int round = 0; round < 3; ++round) {
    for (int processors = 1; processors <= 8; ++processors) {
      ASSERT_TRUE(sorts_well(kEnoughForAll, processors, {.processors = processors, .pin = false}));
    }
  }
}

TEST(Lease, OneAtATime) {
  const SortOptions options{.processors = 2};
  const sorting::Lease first(options, 100, 10);
  EXPECT_EQ(first.processors(), 2U);
  const sorting::Lease second(options, 100, 10);
  EXPECT_EQ(second.processors(), 1U);
}

TEST(Lease, FewRecordsOrOneProcessorNeedNone) {
  EXPECT_EQ(sorting::Lease({.processors = 2}, 10, 10).processors(), 1U);
  EXPECT_EQ(sorting::Lease({.processors = 1}, 100, 10).processors(), 1U);
  EXPECT_EQ(sorting::Lease({.processors = 2}, 100, 10).processors(), 2U);
}

TEST(Lease, MachineOfTheCaller) {
  Machine machine({.processors = 3, .pin = false});
  const sorting::Lease lease({.processors = 2, .machine = &machine}, 100, 10);
  EXPECT_EQ(lease.machine(), &machine);
  EXPECT_EQ(lease.processors(), 3U);
}

TEST(Lease, SameThreadsAgain) {
  const SortOptions options{.processors = 2};
  const Machine* machine = sorting::Lease(options, 100, 10).machine();
  EXPECT_EQ(sorting::Lease(options, 100, 10).machine(), machine);
}

}  // namespace
}  // namespace postroom
