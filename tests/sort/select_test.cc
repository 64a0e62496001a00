// The first k and the n-th, beside the standard library.
#include "sort/select.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <ranges>
#include <span>
#include <string>
#include <vector>

#include "tests/sort/some_records.h"
#include "tests/sort/sorting.h"
#include "tests/thrown.h"

namespace postroom {
namespace {

static_assert(!PickableRange<std::array<bool, 3>> && !PickableRange<std::vector<std::string>>);

TEST(TopK, AreTheFirstOfTheSorted) {
  for_records([](const Records& records, const Records& expected, const SortOptions& options,
                 const std::string& what) {
    for (const std::size_t k :
         {records.size(), records.size() / 2, std::size_t{1}, std::size_t{0}}) {
      if (k > records.size()) continue;
      const Records first(expected.begin(), expected.begin() + static_cast<long>(k));
      EXPECT_TRUE(same_records(top_k(records, k, kKey, options), first)) << what << ", k = " << k;
    }
  });
  EXPECT_EQ(top_k(std::vector<double>{2.5, -1, 7}, 2, {.descending = true}),
            (std::vector<double>{7, 2.5}));
  EXPECT_EQ(top_k(std::vector{2, 1}, 3), (std::vector{1, 2}));  // as std::partial_sort_copy
  EXPECT_EQ(top_k(std::vector<int>{}, 3), std::vector<int>{});
}

TEST(NthElement, PutsSmallerBeforeAndLargerBehind) {
  for_records([](const Records& records, const Records& expected, const SortOptions& options,
                 const std::string& what) {
    for (const std::size_t n :
         {records.size(), records.size() / 2, records.size() / 3, std::size_t{0}}) {
      Records parted = records;
      nth_element(parted, n, kKey, options);
      if (n == records.size()) {
        EXPECT_TRUE(same_records(parted, records)) << what;
        continue;
      }
      const std::int32_t nth = expected[n].key;
      const auto kind = [&](const Numbered<std::int32_t>& record) {
        return record.key == nth ? 1 : (record.key < nth) != options.descending ? 0 : 2;
      };
      Records in_three = records;
      std::ranges::stable_sort(in_three, {}, kind);
      EXPECT_TRUE(same_records(parted, in_three)) << what << ", n = " << n;
    }
  });
  for (const std::size_t size : {5, 10'000, 100'000}) {
    auto keys = keys_of<double>(Distribution::uniform, size, kSeed);
    auto sorted = keys;
    std::ranges::stable_sort(sorted, comes_before<double>);
    nth_element(keys, size / 2);
    EXPECT_TRUE(same_bytes(std::vector{keys[size / 2]}, {sorted[size / 2]}));
  }
  std::vector<int> two{1, 2};
  EXPECT_EQ(refusal([&] { nth_element(two, 3); }), "n: 3 is not allowed; at most 2");
}

TEST(Selection, OfNarrowKeys) {
  for (const std::size_t size : {100, 1000, 100'000}) {
    for (const Distribution distribution : {Distribution::uniform, Distribution::equal}) {
      const auto keys = keys_of<std::uint8_t>(distribution, size, kSeed);
      auto sorted = keys;
      std::ranges::sort(sorted);
      for (const std::size_t n : {std::size_t{0}, size / 3, size - 1}) {
        auto parted = keys;
        nth_element(parted, n);
        EXPECT_EQ(parted[n], sorted[n]);
        EXPECT_TRUE(std::ranges::equal(top_k(keys, n), std::span(sorted).first(n)));
      }
    }
  }
}

// Keys that stand where the sample looks are smaller, or larger, than all others.
TEST(Selection, OfWhatTheSampleIsWrongAbout) {
  constexpr std::size_t kSize = 100'000;
  constexpr std::size_t kStep = 16;  // of so many one is looked at
  const std::identity whole;
  for (const bool small : {false, true}) {
    std::vector<std::uint64_t> keys(kSize);
    std::iota(keys.begin(), keys.end(), kSize);
    std::ranges::shuffle(keys, std::mt19937_64(kSeed));
    for (std::uint32_t i = 0; i < kSize / kStep; ++i) {
      const std::uint64_t within = std::uint64_t{kStep} * (i * 0x9e37'79b9) >> 32;
      keys[i * kStep + within] = small ? i : 10 * kSize + i;
    }
    auto sorted = keys;
    std::ranges::sort(sorted);
    const auto key = sorting::element_key<std::uint64_t>(whole, {});
    const auto bounds = sorting::guess_bounds(std::span<const std::uint64_t>(keys), key, kSize / 2);
    ASSERT_TRUE(sorted[kSize / 2] < bounds.low || sorted[kSize / 2] > bounds.high);
    for (const int processors : {1, 3}) {
      const SortOptions options{.processors = processors};
      auto parted = keys;
      nth_element(parted, kSize / 2, options);
      EXPECT_EQ(parted[kSize / 2], sorted[kSize / 2]);
      EXPECT_TRUE(
          std::ranges::equal(top_k(keys, kSize / 2, options), std::span(sorted).first(kSize / 2)));
    }
  }
}

}  // namespace
}  // namespace postroom
