// How much memory a sort takes on top of what it sorts, as the system tells it: never more than
// scratch_bytes(), or what the headers say of others, and 2 MiB for each processor.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "sort/any_sort.h"
#include "sort/areas.h"
#include "sort/datasets.h"
#include "sort/engine/config.h"
#include "sort/in_place.h"
#include "sort/merge.h"
#include "sort/records.h"
#include "sort/scratch.h"
#include "sort/select.h"
#include "sort/sort.h"
#include "sort/sort_into.h"
#include "sort/unique.h"
#include "sort/vectors/network_sort.h"
#include "tests/sort/columns.h"

namespace postroom {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr std::size_t kKeys = 9'400'000;

/// A record of so many bytes.
template <std::size_t kBytes>
struct Record {
  std::uint64_t key;
  std::array<std::byte, kBytes - sizeof(key)> rest;
};

template <std::size_t kBytes>
std::vector<Record<kBytes>> records_of(std::size_t size) {
  std::vector<std::uint64_t> keys(size);
  fill(keys, Distribution::uniform);
  std::vector<Record<kBytes>> records(size);
  for (std::size_t i = 0; i < size; ++i) records[i].key = keys[i];
  return records;
}

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
    fill(few, Distribution::uniform);
    sort(few, options());
  }

  SortOptions options() const { return {.processors = GetParam()}; }

  void expect_at_most(std::size_t rise, std::size_t bytes) const {
    EXPECT_LE(rise, bytes + static_cast<std::size_t>(GetParam()) * 2 * kMiB);
  }

  void expect_within(std::size_t rise, std::size_t scratch) const {
    expect_at_most(rise, scratch);
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
  fill(keys, Distribution::uniform);
  const std::size_t rise = rise_in([&] { sort(keys, options()); });
  expect_within_or_in_place(rise, scratch_bytes(kKeys, sizeof keys[0]));
  EXPECT_TRUE(std::ranges::is_sorted(keys));
}

TEST_P(SortMemoryUse, SkewedKeys) {
  std::vector<std::uint64_t> keys(kKeys);
  fill(keys, Distribution::S);
  const std::size_t rise = rise_in([&] { sort(keys, options()); });
  // Most keys are only counted, and the others have room among the keys; or they are sorted in
  // place by way of a second cache for each processor, in huge pages.
  const std::size_t most = sorting::SortConfig().sides_before_digits ? 8 : 2;
  EXPECT_LE(rise, static_cast<std::size_t>(GetParam()) * most * kMiB);
  EXPECT_TRUE(std::ranges::is_sorted(keys));
}

TEST_P(SortMemoryUse, KeysWithValues) {
  std::vector<std::uint64_t> keys(kKeys);
  std::vector<std::uint32_t> values(kKeys);
  fill(keys, Distribution::zipf);
  const std::size_t rise = rise_in([&] { sort_by_key(keys, values, options()); });
  expect_within(rise, scratch_bytes(kKeys, sizeof keys[0] + sizeof values[0]));
}

// Where they fit the third cache they are not sorted in place.
TEST_P(SortMemoryUse, KeysOf32Bits) {
  std::vector<std::uint32_t> keys(2 * kKeys);
  fill(keys, Distribution::uniform);
  const std::size_t rise = rise_in([&] { sort(keys, options()); });
  expect_at_most(rise, scratch_bytes(keys.size(), sizeof keys[0]));
  EXPECT_TRUE(std::ranges::is_sorted(keys));
}

TEST_P(SortMemoryUse, FloatingPointKeys) {
  std::vector<double> keys(kKeys);
  fill(keys, Distribution::uniform);
  const std::size_t rise = rise_in([&] { sort(keys, options()); });
  expect_at_most(rise, scratch_bytes(kKeys, sizeof keys[0]));
  EXPECT_TRUE(std::ranges::is_sorted(keys));
}

