// Keys that occur often: counted, taken out, put back.
#include "sort/engine/heavy_keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "sort/engine/heavy_table.h"
#include "sort/vectors/network_sort.h"
#include "tests/sort/heavy.h"
#include "tests/sort/key_rows.h"
#include "tests/sort/sorting.h"

namespace postroom::sorting {
namespace {

TEST(HeavyTable, CountsWhatHasASlotAndKeepsTheRestInOrder) {
  for (const Distribution distribution :
       {Distribution::uniform, Distribution::few_distinct, Distribution::zipf}) {
    for (const std::size_t size : {0, 1, 3, 4, 103, 1000}) {
      std::vector<std::uint32_t> keys = keys_of<std::uint32_t>(distribution, size, 1);
      std::vector<std::uint32_t> left(size + 5);
      HeavyTable<std::uint32_t> table(3);
      for (std::size_t i = 0; i < size; i += 2) table.offer(keys[i]);
      table.settle();
      const std::size_t end = table.count(rows_of(keys), 0, size, rows_of(left), 5);
      std::map<std::uint32_t, std::size_t> counted;
      table.for_each([&](std::uint32_t key, std::size_t count) { counted[key] = count; });
      EXPECT_LE(counted.size(), 8U);
      std::vector<std::uint32_t> expected;
      for (const std::uint32_t key : keys) {
        if (counted.count(key) == 0) expected.push_back(key);
      }
      left.resize(end);
      left.erase(left.begin(), left.begin() + 5);
      EXPECT_EQ(left, expected);
      for (const auto& [key, count] : counted) {
        EXPECT_EQ(count, static_cast<std::size_t>(std::ranges::count(keys, key)));
      }
    }
  }
}

TEST(HeavyTable, GivesASlotToWhatIsOfferedMost) {
  HeavyTable<std::uint32_t> table(1);  // two slots for all
  std::vector<std::uint32_t> keys;
  for (std::uint32_t i = 0; i < 100; ++i) keys.insert(keys.end(), {i * 7919, 123'456, 123'456});
  for (const std::uint32_t key : keys) table.offer(key);
  table.settle();
  std::vector<std::uint32_t> left(keys.size());
  (void)table.count(rows_of(keys), 0, keys.size(), rows_of(left), 0);
  std::size_t counted = 0;
  table.for_each([&](std::uint32_t key, std::size_t count) {
    if (key == 123'456) counted = count;
  });
  EXPECT_EQ(counted, 200U);
}

bool pays(std::vector<std::uint32_t> keys, const SortConfig& config = {.networks = false}) {
  return HeavyKeys<Keys<std::uint32_t>>(rows_of(keys), rows_of(keys), keys.size(), 1, config)
      .pays();
}

TEST(HeavyKeys, PayWhereManyAreAlikeAndManyBitsVary) {
  constexpr std::size_t kSize = 100'000;
  const auto from = [](Distribution distribution) {
    return keys_of<std::uint32_t>(distribution, kSize, 3);
  };
  EXPECT_TRUE(pays(from(Distribution::few_distinct)));
  EXPECT_TRUE(pays(from(Distribution::zipf)));
  EXPECT_TRUE(pays(from(Distribution::S)));
  EXPECT_FALSE(pays(from(Distribution::uniform)));
  EXPECT_FALSE(pays(from(Distribution::C)));
  EXPECT_FALSE(pays(from(Distribution::equal)));
  auto narrow = from(Distribution::uniform);
  for (std::uint32_t& key : narrow) key %= 64;
  EXPECT_FALSE(pays(narrow));
  EXPECT_FALSE(pays(std::vector<std::uint32_t>(100)));
  // Networks sort the others so fast that more keys have to be alike.
  EXPECT_TRUE(pays(from(Distribution::few_distinct), {}));
  EXPECT_EQ(pays(from(Distribution::zipf), {}), !has_networks());
}

// Takes out the heavy keys of `keys` on so many processors, sorts the light ones unless `fails`,
// and puts them back. Returns how many were light.
std::size_t sort_around_heavy(std::vector<std::uint32_t>& keys, const SortConfig& config,
                              int processors, bool fails) {
  std::vector<std::uint32_t> away(keys.size());
  HeavyKeys<Keys<std::uint32_t>> heavy(rows_of(keys), rows_of(away), keys.size(),
                                       static_cast<std::size_t>(processors), config);
  const bool failed = take_out_and_put_back(heavy, processors, [&] {
    // Nothing but these is needed any longer.
    std::byte* const at = heavy.light_home().memory(0);
    std::vector<std::uint32_t> light(heavy.lights());
    const auto light_bytes = std::as_writable_bytes(std::span(light));
    std::copy_n(at, light_bytes.size(), light_bytes.data());
    std::ranges::fill(keys, 0);
    std::ranges::fill(away, 0);
    if (!fails) std::ranges::sort(light);
    std::ranges::copy(light_bytes, at);
    if (fails) throw std::runtime_error("not sorted");
  });
  EXPECT_EQ(failed, fails);
  return heavy.lights();
}

class HeavyKeysTest : public testing::TestWithParam<int> {};

TEST_P(HeavyKeysTest, ComeBackInOrderWhateverWasHeavy) {
  for (const Distribution distribution :
       {Distribution::uniform, Distribution::few_distinct, Distribution::zipf, Distribution::S,
        Distribution::equal, Distribution::reverse}) {
    for (const std::size_t size : {1, 40, 1000, 1001}) {
      for (const std::size_t heavy_count : {1, 5, 2000}) {
        const SortConfig config{.heavy_bits = 5, .heavy_count = heavy_count};
        std::vector<std::uint32_t> keys = keys_of<std::uint32_t>(distribution, size, 7);
        std::vector<std::uint32_t> expected = keys;
        std::ranges::sort(expected);
        const std::size_t lights = sort_around_heavy(keys, config, GetParam(), false);
        EXPECT_EQ(keys, expected) << to_string(distribution) << ", n = " << size;
        // Unless there are few different ones, which need not be heavy.
        if (heavy_count > size && size >= 1000 && distribution == Distribution::uniform) {
          EXPECT_EQ(lights, size);
        }
        if (heavy_count == 1 && distribution == Distribution::equal) {
          EXPECT_EQ(lights, 0U);
        }
      }
    }
  }
}

TEST_P(HeavyKeysTest, ComeBackInSomeOrderWhenTheSortFails) {
  const SortConfig config{.heavy_bits = 5, .heavy_count = 1};
  std::vector<std::uint32_t> keys = keys_of<std::uint32_t>(Distribution::zipf, 1000, 7);
  std::vector<std::uint32_t> expected = keys;
  EXPECT_LT(sort_around_heavy(keys, config, GetParam(), true), 1000U);
  EXPECT_FALSE(std::ranges::is_sorted(keys));
  std::ranges::sort(keys);
  std::ranges::sort(expected);
  EXPECT_EQ(keys, expected);
}

INSTANTIATE_TEST_SUITE_P(Processors, HeavyKeysTest, testing::Values(1, 2, 3, 8),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace postroom::sorting
