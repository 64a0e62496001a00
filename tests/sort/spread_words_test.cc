// Records of one word spread until networks sort them, compared with the standard library.
#include "sort/engine/spread_words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sort/datasets.h"
#include "sort/engine/config.h"
#include "sort/engine/layout.h"
#include "tests/sort/sorting.h"
#include "tests/sort/word_rows.h"

namespace postroom::sorting {
namespace {

// From all around keys to all by digits, of few bits and of many.
const SortConfig kConfigs[] = {
    {}, {.radix_bytes = 0}, {.radix_bytes = 2000}, {.spread_bits = 4}, {.spread_bits = 5}};

template <class Word>
void expect_sorted(const std::vector<typename Word::Key>& keys, const std::string& what) {
  for (const SortConfig& config : kConfigs) {
    for (const bool away : {false, true}) {
      for (const bool descending : {false, true}) {
        std::vector<Word> home = words_with<Word>(keys);
        std::vector<Word> room(home.size());
        const auto expected = sorted_words(home, descending);
        if (away) std::swap(home, room);
        WordSpreader<Words<Word>> spreader(words_of(home, descending), words_of(room, descending),
                                           keys.size(), config);
        spreader.sort_any({0, keys.size(), away}, keys.size());
        ASSERT_TRUE(home == expected)
            << what << (away ? ", from the scratch" : ", at home")
            << (descending ? ", descending" : "") << ", " << config.spread_bits << " bits, "
            << config.radix_bytes << " bytes";
      }
    }
  }
}

/// Mostly one key, all others on one side of it, or on both.
template <class Key>
std::vector<Key> mostly_one(std::size_t size, int below, int above) {
  std::vector<Key> keys(size, Key{1 << 20});
  for (std::size_t i = 0; i < size; ++i) {
    const int turn = static_cast<int>(i * 7919 % 100);
    if (turn < below) keys[i] = static_cast<Key>(i * 2654435761U % (1 << 20));
    if (turn >= 100 - above) keys[i] = static_cast<Key>((1 << 20) + i * 40503 % 1'000'000);
  }
  return keys;
}

template <class Word>
void expect_all_sorted() {
  using Key = typename Word::Key;
  for (const std::size_t size : {1, 2, 17, 64, 65, 128, 129, 300, 1000, 5000, 40'000}) {
    const std::string n = "n = " + std::to_string(size) + ", ";
    for (const Distribution distribution : kDistributions) {
      expect_sorted<Word>(keys_of<Key>(distribution, size, /*seed=*/size),
                          n + to_string(distribution));
    }
    for (const auto& [below, above] : {std::pair(1, 0), {0, 1}, {1, 1}, {30, 0}, {0, 30}}) {
      expect_sorted<Word>(
          mostly_one<Key>(size, below, above),
          n + std::to_string(below) + " % below, " + std::to_string(above) + " % above");
    }
  }
}

class WordSpreaders : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_word_networks()) GTEST_SKIP() << "this processor has no AVX-512";
  }
};

TEST_F(WordSpreaders, SortByTheLowerHalf) { expect_all_sorted<KeyInFront<std::uint32_t>>(); }
TEST_F(WordSpreaders, SortByTheUpperHalf) { expect_all_sorted<KeyBehind<std::uint32_t>>(); }
TEST_F(WordSpreaders, SortBySignedKeys) {
  expect_all_sorted<KeyInFront<std::int32_t>>();
  expect_all_sorted<KeyBehind<std::int32_t>>();
}

// A key that is the largest there is has none behind it.
TEST_F(WordSpreaders, SortTheLargestKeys) {
  using Word = KeyInFront<std::uint32_t>;
  for (const std::size_t size : {100, 200, 3000}) {
    std::vector<std::uint32_t> keys(size, ~0U);
    expect_sorted<Word>(keys, "all the largest");
    for (std::size_t i = 0; i < size; i += 3) keys[i] = static_cast<std::uint32_t>(i % 2);
    expect_sorted<Word>(keys, "many the largest");
  }
}

// A part is sorted in its own place, whoever is at work beside it.
TEST_F(WordSpreaders, LeaveWhatIsNoneOfTheirBusiness) {
  using Word = KeyInFront<std::uint32_t>;
  for (const Distribution distribution : {Distribution::uniform, Distribution::S}) {
    const auto all = words_with<Word>(keys_of<std::uint32_t>(distribution, 3000, 1));
    for (const std::size_t size : {1, 5, 16, 17, 64, 100, 128, 129, 500, 1000, 2500}) {
      for (const bool away : {false, true}) {
        std::vector<Word> home = all;
        std::vector<Word> room = all;
        std::ranges::reverse(room);
        const std::vector<Word> room_before = room;
        const std::vector<Word>& from = away ? room : home;
        const auto sorted = sorted_words(std::vector(&from[100], &from[100] + size), false);
        std::vector<Word> expected = all;
        std::ranges::copy(sorted, expected.begin() + 100);
        WordSpreader<Words<Word>> spreader(words_of(home), words_of(room), 3000, {});
        spreader.sort_any({100, 100 + size, away}, away ? 3000 : 100 + size);
        EXPECT_TRUE(home == expected) << "n = " << size;
        std::copy_n(room_before.begin() + 100, size, room.begin() + 100);
        EXPECT_TRUE(room == room_before) << "n = " << size;
      }
    }
  }
}

}  // namespace
}  // namespace postroom::sorting
