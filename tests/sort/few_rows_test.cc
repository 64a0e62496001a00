// Records that are a few rows in order: the rows are found and merged.
#include "sort/engine/few_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "runtime/machine.h"
#include "sort/engine/alone.h"
#include "sort/engine/failure.h"
#include "sort/engine/layout.h"
#include "sort/keys.h"
#include "sort/sort.h"
#include "tests/sort/machines.h"
#include "tests/sort/pair_rows.h"
#include "tests/sort/sorting.h"
#include "tests/sort/word_rows.h"

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
                  const SortConfig& config = {.row_records = 2, .most_rows = 4}) {
  std::vector<Pair> room(pairs.size());
  FewRows<Pairs> rows(Pairs(bytes_in(pairs), key), Pairs(bytes_in(room), key), pairs.size(),
                      processors, config);
  Failure failure;
  std::vector<char> sorted(processors);
  Machine& machine = machine_of(processors);
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

// Rows of which a CPU can guess the next one: they take turns, or hardly overlap.
std::vector<Pair> regular_rows(std::size_t rows, std::size_t size, bool turns) {
  std::vector<Pair> all;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < size; ++i) {
      // Every second key is that of its neighbour, too.
      const std::size_t key = turns ? i * rows + row / 2 * 2 : (rows - 1 - row) * size + i / 2;
      all.push_back({static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(all.size())});
    }
  }
  return all;
}

