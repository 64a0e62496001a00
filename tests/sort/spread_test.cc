// Bare keys spread until networks can sort them.
#include "sort/engine/spread.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "sort/engine/layout.h"
#include "sort/engine/value_digit.h"
#include "sort/keys.h"
#include "tests/sort/key_rows.h"
#include "tests/sort/sorting.h"

namespace postroom::sorting {
namespace {

/// Sorts `keys` from one side; false where the spreader refuses, and nothing may have been moved.
template <class Key>
bool expect_sorted(std::vector<Key> keys, bool away, const std::string& what) {
  // A few more at both ends, which are nobody's business.
  constexpr std::size_t kAround = 5;
  std::vector<Key> home(keys.size() + 2 * kAround, 7);
  std::vector<Key> scratch = home;
  std::ranges::copy(keys, (away ? scratch : home).begin() + kAround);
  std::vector<Key> expected = home;
  const SortConfig config{.spread_bits = 5};
  Spreader<Keys<Key>> spreader(rows_of(home), rows_of(scratch), keys.size(), config);
  const Part part{kAround, kAround + keys.size(), away};
  const auto varying = common_bits(rows_of(away ? scratch : home), part.begin, part.end).varying();
  if (varying == 0) return true;
  const bool sorted = spreader.sort(part, varying);
  if (sorted) {
    std::ranges::sort(keys);
    std::ranges::copy(keys, expected.begin() + kAround);
  }
  EXPECT_EQ(home, expected) << what;
  return sorted;
}

template <class Key>
void expect_all_sorted() {
  if (!can_spread<Keys<Key>>({})) GTEST_SKIP() << "this processor has no AVX2";
  for (const bool away : {false, true}) {
    for (const std::size_t size : {129, 200, 1000, 5000}) {
      const std::string what =
          "n = " + std::to_string(size) + (away ? ", from the scratch" : ", at home");
      for (const Distribution distribution :
           {Distribution::uniform, Distribution::N, Distribution::zipf, Distribution::sorted,
            Distribution::reverse, Distribution::equal, Distribution::few_distinct}) {
        EXPECT_TRUE(expect_sorted(keys_of<Key>(distribution, size, /*seed=*/size), away,
                                  what + ", " + to_string(distribution)));
      }
      std::vector<Key> around = keys_of<Key>(Distribution::uniform, size, /*seed=*/size);
      for (std::size_t i = 0; i < size; ++i) {
        if (i % 5 != 0) around[i] = 12345;
      }
      EXPECT_TRUE(expect_sorted(around, away, what + ", one key frequent"));
      // Nearly all keys are small, and some of these again.
      std::vector<Key> falling(size);
      for (std::size_t i = 0; i < size; ++i) {
        falling[i] = static_cast<Key>(~Key{0} >> (i % (8 * sizeof(Key)))) / (i + 1);
      }
      (void)expect_sorted(falling, away, what + ", small");
    }
  }
}

TEST(Spreader, SortsKeysOf32Bits) { expect_all_sorted<std::uint32_t>(); }
TEST(Spreader, SortsKeysOf64Bits) { expect_all_sorted<std::uint64_t>(); }

template <class Float>
void expect_values_sorted() {
  if (!can_spread<Keys<KeyBits<Float>>>({})) GTEST_SKIP() << "this processor has no AVX2";
  for (const Float middle : {Float{0}, Float{1000}, Float{-3}}) {
    for (const std::size_t size : {600, 3000, 20'000}) {
      for (const bool away : {false, true}) {
        EXPECT_TRUE(expect_sorted(normal_keys<Float>(size, middle), away,
                                  "around " + std::to_string(middle)));
      }
    }
  }
}

TEST(Spreader, SortsKeysByTheirValues) {
  expect_values_sorted<float>();
  expect_values_sorted<double>();
}

/// Numbers of which all that value digits are chosen by are alike, also when they have been spread
/// in vain again and again: wherever five streams put the record of such a place.
template <class Float>
std::vector<KeyBits<Float>> numbers_that_look_alike() {
  using Bits = KeyBits<Float>;
  constexpr std::size_t kSize = 78'125;  // 5^7: after seven times all are back in their places
  std::mt19937_64 random(1);
  std::uniform_real_distribution<Float> uniform(0, 1);
  std::vector<Bits> keys(kSize);
  for (Bits& key : keys) key = ordered_bits(uniform(random));
  std::vector<Bits> places(kSize);
  std::iota(places.begin(), places.end(), Bits{0});
  for_some_keys(rows_of(places), {0, kSize, false}, [&](Bits place) {
    for (int times = 0; times < 7; ++times) {
      keys[place] = ordered_bits(Float{0.5});
      place = place % (kSize / 5) * 5 + place / (kSize / 5);
    }
  });
  return keys;
}

template <class Float>
void expect_alike_sorted() {
  if (!can_spread<Keys<KeyBits<Float>>>({})) GTEST_SKIP() << "this processor has no AVX2";
  const auto keys = numbers_that_look_alike<Float>();
  for (const bool away : {false, true}) EXPECT_TRUE(expect_sorted(keys, away, "look alike"));
}

TEST(Spreader, EndsWhereValuesTellNothingApart) {
  expect_alike_sorted<float>();
  expect_alike_sorted<double>();
}

TEST(Spreader, RefusesWhatWouldStayTogether) {
  if (!has_networks()) GTEST_SKIP() << "this processor has no AVX2";
  std::vector<std::uint32_t> keys(2000);
  for (std::uint32_t i = 0; i < keys.size(); ++i) keys[i] = i * 7919 % 2003;
  keys.back() = ~std::uint32_t{0};
  // Where vectors move keys to both sides of one of them, they need not stay together.
  EXPECT_EQ(expect_sorted(keys, /*away=*/false, "all but one are small"), has_fast_sides());
}

TEST(Spreader, IsNotForRecordsNorWithoutNetworks) {
  EXPECT_FALSE((can_spread<Columns<WholeKeyOf<std::uint32_t>, 4>>({})));
  EXPECT_FALSE(can_spread<Keys<std::uint16_t>>({}));
  EXPECT_FALSE(can_spread<Keys<float>>({}));
  EXPECT_FALSE(can_spread<Keys<std::uint32_t>>({.networks = false}));
}

}  // namespace
}  // namespace postroom::sorting
