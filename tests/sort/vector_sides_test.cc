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
void expect_sides_taken(bool singly) {
  constexpr std::size_t kAround = 20;
  std::mt19937_64 random(20261122);
  for (std::size_t size = 0; size < 150; ++size) {
    for (const bool is_signed : {false, true}) {
      for (const bool descending : {false, true}) {
        const Bits flip = flip_mask<Bits>(is_signed, descending);
        std::vector<Bits> from = keys_of<Bits>(size, random);
        const Bits key = static_cast<Bits>(keys_of<Bits>(1, random)[0] ^ flip);
        std::vector<Bits> to(size + 2 * kAround, 99);
        const std::byte* const a = bytes_in(from, 0);
        std::byte* const b = bytes_in(to, kAround);
        const Sides sides =
            singly ? take_sides_singly(a, b, size, key, flip) : take_sides(a, b, size, key, flip);
        std::vector<Bits> below;
        std::vector<Bits> above;
        for (const Bits one : from) {
          if ((one ^ flip) < key) below.push_back(one);
          if ((one ^ flip) > key) above.push_back(one);
        }
        const auto first = to.begin() + kAround;
        const auto last = to.end() - kAround;
        ASSERT_EQ(sides.below, below.size()) << "n = " << size;
        ASSERT_EQ(sides.above, above.size()) << "n = " << size;
        const auto count = [](std::size_t keys) { return static_cast<std::ptrdiff_t>(keys); };
        EXPECT_TRUE(
            std::is_permutation(below.begin(), below.end(), first, first + count(sides.below)));
        EXPECT_TRUE(
            std::is_permutation(above.begin(), above.end(), last - count(sides.above), last));
        EXPECT_EQ(std::count(to.begin(), first, 99), count(kAround));
        EXPECT_EQ(std::count(last, to.end(), 99), count(kAround));
      }
    }
  }
}

TEST(VectorSides, AreTakenOf32Bits) { expect_sides_taken<std::uint32_t>(/*singly=*/false); }
TEST(VectorSides, AreTakenOf64Bits) { expect_sides_taken<std::uint64_t>(/*singly=*/false); }
TEST(VectorSides, AreTakenSinglyOf32Bits) { expect_sides_taken<std::uint32_t>(/*singly=*/true); }
TEST(VectorSides, AreTakenSinglyOf64Bits) { expect_sides_taken<std::uint64_t>(/*singly=*/true); }

}  // namespace
}  // namespace postroom::sorting
