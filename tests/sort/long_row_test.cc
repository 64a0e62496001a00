// Records of which one long row is in order: the others are found, and all are sorted.
#include "sort/engine/long_row.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <stdexcept>
#include <vector>

#include "sort/engine/config.h"
#include "sort/engine/layout.h"
#include "sort/engine/team.h"
#include "sort/keys.h"
#include "sort/sort.h"
#include "tests/sort/pair_rows.h"

namespace postroom::sorting {
namespace {

enum class Rest { kAnyOrder, kRises, kFalls };

// So many in order, the others before or behind them. Many keys are alike.
std::vector<Pair> row_and_rest(std::size_t row, std::size_t rest, bool before, Rest order,
                               std::uint32_t keys = 1000) {
  std::mt19937_64 random(row + rest);
  std::vector<std::uint32_t> all(row + rest);
  for (std::uint32_t& key : all) key = static_cast<std::uint32_t>(random() % keys);
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(before ? rest : row);
  std::sort(before ? middle : all.begin(), before ? all.end() : middle);
  const auto begin = before ? all.begin() : middle;
  const auto end = before ? middle : all.end();
  if (order == Rest::kRises) std::sort(begin, end);
  if (order == Rest::kFalls) std::sort(begin, end, std::greater<>());
  std::vector<Pair> pairs;
  for (const std::uint32_t key : all) {
    pairs.push_back({key, static_cast<std::uint32_t>(pairs.size())});
  }
  return pairs;
}

std::size_t count(Range range) { return range.end - range.begin; }

Range beside(std::vector<Pair>& pairs, const SortConfig& config = {}) {
  return beside_long_row(Pairs(bytes_in(pairs), PairKey{}), pairs.size(), config);
}

TEST(LongRow, RecordsBesideItAreFound) {
  for (const std::size_t rest : {50u, 1'000u, 9'000u}) {
    auto pairs = row_and_rest(10'000, rest, false, Rest::kAnyOrder);
    const Range behind = beside(pairs);
    // The first of the rest may belong to the row by chance.
    EXPECT_GE(behind.begin, 10'000u) << rest;
    EXPECT_LE(behind.begin, 10'020u) << rest;
    EXPECT_EQ(behind.end, pairs.size()) << rest;

    pairs = row_and_rest(10'000, rest, true, Rest::kAnyOrder);
    const Range before = beside(pairs);
    EXPECT_EQ(before.begin, 0u) << rest;
    EXPECT_LE(before.end, rest) << rest;
    EXPECT_GE(before.end + 20, rest) << rest;
  }
}

TEST(LongRow, MayHaveAnotherRowBesideIt) {
  for (const bool before : {false, true}) {
    for (const Rest order : {Rest::kRises, Rest::kFalls}) {
      auto rows = row_and_rest(10'000, 9'500, before, order);
      EXPECT_GT(count(beside(rows)), 9'400u);
    }
  }
}

TEST(LongRow, IsNoneWhereOthersAreMore) {
  for (const bool before : {false, true}) {
    auto more = row_and_rest(10'000, 12'000, before, Rest::kAnyOrder);
    EXPECT_EQ(count(beside(more)), 0u);
  }
  auto one = row_and_rest(10'000, 0, false, Rest::kRises);
  EXPECT_EQ(count(beside(one)), 0u);
  auto few = row_and_rest(1'000, 500, false, Rest::kAnyOrder);
  EXPECT_EQ(count(beside(few)), 0u);
  EXPECT_GT(count(beside(few, {.row_records = 2})), 0u);
}

TEST(LongRow, OfBareKeysEndsWhereSortingAllIsAsFast) {
  using Bare = Rows<sizeof(std::uint64_t), WholeKey<std::uint64_t, false>>;
  const auto beside_keys = [](std::size_t row, std::size_t rest, Rest order) {
    const auto pairs = row_and_rest(row, rest, false, order, 1'000'000'000);
    std::vector<std::uint64_t> keys;
    for (const Pair& pair : pairs) keys.push_back(pair.key);
    return count(beside_long_row(Bare(bytes_in(keys), {}), keys.size(), {}));
  };
  EXPECT_GT(beside_keys(10'000, 3'000, Rest::kAnyOrder), 2'900u);
  EXPECT_EQ(beside_keys(10'000, 6'000, Rest::kAnyOrder), 0u);
  EXPECT_GT(beside_keys(10'000, 6'000, Rest::kFalls), 5'900u);
}

TEST(LongRow, OfKeysThatAreSoonCountedIsNotLookedFor) {
  using Short = Rows<sizeof(std::uint16_t), WholeKey<std::uint16_t, false>>;
  std::vector<std::uint16_t> keys;
  for (const Pair& pair : row_and_rest(10'000, 1'000, false, Rest::kAnyOrder)) {
    keys.push_back(static_cast<std::uint16_t>(pair.key));
  }
  EXPECT_EQ(count(beside_long_row(Short(bytes_in(keys), {}), keys.size(), {})), 0u);
}

// Where samples rise, and what lies between them does not.
TEST(LongRow, IsReadWhole) {
  for (const std::size_t fall : {5'001u, 1u, 9'998u}) {
    for (const bool before : {false, true}) {
      auto pairs = row_and_rest(10'000, 1'000, before, Rest::kAnyOrder, 1'000'000'000);
      pairs[fall + (before ? 1'000 : 0)].key = 0;
      const Range rest = beside(pairs);
      const bool is_near = before ? fall < 5'000 : fall > 5'000;
      if (!is_near) {
        EXPECT_EQ(count(rest), 0u) << fall << before;
      }
      if (count(rest) == 0) continue;
      const Range row = before ? Range{rest.end, pairs.size()} : Range{0, rest.begin};
      EXPECT_TRUE(std::is_sorted(pairs.begin() + static_cast<std::ptrdiff_t>(row.begin),
                                 pairs.begin() + static_cast<std::ptrdiff_t>(row.end),
                                 [](const Pair& a, const Pair& b) { return a.key < b.key; }));
    }
  }
}

TEST(LongRow, AllAreSortedStably) {
  for (const std::size_t rest : {1u, 2u, 3u, 30u, 700u, 5'000u, 40'000u}) {
    for (const bool before : {false, true}) {
      for (const Rest order : {Rest::kAnyOrder, Rest::kRises, Rest::kFalls}) {
        for (const std::uint32_t keys : {3u, 1'000u, 1'000'000'000u}) {
          for (const int processors : {1, 2, 5}) {
            auto pairs = row_and_rest(rest + 41'000, rest, before, order, keys);
            const auto expected = sorted(pairs);
            postroom::sort(pairs, &Pair::key, {.processors = processors});
            ASSERT_EQ(pairs, expected) << rest << " " << before << " " << keys << " " << processors;
          }
        }
      }
    }
  }
}

TEST(LongRow, KeysThatThrowGoThrough) {
  for (const int processors : {1, 2}) {
    for (const std::uint32_t number : {0u, 39'000u, 40'001u, 59'999u}) {
      auto pairs = row_and_rest(40'000, 20'000, false, Rest::kAnyOrder);
      const auto key = [number](const Pair& pair) {
        if (pair.number == number) throw std::runtime_error("a key");
        return pair.key;
      };
      EXPECT_THROW(postroom::sort(pairs, key, {.processors = processors}), std::runtime_error);
      // No record is lost.
      std::ranges::sort(pairs, {}, &Pair::number);
      for (std::uint32_t i = 0; i < pairs.size(); ++i) ASSERT_EQ(pairs[i].number, i);
    }
  }
}

}  // namespace
}  // namespace postroom::sorting
