// Who calls the front door: several threads at once, oneTBB tasks, programs of a machine, the
// projection of another sort, a forked child; thousands of times in a row.
#include <gtest/gtest.h>
#include <oneapi/tbb/parallel_for.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "numa/placement.h"
#include "numa/topology.h"
#include "sort/lease.h"
#include "sort/sort.h"
#include "tests/sort/sorting.h"

namespace postroom {
namespace {

constexpr std::size_t kEnoughForAll = 40'000;  // more than one processor would sort alone

bool sorts_well(std::size_t size, std::uint64_t seed, const SortOptions& options = {}) {
  auto keys = keys_of<std::uint64_t>(Distribution::kUniform, size, seed);
  sort(keys, options);
  return std::ranges::is_sorted(keys);
}

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

TEST(SortCallers, TasksOfTbb) {
  std::atomic<int> failures{0};
  oneapi::tbb::parallel_for(0, 100, [&](int i) {
    if (!sorts_well(kEnoughForAll, i, {.processors = 2})) ++failures;
  });
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
  auto keys = keys_of<std::uint32_t>(Distribution::kUniform, kEnoughForAll, 1);
  std::atomic<int> calls{0};
  std::atomic<int> failures{0};
  const auto projection = [&](std::uint32_t key) {
    if (calls++ % 20'000 == 0 && !sorts_well(kEnoughForAll, key, {.processors = 2})) ++failures;
    return key;
  };
  sort(keys, projection, {.processors = 2});
  EXPECT_TRUE(std::ranges::is_sorted(keys));
  EXPECT_EQ(failures, 0);
}

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

TEST(SortCallers, ChildAfterFork) {
  ASSERT_TRUE(sorts_well(kEnoughForAll, 1, {.processors = 2}));  // starts threads here
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) _exit(sorts_well(kEnoughForAll, 2, {.processors = 2}) ? 0 : 1);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
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

// Whether a process that has not sorted yet gets more than one processor for each of these in turn.
std::vector<bool> are_shared(const std::vector<std::size_t>& sizes, const SortOptions& options,
                             std::size_t alone_records) {
  std::array<int, 2> ends{};
  EXPECT_EQ(pipe(ends.data()), 0);
  const pid_t child = fork();
  if (child == 0) {
    for (const std::size_t size : sizes) {
      const char shared = sorting::Lease(options, size, alone_records).processors() > 1 ? 1 : 0;
      if (write(ends[1], &shared, 1) != 1) _exit(1);
    }
    _exit(0);
  }
  close(ends[1]);
  std::vector<bool> shared;
  for (char one = 0; read(ends[0], &one, 1) == 1;) shared.push_back(one != 0);
  close(ends[0]);
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  return shared;
}

TEST(Lease, StartsThreadsOfItsOwnAccordWhenThatPays) {
  if (default_processors(Topology::this_machine()) == 1) GTEST_SKIP() << "one processor";
  using Answers = std::vector<bool>;
  EXPECT_EQ(are_shared({1 << 20}, {}, 10), Answers({true}));
  EXPECT_EQ(are_shared({1 << 18, 1 << 18, 100}, {}, 10), Answers({false, true, true}));
  EXPECT_EQ(are_shared({5, 100, 1 << 20, 100}, {}, 10), Answers({false, false, true, true}));
  EXPECT_EQ(are_shared({100}, {.processors = 2}, 10), Answers({true}));
  EXPECT_EQ(are_shared({100}, {}, 0), Answers({true}));
}

TEST(Lease, SameThreadsAgain) {
  const SortOptions options{.processors = 2};
  const Machine* machine = sorting::Lease(options, 100, 10).machine();
  EXPECT_EQ(sorting::Lease(options, 100, 10).machine(), machine);
}

}  // namespace
}  // namespace postroom
