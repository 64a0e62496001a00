// Keys without gaps, each of them once, straight to their places.
#include "sort/engine/place_distinct.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <vector>

#include "sort/engine/count.h"
#include "sort/engine/layout.h"
#include "sort/keys.h"
#include "sort/sort.h"
#include "tests/sort/sorting.h"

namespace postroom::sorting {
namespace {

using Record = Numbered<std::uint32_t>;
using Key = ProjectedKey<Record, std::uint32_t Record::*>;
using Records = Rows<sizeof(Record), Key>;
constexpr std::uint32_t Record::*kKey = &Record::key;

Records records_in(std::vector<Record>& records) {
  return Records(std::as_writable_bytes(std::span(records)).data(), Key{kKey, 0});
}

/// 0 … size-1 in no order, plus `first`.
std::vector<std::uint32_t> range_from(std::uint32_t first, std::size_t size) {
  std::vector<std::uint32_t> keys(size);
  std::iota(keys.begin(), keys.end(), first);
  std::shuffle(keys.begin(), keys.end(), std::mt19937_64(size));
  return keys;
}

/// Places what lies behind and before records that stay.
bool place(const std::vector<std::uint32_t>& keys, std::vector<Record>& placed,
           std::size_t most = 1000) {
  constexpr std::size_t kAround = 3;
  std::vector<Record> from(keys.size() + 2 * kAround, Record{7, 7});
  for (std::size_t i = 0; i < keys.size(); ++i) {
    from[kAround + i] = {keys[i], static_cast<std::uint32_t>(i)};
  }
  placed.assign(from.size(), Record{9, 9});
  const Part part{kAround, kAround + keys.size(), false};
  const Records home = records_in(from);
  const bool done = DistinctPlacer(most).place(
      home, part, common_bits(home, part.begin, part.end).varying(), records_in(placed));
  for (std::size_t i = 0; i < kAround; ++i) {
    EXPECT_EQ(placed[i].key, 9U);
    EXPECT_EQ(placed[placed.size() - 1 - i].key, 9U);
  }
  placed.erase(placed.begin(), placed.begin() + kAround);
  placed.resize(keys.size());
  return done;
}

TEST(DistinctKeys, AreMovedToTheirPlaces) {
  for (const std::uint32_t first : {0U, 1U, 1000U, 4096U, 0xffffff00U - 300U}) {
    for (std::size_t size = 2; size < 300; ++size) {
      const auto keys = range_from(first, size);
      std::vector<Record> placed;
      const bool done = place(keys, placed);
      // Across a large power of two, as from 1000 on, too many bits vary.
      if (first < 2 || first == 4096) {
        ASSERT_TRUE(done) << size << " from " << first;
      }
      if (!done) continue;
      for (std::size_t i = 0; i < size; ++i) {
        ASSERT_EQ(placed[i].key, first + i) << size << " from " << first;
        ASSERT_EQ(keys[placed[i].number], first + i);
      }
    }
  }
}

TEST(DistinctKeys, WithAGapOrTwiceTheSameAreLeft) {
  for (std::size_t size = 3; size < 200; ++size) {
    const auto keys = range_from(0, size);
    std::vector<Record> placed;
    for (std::size_t at = 0; at < size; at += 1 + size / 9) {
      auto others = keys;
      others[at] = others[(at + 1) % size];
      EXPECT_FALSE(place(others, placed)) << "twice, " << size;
      // The one below that is missing then, unless all above it are as far from the least.
      others[at] = static_cast<std::uint32_t>(size);
      EXPECT_EQ(place(others, placed), keys[at] == 0) << "gap, " << size;
    }
  }
}

TEST(DistinctKeys, LowestBitsThatAreAlikeDoNotCount) {
  for (const std::uint32_t low : {0U, 0x2AU, 0x3FU}) {
    auto keys = range_from(5, 300);
    for (std::uint32_t& key : keys) key = key << 6 | low;
    std::vector<Record> placed;
    ASSERT_TRUE(place(keys, placed));
    EXPECT_TRUE(same_records(placed, expected_order(numbered(keys))));
    keys[7] ^= 1;
    EXPECT_FALSE(place(keys, placed));
  }
}

TEST(DistinctKeys, MoreThanThereIsRoomForAreLeft) {
  std::vector<Record> placed;
  EXPECT_TRUE(place(range_from(0, 100), placed, 100));
  EXPECT_FALSE(place(range_from(0, 101), placed, 100));
}

TEST(DistinctKeys, AreSortedInAnyOrderAndFormat) {
  for (const SortConfig& config : tiny_configs()) {
    for (const std::size_t size : {2, 30, 300, 3000}) {
      for (const bool descending : {false, true}) {
        auto keys = range_from(17, size);
        for (const bool twice : {false, true}) {
          if (twice) keys[size / 2] = keys[0];
          auto records = numbered(keys);
          const Key key{kKey, flip_mask<std::uint32_t>(false, descending)};
          sort_rows<sizeof(Record)>(std::as_writable_bytes(std::span(records)).data(), size, key,
                                    {.processors = 2}, &config);
          EXPECT_TRUE(same_records(records, expected_order(numbered(keys), descending)));
        }
      }
    }
  }
}

}  // namespace
}  // namespace postroom::sorting
