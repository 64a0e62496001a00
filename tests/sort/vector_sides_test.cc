// Bare keys moved to both sides of one of them.
#include "sort/vector_sides.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "sort/keys.h"

namespace postroom::sorting {
namespace {

template <class T>
std::byte* bytes_in(std::vector<T>& keys, std::size_t from) {
  return std::as_writable_bytes(std::span(keys)).data() + from * sizeof(T);
}

/// Few different ones, some with the highest bit.
template <class Bits>
std::vector<Bits> keys_of(std::size_t size, std::mt19937_64& random) {
  std::vector<Bits> keys(size);
  for (Bits& key : keys) {
    key = static_cast<Bits>(random() % 7);
    if (random() % 2 == 0) key = static_cast<Bits>(key | kTopBit<Bits>);
  }
  return keys;
}

template <class Bits>
using Take = Sides(std::byte* from, std::byte* to, std::size_t size, Bits key, Bits flip);

template <class Bits>
void expect_sides_taken(Take<Bits>* take) {
  constexpr std::size_t kAround = 20;
  std::mt19937_64 random(20261122);
  for (std::size_t size = 0; size < 150; ++size) {
    for (const bool is_signed : {false, true}) {
      for (const bool descending : {false, true}) {
        const Bits flip = flip_mask<Bits>(is_signed, descending);
        const std::vector<Bits> keys = keys_of<Bits>(size, random);
        const Bits key = static_cast<Bits>(keys_of<Bits>(1, random)[0] ^ flip);
        std::vector<Bits> from(size + 2 * kAround, 98);
        std::ranges::copy(keys, from.begin() + kAround);
        std::vector<Bits> to(size + 2 * kAround, 99);
        const Sides sides = take(bytes_in(from, kAround), bytes_in(to, kAround), size, key, flip);
        std::vector<Bits> below;
        std::vector<Bits> above;
        for (const Bits one : keys) {
          if ((one ^ flip) < key) below.push_back(one);
          if ((one ^ flip) > key) above.push_back(one);
        }
        ASSERT_EQ(sides.below, below.size()) << "n = " << size;
        ASSERT_EQ(sides.above, above.size()) << "n = " << size;
        const auto count = [](std::size_t some) { return static_cast<std::ptrdiff_t>(some); };
        const auto low = to.begin() + kAround;
        const auto high = from.end() - kAround;
        EXPECT_TRUE(std::is_permutation(below.begin(), below.end(), low, low + count(sides.below)));
        EXPECT_TRUE(
            std::is_permutation(above.begin(), above.end(), high - count(sides.above), high));
        // A few more at both ends, which are nobody's business.
        EXPECT_EQ(std::count(from.begin(), from.begin() + kAround, 98), count(kAround));
        EXPECT_EQ(std::count(high, from.end(), 98), count(kAround));
        EXPECT_EQ(std::count(to.begin(), low, 99), count(kAround));
        EXPECT_EQ(std::count(to.end() - kAround, to.end(), 99), count(kAround));
      }
    }
  }
}

TEST(VectorSides, AreTakenOf32Bits) { expect_sides_taken<std::uint32_t>(take_sides); }
TEST(VectorSides, AreTakenOf64Bits) { expect_sides_taken<std::uint64_t>(take_sides); }
TEST(VectorSides, AreTakenSinglyOf32Bits) { expect_sides_taken<std::uint32_t>(take_sides_singly); }
TEST(VectorSides, AreTakenSinglyOf64Bits) { expect_sides_taken<std::uint64_t>(take_sides_singly); }
TEST(VectorSides, AreTakenByAvx2) {
  if (!has_fast_sides()) GTEST_SKIP() << "this processor has no AVX2";
  expect_sides_taken<std::uint64_t>(take_sides_by_avx2);
}

}  // namespace
}  // namespace postroom::sorting
