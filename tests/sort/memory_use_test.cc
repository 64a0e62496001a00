// How much memory a sort takes on top of what it sorts, as the system tells it: never more than
// scratch_bytes() and 2 MiB for each processor.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "sort/areas.h"
#include "sort/datasets.h"
#include "sort/in_place.h"
#include "sort/network_sort.h"
#include "sort/scratch.h"
#include "sort/sort.h"

namespace postroom {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr std::size_t kKeys = 9'400'000;

/// A line such as "VmHWM:   1234 kB" of what the system says about this process.
std::size_t status_bytes(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::size_t kibibytes = 0;
    if (word == name + ":" && status >> kibibytes) return kibibytes * 1024;
  }
  return 0;
}

/// The peak begins anew from what is in use now. False where the system does not let us.
bool reset_peak() {
  std::ofstream clear("/proc/self/clear_refs");
  clear << 5 << std::flush;
  return clear.good();
}

/// How far the memory in use rises while `work` is done, with nothing kept from the sort before.
template <class Work>
std::size_t rise_in(Work work) {
  free_kept_scratch();
  if (!reset_peak()) return 0;
  const std::size_t before = status_bytes("VmRSS");
  work();
  return status_bytes("VmHWM") - before;
}

class SortMemoryUse : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (!reset_peak()) GTEST_SKIP() << "the system does not let a process reset its peak";
    // The threads, and what the library makes once.
    std::vector<std::uint64_t> few(100'000);
    fill(few, Distribution::kUniform);
    sort(few, options());
  }

  SortOptions options() const { return {.processors = GetParam()}; }

  void expect_within(std::size_t rise, std::size_t scratch) const {
    EXPECT_LE(rise, scratch + static_cast<std::size_t>(GetParam()) * 2 * kMiB);
    EXPECT_GE(rise, scratch / 2) << "the measure does not measure";
  }

  // Of bare keys that a digit tells apart: they are sorted in place.
  void expect_within_or_in_place(std::size_t rise, std::size_t scratch) const {
    if (!sorting::has_networks()) return expect_within(rise, scratch);
    EXPECT_LE(rise, static_cast<std::size_t>(GetParam()) * 8 * kMiB);
  }
};

TEST_P(SortMemoryUse, Keys) {
  std::vector<std::uint64_t> keys(kKeys);
  fill(keys, Distribution::kUniform);
  const std::size_t rise = rise_in([&] { sort(keys, options()); });
  expect_within_or_in_place(rise, scratch_bytes(kKeys, sizeof keys[0]));
  EXPECT_TRUE(std::ranges::is_sorted(keys));
}

TEST_P(SortMemoryUse, SkewedKeys) {
  std::vector<std::uint64_t> keys(kKeys);
  fill(keys, Distribution::kS);
  const std::size_t rise = rise_in([&] { sort(keys, options()); });
  // Most keys are only counted, and the others have room among the keys.
  EXPECT_LE(rise, static_cast<std::size_t>(GetParam()) * 2 * kMiB);
  EXPECT_TRUE(std::ranges::is_sorted(keys));
}

TEST_P(SortMemoryUse, KeysWithValues) {
  std::vector<std::uint64_t> keys(kKeys);
  std::vector<std::uint32_t> values(kKeys);
  fill(keys, Distribution::kZipf);
  const std::size_t rise = rise_in([&] { sort_by_key(keys, values, options()); });
  expect_within(rise, scratch_bytes(kKeys, sizeof keys[0] + sizeof values[0]));
}

TEST_P(SortMemoryUse, WhatIsKeptIsNotTakenAgain) {
  std::vector<std::uint64_t> keys(kKeys);
  fill(keys, Distribution::kUniform);
  const std::size_t rise = rise_in([&] {
    sort(keys, options());
    fill(keys, Distribution::kUniform);
    sort(std::span(keys).first(kKeys / 2), options());
    sort(keys, options());
  });
  expect_within_or_in_place(rise, scratch_bytes(kKeys, sizeof keys[0]));
}

TEST_P(SortMemoryUse, WhatIsInOrderTakesNone) {
  std::vector<std::uint64_t> keys(kKeys);
  std::vector<std::uint64_t> values(kKeys);
  for (const Distribution distribution : {Distribution::kSorted, Distribution::kReverse}) {
    fill(keys, distribution);
    free_kept_scratch();
    sort(keys, options());
    fill(keys, distribution);
    sort_by_key(keys, values, options());
    EXPECT_TRUE(std::ranges::is_sorted(keys));
    // What it would have kept is not there.
    const sorting::SortScratch fresh({}, sorting::Areas{kMiB});
    EXPECT_FALSE(fresh.cold().empty());
  }
}

TEST_P(SortMemoryUse, InPlaceTakesATenth) {
  std::vector<std::uint64_t> keys(kKeys);
  fill(keys, Distribution::kUniform);
  const std::size_t rise = rise_in([&] { sort_in_place(keys, options()); });
  EXPECT_LE(rise,
            keys.size() * sizeof keys[0] / 10 + static_cast<std::size_t>(GetParam()) * 2 * kMiB);
  EXPECT_TRUE(std::ranges::is_sorted(keys));
}

INSTANTIATE_TEST_SUITE_P(Processors, SortMemoryUse, ::testing::Values(1, 2, 3));

}  // namespace
}  // namespace postroom
