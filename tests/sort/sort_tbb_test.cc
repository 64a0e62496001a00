// Sorts that are called by tasks of oneTBB.
#include <gtest/gtest.h>
#include <oneapi/tbb/parallel_for.h>

#include <atomic>

#include "tests/sort/sorts_well.h"

namespace postroom {
namespace {

TEST(SortCallers, TasksOfTbb) {
  std::atomic<int> failures{0};
  oneapi::tbb::parallel_for(0, 100, [&](int i) {
    if (!sorts_well(kEnoughForAll, i, {.processors = 2})) ++failures;
  });
  EXPECT_EQ(failures, 0);
}

}  // namespace
}  // namespace postroom
