#include "numa/quota.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace postroom {
namespace {

/// A made-up /proc/self/cgroup and /sys/fs/cgroup.
class QuotaTest : public testing::Test {
 protected:
  QuotaTest() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    root_ = testing::TempDir() + "/quota_" + test->name();
    std::filesystem::remove_all(root_);
    std::filesystem::create_directories(root_ + "/mount");
    paths_ = {root_ + "/membership", root_ + "/mount"};
  }
  ~QuotaTest() override { std::filesystem::remove_all(root_); }

  void membership(const std::string& lines) { std::ofstream(paths_.membership) << lines; }

  void file(const std::string& path, const std::string& text) {
    const std::filesystem::path full = paths_.mount + "/" + path;
    std::filesystem::create_directories(full.parent_path());
    std::ofstream(full) << text;
  }

  std::string root_;
  CgroupPaths paths_;
};

TEST_F(QuotaTest, NothingThereLimitsNothing) {
  EXPECT_EQ(cpu_quota(paths_), std::nullopt);
  EXPECT_EQ(memory_limit(paths_), std::nullopt);
  EXPECT_EQ(cpu_quota({"/nowhere", "/nowhere"}), std::nullopt);
}

TEST_F(QuotaTest, Version2) {
  membership("0::/user.slice/session\n");
  file("user.slice/session/cpu.max", "150000 100000\n");
  file("user.slice/session/memory.max", "1073741824\n");
  EXPECT_EQ(cpu_quota(paths_), 1.5);
  EXPECT_EQ(memory_limit(paths_), 1073741824U);
}

TEST_F(QuotaTest, Version2Unlimited) {
  membership("0::/a\n");
  file("a/cpu.max", "max 100000\n");
  file("a/memory.max", "max\n");
  EXPECT_EQ(cpu_quota(paths_), std::nullopt);
  EXPECT_EQ(memory_limit(paths_), std::nullopt);
}

TEST_F(QuotaTest, TheTightestParentCounts) {
  membership("0::/a/b/c\n");
  file("a/cpu.max", "50000 20000\n");  // 2.5
  file("a/b/cpu.max", "400000 100000\n");
  file("a/b/c/cpu.max", "max 100000\n");
  file("a/memory.max", "9000\n");
  file("a/b/c/memory.max", "7000\n");
  EXPECT_EQ(cpu_quota(paths_), 2.5);
  EXPECT_EQ(memory_limit(paths_), 7000U);
}

TEST_F(QuotaTest, TheRootOfAContainer) {
  // Its own group is the root of what it sees, and that has limits.
  membership("0::/\n");
  file("cpu.max", "300000 100000\n");
  file("memory.max", "4096\n");
  EXPECT_EQ(cpu_quota(paths_), 3.0);
  EXPECT_EQ(memory_limit(paths_), 4096U);
}

TEST_F(QuotaTest, AGroupOutsideOfTheContainer) {
  membership("0::/../../other\n");
  file("cpu.max", "100000 100000\n");
  std::filesystem::create_directories(root_ + "/other");
  std::ofstream(root_ + "/other/cpu.max") << "1 100000\n";
  EXPECT_EQ(cpu_quota(paths_), 1.0);
}

TEST_F(QuotaTest, Version1) {
  membership("5:memory:/docker/x\n4:cpu,cpuacct:/docker/x\n1:name=systemd:/docker/x\n");
  file("cpu,cpuacct/docker/x/cpu.cfs_quota_us", "250000\n");
  file("cpu,cpuacct/docker/x/cpu.cfs_period_us", "100000\n");
  file("memory/docker/x/memory.limit_in_bytes", "123456\n");
  EXPECT_EQ(cpu_quota(paths_), 2.5);
  EXPECT_EQ(memory_limit(paths_), 123456U);
}

