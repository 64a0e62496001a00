// Floating-point keys moved to both sides of zero, and folded.
#include "sort/by_sign.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "sort/folded.h"
#include "sort/keys.h"
#include "sort/options.h"

namespace postroom::sorting {
namespace {

// Which of the keys are negative.
enum class Signs { kNone, kAll, kSome, kFirst, kLast, kFew };

bool is_negative(Signs signs, std::size_t i, std::size_t size, std::mt19937_64& random) {
  switch (signs) {
    case Signs::kNone:
      return false;
    case Signs::kAll:
      return true;
    case Signs::kSome:
      return random() % 2 == 0;
    case Signs::kFirst:
      return i < size / 3;
    case Signs::kLast:
      return i >= size / 3;
    default:
      return random() % 5000 == 0;
  }
}

// Any bits, many of them those of zero: NaN and infinities too.
template <class Bits>
std::vector<Bits> bits_of(Signs signs, std::size_t size) {
  std::mt19937_64 random(size);
  std::vector<Bits> keys(size);
  for (std::size_t i = 0; i < size; ++i) {
    const Bits magnitude = random() % 3 == 0 ? Bits{0} : static_cast<Bits>(random());
    keys[i] = static_cast<Bits>(magnitude & ~kTopBit<Bits>);
    if (is_negative(signs, i, size, random)) keys[i] |= kTopBit<Bits>;
  }
  return keys;
}

template <class Bits>
void expect_parted(int processors, bool descending) {
  for (const Signs signs :
       {Signs::kNone, Signs::kAll, Signs::kSome, Signs::kFirst, Signs::kLast, Signs::kFew}) {
    for (const std::size_t size : {0, 1, 2, 17, 5000, 100'003}) {
      auto expected = bits_of<Bits>(signs, size);
      // Anywhere in memory.
      std::vector<std::byte> memory(size * sizeof(Bits) + 1);
      if (size > 0) std::memcpy(memory.data() + 1, expected.data(), size * sizeof(Bits));
      const std::size_t border =
          partition_by_sign(memory.data() + 1, size, sizeof(Bits), descending,
                            {.processors = processors, .pin = false});
      std::vector<Bits> keys(size);
      if (size > 0) std::memcpy(keys.data(), memory.data() + 1, size * sizeof(Bits));
      const auto is_first = [&](Bits key) { return ((key & kTopBit<Bits>) != 0) != descending; };
      EXPECT_TRUE(std::ranges::is_partitioned(keys, is_first));
      EXPECT_EQ(border, static_cast<std::size_t>(std::ranges::count_if(keys, is_first)));
      std::ranges::sort(keys);
      std::ranges::sort(expected);
      EXPECT_EQ(keys, expected) << "n = " << size << ", signs " << static_cast<int>(signs);
    }
  }
}

class BySignTest : public testing::TestWithParam<int> {};

TEST_P(BySignTest, PutsOneSignBeforeTheOther) {
  for (const bool descending : {false, true}) {
    expect_parted<std::uint32_t>(GetParam(), descending);
    expect_parted<std::uint64_t>(GetParam(), descending);
  }
}

INSTANTIATE_TEST_SUITE_P(Processors, BySignTest, testing::Values(1, 2, 3, 8),
                         testing::PrintToStringParamName());

template <class Float>
std::vector<Float> many() {
  std::mt19937 random(1);
  std::vector<Float> keys(200'001);
  for (Float& key : keys) key = static_cast<Float>(random()) - Float{2e9};
  return keys;
}

template <class Float>
void expect_folded(std::vector<Float> keys, int processors) {
  const SortOptions options{.processors = processors, .pin = false};
  const std::vector<Float> before = keys;
  auto* const data = reinterpret_cast<std::byte*>(keys.data());
  using Bits = KeyBits<Float>;
  {
    const Folded folded(data, keys.size(), sizeof(Float), options);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      Bits bits;
      std::memcpy(&bits, data + i * sizeof(bits), sizeof(bits));
      ASSERT_EQ(static_cast<Bits>(bits ^ kTopBit<Bits>), ordered_bits(before[i])) << i;
    }
  }
  EXPECT_EQ(std::memcmp(keys.data(), before.data(), keys.size() * sizeof(Float)), 0);
}

TEST(Folded, AreFoldedBackWhoeverThrows) {
  std::vector<double> keys{1, -2, 0, -1};
  const std::vector<double> before = keys;
  try {
    const SortOptions options;
    const Folded folded(reinterpret_cast<std::byte*>(keys.data()), keys.size(), sizeof(double),
                        options);
    EXPECT_NE(keys, before);
    throw std::runtime_error("enough");
  } catch (const std::runtime_error&) {
    EXPECT_EQ(keys, before);
  }
}

TEST(Folded, AreIntegersInTheSameOrderForAWhile) {
  expect_folded<float>({1, -2, -0.0F, 0, -1, 3}, 1);
  expect_folded<double>({1, -2, -0.0, 0, -1, 3}, 1);
  for (const int processors : {1, 2, 3}) {  // by all of them
    expect_folded(many<float>(), processors);
    expect_folded(many<double>(), processors);
  }
}

}  // namespace
}  // namespace postroom::sorting
