// is_sorted and is_sorted_until, beside the standard library.
#include "sort/is_sorted.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <numeric>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

#include "tests/sort/some_records.h"
#include "tests/sort/sorting.h"

namespace postroom {
namespace {

TEST(IsSorted, AsTheStandardLibrary) {
  for_records([](const Records& records, const Records& expected, const SortOptions& options,
                 const std::string& what) {
    const auto before = [&](std::int32_t a, std::int32_t b) {
      return options.descending ? b < a : a < b;
    };
    EXPECT_TRUE(is_sorted(expected, kKey, options)) << what;
    const auto until = std::ranges::is_sorted_until(records, before, kKey);
    EXPECT_EQ(is_sorted_until(records, kKey, options) - records.begin(), until - records.begin())
        << what;
    EXPECT_EQ(is_sorted(records, kKey, options), until == records.end()) << what;
  });
  std::vector<std::uint64_t> keys(100'000);
  std::iota(keys.begin(), keys.end(), 0);
  for (const std::size_t place : {99'999, 50'000, 2}) {
    keys[place] = 0;
    EXPECT_EQ(is_sorted_until(keys) - keys.begin(), static_cast<long>(place));
  }
  EXPECT_TRUE(is_sorted(std::array{3, 2, 1}, {.descending = true}));
}

template <class Key>
void expect_first_disorder_of_bare_keys() {
  for (const bool descending : {false, true}) {
    for (const Distribution distribution : {Distribution::sorted, Distribution::few_distinct}) {
      auto keys = keys_of<Key>(distribution, 10'000, /*seed=*/1);
      const SortOptions options{.descending = descending};
      sort(keys, options);
      const auto before = [&](Key a, Key b) {
        return descending ? ordered_bits(b) < ordered_bits(a) : ordered_bits(a) < ordered_bits(b);
      };
      // From the back, so that each is the first.
      for (const std::size_t place : {9'999, 8'192, 8'191, 4'097, 4'096, 1'000, 33, 2, 1}) {
        std::swap(keys[place], keys[place - 1]);
        const auto expected = std::ranges::is_sorted_until(keys, before);
        EXPECT_EQ(is_sorted_until(keys, options) - keys.begin(), expected - keys.begin())
            << "place " << place << (descending ? ", descending" : "");
      }
    }
  }
}

TEST(IsSorted, BareKeys) {
  expect_first_disorder_of_bare_keys<std::uint8_t>();
  expect_first_disorder_of_bare_keys<std::int16_t>();
  expect_first_disorder_of_bare_keys<std::uint32_t>();
  expect_first_disorder_of_bare_keys<std::int64_t>();
  expect_first_disorder_of_bare_keys<float>();
  expect_first_disorder_of_bare_keys<double>();
}

TEST(IsSorted, FirstDisorderAmongSeveralProcessors) {
  std::vector<std::uint64_t> keys(3 * sorting::SortConfig{}.order_alone_bytes /
                                  sizeof(std::uint64_t));
  std::iota(keys.begin(), keys.end(), 1);
  const SortOptions three{.processors = 3};
  EXPECT_TRUE(is_sorted(keys, three));
  // From the back, so that each is the first.
  for (const std::size_t parts : {1, 2, 3, 3 * 64, 1000}) {
    const std::size_t place = (keys.size() - 1) / parts;
    for (const std::size_t p : {place + 1, place, place - 1}) {
      if (p >= keys.size()) continue;
      keys[p] = 0;
      EXPECT_EQ(is_sorted_until(keys, three) - keys.begin(), static_cast<long>(p));
    }
  }
}

TEST(IsSorted, WideKeysAndRangesThatDoNotLieSideBySide) {
  using Pair = std::pair<std::uint64_t, std::uint32_t>;
  std::vector<Pair> pairs;
  for (std::uint32_t i = 0; i < 300'000; ++i) pairs.emplace_back(i / 1000, i % 1000);
  const SortOptions two{.processors = 2};
  EXPECT_TRUE(postroom::is_sorted(pairs, two));
  EXPECT_FALSE(postroom::is_sorted(pairs, {.descending = true}));
  EXPECT_EQ(postroom::is_sorted_until(pairs, {.descending = true}) - pairs.begin(), 1);
  // From the back, so that each is the first.
  for (const std::size_t place : {299'999, 150'000, 2}) {
    std::swap(pairs[place], pairs[place - 1]);
    const auto first = std::ranges::is_sorted_until(pairs);
    EXPECT_EQ(postroom::is_sorted_until(pairs, two) - pairs.begin(), first - pairs.begin());
  }
  const auto prefix = [](const std::string& word) { return StringPrefix<9>(word); };
  EXPECT_TRUE(postroom::is_sorted(std::deque<std::string>{"a", "a", "b", "bb"}, prefix));
  EXPECT_FALSE(postroom::is_sorted(std::vector<std::string>{"a", "bb", "b"}, prefix));
  const std::deque<int> numbers{3, 2, 2, 4};
  EXPECT_EQ(postroom::is_sorted_until(numbers, {.descending = true}) - numbers.begin(), 3);
  EXPECT_TRUE(postroom::is_sorted(std::vector<bool>{false, false, true}));
  EXPECT_TRUE(postroom::is_sorted(std::vector<Pair>{}));
}

}  // namespace
}  // namespace postroom