TEST_F(QuotaTest, Version1MountedUnderItsShortName) {
  membership("4:cpu,cpuacct:/a\n");
  file("cpu/a/cpu.cfs_quota_us", "50000\n");
  file("cpu/a/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cpu_quota(paths_), 0.5);
}

TEST_F(QuotaTest, Version1Unlimited) {
  membership("4:cpu,cpuacct:/\n3:memory:/\n");
  file("cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  file("cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  file("memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(cpu_quota(paths_), std::nullopt);
  EXPECT_EQ(memory_limit(paths_), std::nullopt);
}

TEST_F(QuotaTest, Version1WhereOnlyTheMountIsVisible) {
  membership("4:cpu,cpuacct:/docker/x\n");
  file("cpu,cpuacct/cpu.cfs_quota_us", "100000\n");
  file("cpu,cpuacct/cpu.cfs_period_us", "50000\n");
  EXPECT_EQ(cpu_quota(paths_), 2.0);
}

TEST_F(QuotaTest, BothVersionsAtOnce) {
  membership("7:cpuset:/\n2:cpu:/v1\n0::/v2\n");
  file("cpu/v1/cpu.cfs_quota_us", "300000\n");
  file("cpu/v1/cpu.cfs_period_us", "100000\n");
  file("unified/v2/cpu.max", "200000 100000\n");
  EXPECT_EQ(cpu_quota(paths_), 2.0);
}

TEST_F(QuotaTest, OtherControllersDoNotCount) {
  membership("4:cpuset:/a\n");
  file("cpuset/a/cpu.cfs_quota_us", "100000\n");
  file("cpuset/a/cpu.cfs_period_us", "100000\n");
  file("cpu/a/cpu.cfs_quota_us", "100000\n");
  file("cpu/a/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cpu_quota(paths_), std::nullopt);
}

TEST_F(QuotaTest, DamagedFilesLimitNothing) {
  for (const char* text : {"", "\n", "x", "100000", "100000 0", "0 100000", "-5 100000", "1 2 3",
                           "nan 100000", "100000 -1"}) {
    membership("0::/a\n");
    file("a/cpu.max", text);
    EXPECT_EQ(cpu_quota(paths_), std::nullopt) << text;
  }
  for (const char* text : {"", "x", "-1", "99999999999999999999999"}) {
    file("a/memory.max", text);
    EXPECT_EQ(memory_limit(paths_), std::nullopt) << text;
  }
  for (const char* text : {"", "\n", "0", "0:", ":::", "a:b", "4:cpu"}) {
    membership(text);
    EXPECT_EQ(cpu_quota(paths_), std::nullopt) << text;
  }
}

TEST_F(QuotaTest, WhatIsLeftOfTheMemory) {
  membership("0::/a/b\n");
  file("a/memory.max", "1000\n");
  EXPECT_EQ(memory_left(paths_), 1000U) << "nothing is known of what is used";
  file("a/memory.current", "700\n");
  EXPECT_EQ(memory_left(paths_), 300U);
  file("a/memory.stat", "anon 200\nfile 500\ninactive_file 400\nactive_file 50\n");
  EXPECT_EQ(memory_left(paths_), 750U);
  file("a/memory.high", "800\n");
  EXPECT_EQ(memory_left(paths_), 550U) << "beyond that it is slowed down";
  EXPECT_EQ(memory_limit(paths_), 800U);
  file("a/memory.high", "max\n");
  EXPECT_EQ(memory_left(paths_), 750U);
  file("a/b/memory.max", "600\n");
  file("a/b/memory.current", "900\n");
  EXPECT_EQ(memory_left(paths_), 0U) << "a group may be above a limit that was set later";
  EXPECT_EQ(memory_limit(paths_), 600U);
}

TEST_F(QuotaTest, WhatIsLeftOfTheMemoryInVersion1) {
  membership("5:memory:/x\n");
  EXPECT_EQ(memory_left(paths_), std::nullopt);
  file("memory/x/memory.limit_in_bytes", "1000\n");
  file("memory/x/memory.usage_in_bytes", "600\n");
  file("memory/x/memory.stat", "cache 90\ntotal_inactive_file 100\ntotal_active_file 20\n");
  EXPECT_EQ(memory_left(paths_), 520U);
}

TEST(WholeCpusTest, RoundedUpAndAtLeastOne) {
  EXPECT_EQ(whole_cpus(0.01), 1);
  EXPECT_EQ(whole_cpus(0), 1);
  EXPECT_EQ(whole_cpus(1), 1);
  EXPECT_EQ(whole_cpus(1.5), 2);
  EXPECT_EQ(whole_cpus(64), 64);
  EXPECT_EQ(whole_cpus(1e300), 2147483647);
}

}  // namespace
}  // namespace postroom