TEST_P(SortMemoryUse, Records) {
  auto records = records_of<16>(kKeys / 2);
  const std::size_t rise = rise_in([&] { sort(records, &Record<16>::key, options()); });
  expect_within(rise, scratch_bytes(records.size(), 16));
  EXPECT_TRUE(std::ranges::is_sorted(records, {}, &Record<16>::key));
}

TEST_P(SortMemoryUse, LargeRecords) {
  auto records = records_of<80>(kKeys / 10);
  const std::size_t rise = rise_in([&] { sort(records, &Record<80>::key, options()); });
  expect_within(rise, scratch_bytes(records.size(), 80));
  EXPECT_TRUE(std::ranges::is_sorted(records, {}, &Record<80>::key));
}

TEST_P(SortMemoryUse, Numbers) {
  std::vector<std::uint64_t> keys(kKeys / 2);
  fill(keys, Distribution::uniform);
  std::vector<std::size_t> order;
  const std::size_t rise = rise_in([&] { order = argsort(keys, options()); });
  expect_within(rise,
                argsort_scratch_bytes(keys.size(), sizeof keys[0]) + keys.size() * sizeof order[0]);
  EXPECT_TRUE(std::ranges::is_sorted(order, {}, [&](std::size_t i) { return keys[i]; }));
}

