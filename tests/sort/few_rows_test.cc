// Records that are a few rows in order: the rows are found and merged.
#include "sort/few_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <stdexcept>
#include <vector>

#include "runtime/machine.h"
#include "sort/alone.h"
#include "sort/keys.h"
#include "sort/layout.h"
#include "sort/sort.h"
#include "tests/sort/pair_rows.h"
#include "tests/sort/sorting.h"

namespace postroom::sorting {
namespace {

// Rows of these sizes, in order, of keys below `keys`.
std::vector<Pair> rows_of(const std::vector<std::size_t>& sizes, std::uint32_t keys,
                          std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Pair> all;
  for (const std::size_t size : sizes) {
    std::vector<std::uint32_t> row(size);
    for (std::uint32_t& key : row) key = static_cast<std::uint32_t>(random() % keys);
    std::ranges::sort(row);
    for (const std::uint32_t key : row) {
      all.push_back({key, static_cast<std::uint32_t>(all.size())});
    }
  }
  return all;
}

// By `processors`; whether they were few rows.
bool sort_rows_by(std::vector<Pair>& pairs, std::size_t processors, PairKey key = {},
                  const SortConfig& config = {.row_records = 2}) {
  std::vector<Pair> room(pairs.size());
  FewRows<Pairs> rows(Pairs(bytes_in(pairs), key), Pairs(bytes_in(room), key), pairs.size(),
                      processors, config);
  Failure failure;
  std::vector<char> sorted(processors);
  Machine machine({.processors = static_cast<int>(processors)});
  machine.run([&](Processor& self) {
    Steps steps(Team(self), failure);
    sorted[static_cast<std::size_t>(self.id())] = rows.sort(steps, {});
  });
  failure.rethrow();
  EXPECT_EQ(std::ranges::count(sorted, sorted[0]), static_cast<std::ptrdiff_t>(processors));
  return sorted[0] != 0;
}

const std::vector<std::vector<std::size_t>> kSizes{
    {500, 500},      {999, 1},           {1, 999},       {300, 300, 300},
    {1000, 10, 500}, {700, 1, 1, 400},   {1, 2, 3, 600}, {400, 300, 200, 100},
    {1, 1, 1, 1},    {5000, 5000, 5001},
};

TEST(FewRows, AreMerged) {
  for (const std::size_t processors : {1, 2, 3, 7}) {
    for (const auto& sizes : kSizes) {
      for (const std::uint32_t keys : {1'000'000'000u, 100u, 3u}) {
        auto pairs = rows_of(sizes, keys, processors);
        const auto expected = sorted(pairs);
        ASSERT_TRUE(sort_rows_by(pairs, processors)) << processors << " " << sizes.size();
        ASSERT_EQ(pairs, expected) << processors << " " << sizes.size() << " " << keys;
      }
    }
  }
}

TEST(FewRows, ManyRowsAreLeftAlone) {
  for (const std::size_t processors : {1, 2, 3}) {
    auto five = rows_of({100, 100, 100, 100, 100}, 1'000'000'000, 3);
    auto reversed = sorted(rows_of({2000}, 1'000'000'000, 4));
    std::ranges::reverse(reversed);
    for (const auto& pairs : {five, reversed}) {
      auto same = pairs;
      EXPECT_FALSE(sort_rows_by(same, processors));
      EXPECT_EQ(same, pairs);
    }
  }
}

TEST(FewRows, FewRecordsAreLeftAlone) {
  auto pairs = rows_of({100, 100}, 1000, 1);
  const auto before = pairs;
  EXPECT_FALSE(sort_rows_by(pairs, 1, {}, {}));
  EXPECT_EQ(pairs, before);
  EXPECT_TRUE(sort_rows_by(pairs, 1));
  EXPECT_EQ(pairs, sorted(before));
}

TEST(FewRows, AKeyThatThrowsLeavesAPermutation) {
  for (const std::size_t processors : {1, 3}) {
    for (const std::uint32_t throws_at : {0u, 7u, 50u, 99u}) {
      const auto before = rows_of({800, 700, 600, 500}, 100, throws_at);
      auto pairs = before;
      EXPECT_THROW((void)sort_rows_by(pairs, processors, {.throws_at_key = throws_at}),
                   std::runtime_error);
      std::ranges::sort(pairs, {}, &Pair::number);
      EXPECT_EQ(pairs, before);
    }
  }
}

// Throws when so many keys have been read.
struct Fuse {
  using Bits = std::uint32_t;
  static constexpr bool kWholeRecord = false;
  Bits operator()(const std::byte* at) const {
    if (--*left == 0) throw std::runtime_error("a key");
    return PairKey()(at);
  }
  int* left;
};

// A key that throws late, after the first merge: then the rows have gone away and come home.
TEST(FewRows, AKeyThatThrowsInALaterMergeLeavesAPermutation) {
  using Fused = Rows<sizeof(Pair), Fuse>;
  const auto before = rows_of({400, 300, 200, 100}, 1000, 5);
  int thrown = 0;
  for (int fuse = 1; fuse < 20'000; fuse += 97) {
    auto pairs = before;
    std::vector<Pair> room(pairs.size());
    int left = fuse;
    try {
      (void)sort_few_rows(Fused(bytes_in(pairs), Fuse{&left}), Fused(bytes_in(room), Fuse{&left}),
                          pairs.size(), {.row_records = 2});
      EXPECT_EQ(pairs, sorted(before));
    } catch (const std::runtime_error&) {
      ++thrown;
      std::ranges::sort(pairs, {}, &Pair::number);
      EXPECT_EQ(pairs, before);
    }
  }
  EXPECT_GT(thrown, 30);
}

template <class T>
std::vector<T> appended(std::size_t size, std::size_t rows, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<T> all(size);
  for (T& key : all) {
    key = static_cast<T>(static_cast<std::int64_t>(random() >> 1) * (random() % 2 == 0 ? 1 : -1));
  }
  for (std::size_t row = 0; row < rows; ++row) {
    std::ranges::sort(all.begin() + static_cast<std::ptrdiff_t>(row * size / rows),
                      all.begin() + static_cast<std::ptrdiff_t>((row + 1) * size / rows));
  }
  return all;
}

// Through the front door, whichever way is taken there.
template <class T>
void expect_front_door_sorts() {
  for (const std::size_t size : {5000, 100'000, 400'000}) {
    for (const std::size_t rows : {2, 3, 4, 5}) {
      auto keys = appended<T>(size, rows, rows);
      auto expected = keys;
      std::ranges::sort(expected);
      sort(keys, SortOptions{.processors = 3});
      ASSERT_EQ(keys, expected) << size << " " << rows;
    }
  }
}
TEST(FewRows, KeysOfAllKinds) {
  expect_front_door_sorts<std::uint32_t>();
  expect_front_door_sorts<std::int64_t>();
  expect_front_door_sorts<float>();
  expect_front_door_sorts<double>();
}

}  // namespace
}  // namespace postroom::sorting
