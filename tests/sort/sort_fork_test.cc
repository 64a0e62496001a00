// Sorts in processes that were forked off, with and without threads of the library.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <vector>

#include "numa/placement.h"
#include "numa/topology.h"
#include "sort/engine/lease.h"
#include "tests/sort/sorts_well.h"

namespace postroom {
namespace {

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

}  // namespace
}  // namespace postroom
