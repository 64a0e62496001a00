// What sorts leave behind, as the system tells it: no threads where one processor was asked for,
// and after thousands in a row as many threads, open files and as much memory as before.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "sort/sort.h"
#include "tests/sort/columns.h"
#include "tests/sort/sorting.h"
#include "tests/sort/sorts_well.h"

namespace postroom {
namespace {

/// How many entries a folder has of what the system says about this process.
std::size_t entries_in(const std::string& folder) {
  const std::filesystem::directory_iterator entries("/proc/self/" + folder);
  return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
}

/// The memory of this process that is there.
std::size_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::size_t all = 0;
  std::size_t resident = 0;
  statm >> all >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

struct Use {
  std::size_t threads = entries_in("task");
  std::size_t files = entries_in("fd");
  std::size_t bytes = resident_bytes();
};

void expect_steady(const Use& before) {
  constexpr std::size_t kLittle = std::size_t{1} << 20;
  const Use after;
  EXPECT_EQ(after.threads, before.threads);
  EXPECT_EQ(after.files, before.files);
  EXPECT_LE(after.bytes, before.bytes + kLittle);
}

// The first one, since the library keeps its threads.
TEST(SteadyUse, OneProcessorStartsNoThread) {
  constexpr std::size_t kMany = 600'000;  // for which threads are started of their own accord
  const SortOptions one{.processors = 1};
  const std::size_t before = entries_in("task");
  auto keys = keys_of<std::uint64_t>(Distribution::uniform, kMany, /*seed=*/1);
  EXPECT_EQ(argsort(keys, one).size(), kMany);
  auto records = numbered(keys_of<float>(Distribution::uniform, kMany, /*seed=*/2));
  auto values = keys;
  sort_by_key(keys, values, one);
  sort(values, one);
  sort(records, &Numbered<float>::key, one);
  EXPECT_TRUE(std::ranges::is_sorted(keys));
  EXPECT_EQ(entries_in("task"), before);
  // The count would have seen one.
  const std::jthread other([&] { EXPECT_EQ(entries_in("task"), before + 1); });
}

TEST(SteadyUse, ThousandsOfSmallSorts) {
  const auto sort_some = [](int times) {
    for (int i = 0; i < times; ++i) ASSERT_TRUE(sorts_well(1000, i));
  };
  sort_some(100);
  const Use before;
  sort_some(5000);
  expect_steady(before);
}

TEST(SteadyUse, ManySortsByTwo) {
  const auto sort_some = [](int times) {
    for (int i = 0; i < times; ++i) ASSERT_TRUE(sorts_well(kEnoughForAll, i, {.processors = 2}));
  };
  sort_some(10);
  const Use before;
  sort_some(300);
  expect_steady(before);
}

}  // namespace
}  // namespace postroom
