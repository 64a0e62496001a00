// Merging of rows in order, beside the standard library.
#include "sort/merge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <ranges>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tests/sort/some_records.h"
#include "tests/sort/sorting.h"
#include "tests/thrown.h"

namespace postroom {
namespace {

// Rows that are gone when they have been looked at are no rows.
using MadeWhenAsked = decltype(std::views::iota(0, 2) |
                               std::views::transform([](int i) { return std::vector<int>{i}; }));
static_assert(!RangeOfRows<MadeWhenAsked>);
static_assert(RangeOfRows<std::vector<std::vector<int>>>);
static_assert(RangeOfRows<std::vector<std::span<const int>>>);

template <class A, class B, class Target>
concept Merged = requires(const A& a, const B& b, Target& target) {
  postroom::merge(a, b, target);
};

using Ints = std::vector<int>;
static_assert(Merged<Ints, Ints, Ints>);
static_assert(!Merged<Ints, Ints, std::vector<long>>);
static_assert(!Merged<Ints, std::vector<long>, Ints>);

TEST(Merge, AsTheStandardLibrary) {
  for_records([](const Records& records, const Records& expected, const SortOptions& options,
                 const std::string& what) {
    for (const std::size_t rows : {1, 2, 3, 8, 40, 1000, 2000}) {
      std::vector<Records> parts;
      for (std::size_t row = 0; row < rows; ++row) {
        // Of different sizes; some are empty.
        const std::size_t begin = records.size() * row * row / (rows * rows);
        const std::size_t end = records.size() * (row + 1) * (row + 1) / (rows * rows);
        parts.push_back(expected_order(Records(records.begin() + static_cast<long>(begin),
                                               records.begin() + static_cast<long>(end)),
                                       options.descending));
      }
      Records target(records.size());
      merge(parts, target, kKey, options);
      EXPECT_TRUE(same_records(target, expected)) << what << ", " << rows << " rows";
    }
  });
}

TEST(Merge, TwoRowsAndNone) {
  const std::vector<int> odd{1, 3, 5};
  const std::array<int, 2> even{2, 4};
  std::vector<int> target(5);
  merge(odd, even, target);
  EXPECT_EQ(target, (std::vector<int>{1, 2, 3, 4, 5}));
  std::vector<int> nothing;
  merge(std::vector<std::vector<int>>(), nothing);
  EXPECT_EQ(refusal([&] { merge(odd, odd, target); }),
            "target: 5 elements are not allowed; as many as all rows have, 6");
  EXPECT_EQ(
      refusal([&] { merge(std::span(target).first(3), even, target); }),
      "memory: sources, targets, values and scratch that overlap by 12 bytes are not allowed");
}

TEST(Merge, LargeElements) {
  struct Large {
    std::uint32_t key;
    std::uint32_t number;
    std::array<std::byte, 92> rest;
  };
  for (const std::size_t rows : {2, 5}) {
    std::vector<std::vector<Large>> parts(rows);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> expected;
    std::mt19937_64 random(kSeed);
    for (auto& part : parts) {
      for (std::size_t i = 0; i < 20'000; ++i) {
        part.push_back({static_cast<std::uint32_t>(random() % 1000),
                        static_cast<std::uint32_t>(expected.size()),
                        {}});
        expected.emplace_back(part.back().key, part.back().number);
      }
      std::ranges::stable_sort(part, {}, &Large::key);
    }
    std::ranges::sort(expected);
    std::vector<Large> target(expected.size());
    merge(parts, target, &Large::key, {.processors = 2});
    const auto made = [](const Large& each) { return std::pair(each.key, each.number); };
    EXPECT_TRUE(std::ranges::equal(target, expected, {}, made));
  }
}

// More than the sort of rows would take, which such elements are never given to.
TEST(Merge, RowsOfOveralignedElements) {
  struct alignas(128) Wide {
    int key;
  };
  const std::vector<Wide> a{{1}, {4}};
  const std::vector<Wide> b{{2}, {3}};
  const std::vector<Wide> c{{0}, {5}};
  std::vector<Wide> all(6);
  merge(std::vector<std::span<const Wide>>{a, b, c}, all, &Wide::key);
  EXPECT_TRUE(std::ranges::is_sorted(all, {}, &Wide::key));
}

// Rows of which a CPU can guess the next one are merged by fours.
TEST(Merge, RowsThatTakeTurns) {
  for (const std::size_t rows : {2, 3, 4, 5, 16, 17}) {
    for (const std::size_t turn : {1, 4, 300}) {
      std::vector<Records> parts(rows);
      Records all;
      for (std::size_t i = 0; i < 150'000 / rows; ++i) {
        // Each row has the keys of its neighbour, too.
        for (std::size_t row = 0; row < rows; ++row) {
          const auto key = static_cast<std::int32_t>(i / turn * rows + row / 2);
          parts[row].push_back({key, static_cast<std::uint32_t>(row << 24 | i)});
        }
      }
      for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
      for (const int processors : {1, 3}) {
        Records target(all.size());
        merge(parts, target, kKey, {.processors = processors, .pin = false});
        EXPECT_TRUE(same_records(target, expected_order(all, false))) << rows << " " << turn;
      }
    }
  }
}

TEST(Merge, RowsThatFallInTurnsGiveAPermutation) {
  for (const std::size_t count : {2, 3, 20}) {
    std::vector<std::vector<std::uint32_t>> rows(count, std::vector<std::uint32_t>(40'000));
    std::vector<std::uint32_t> all;
    for (std::size_t row = 0; row < count; ++row) {
      for (std::size_t i = 0; i < rows[row].size(); ++i) {
        rows[row][i] = static_cast<std::uint32_t>((rows[row].size() - i) * count + row);
      }
      all.insert(all.end(), rows[row].begin(), rows[row].end());
    }
    std::vector<std::uint32_t> target(all.size());
    merge(rows, target, {.processors = 3, .pin = false});
    std::ranges::sort(target);
    std::ranges::sort(all);
    EXPECT_EQ(target, all);
  }
}

TEST(Merge, OptionsThatAreRefusedLeaveTheTargetAlone) {
  for (const std::size_t count : {2, 3, 5000}) {
    const std::vector<std::vector<std::uint64_t>> rows(count, {1, 2});
    std::vector<std::uint64_t> target(2 * count, 7);
    EXPECT_NE(refusal([&] {
                merge(rows, target, {.processors = -1});
              }).find("processors: -1 is not allowed"),
              std::string::npos)
        << count;
    EXPECT_EQ(target, std::vector<std::uint64_t>(2 * count, 7)) << count;
  }
}

TEST(Merge, RowsThatAreNotInOrderGiveAPermutation) {
  std::mt19937_64 random(kSeed);
  for (const std::size_t count : {2, 3, 20}) {
    std::vector<std::vector<std::uint32_t>> rows(count, std::vector<std::uint32_t>(40'000));
    std::vector<std::uint32_t> all;
    for (auto& row : rows) {
      for (auto& key : row) key = static_cast<std::uint32_t>(random());
      all.insert(all.end(), row.begin(), row.end());
    }
    std::vector<std::uint32_t> target(all.size());
    merge(rows, target, {.processors = 3, .pin = false});
    std::ranges::sort(target);
    std::ranges::sort(all);
    EXPECT_EQ(target, all);
  }
}

}  // namespace
}  // namespace postroom
