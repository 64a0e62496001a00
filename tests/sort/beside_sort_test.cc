// What stands beside sort(): parts of the order, counts, merging, other memory; compared with the
// standard library.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <random>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sort/in_place.h"
#include "sort/is_sorted.h"
#include "sort/merge.h"
#include "sort/select.h"
#include "sort/sort_into.h"
#include "sort/unique.h"
#include "tests/sort/sorting.h"
#include "tests/thrown.h"

namespace postroom {
namespace {

using Records = std::vector<Numbered<std::int32_t>>;

constexpr std::uint64_t kSeed = 21;
// Around the number from which on several processors work, and the smallest ones.
constexpr std::size_t kSizes[] = {0, 1, 2, 3, 100, 4097, 70'001};
constexpr Distribution kSome[] = {Distribution::kUniform, Distribution::kFewDistinct,
                                  Distribution::kSorted, Distribution::kReverse,
                                  Distribution::kEqual};

std::string told(Distribution distribution, std::size_t size, bool descending) {
  return std::string(name_of(distribution)) + ", n = " + std::to_string(size) +
         (descending ? ", descending" : "");
}

/// Calls use(records, in order, options, what) for all sizes, distributions and both ways.
template <class Use>
void for_records(const Use& use) {
  for (const std::size_t size : kSizes) {
    for (const Distribution distribution : kSome) {
      for (const bool descending : {false, true}) {
        const Records records = numbered(keys_of<std::int32_t>(distribution, size, size + kSeed));
        use(records, expected_order(records, descending),
            SortOptions{.processors = 2, .descending = descending},
            told(distribution, size, descending));
      }
    }
  }
}

constexpr auto kKey = &Numbered<std::int32_t>::key;

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
    for (const Distribution distribution : {Distribution::kSorted, Distribution::kFewDistinct}) {
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

TEST(SortInto, LeavesTheSourceAlone) {
  for_records([](const Records& records, const Records& expected, const SortOptions& options,
                 const std::string& what) {
    const Records before = records;
    Records target(records.size());
    sort_into(records, target, kKey, options);
    EXPECT_TRUE(same_records(target, expected)) << what;
    EXPECT_TRUE(same_records(records, before)) << what;
    const auto keys = keys_in(records);
    std::vector<std::int32_t> sorted(keys.size());
    sort_into(keys, sorted, options);
    EXPECT_EQ(sorted, keys_in(expected)) << what;
  });
  std::vector<int> keys{3, 1, 2, 4};
  std::vector<int> fewer(3);
  EXPECT_EQ(refusal([&] { sort_into(keys, fewer); }),
            "target: 3 elements are not allowed; as many as the source has, 4");
  EXPECT_EQ(refusal([&] { sort_into(std::span(keys).first(2), std::span(keys).subspan(1, 2)); }),
            "memory: keys, values and scratch that overlap by 4 bytes are not allowed");
  EXPECT_EQ(keys, (std::vector<int>{3, 1, 2, 4}));
}

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
  EXPECT_EQ(refusal([] { top_k(std::vector<int>{1, 2}, 3); }), "k: 3 is not allowed; at most 2");
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
    auto keys = keys_of<double>(Distribution::kUniform, size, kSeed);
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
    for (const Distribution distribution : {Distribution::kUniform, Distribution::kEqual}) {
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

TEST(UniqueCounts, OfEveryKeyOnce) {
  for_records([](const Records& records, const Records& expected, const SortOptions& options,
                 const std::string& what) {
    std::vector<KeyCount<std::int32_t>> counts;
    Records firsts;
    for (const auto& record : expected) {
      if (firsts.empty() || firsts.back().key != record.key) {
        counts.push_back({record.key, 0});
        firsts.push_back(record);
      }
      ++counts.back().count;
    }
    EXPECT_EQ(unique_counts(keys_in(records), options), counts) << what;
    Records unique = records;
    const auto rest = sort_unique(unique, kKey, options);
    unique.erase(rest.begin(), rest.end());
    EXPECT_TRUE(same_records(unique, firsts)) << what;
  });
  std::vector<int> keys{3, 1, 3};
  EXPECT_EQ(sort_unique(keys, {.descending = true}).size(), 1u);
  EXPECT_EQ(keys[0], 3);
  EXPECT_EQ(keys[1], 1);
}

// Keys that begin in one share and end some shares later, shares in which none begins.
TEST(UniqueCounts, OfKeysThatManySharesHold) {
  constexpr std::size_t kSize = 200'000;
  struct Large {
    std::uint64_t key;
    std::array<std::uint64_t, 5> number;
  };
  std::vector<std::byte> scratch(scratch_bytes(kSize, sizeof(double)));
  for (const std::size_t begin : {std::size_t{0}, std::size_t{1}, kSize / 2, kSize - 1}) {
    for (const std::size_t different : {std::size_t{1}, std::size_t{3}, kSize / 10}) {
      // -0.0, then as many different ones as there is room for, then 1e9 to the end; shuffled.
      std::vector<double> keys(kSize, -0.0);
      std::fill(keys.begin() + static_cast<std::ptrdiff_t>(begin), keys.end(), 1e9);
      for (std::size_t i = 0; i < std::min(different, kSize - begin); ++i) {
        keys[begin + i] = static_cast<double>(i);
      }
      std::map<std::uint64_t, std::size_t> expected;  // by the bits in order: zero is there twice
      for (const double key : keys) ++expected[ordered_bits(key)];
      std::ranges::shuffle(keys, std::mt19937_64(kSeed));
      for (const bool given : {false, true}) {
        SortOptions options{.processors = 8};
        if (given) options.scratch = scratch;
        const auto counts = unique_counts(keys, options);
        EXPECT_TRUE(std::ranges::equal(counts, expected,
                                       [](const auto& own, const auto& each) {
                                         return ordered_bits(own.key) == each.first &&
                                                own.count == each.second;
                                       }))
            << begin << ", " << different;
      }
      std::vector<Large> records(kSize);
      for (std::size_t i = 0; i < kSize; ++i) records[i] = {ordered_bits(keys[i]), {i}};
      std::map<std::uint64_t, std::size_t> firsts;
      for (const Large& each : records) firsts.emplace(each.key, each.number[0]);
      const auto rest = sort_unique(records, &Large::key, SortOptions{.processors = 8});
      records.erase(rest.begin(), rest.end());
      EXPECT_TRUE(std::ranges::equal(records, firsts,
                                     [](const Large& own, const auto& each) {
                                       return own.key == each.first && own.number[0] == each.second;
                                     }))
          << begin << ", " << different;
    }
  }
}

TEST(UniqueCounts, SortUniqueOfAProjectionThatThrowsLosesNothing) {
  constexpr std::size_t kSize = 1'000;
  for (const std::size_t until : {std::size_t{10}, kSize + 10, 2 * kSize - 1}) {
    Records records(kSize);
    for (std::size_t i = 0; i < kSize; ++i) {
      records[i] = {static_cast<std::int32_t>(i / 4), static_cast<std::uint32_t>(i)};
    }
    std::size_t calls = 0;
    const auto throws = [&](const auto& record) {
      if (++calls == until) throw std::runtime_error("enough");
      return record.key;
    };
    const Records before = records;
    EXPECT_THROW((void)sort_unique(records, throws, SortOptions{.processors = 1}),
                 std::runtime_error);
    EXPECT_TRUE(same_records(records, before)) << until;  // were in order
  }
}

// Rows that are gone when they have been looked at are no rows.
using MadeWhenAsked = decltype(std::views::iota(0, 2) |
                               std::views::transform([](int i) { return std::vector<int>{i}; }));
static_assert(!RangeOfRows<MadeWhenAsked>);
static_assert(RangeOfRows<std::vector<std::vector<int>>>);
static_assert(RangeOfRows<std::vector<std::span<const int>>>);
static_assert(!PickableRange<std::array<bool, 3>> && !PickableRange<std::vector<std::string>>);

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
  EXPECT_EQ(refusal([&] { merge(std::span(target).first(3), even, target); }),
            "memory: keys, values and scratch that overlap by 12 bytes are not allowed");
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

TEST(SortInPlace, AsTheStandardLibrary) {
  for_records([](const Records& records, const Records& expected, const SortOptions& options,
                 const std::string& what) {
    Records sorted = records;
    sort_in_place(sorted, kKey, options);
    EXPECT_TRUE(same_records(sorted, expected)) << what;
    auto keys = keys_in(records);
    sort_in_place(keys, options);
    EXPECT_EQ(keys, keys_in(expected)) << what;
  });
}

TEST(SortInPlace, InATenthOfTheMemory) {
  constexpr std::size_t kRecords = 200'000;
  const auto records = numbered(keys_of<std::int32_t>(Distribution::kUniform, kRecords, kSeed));
  auto sorted = records;
  std::vector<std::byte> scratch(in_place_scratch_bytes(kRecords, sizeof(records[0])));
  EXPECT_LE(scratch.size(), kRecords * sizeof(records[0]) / 10);
  sort_in_place(sorted, kKey, {.scratch = scratch});
  EXPECT_TRUE(same_records(sorted, expected_order(records)));
  EXPECT_NE(refusal([&] { sort_in_place(sorted, kKey, {.scratch = std::span(scratch).first(9)}); }),
            "nothing was thrown");
  for (const std::size_t size : {20'000, 1'000'000}) {
    for (const std::size_t bytes : {1, 10, 64}) {
      EXPECT_LE(in_place_scratch_bytes(size, bytes), size * bytes / 10) << size << " of " << bytes;
    }
  }
}

// They are moved in blocks; a bucket that holds more than the scratch does is merged.
TEST(SortInPlace, ManyKeys) {
  auto keys = keys_of<std::uint32_t>(Distribution::kUniform, 4'400'000, kSeed);
  auto crowded = keys;
  for (std::size_t i = 0; i < crowded.size(); i += 5) crowded[i] = crowded[i] % (1 << 20);
  for (const auto* unsorted : {&keys, &crowded}) {
    auto expected = *unsorted;
    std::ranges::sort(expected, std::greater<>());
    for (const int p : {1, 3}) {
      auto sorted = *unsorted;
      std::vector<std::byte> scratch(in_place_scratch_bytes(sorted.size(), sizeof(sorted[0])));
      sort_in_place(sorted, {.processors = p, .scratch = scratch, .descending = true});
      EXPECT_TRUE(sorted == expected) << "p = " << p;
    }
  }
}

TEST(SortInPlace, AProjectionThatThrowsLeavesAPermutation) {
  for (int calls = 1; calls < 3'000'000; calls = calls * 3 / 2 + 1) {
    auto records = numbered(keys_of<std::int32_t>(Distribution::kUniform, 30'000, kSeed));
    const auto before = records;
    int left = calls;
    const auto throwing = [&](const Numbered<std::int32_t>& record) {
      if (--left == 0) throw std::runtime_error("enough");
      return record.key;
    };
    try {
      sort_in_place(records, throwing, {.processors = 1});
    } catch (const std::runtime_error&) {
    }
    std::ranges::sort(records, {}, &Numbered<std::int32_t>::number);
    ASSERT_TRUE(same_records(records, before)) << "after " << calls << " calls";
  }
}

// Iterators into what is gone are none, as in the standard library.
TEST(BesideSort, NothingDanglesOfARangeThatIsGone) {
  using Keys = std::vector<int>;
  static_assert(std::same_as<decltype(is_sorted_until(Keys{2, 1})), std::ranges::dangling>);
  static_assert(
      std::same_as<decltype(sort_unique(Keys{2, 1}, SortOptions())), std::ranges::dangling>);
  Keys keys{2, 1, 2};
  static_assert(std::same_as<decltype(sort_unique(keys)), std::ranges::subrange<Keys::iterator>>);
  EXPECT_EQ(is_sorted_until(std::span(keys)) - std::span(keys).begin(), 1);
  (void)sort_unique(std::span(keys));
  EXPECT_EQ(keys[0], 1);
  EXPECT_EQ(keys[1], 2);
}

// What is refused with a line of ours must not take calls that belong to others.
TEST(BesideSort, RefusalsLeaveIteratorsToTheStandardLibrary) {
  std::vector<int> keys{3, 1, 2};
  nth_element(keys.begin(), keys.begin() + 1, keys.end(), std::greater<>());
  EXPECT_EQ(keys[1], 2);
  const std::vector<int> up{1, 2};
  const std::vector<int> down{2, 1};
  EXPECT_TRUE(is_sorted(up.begin(), up.end()));
  EXPECT_EQ(is_sorted_until(down.begin(), down.end()), down.begin() + 1);
  std::vector<int> merged;
  merge(up.begin(), up.end(), up.begin(), up.end(), std::back_inserter(merged));
  EXPECT_EQ(merged, (std::vector{1, 1, 2, 2}));
}

}  // namespace
}  // namespace postroom
