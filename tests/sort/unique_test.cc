// Keys once, and how often each occurs, beside a map.
#include "sort/unique.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <ranges>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/sort/some_records.h"
#include "tests/sort/sorting.h"

namespace postroom {
namespace {

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

}  // namespace
}  // namespace postroom
