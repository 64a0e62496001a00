// What a sample of keys says: a pivot, and whether digits hold as many keys each.
#include "sort/engine/median_sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "sort/engine/layout.h"
#include "sort/keys.h"
#include "sort/vectors/network_sort.h"

namespace postroom::sorting {
namespace {

template <class Bits>
MedianSample<Bits> sample_of(std::vector<Bits>& keys, std::uint64_t varying = 0) {
  using Keys = Rows<sizeof(Bits), WholeKey<Bits, false>>;
  const Keys rows{std::as_writable_bytes(std::span(keys)).data(), WholeKey<Bits, false>{0}};
  return MedianSample<Bits>(rows, {0, keys.size(), false}, varying);
}

// Of the lowest `bits` bits.
template <class Bits>
std::vector<Bits> random_keys(std::size_t size, int bits, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Bits> keys(size);
  for (Bits& key : keys) key = static_cast<Bits>(random() >> (64 - bits));
  return keys;
}

template <class Bits>
class MedianSampleTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_networks()) GTEST_SKIP() << "this processor has no vectors for networks";
  }
};
using Both = testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(MedianSampleTest, Both);

TYPED_TEST(MedianSampleTest, PivotHasKeysOnBothSides) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    // From one bit, where half of the keys are alike, up to all.
    const int bits = 1 + static_cast<int>(seed) % (8 * static_cast<int>(sizeof(TypeParam)));
    auto keys = random_keys<TypeParam>(32 + seed, bits, seed);
    const auto pivot = sample_of(keys).pivot();
    const auto below = std::ranges::count_if(keys, [&](auto key) { return key < pivot.key; });
    if (pivot.equals == Equals::kAbove) {
      EXPECT_GT(below, 0) << "seed " << seed;
      EXPECT_LT(static_cast<std::size_t>(below), keys.size()) << "seed " << seed;
    } else {
      EXPECT_GT(std::ranges::count(keys, pivot.key), 1) << "seed " << seed;
    }
  }
}

TYPED_TEST(MedianSampleTest, PivotOfUniformKeysIsTheMiddleOfTheirRange) {
  constexpr int kBits = 8 * static_cast<int>(sizeof(TypeParam));
  int middles = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    auto keys = random_keys<TypeParam>(1000, kBits, seed);
    const auto pivot = sample_of(keys).pivot();
    ASSERT_EQ(pivot.equals, Equals::kAbove);
    // All but a few of the highest bits are 0.
    EXPECT_GE(std::countr_zero(pivot.key), kBits - 5) << "seed " << seed;
    middles += pivot.key == kTopBit<TypeParam> ? 1 : 0;
  }
  EXPECT_GT(middles, 60);
}

TYPED_TEST(MedianSampleTest, PivotThatOthersAreEqualToIsAKey) {
  auto keys = random_keys<TypeParam>(1000, 32, /*seed=*/1);
  std::fill(keys.begin(), keys.begin() + 600, TypeParam{1} << 30);
  const auto pivot = sample_of(keys).pivot();
  EXPECT_EQ(pivot.equals, Equals::kOut);
  EXPECT_EQ(pivot.key, TypeParam{1} << 30);
}

TYPED_TEST(MedianSampleTest, DigitsOfUniformKeysAreEven) {
  constexpr int kBits = 8 * static_cast<int>(sizeof(TypeParam));
  int even = 0;
  int even_sums = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    auto keys = random_keys<TypeParam>(1000, kBits, seed);
    even += sample_of(keys).has_even_digits() ? 1 : 0;
    // Sums of four, as of a normal distribution.
    for (std::uint64_t more = 1; more <= 3; ++more) {
      const auto others = random_keys<TypeParam>(1000, kBits, seed + 1000 * more);
      for (std::size_t i = 0; i < keys.size(); ++i) {
        keys[i] = static_cast<TypeParam>((more == 1 ? keys[i] / 4 : keys[i]) + others[i] / 4);
      }
    }
    even_sums += sample_of(keys).has_even_digits() ? 1 : 0;
  }
  EXPECT_GT(even, 75);
  EXPECT_LT(even_sums, 15);
}

// As where one key, which is in no sample, is far away: the highest digit is the same for all
// others.
TYPED_TEST(MedianSampleTest, DigitsAreThoseOfTheBitsThatVaryInOthers) {
  constexpr int kBits = 8 * static_cast<int>(sizeof(TypeParam));
  auto keys = random_keys<TypeParam>(1000, kBits - 8, /*seed=*/1);
  const auto alone = sample_of(keys);
  EXPECT_FALSE(alone.defies_digits());
  const auto among = sample_of(keys, std::uint64_t{1} << (kBits - 1));
  EXPECT_TRUE(among.defies_digits());
  EXPECT_FALSE(among.has_even_digits());
  EXPECT_EQ(among.pivot().key, alone.pivot().key);
}

}  // namespace
}  // namespace postroom::sorting