TEST(FewRows, ThatCanBeGuessedAreMergedByFours) {
  for (const std::size_t processors : {1, 2, 3, 7}) {
    for (const std::size_t rows : {2, 3, 4, 5, 8, 15, 16, 17, 31, 63, 64}) {
      for (const bool turns : {false, true}) {
        auto pairs = regular_rows(rows, 70'000 / rows, turns);
        const auto expected = sorted(pairs);
        ASSERT_TRUE(sort_rows_by(pairs, processors)) << processors << " " << rows << turns;
        ASSERT_EQ(pairs, expected) << processors << " " << rows << turns;
      }
    }
  }
}

// Wherever the places lie that tell whether it can be guessed: close to the end of four rows, too.
TEST(FewRows, ThatTakeTurnsAreMergedHoweverLongTheyAre) {
  constexpr std::size_t kRows = 64;
  for (const std::size_t size : {640u, 5001u, 10'000u, 33'003u, 50'000u, 65'537u, 100'000u}) {
    const std::size_t length = (size + kRows - 1) / kRows;
    std::vector<Pair> pairs;
    for (std::uint32_t i = 0; i < size; ++i) {
      pairs.push_back({static_cast<std::uint32_t>(i % length), i});
    }
    const auto expected = sorted(pairs);
    EXPECT_TRUE(sort_rows_by(pairs, 1)) << size;
    EXPECT_EQ(pairs, expected) << size;
  }
}

TEST(FewRows, MoreAreLeftAlone) {
  for (const std::size_t processors : {1, 2, 3}) {
    auto pairs = regular_rows(65, 100, false);
    const auto before = pairs;
    EXPECT_FALSE(sort_rows_by(pairs, processors));
    EXPECT_EQ(pairs, before);
  }
}

// Within it they are sorted sooner.
TEST(FewRows, OfKeysMoreThanSixteenAreMergedBeyondTheThirdCacheOnly) {
  using Keys = Rows<sizeof(std::uint32_t), WholeKey<std::uint32_t, false>>;
  constexpr std::size_t kRowKeys = 100;
  for (const std::size_t rows : {16, 17, 64, 65}) {
    std::vector<std::uint32_t> keys;
    for (std::size_t i = 0; i < rows * kRowKeys; ++i) {
      keys.push_back(static_cast<std::uint32_t>(i % kRowKeys * rows + i / kRowKeys));
    }
    auto expected = keys;
    std::ranges::sort(expected);
    std::vector<std::uint32_t> room(keys.size());
    const auto sort_within = [&](std::size_t third_cache) {
      const SortConfig config{.row_records = 2, .sides_bytes = third_cache};
      FewRows<Keys> few(Keys(bytes_in(keys), {}), Keys(bytes_in(room), {}), keys.size(), 1, config);
      Failure failure;
      Steps steps(Team(), failure);
      const bool sorted = few.sort(steps, {});
      failure.rethrow();
      return sorted;
    };
    const auto before = keys;
    const std::size_t bytes = keys.size() * sizeof(keys[0]);
    if (rows > 16) {
      EXPECT_FALSE(sort_within(bytes)) << rows;
      EXPECT_EQ(keys, before) << rows;
    }
    EXPECT_EQ(sort_within(rows > 16 ? bytes - 1 : bytes), rows <= 64) << rows;
    EXPECT_EQ(keys, rows <= 64 ? expected : before) << rows;
  }
}

// Few records of one word are sorted sooner, too.
TEST(FewRows, OfFewWordsMoreThanSixteenAreLeftAlone) {
  using Word = KeyInFront<std::uint32_t>;
  const auto sort_words = [](std::size_t rows, std::size_t size) {
    std::vector<std::uint32_t> keys;
    const std::size_t length = (size + rows - 1) / rows;
    for (std::size_t i = 0; i < size; ++i) keys.push_back(static_cast<std::uint32_t>(i % length));
    auto words = words_with<Word>(keys);
    auto room = words;
    const auto expected = sorted_words(words, false);
    const auto before = words;
    const SortConfig config{.row_records = 2};
    const bool merged = sort_few_rows(words_of(words), words_of(room), size, config);
    EXPECT_EQ(words, merged ? expected : before) << rows << " " << size;
    return merged;
  };
  constexpr std::size_t kFew = FewRows<Words<Word>>::kFew;
  EXPECT_TRUE(sort_words(16, kFew));
  EXPECT_FALSE(sort_words(17, kFew));
  EXPECT_TRUE(sort_words(17, kFew + 1));
  EXPECT_TRUE(sort_words(64, 4 * kFew));
}

// What a CPU cannot guess, by the setting; of few records no more than eight.
TEST(FewRows, ThatCannotBeGuessedAreMergedAsFarAsIsSet) {
  constexpr std::size_t kFew = FewRows<Pairs>::kFew;
  for (const auto& [most, rows, size, merged] :
       std::vector<std::tuple<std::size_t, std::size_t, std::size_t, bool>>{
           {4, 4, kFew, true},
           {4, 5, kFew, false},
           {4, 5, kFew + 1, false},
           {8, 8, kFew, true},
           {8, 9, kFew, false},
           {16, 9, kFew, false},
           {16, 9, kFew + 1, true},
           {16, 16, kFew + 1, true},
           {16, 17, kFew + 1, false}}) {
    std::vector<std::size_t> sizes(rows, size / rows);
    sizes.back() += size % rows;
    for (const std::size_t processors : {1, 3}) {
      auto pairs = rows_of(sizes, 1'000'000'000, rows);
      const auto before = pairs;
      const auto expected = sorted(pairs);
      const SortConfig config{.row_records = 2, .most_rows = most};
      EXPECT_EQ(sort_rows_by(pairs, processors, {}, config), merged) << most << " " << rows;
      EXPECT_EQ(pairs, merged ? expected : before) << most << " " << rows;
    }
  }
}

// The rows of each processor can be guessed, what comes of them cannot.
TEST(FewRows, ThatCanBeGuessedNoMoreComeHome) {
  constexpr std::size_t kProcessors = 8;
  constexpr std::size_t kSize = 500;
  std::mt19937 random(6);
  std::vector<Pair> pairs;
  std::vector<Pair> expected;
  for (std::size_t id = 0; id < kProcessors; ++id) {
    std::vector<std::uint32_t> keys(4 * kSize);
    for (std::uint32_t& key : keys) key = random();
    std::ranges::sort(keys);
    std::vector<Pair> rows;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto number = static_cast<std::uint32_t>(pairs.size() + i);
      rows.push_back({keys[i % kSize * 4 + i / kSize], number});
    }
    pairs.insert(pairs.end(), rows.begin(), rows.end());
    const auto merged = sorted(rows);
    expected.insert(expected.end(), merged.begin(), merged.end());
  }
  EXPECT_FALSE(sort_rows_by(pairs, kProcessors));
  EXPECT_EQ(pairs, expected);
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

// Throws when so many keys have been read, by all together.
struct Fuse {
  using Bits = std::uint32_t;
  static constexpr bool kWholeRecord = false;
  Bits operator()(const std::byte* at) const {
    if (--*left == 0) throw std::runtime_error("a key");
    return PairKey()(at);
  }
  std::atomic<int>* left;
};

// A key that throws late, after the first merge: then the rows have gone away and come home. By
// several processors some are through with a merge then, and some have not begun; and some merge at
// home.
void expect_permutation_whenever_a_key_throws(const std::vector<Pair>& before,
                                              std::size_t processors, std::uint64_t schedule,
                                              std::size_t merge_at_home_bytes) {
  using Fused = Rows<sizeof(Pair), Fuse>;
  const SortConfig config{.row_records = 2, .merge_at_home_bytes = merge_at_home_bytes};
  int thrown = 0;
  for (int fuse = 1; fuse < 20'000; fuse += 97) {
    auto pairs = before;
    std::vector<Pair> room(pairs.size());
    std::atomic<int> left = fuse;
    Failure failure;
    FewRows<Fused> rows(Fused(bytes_in(pairs), Fuse{&left}), Fused(bytes_in(room), Fuse{&left}),
                        pairs.size(), processors, config);
    machine_of(processors, schedule).run([&](Processor& self) {
      Steps steps(Team(self), failure);
      (void)rows.sort(steps, {});
    });
    try {
      failure.rethrow();
      EXPECT_EQ(pairs, sorted(before));
    } catch (const std::runtime_error&) {
      ++thrown;
      std::ranges::sort(pairs, {}, &Pair::number);
      EXPECT_EQ(pairs, before);
    }
  }
  EXPECT_GT(thrown, 30);
}
TEST(FewRows, AKeyThatThrowsInALaterMergeLeavesAPermutation) {
  for (const std::size_t processors : {1, 2, 3, 7}) {
    for (const std::uint64_t schedule : {0, 1, 2, 3}) {
      for (const std::size_t at_home_bytes : {0, 1 << 30}) {
        for (const auto& rows :
             {rows_of({400, 300, 200, 100}, 1000, 5), regular_rows(17, 60, true)}) {
          expect_permutation_whenever_a_key_throws(rows, processors, schedule, at_home_bytes);
        }
      }
    }
  }
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