TEST_P(SortMemoryUse, WideKeys) {
  std::vector<std::uint64_t> highs(kKeys / 4);
  fill(highs, Distribution::zipf);
  std::vector<sorting::Unsigned128> keys;
  for (const std::uint64_t high : highs) {
    keys.push_back(sorting::Unsigned128{high} << 64 | (keys.size() * 0x9e37'79b9 % 0x1'0000'0000));
  }
  const std::size_t rise = rise_in([&] { sort(keys, options()); });
  // 32 and a second word, and as many elements (sort/any_sort.h).
  expect_within(rise, keys.size() * (32 + 8 + sizeof keys[0]));
  EXPECT_TRUE(std::ranges::is_sorted(keys));
}

TEST_P(SortMemoryUse, WhatIsKeptIsNotTakenAgain) {
  std::vector<std::uint64_t> keys(kKeys);
  fill(keys, Distribution::uniform);
  const std::size_t rise = rise_in([&] {
    sort(keys, options());
    fill(keys, Distribution::uniform);
    sort(std::span(keys).first(kKeys / 2), options());
    sort(keys, options());
  });
  expect_within_or_in_place(rise, scratch_bytes(kKeys, sizeof keys[0]));
}

TEST_P(SortMemoryUse, WhatIsInOrderTakesNone) {
  std::vector<std::uint64_t> keys(kKeys);
  std::vector<std::uint64_t> values(kKeys);
  for (const Distribution distribution : {Distribution::sorted, Distribution::reverse}) {
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
  fill(keys, Distribution::uniform);
  const std::size_t rise = rise_in([&] { sort_in_place(keys, options()); });
  EXPECT_LE(rise,
            keys.size() * sizeof keys[0] / 10 + static_cast<std::size_t>(GetParam()) * 2 * kMiB);
  EXPECT_TRUE(std::ranges::is_sorted(keys));
}

TEST_P(SortMemoryUse, InPlaceByMergingTakesATenth) {
  auto records = records_of<16>(kKeys / 2);
  const std::size_t rise = rise_in([&] { sort_in_place(records, &Record<16>::key, options()); });
  expect_at_most(rise, records.size() * sizeof records[0] / 10);
  EXPECT_TRUE(std::ranges::is_sorted(records, {}, &Record<16>::key));
}

// --- What stands around the sort, as docs/reference.md has it.

TEST_P(SortMemoryUse, NumbersOfShortKeys) {
  std::vector<std::uint32_t> keys(kKeys);
  fill(keys, Distribution::uniform);
  std::vector<std::uint32_t> order;
  const std::size_t rise = rise_in([&] { order = argsort<std::uint32_t>(keys, options()); });
  expect_within(rise, keys.size() * (16 + sizeof order[0]));
  EXPECT_TRUE(std::ranges::is_sorted(order, {}, [&](std::size_t i) { return keys[i]; }));
}

TEST_P(SortMemoryUse, TheFirstFew) {
  auto records = records_of<16>(kKeys / 2);
  for (const std::size_t k : {std::size_t{1}, std::size_t{1000}, std::size_t{50'000}}) {
    std::size_t found = 0;
    const std::size_t rise =
        rise_in([&] { found = top_k(records, k, &Record<16>::key, options()).size(); });
    expect_at_most(rise, static_cast<std::size_t>(GetParam() + 2) * k * 16);
    EXPECT_EQ(found, k);
  }
}

TEST_P(SortMemoryUse, HalfOfThem) {
  auto records = records_of<16>(kKeys / 2);
  const std::size_t all = records.size() * 16;
  const std::size_t k = records.size() / 2;
  const std::size_t of_top = rise_in([&] { (void)top_k(records, k, &Record<16>::key, options()); });
  expect_at_most(of_top, 2 * k * 16 * 5 / 4);
  const std::size_t of_nth = rise_in([&] { nth_element(records, k, &Record<16>::key, options()); });
  expect_at_most(of_nth, all);
}

TEST_P(SortMemoryUse, EachKeyOnce) {
  std::vector<std::uint64_t> keys(kKeys);
  fill(keys, Distribution::uniform);
  const std::size_t of_counts = rise_in([&] { (void)unique_counts(keys, options()); });
  // As much again twice, and what is returned: a key and how many it has.
  expect_at_most(of_counts, keys.size() * (2 * sizeof keys[0] + sizeof(KeyCount<std::uint64_t>)));
  const std::size_t of_unique = rise_in([&] { (void)sort_unique(keys, options()); });
  expect_at_most(of_unique, scratch_bytes(keys.size(), sizeof keys[0]));
}

TEST_P(SortMemoryUse, MergedRows) {
  auto records = records_of<16>(kKeys / 2);
  std::vector<Record<16>> target(records.size());
  for (const std::size_t rows : {2, 8, 40}) {
    std::vector<std::span<const Record<16>>> parts;
    for (std::size_t i = 0; i < rows; ++i) {
      const std::size_t begin = records.size() * i / rows;
      const auto part = std::span(records).subspan(begin, records.size() * (i + 1) / rows - begin);
      sort(part, &Record<16>::key, options());
      parts.push_back(part);
    }
    const std::size_t rise = rise_in([&] { merge(parts, target, &Record<16>::key, options()); });
    // 512 KiB for each processor, and notes.
    expect_at_most(rise, rows == 2 ? 0 : static_cast<std::size_t>(GetParam()) * kMiB);
    EXPECT_TRUE(std::ranges::is_sorted(target, {}, &Record<16>::key));
  }
}

TEST_P(SortMemoryUse, IntoAnotherArray) {
  const auto records = records_of<16>(kKeys / 2);
  std::vector<Record<16>> target(records.size());
  const std::size_t rise =
      rise_in([&] { sort_into(records, target, &Record<16>::key, options()); });
  expect_at_most(rise, scratch_bytes(records.size(), 16));
  EXPECT_TRUE(std::ranges::is_sorted(target, {}, &Record<16>::key));
}

TEST_P(SortMemoryUse, RecordsByBytes) {
  auto records = records_of<16>(kKeys / 2);
  const auto bytes = std::as_writable_bytes(std::span(records));
  const std::size_t rise = rise_in([&] { sort_records(bytes, 16, 3, ByteKey{10}, options()); });
  expect_at_most(rise, byte_key_scratch_bytes(records.size(), 16));
}

INSTANTIATE_TEST_SUITE_P(Processors, SortMemoryUse, ::testing::Values(1, 2, 3));

}  // namespace
}  // namespace postroom
