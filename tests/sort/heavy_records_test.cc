// Records whose keys occur often: moved to their places, and the others put back among them.
#include "sort/engine/heavy_records.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "sort/engine/layout.h"
#include "sort/keys.h"
#include "tests/sort/heavy.h"
#include "tests/sort/sorting.h"

namespace postroom::sorting {
namespace {

using Record = Numbered<std::uint32_t>;

struct LeadingKey : WholeKeyOf<std::uint32_t> {
  static constexpr bool kWholeRecord = false;
};
using Records = Rows<sizeof(Record), LeadingKey>;

Records rows(std::vector<Record>& records) {
  return {std::as_writable_bytes(std::span(records)).data(), {}};
}

bool pays(const std::vector<std::uint32_t>& keys) {
  std::vector<Record> records = numbered(keys);
  const SortConfig config;
  return HeavyRecords<Records>(rows(records), rows(records), records.size(), 1, config).pays();
}

TEST(HeavyRecords, PayWhereMostAreAlikeAndManyBitsVary) {
  constexpr std::size_t kSize = 100'000;
  const auto from = [](Distribution distribution) {
    return keys_of<std::uint32_t>(distribution, kSize, 3);
  };
  EXPECT_TRUE(pays(from(Distribution::few_distinct)));
  EXPECT_TRUE(pays(from(Distribution::S)));
  EXPECT_FALSE(pays(from(Distribution::uniform)));
  EXPECT_FALSE(pays(from(Distribution::equal)));
  auto narrow = from(Distribution::uniform);
  for (std::uint32_t& key : narrow) key %= 64;
  EXPECT_FALSE(pays(narrow));
  EXPECT_FALSE(pays(std::vector<std::uint32_t>(100)));
}

// Takes out the heavy records on so many processors, sorts the light ones, and puts them back.
// Returns how many were light.
std::size_t sort_around_heavy(std::vector<Record>& records, const SortConfig& config,
                              int processors, bool fails) {
  std::vector<Record> away(records.size());
  HeavyRecords<Records> heavy(rows(records), rows(away), records.size(),
                              static_cast<std::size_t>(processors), config);
  const bool failed = take_out_and_put_back(heavy, processors, [&] {
    std::fill(records.begin(), records.end(), Record{});  // nothing more is needed of these
    if (fails) throw std::runtime_error("not sorted");
    std::stable_sort(away.end() - static_cast<std::ptrdiff_t>(heavy.lights()), away.end(),
                     [](const Record& a, const Record& b) { return a.key < b.key; });
  });
  EXPECT_EQ(failed, fails);
  return heavy.lights();
}

class HeavyRecordsTest : public testing::TestWithParam<int> {};

TEST_P(HeavyRecordsTest, ComeBackInOrderWhateverWasHeavy) {
  for (const Distribution distribution :
       {Distribution::uniform, Distribution::few_distinct, Distribution::zipf, Distribution::S,
        Distribution::equal, Distribution::reverse}) {
    for (const std::size_t size : {1, 40, 1000, 1001}) {
      for (const std::size_t heavy_count : {1, 5, 2000}) {
        const SortConfig config{.heavy_bits = 5, .heavy_count = heavy_count};
        const auto keys = keys_of<std::uint32_t>(distribution, size, 7);
        std::vector<Record> records = numbered(keys);
        const std::size_t lights = sort_around_heavy(records, config, GetParam(), false);
        EXPECT_TRUE(same_records(records, expected_order(numbered(keys))))
            << to_string(distribution) << ", n = " << size << ", heavy_count = " << heavy_count;
        if (heavy_count > size) {
          EXPECT_EQ(lights, size);
        }
        if (heavy_count == 1 && distribution == Distribution::equal) {
          EXPECT_EQ(lights, 0U);
        }
      }
    }
  }
}

TEST_P(HeavyRecordsTest, ComeBackInSomeOrderWhenTheSortFails) {
  const SortConfig config{.heavy_bits = 5, .heavy_count = 1};
  const auto keys = keys_of<std::uint32_t>(Distribution::zipf, 1000, 7);
  std::vector<Record> records = numbered(keys);
  EXPECT_LT(sort_around_heavy(records, config, GetParam(), true), 1000U);
  EXPECT_FALSE(same_records(records, expected_order(numbered(keys))));
  std::ranges::sort(records, {}, &Record::number);
  EXPECT_TRUE(same_records(records, numbered(keys)));
}

INSTANTIATE_TEST_SUITE_P(Processors, HeavyRecordsTest, testing::Values(1, 2, 3, 8),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace postroom::sorting
