// Merging up to four rows by branches, and whether it can be guessed which row is next.
#include "sort/engine/merge_guessed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "tests/sort/pair_rows.h"

namespace postroom::sorting {
namespace {

using Sizes = std::array<std::size_t, 4>;

// Places are four apart.
constexpr std::size_t kStep = 4;

struct Elements {
  std::uint32_t key(std::size_t place) const {
    if (reads != nullptr) ++*reads;
    return (*from)[place / kStep].key;
  }
  void take(std::size_t to, std::size_t place) const {
    (*target)[to / kStep] = (*from)[place / kStep];
  }

  const std::vector<Pair>* from;
  std::vector<Pair>* target;
  std::size_t* reads = nullptr;  // of keys, counted
};

// Four rows, one behind the other; next(row, i) gives keys that do not fall.
struct Four {
  Four(const Sizes& sizes, const std::function<std::uint32_t(std::size_t, std::size_t)>& next) {
    std::array<Range, 4> at;
    for (std::size_t row = 0; row < 4; ++row) {
      at[row].begin = pairs.size() * kStep;
      for (std::size_t i = 0; i < sizes[row]; ++i) {
        pairs.push_back({next(row, i), static_cast<std::uint32_t>(pairs.size())});
      }
      at[row].end = pairs.size() * kStep;
    }
    rows = {{at[0].begin, at[0].end, at[1].begin, at[1].end, 0},
            {at[2].begin, at[2].end, at[3].begin, at[3].end, 0},
            0};
  }

  std::vector<Pair> pairs;
  FourRows<kStep> rows;
};

Four random_rows(const Sizes& sizes, std::uint32_t keys, std::mt19937& random) {
  std::array<std::vector<std::uint32_t>, 4> all;
  for (std::size_t row = 0; row < 4; ++row) {
    for (std::size_t i = 0; i < sizes[row]; ++i) all[row].push_back(random() % keys);
    std::ranges::sort(all[row]);
  }
  return Four(sizes, [&](std::size_t row, std::size_t i) { return all[row][i]; });
}

const std::vector<Sizes> kSizes{{0, 0, 0, 0}, {1, 0, 0, 0},  {0, 0, 0, 1},    {5, 0, 7, 0},
                                {0, 3, 3, 0}, {1, 1, 1, 1},  {1, 9, 2, 100},  {100, 2, 9, 1},
                                {0, 8, 8, 8}, {40, 0, 1, 1}, {33, 33, 33, 33}};

TEST(MergeGuessed, IsStable) {
  std::mt19937 random(1);
  for (const Sizes& sizes : kSizes) {
    for (const std::uint32_t keys : {1u, 3u, 1'000'000u}) {
      const Four four = random_rows(sizes, keys, random);
      std::vector<Pair> target(four.pairs.size());
      merge_guessed(four.rows, Elements{&four.pairs, &target});
      ASSERT_EQ(target, sorted(four.pairs));
    }
  }
}

TEST(MergeGuessed, PartsThatAreCutAtAnyRankMakeTheWhole) {
  std::mt19937 random(2);
  for (const Sizes& sizes : kSizes) {
    for (const std::uint32_t keys : {1u, 3u, 1'000'000u}) {
      const Four four = random_rows(sizes, keys, random);
      const auto expected = sorted(four.pairs);
      for (std::size_t rank = 0; rank <= four.pairs.size(); ++rank) {
        std::vector<Pair> target(four.pairs.size());
        const Elements elements{&four.pairs, &target};
        const auto [before, after] = four.rows.cut(rank, elements);
        ASSERT_EQ(before.left(), rank);
        ASSERT_EQ(after.to, rank * kStep);
        merge_guessed(after, elements);
        ASSERT_TRUE(std::equal(expected.begin() + static_cast<std::ptrdiff_t>(rank), expected.end(),
                               target.begin() + static_cast<std::ptrdiff_t>(rank)));
        merge_guessed(before, elements);
        ASSERT_EQ(target, expected);
      }
    }
  }
}

// Rows that take turns, the last keys of some of them far above all others.
Four rows_with_high_ends(const Sizes& sizes, const Sizes& high) {
  return Four(sizes, [&](std::size_t row, std::size_t i) {
    const bool is_high = i + high[row] >= sizes[row];
    return static_cast<std::uint32_t>(4 * i + row + (is_high ? 1'000'000 : 0));
  });
}

TEST(MergeGuessed, ReadsFewKeysWhereRowsEndInHighOnes) {
  const std::vector<Sizes> high_ends{{1, 0, 0, 0}, {0, 0, 3, 0}, {1, 2, 0, 0}, {0, 1, 2, 3}};
  for (const Sizes& sizes : {Sizes{10'000, 10'000, 10'000, 10'000}, Sizes{10, 9'000, 20, 9'000}}) {
    for (const Sizes& high : high_ends) {
      const Four four = rows_with_high_ends(sizes, high);
      std::vector<Pair> target(four.pairs.size());
      std::size_t reads = 0;
      merge_guessed(four.rows, Elements{&four.pairs, &target, &reads});
      EXPECT_EQ(target, sorted(four.pairs));
      EXPECT_LT(reads, 2 * target.size());
    }
  }
}

TEST(MergeGuessed, RowsThatAreNotInOrderGiveAPermutation) {
  std::mt19937 random(4);
  for (const Sizes& sizes : {Sizes{1, 5'000, 7, 300}, Sizes{600, 0, 9'000, 4'100}}) {
    for (const std::uint32_t keys : {3u, 1'000'000u}) {
      const Four four(sizes, [&](std::size_t, std::size_t) { return random() % keys; });
      std::vector<Pair> target(four.pairs.size());
      merge_guessed(four.rows, Elements{&four.pairs, &target});
      std::ranges::sort(target, {}, &Pair::number);
      EXPECT_EQ(target, four.pairs);
    }
  }
}

bool is_guessed(const Four& four, std::size_t steps = 512) {
  return can_guess(four.rows, Elements{&four.pairs, nullptr}, steps);
}

TEST(CanGuess, RowsThatTakeTurns) {
  const Sizes sizes{1000, 1000, 1000, 1000};
  for (const std::uint32_t at_a_time : {1u, 2u, 4u, 16u}) {
    const auto turns = [&](std::size_t row, std::size_t i) {
      const auto turn = static_cast<std::uint32_t>(i) / at_a_time;
      return turn * 4 + static_cast<std::uint32_t>(row);
    };
    EXPECT_TRUE(is_guessed(Four(sizes, turns))) << at_a_time;
  }
}

TEST(CanGuess, RowsOneBehindTheOther) {
  const auto apart = [](std::size_t row, std::size_t i) {
    return static_cast<std::uint32_t>((3 - row) * 200 + i);
  };
  EXPECT_TRUE(is_guessed(Four({100, 100, 100, 100}, apart)));
  EXPECT_TRUE(is_guessed(Four({0, 0, 0, 0}, apart)));
  EXPECT_TRUE(is_guessed(Four({0, 0, 10, 0}, apart)));
}

TEST(CanGuess, NotRowsOfRandomKeys) {
  std::mt19937 random(3);
  for (int i = 0; i < 20; ++i) {
    EXPECT_FALSE(is_guessed(random_rows({1000, 1000, 1000, 1000}, 1'000'000, random)));
    EXPECT_FALSE(is_guessed(random_rows({0, 1000, 1000, 0}, 1'000'000, random)));
    EXPECT_FALSE(is_guessed(random_rows({1000, 1000, 1000, 1000}, 1'000'000, random), 64));
  }
}

}  // namespace
}  // namespace postroom::sorting
