// Records sorted by words of key and number, by one processor; compared with the standard library.
// And which are left as they are.
#include "sort/engine/by_words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "sort/datasets.h"
#include "sort/engine/config.h"
#include "sort/engine/count.h"
#include "sort/engine/layout.h"
#include "sort/keys.h"
#include "tests/sort/keyed_record.h"
#include "tests/sort/sorting.h"

namespace postroom::sorting {
namespace {

constexpr std::size_t kSizes[] = {2, 3, 16, 17, 100, 1000, 5003};

template <class R>
std::vector<R> records_of(const std::vector<typename R::Key>& keys) {
  std::vector<R> records(keys.size());
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    records[i].others.fill(~i * 2654435761U);
    records[i].key = keys[i];
  }
  return records;
}

template <class R>
bool sort_records_by_words(std::vector<R>& records, KeyOfRecord<R> key = {},
                           std::uint64_t sampled = 1) {
  std::vector<R> room(records.size());
  return sort_by_words(rows_of(records, key), rows_of(room, key), records.size(), sampled,
                       SortConfig());
}

template <class R>
class ByWords : public testing::Test {
 protected:
  void SetUp() override {
    if (!can_sort_by_words<RowsOf<R>>(2, {})) GTEST_SKIP() << "no vectors of 64 bytes";
  }
};
using Kinds =
    testing::Types<Record<std::uint32_t, 1>, Record<std::int32_t, 2>, Record<std::uint64_t, 2>,
                   Record<std::int64_t, 4>, Record<std::uint32_t, 15>>;
TYPED_TEST_SUITE(ByWords, Kinds);

// In the upper half of 64 bits nothing varies.
TYPED_TEST(ByWords, RecordsAreInOrder) {
  using Key = typename TypeParam::Key;
  for (const Distribution distribution : kDistributions) {
    for (const std::size_t size : kSizes) {
      auto keys = keys_of<Key>(distribution, size, /*seed=*/size);
      for (Key& key : keys) key = static_cast<Key>(key & 0x7fff'ffff);
      for (const bool descending : {false, true}) {
        auto records = records_of<TypeParam>(keys);
        auto expected = records;
        std::ranges::stable_sort(expected, [&](const TypeParam& a, const TypeParam& b) {
          return descending ? b.key < a.key : a.key < b.key;
        });
        ASSERT_TRUE(sort_records_by_words(records, {descending}));
        ASSERT_TRUE(records == expected) << to_string(distribution) << ", n = " << size;
      }
    }
  }
}

// Where there is no room for all bits, those alike in the others are sorted by the lowest.
TYPED_TEST(ByWords, KeysOfAllBitsAreInOrder) {
  using Key = typename TypeParam::Key;
  if constexpr (sizeof(Key) == sizeof(std::uint64_t)) {
    std::mt19937_64 random(1);
    const auto some = [&](int shape) {
      const std::uint64_t any = random();
      // All different; alike but for the lowest bits; few bits set; two different upper halves.
      const std::uint64_t keys[] = {any, std::uint64_t{1} << 63 | (any & 0xfff),
                                    any & random() & random() & random() & random(),
                                    any & 0x8000'0000'0000'001f};
      return static_cast<Key>(keys[shape]);
    };
    for (const int shape : {0, 1, 2, 3}) {
      for (const std::size_t size : kSizes) {
        std::vector<Key> keys(size);
        for (Key& key : keys) key = some(shape);
        keys[0] = static_cast<Key>(0);
        keys[size - 1] = static_cast<Key>(~std::uint64_t{0});
        auto records = records_of<TypeParam>(keys);
        auto expected = records;
        std::ranges::stable_sort(expected, {}, &TypeParam::key);
        std::vector<TypeParam> room(size);
        ASSERT_TRUE(sort_by_words(rows_of(records), rows_of(room), size, ~std::uint64_t{0}, {}));
        ASSERT_TRUE(records == expected) << "shape " << shape << ", n = " << size;
      }
    }
  }
}

// Nor where the lowest bits of all keys are alike.
TYPED_TEST(ByWords, KeysWhoseLowestBitsDoNotVaryAreInOrder) {
  using Key = typename TypeParam::Key;
  constexpr int kAlike = 8 * sizeof(Key) - 20;
  std::mt19937_64 random(1);
  for (const std::size_t size : kSizes) {
    std::vector<Key> keys(size);
    for (Key& key : keys) key = static_cast<Key>((random() & 0xf'ffff) << kAlike | 5);
    auto records = records_of<TypeParam>(keys);
    auto expected = records;
    std::ranges::stable_sort(expected, {}, &TypeParam::key);
    ASSERT_TRUE(sort_records_by_words(records, {}, std::uint64_t{0xf'ffff} << kAlike));
    ASSERT_TRUE(records == expected) << size;
  }
}

// They vary after all where the sample did not see it, and have no room.
TYPED_TEST(ByWords, LowestBitsThatWereNotSaidToVaryCount) {
  using Key = typename TypeParam::Key;
  constexpr std::uint64_t kHighest = std::uint64_t{1} << (8 * sizeof(Key) - 1);
  for (const std::size_t size : kSizes) {
    std::vector<Key> keys(size);
    for (std::size_t i = 0; i < size; ++i) {
      keys[i] = static_cast<Key>(i % 3 == 0 ? kHighest : (size - i) % 5);
    }
    auto records = records_of<TypeParam>(keys);
    auto expected = records;
    std::ranges::stable_sort(expected, {}, &TypeParam::key);
    ASSERT_TRUE(sort_records_by_words(records, {}, kHighest));
    ASSERT_TRUE(records == expected) << size;
  }
}

TYPED_TEST(ByWords, MoreBitsThanWereSaidToVaryAreLeftAlone) {
  using Key = typename TypeParam::Key;
  if constexpr (sizeof(Key) == sizeof(std::uint64_t)) {
    constexpr std::size_t kSize = 1000;  // which takes 10 bits to number
    for (const int bits : {54, 55, 64}) {
      auto keys = std::vector<Key>(kSize, 3);
      keys.back() = static_cast<Key>(std::uint64_t{1} << (bits - 1));
      auto records = records_of<TypeParam>(keys);
      const auto before = records;
      EXPECT_EQ(sort_records_by_words(records), bits == 54) << bits;
      if (bits > 54) {
        EXPECT_TRUE(records == before) << bits;
      }
    }
  }
}

TYPED_TEST(ByWords, AKeyThatThrowsLeavesAllAsItWas) {
  auto records = records_of<TypeParam>(std::vector<typename TypeParam::Key>{5, 4, 3, 2, 1});
  const auto before = records;
  for (std::size_t left = 0; left < records.size(); ++left) {
    std::size_t calls = left;
    EXPECT_THROW(static_cast<void>(sort_records_by_words(records, {false, &calls})),
                 std::runtime_error);
    EXPECT_TRUE(records == before) << left;
  }
}

}  // namespace
}  // namespace postroom::sorting
