// Rows of a key and a rising number sorted as bare keys by machines of 1 to 7 processors; compared
// with the standard library. And which rows these are.
#include "sort/engine/whole_words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/machine.h"
#include "sort/datasets.h"
#include "sort/engine/config.h"
#include "sort/engine/layout.h"
#include "sort/engine/lease.h"
#include "sort/options.h"
#include "tests/sort/sorting.h"
#include "tests/sort/word_rows.h"

namespace postroom::sorting {
namespace {

constexpr std::size_t kSizes[] = {1, 2, 15, 16, 17, 100, 1000, 5003};
constexpr Distribution kMixed[] = {
    Distribution::uniform,      Distribution::S,    Distribution::N, Distribution::zipf,
    Distribution::few_distinct, Distribution::equal};

template <class Word>
WordRows rows_of(std::vector<Word>& words, std::vector<Word>& room, bool descending) {
  return word_rows(words_of(words, descending), words_of(room, descending), words.size());
}

// Each number as often as `alike` says.
template <class Word>
std::vector<Word> rising(Distribution distribution, std::size_t size, std::uint32_t alike) {
  return words_with<Word>(keys_of<typename Word::Key>(distribution, size, /*seed=*/size),
                          [=](std::uint32_t i) { return i / alike * 0x1'0001; });
}

template <class Word>
class WholeWords : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_word_networks()) GTEST_SKIP() << "no vectors of 64 bytes";
  }
};
using Kinds = testing::Types<KeyInFront<std::uint32_t>, KeyBehind<std::uint32_t>,
                             KeyInFront<std::int32_t>, KeyBehind<std::int32_t>>;
TYPED_TEST_SUITE(WholeWords, Kinds);

TYPED_TEST(WholeWords, AreSortedTogether) {
  for (const int processors : {1, 2, 3, 7}) {
    Machine machine({.processors = processors, .pin = false});
    const SortOptions options{.machine = &machine};
    for (const SortConfig& config : tiny_configs()) {
      for (const Distribution distribution : kMixed) {
        for (const std::size_t size : kSizes) {
          auto words = rising<TypeParam>(distribution, size, /*alike=*/1);
          const auto expected = sorted_words(words, size % 2 == 0);
          std::vector<TypeParam> room(size);
          Lease lease(options, size, 0);
          sort_words(rows_of(words, room, size % 2 == 0), {}, lease, config, nullptr);
          ASSERT_TRUE(words == expected)
              << to_string(distribution) << ", n = " << size << ", p = " << processors;
        }
      }
    }
  }
}

TYPED_TEST(WholeWords, NoNumberMayFall) {
  constexpr std::size_t kSize = 200;
  Machine machine({.processors = 3, .pin = false});
  for (std::size_t fall = 0; fall < kSize; ++fall) {
    auto words = rising<TypeParam>(Distribution::uniform, kSize, /*alike=*/1);
    std::vector<TypeParam> room(kSize);
    words[fall].number = 0;
    const WordRows rows = rows_of(words, room, false);
    Lease lease({.machine = &machine}, kSize, 0);
    // The first is 0 in any case.
    EXPECT_EQ(numbers_rise(rows, lease), fall <= 1) << fall;
  }
}

// As unsigned integers: -1 is the largest.
TYPED_TEST(WholeWords, NumbersHaveAllTheirBits) {
  auto words = rising<TypeParam>(Distribution::equal, 100, /*alike=*/1);
  for (std::uint32_t i = 0; i < words.size(); ++i) words[i].number = 0xffff'ff00 + i;
  std::vector<TypeParam> room(words.size());
  Machine machine({.processors = 2, .pin = false});
  Lease lease({.machine = &machine}, words.size(), 0);
  EXPECT_TRUE(numbers_rise(rows_of(words, room, false), lease));
  words.back().number = 1;
  EXPECT_FALSE(numbers_rise(rows_of(words, room, false), lease));
}

TYPED_TEST(WholeWords, AreWholeAgainWhateverIsThrown) {
  constexpr std::size_t kSize = 20'000;
  Machine machine({.processors = 2, .pin = false});
  auto words = rising<TypeParam>(Distribution::uniform, kSize, /*alike=*/1);
  std::vector<TypeParam> room(kSize);
  auto expected = sorted_words(words, false);
  Lease lease({.machine = &machine}, kSize, 0);
  SortConfig config;
  config.networks = false;  // in buckets, which tell how far they are
  const auto fail = [](double) { throw std::runtime_error("enough"); };
  EXPECT_THROW(sort_words(rows_of(words, room, false), {}, lease, config, fail),
               std::runtime_error);
  std::ranges::sort(words, {}, &TypeParam::number);
  std::ranges::sort(expected, {}, &TypeParam::number);
  EXPECT_TRUE(words == expected);
}

}  // namespace
}  // namespace postroom::sorting
