// What a sort may take: the least of what was asked for and of each limit, on made-up boxes.
#include "cli/sort/memory_budget.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "numa/available_memory.h"
#include "tests/cli/scratch_folder.h"

namespace postroom::cli {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;
constexpr int kProcessors = 2;
constexpr std::uint64_t kOwn = 16 * kMiB;    // of the program, with two processors
constexpr std::uint64_t kLeast = 16 * kMiB;  // for the data, whatever is left

class MemoryBudgetTest : public ::testing::Test {
 protected:
  MemoryBudgetTest() {
    std::filesystem::create_directories(paths_.group.mount + "/a/b");
    write_file(paths_.group.membership, "0::/a/b\n");
    has_available(64 * kGiB);
  }

  void has_available(std::uint64_t bytes) const {
    write_file(paths_.system, "MemTotal:       999999999 kB\nMemFree:  1 kB\nMemAvailable:   " +
                                  std::to_string(bytes / 1024) + " kB\nBuffers: 2 kB\n");
  }
  void in_group(const std::string& file, std::uint64_t bytes) const {
    write_file(paths_.group.mount + "/" + file, std::to_string(bytes) + "\n");
  }

  /// With -S, or without.
  MemoryBudget budget(std::optional<std::uint64_t> allowed = std::nullopt) const {
    return {allowed, kProcessors, paths_};
  }

  void expect_data(std::uint64_t bytes, std::optional<std::uint64_t> allowed) const {
    EXPECT_EQ(budget(allowed).data_bytes(), bytes);
    EXPECT_EQ(budget(allowed).run_bytes(), bytes) << "all of it, when it was asked for";
  }

  const ScratchFolder folder_;
  const MemoryPaths paths_ = {folder_("meminfo"),
                              {folder_("membership"), folder_("mount")},
                              {folder_("status"), folder_("nodes")}};
};

TEST_F(MemoryBudgetTest, WhatIsAskedFor) {
  expect_data(84 * kMiB, 100 * kMiB);
  expect_data(kGiB - kOwn, kGiB);
  expect_data(kLeast, least_memory_bytes(kProcessors));
  EXPECT_EQ(most_processors_within(least_memory_bytes(kProcessors)), kProcessors);
  EXPECT_EQ(most_processors_within(least_memory_bytes(kProcessors) - 1), kProcessors - 1);
}

TEST_F(MemoryBudgetTest, WhatTheSystemHas) {
  EXPECT_EQ(budget().data_bytes(), 64 * kGiB - kOwn);
  EXPECT_EQ(budget().run_bytes(), (64 * kGiB - kOwn) / 2) << "the rest is for the files";
  has_available(80 * kMiB);
  expect_data(64 * kMiB, 100 * kMiB);
  expect_data(54 * kMiB, 70 * kMiB);
  EXPECT_EQ(budget().data_bytes(), 64 * kMiB);
  EXPECT_EQ(budget().run_bytes(), 32 * kMiB);
  EXPECT_EQ(available_memory_bytes(paths_), 80 * kMiB);
}

TEST_F(MemoryBudgetTest, WhatTheGroupLeaves) {
  in_group("a/memory.max", 300 * kMiB);
  expect_data(284 * kMiB, kGiB);
  expect_data(184 * kMiB, 200 * kMiB);
  in_group("a/memory.current", 100 * kMiB);
  expect_data(184 * kMiB, kGiB);
  EXPECT_EQ(budget().data_bytes(), 184 * kMiB);
  in_group("a/b/memory.max", 150 * kMiB);
  expect_data(134 * kMiB, kGiB);
  expect_data(84 * kMiB, 100 * kMiB);
  has_available(90 * kMiB);
  expect_data(74 * kMiB, kGiB);
  EXPECT_EQ(available_memory_bytes(paths_), 90 * kMiB);
}

TEST_F(MemoryBudgetTest, WhatAGroupOfVersion1Leaves) {
  write_file(paths_.group.membership, "5:memory:/x\n");
  std::filesystem::create_directories(paths_.group.mount + "/memory/x");
  in_group("memory/x/memory.limit_in_bytes", 256 * kMiB);
  in_group("memory/x/memory.usage_in_bytes", 56 * kMiB);
  expect_data(184 * kMiB, kGiB);
}

TEST_F(MemoryBudgetTest, NeverLessThanTheLeast) {
  in_group("a/memory.max", 20 * kMiB);
  in_group("a/memory.current", 30 * kMiB);
  EXPECT_EQ(available_memory_bytes(paths_), 0u);
  expect_data(kLeast, kGiB);
  EXPECT_EQ(budget().data_bytes(), kLeast);
  EXPECT_EQ(budget().run_bytes(), kLeast);
  in_group("a/memory.current", 0);
  in_group("a/memory.max", 40 * kMiB);
  EXPECT_EQ(budget().data_bytes(), 24 * kMiB);
  EXPECT_EQ(budget().run_bytes(), kLeast) << "half would be less";
}

TEST_F(MemoryBudgetTest, WhatNobodySaysLimitsNothing) {
  std::filesystem::remove_all(folder_("mount"));
  std::filesystem::remove(folder_("meminfo"));
  EXPECT_EQ(available_memory_bytes(paths_), address_space_left());
  expect_data(kGiB - kOwn, kGiB);
}

TEST_F(MemoryBudgetTest, WhatIsLeftOfTheAddresses) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer takes most addresses for itself";
#endif
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const std::uint64_t mapped = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  if (before.rlim_cur < mapped + kGiB) GTEST_SKIP() << "addresses are few as it is";
  const rlimit now = {mapped + 500 * kMiB, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_AS, &now), 0);
  const std::uint64_t data = budget(kGiB).data_bytes();
  const std::uint64_t of_little = budget(100 * kMiB).data_bytes();
  setrlimit(RLIMIT_AS, &before);
  // Both threads get a stack of 8 MiB; meanwhile this program may have mapped some more.
  EXPECT_LE(data, (500 - 2 * 8) * kMiB - kOwn);
  EXPECT_GE(data, (500 - 2 * 8) * kMiB - kOwn - 10 * kMiB);
  EXPECT_EQ(of_little, 84 * kMiB);
}

}  // namespace
}  // namespace postroom::cli
