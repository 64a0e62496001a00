// What is guessed of digits from a few keys.
#include "sort/engine/digit_sample.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "sort/keys.h"

namespace postroom::sorting {
namespace {

constexpr std::size_t kSize = 10'000;
constexpr int kWidth = 9;

struct Keys {
  std::vector<std::uint64_t> keys;
  std::uint64_t key(std::size_t i) const { return keys[i]; }
};

template <class Make>
Keys keys_of(Make make, std::size_t size = kSize) {
  Keys keys;
  while (keys.keys.size() < size) keys.keys.push_back(make());
  return keys;
}

DigitSample<std::uint64_t> sample_of(const Keys& keys) {
  return {keys, {0, keys.keys.size(), false}};
}

// Two digits of all 64 bits.
DigitPlan plan() { return plan_digits(~std::uint64_t{0}, 2 * kWidth, kWidth); }

TEST(DigitSample, UniformKeysAreToldApart) {
  std::mt19937_64 random(1);
  EXPECT_FALSE(sample_of(keys_of(random)).tells_little(plan()));
}

TEST(DigitSample, DoublesCrowdTheHighestDigitAndAreSplitByTheNext) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  const auto sample = sample_of(keys_of([&] { return ordered_bits(normal(random)); }));
  EXPECT_TRUE(sample.tells_little(plan()));
  EXPECT_TRUE(sample.splits_well(kWidth));
}

TEST(DigitSample, KeysThatCrowdEveryDigitAreNotSplit) {
  std::mt19937_64 random(1);
  // Most keys are 0 but for the lowest bits, which two digits do not reach.
  const auto sample =
      sample_of(keys_of([&] { return random() % 4 == 0 ? random() : random() & 0x3f; }));
  EXPECT_TRUE(sample.tells_little(plan()));
  const auto narrow = sample_of(keys_of([&] { return random() % 4 == 0 ? random() : 0; }));
  EXPECT_FALSE(narrow.splits_well(kWidth));
}

TEST(DigitSample, EqualKeysAreNothingToInsert) {
  std::mt19937_64 random(1);
  const Keys values = keys_of(random, 4);
  const auto sample = sample_of(keys_of([&] { return values.key(random() % 4); }));
  EXPECT_FALSE(sample.tells_little(plan()));
}

TEST(DigitSample, OneKeyIsASampleToo) {
  const auto sample = sample_of(keys_of([] { return 7; }, 25));
  EXPECT_FALSE(sample.tells_little(plan()));
  EXPECT_FALSE(sample.splits_well(kWidth));
}

}  // namespace
}  // namespace postroom::sorting
