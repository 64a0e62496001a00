// Buckets of keys by their values, read as floating-point numbers.
#include "sort/engine/value_digit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "numa/vectors.h"
#include "sort/keys.h"
#include "tests/sort/key_rows.h"

namespace postroom::sorting {
namespace {

template <class Float>
class Values : public testing::Test {};
using Floats = testing::Types<float, double>;
TYPED_TEST_SUITE(Values, Floats);

/// What vectors of each kind that the processor has say of all keys that fill one.
template <class Bits>
void expect_found_by_vectors(const ValueDigit<Bits>& digit, const std::vector<Bits>& keys,
                             const std::vector<std::uint16_t>& buckets) {
#ifdef __x86_64__
  const auto expect_found = [&](auto find, std::size_t lanes) {
    std::vector<std::uint16_t> found(keys.size());
    const std::size_t size = find(digit.scale(), keys.data(), keys.size(), found.data());
    EXPECT_EQ(size, keys.size() / lanes * lanes);
    EXPECT_TRUE(std::equal(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(size),
                           buckets.begin()));
  };
  if (vectors_of_cpu() >= Vectors::kAvx2) {
    expect_found([](auto... all) { return find_values_by_avx2(all...); }, 32 / sizeof(Bits));
  }
  if (vectors_of_cpu() >= Vectors::kAvx512) {
    expect_found([](auto... all) { return find_values_by_avx512(all...); }, 64 / sizeof(Bits));
  }
#endif
}

/// How many keys are in each bucket, when buckets rise as keys do, and however they are asked for.
template <class Bits>
std::vector<std::size_t> counts_of(const ValueDigit<Bits>& digit, std::vector<Bits> keys) {
  std::ranges::sort(keys);
  std::vector<std::uint16_t> buckets(keys.size());
  digit.of_all(keys.data(), keys.size(), buckets.data());
  expect_found_by_vectors(digit, keys, buckets);
  std::vector<std::size_t> counts(digit.values());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    EXPECT_EQ(buckets[i], digit.of(keys[i]));
    EXPECT_LE(buckets[i > 0 ? i - 1 : 0], buckets[i]);
    if (buckets[i] < counts.size()) ++counts[buckets[i]];
  }
  EXPECT_EQ(std::reduce(counts.begin(), counts.end()), keys.size());
  return counts;
}

template <class Float>
std::vector<KeyBits<Float>> uniform_keys(std::size_t size, Float from, Float to) {
  std::mt19937_64 random(size);
  std::uniform_real_distribution<Float> uniform(from, to);
  std::vector<KeyBits<Float>> keys(size);
  for (auto& key : keys) key = ordered_bits(uniform(random));
  return keys;
}

// Around zero, on one side of it, and where the exponent changes.
TYPED_TEST(Values, AreSpreadEvenly) {
  using Float = TypeParam;
  constexpr std::size_t kSize = 1 << 16;
  const std::vector<std::pair<Float, Float>> ranges{
      {0, 1}, {-1, 1}, {-3, -1}, {900, 1100}, {-70, 10}, {0, std::numeric_limits<Float>::max()}};
  for (const auto& [from, to] : ranges) {
    const ValueDigit<KeyBits<Float>> digit(ordered_bits(from), ordered_bits(to), /*bits=*/8);
    EXPECT_GT(digit.values(), std::size_t{1} << 7) << from;
    EXPECT_LE(digit.values(), std::size_t{1} << 8) << from;
    const auto counts = counts_of(digit, uniform_keys(kSize, from, to));
    EXPECT_LE(std::ranges::max(counts), kSize / (1 << 7) * 4 / 3) << from;
  }
}

TYPED_TEST(Values, OfSomeKeysTellWhetherAllAreEven) {
  using Float = TypeParam;
  constexpr std::size_t kSize = 10'000;
  int even_uniform = 0;
  int even_normal = 0;
  int even_half = 0;
  for (std::size_t turn = 0; turn < 100; ++turn) {
    const std::size_t size = kSize + turn;  // which is the seed, too
    auto uniform = uniform_keys<Float>(size, 0, 1);
    even_uniform += seem_even_by_value(rows_of(uniform), {0, size, false}) ? 1 : 0;
    std::mt19937_64 random(size);
    std::normal_distribution<Float> normal(100, 1);
    std::vector<KeyBits<Float>> keys(size);
    for (auto& key : keys) key = ordered_bits(normal(random));
    even_normal += seem_even_by_value(rows_of(keys), {0, size, false}) ? 1 : 0;
    for (auto& key : keys) key = ordered_bits(std::abs(normal(random) - 100));
    even_half += seem_even_by_value(rows_of(keys), {0, size, false}) ? 1 : 0;
  }
  EXPECT_GT(even_uniform, 90);
  EXPECT_LT(even_normal, 10);
  EXPECT_LT(even_half, 10);
}

TYPED_TEST(Values, BeyondTheSampleAreInTheFirstOrTheLast) {
  using Float = TypeParam;
  const ValueDigit<KeyBits<Float>> digit(ordered_bits(Float{-1}), ordered_bits(Float{1}), 6);
  const auto bucket = [&](Float value) { return digit.of(ordered_bits(value)); };
  constexpr auto kInfinite = std::numeric_limits<Float>::infinity();
  constexpr auto kNan = std::numeric_limits<Float>::quiet_NaN();
  for (const Float above : {Float{2}, std::numeric_limits<Float>::max(), kInfinite, kNan}) {
    EXPECT_EQ(bucket(above), digit.values() - 1) << above;
    EXPECT_EQ(bucket(-above), 0U) << above;
  }
  EXPECT_EQ(bucket(Float{0}), bucket(-Float{0}) + 1);
}

// Whatever they are, with any two of them for the least and the largest.
TYPED_TEST(Values, OfAllKeysRise) {
  using Float = TypeParam;
  using Bits = KeyBits<Float>;
  std::vector<Bits> keys = normal_keys<Float>(50);
  std::mt19937_64 random(1);
  for (int i = 0; i < 50; ++i) keys.push_back(static_cast<Bits>(random() >> i % 60));
  for (const Float tiny : {std::numeric_limits<Float>::min(), std::numeric_limits<Float>::max()}) {
    keys.push_back(ordered_bits(tiny));
    keys.push_back(ordered_bits(-tiny));
  }
  std::ranges::sort(keys);
  for (std::size_t low = 0; low < keys.size(); ++low) {
    for (std::size_t high = low; high < keys.size(); ++high) {
      for (const int bits : {ValueDigit<Bits>::kLeastBits, 7, 16}) {
        const ValueDigit<Bits> digit(keys[low], keys[high], bits);
        ASSERT_LE(digit.values(), std::size_t{1} << bits);
        (void)counts_of(digit, keys);
        if (testing::Test::HasFailure()) FAIL() << keys[low] << " " << keys[high] << " " << bits;
      }
    }
  }
}

}  // namespace
}  // namespace postroom::sorting
