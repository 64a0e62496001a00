// sort_in_place, beside the standard library, and the memory that it takes.
#include "sort/in_place.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/sort/some_records.h"
#include "tests/sort/sorting.h"
#include "tests/thrown.h"

namespace postroom {
namespace {

TEST(SortInPlace, AsTheStandardLibrary) {
  for_records([](const Records& records, const Records& expected, const SortOptions& options,
                 const std::string& what) {
    Records sorted = records;
    sort_in_place(sorted, kKey, options);
    EXPECT_TRUE(same_records(sorted, expected)) << what;
    auto keys = keys_in(records);
    sort_in_place(keys, options);
    EXPECT_EQ(keys, keys_in(expected)) << what;
  });
}

/// Blocks of so many, merged where they lie.
void sort_in_blocks(Records& records, std::size_t block, const SortOptions& options) {
  std::vector<Records::value_type> room(block);
  sorting::sort_and_merge(std::span(records), block, std::as_writable_bytes(std::span(room)).data(),
                          kKey, options);
}

TEST(SortInPlace, InBlocksOfAnySize) {
  for_records([](const Records& records, const Records& expected, const SortOptions& options,
                 const std::string& what) {
    for (const std::size_t block : {3, 64, 512, 9'000}) {
      if (records.size() / block > 5'000) continue;
      Records sorted = records;
      sort_in_blocks(sorted, block, options);
      EXPECT_TRUE(same_records(sorted, expected)) << what << ", block of " << block;
    }
  });
}

TEST(SortInPlace, InATenthOfTheMemory) {
  constexpr std::size_t kRecords = 400'000;
  const auto records = numbered(keys_of<std::int32_t>(Distribution::uniform, kRecords, kSeed));
  auto sorted = records;
  std::vector<std::byte> scratch(in_place_scratch_bytes(kRecords, sizeof(records[0])));
  EXPECT_LE(scratch.size(), kRecords * sizeof(records[0]) / 10);
  sort_in_place(sorted, kKey, {.scratch = scratch});
  EXPECT_TRUE(same_records(sorted, expected_order(records)));
  EXPECT_NE(refusal([&] { sort_in_place(sorted, kKey, {.scratch = std::span(scratch).first(9)}); }),
            "nothing was thrown");
  constexpr std::size_t kLeast = std::size_t{256} << 10;
  for (const std::size_t size : {1, 5'000, 20'000, 300'000, 1'000'000, 10'000'000}) {
    for (const std::size_t bytes : {1, 10, 64}) {
      EXPECT_LE(in_place_scratch_bytes(size, bytes), std::max(size * bytes / 10, kLeast))
          << size << " of " << bytes;
    }
  }
}

// They are moved in blocks; a bucket that holds more than the scratch does is merged.
TEST(SortInPlace, ManyKeys) {
  auto keys = keys_of<std::uint32_t>(Distribution::uniform, 4'400'000, kSeed);
  auto crowded = keys;
  for (std::size_t i = 0; i < crowded.size(); i += 5) crowded[i] = crowded[i] % (1 << 20);
  for (const auto* unsorted : {&keys, &crowded}) {
    auto expected = *unsorted;
    std::ranges::sort(expected, std::greater<>());
    for (const int p : {1, 3}) {
      auto sorted = *unsorted;
      std::vector<std::byte> scratch(in_place_scratch_bytes(sorted.size(), sizeof(sorted[0])));
      sort_in_place(sorted, {.processors = p, .scratch = scratch, .descending = true});
      EXPECT_TRUE(sorted == expected) << "p = " << p;
    }
  }
}

// All 8 or 16 bits of them are counted, at once; so are others that differ in no more.
TEST(SortInPlace, KeysOfFewBits) {
  const auto sorts = [](auto keys) {
    auto expected = keys;
    std::ranges::sort(expected);
    for (const int p : {1, 3}) {
      auto sorted = keys;
      sort_in_place(sorted, {.processors = p});
      EXPECT_TRUE(sorted == expected) << sizeof(keys[0]) << " bytes, p = " << p;
    }
  };
  constexpr std::size_t kKeys = 300'000;
  sorts(keys_of<std::uint8_t>(Distribution::uniform, kKeys, kSeed));
  sorts(keys_of<std::int16_t>(Distribution::uniform, kKeys, kSeed));
  sorts(keys_of<std::int16_t>(Distribution::zipf, kKeys, kSeed));
  auto narrow = keys_of<std::int64_t>(Distribution::uniform, kKeys, kSeed);
  for (std::int64_t& key : narrow) key = key % (1 << 13) * 4096;
  sorts(narrow);
}

TEST(SortInPlace, AProjectionThatThrowsLeavesAPermutation) {
  for (int calls = 1; calls < 8'000'000; calls = calls * 3 / 2 + 1) {
    auto records = numbered(keys_of<std::int32_t>(Distribution::uniform, 70'000, kSeed));
    const auto before = records;
    int left = calls;
    const auto throwing = [&](const Numbered<std::int32_t>& record) {
      if (--left == 0) throw std::runtime_error("enough");
      return record.key;
    };
    bool thrown = false;
    try {
      sort_in_place(records, throwing, {.processors = 1});
    } catch (const std::runtime_error&) {
      thrown = true;
    }
    ASSERT_EQ(thrown, left <= 0) << "after " << calls << " calls";
    if (!thrown) {
      ASSERT_TRUE(same_records(records, expected_order(before)));
    }
    std::ranges::sort(records, {}, &Numbered<std::int32_t>::number);
    ASSERT_TRUE(same_records(records, before)) << "after " << calls << " calls";
  }
}

}  // namespace
}  // namespace postroom
