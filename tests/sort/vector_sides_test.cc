// Bare keys moved to both sides of one of them.
#include "sort/vectors/vector_sides.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "numa/vectors.h"
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

/// Those of `keys` that belong to either side.
template <class Bits>
struct Expected {
  std::vector<Bits> below;
  std::vector<Bits> above;

  Expected(const std::vector<Bits>& keys, const Pivot<Bits>& pivot, Bits flip) {
    for (const Bits key : keys) {
      const Bits ordered = key ^ flip;
      const bool equals_above = pivot.equals == Equals::kAbove && ordered == pivot.key;
      if (ordered < pivot.key) below.push_back(key);
      if (ordered > pivot.key || equals_above) above.push_back(key);
    }
  }
};

template <class Bits>
using Take = Sides(std::byte* from, std::byte* to, std::size_t size, const Pivot<Bits>& pivot,
                   Bits flip);

template <class Bits>
void expect_sides_taken(Take<Bits>* take, Equals equals) {
  constexpr std::size_t kAround = 20;
  std::mt19937_64 random(20261122);
  for (std::size_t size = 0; size < 150; ++size) {
    for (const bool is_signed : {false, true}) {
      for (const bool descending : {false, true}) {
        const Bits flip = flip_mask<Bits>(is_signed, descending);
        const std::vector<Bits> keys = keys_of<Bits>(size, random);
        const Pivot<Bits> pivot{static_cast<Bits>(keys_of<Bits>(1, random)[0] ^ flip), equals};
        std::vector<Bits> from(size + 2 * kAround, 98);
        std::ranges::copy(keys, from.begin() + kAround);
        std::vector<Bits> to(size + 2 * kAround, 99);
        const Sides sides = take(bytes_in(from, kAround), bytes_in(to, kAround), size, pivot, flip);
        const auto [below, above] = Expected<Bits>(keys, pivot, flip);
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

template <class Bits>
void expect_sides_taken(Take<Bits>* take) {
  for (const Equals equals : {Equals::kOut, Equals::kAbove}) expect_sides_taken(take, equals);
}

TEST(VectorSides, AreTakenOf32Bits) { expect_sides_taken<std::uint32_t>(take_sides); }
TEST(VectorSides, AreTakenOf64Bits) { expect_sides_taken<std::uint64_t>(take_sides); }
TEST(VectorSides, AreTakenSinglyOf32Bits) { expect_sides_taken<std::uint32_t>(take_sides_singly); }
TEST(VectorSides, AreTakenSinglyOf64Bits) { expect_sides_taken<std::uint64_t>(take_sides_singly); }
TEST(VectorSides, AreTakenByAvx2) {
  if (!has_fast_sides()) GTEST_SKIP() << "this processor has no AVX2";
  expect_sides_taken<std::uint32_t>(take_sides_by_avx2);
  expect_sides_taken<std::uint64_t>(take_sides_by_avx2);
}
TEST(VectorSides, AreTakenByCompressing) {
  if (!uses_avx512()) GTEST_SKIP() << "this processor has no AVX-512";
  expect_sides_taken<std::uint32_t>(take_sides_by_compressing);
}

template <class Bits>
using TakeInPlace = Sides(std::byte* keys, std::size_t size, const Pivot<Bits>& pivot, Bits flip);

template <class Bits>
void expect_sides_taken_in_place(TakeInPlace<Bits>* take, Equals equals) {
  constexpr std::size_t kAround = 20;
  std::mt19937_64 random(20261127);
  for (std::size_t size = 0; size < 1500; size += size < 400 ? 1 : 37) {
    const Bits flip = flip_mask<Bits>(size % 2 != 0, size % 4 >= 2);
    // Of few values, and of many, of which most are on one side now and then.
    std::vector<Bits> keys = keys_of<Bits>(size, random);
    if (size % 3 == 0) std::ranges::generate(keys, [&] { return static_cast<Bits>(random()); });
    const Bits one = size % 5 == 0 ? static_cast<Bits>(random()) : keys_of<Bits>(1, random)[0];
    const Pivot<Bits> pivot{static_cast<Bits>(one ^ flip), equals};
    std::vector<Bits> found(size + 2 * kAround, 98);
    std::ranges::copy(keys, found.begin() + kAround);
    const Sides sides = take(bytes_in(found, kAround), size, pivot, flip);
    auto [below, above] = Expected<Bits>(keys, pivot, flip);
    ASSERT_EQ(sides.below, below.size()) << "n = " << size;
    ASSERT_EQ(sides.above, above.size()) << "n = " << size;
    const auto low = found.begin() + kAround;
    const auto high = found.end() - kAround;
    std::sort(low, low + static_cast<std::ptrdiff_t>(sides.below));
    std::sort(high - static_cast<std::ptrdiff_t>(sides.above), high);
    std::ranges::sort(below);
    std::ranges::sort(above);
    ASSERT_TRUE(std::equal(below.begin(), below.end(), low)) << "n = " << size;
    ASSERT_TRUE(std::equal(above.rbegin(), above.rend(), std::make_reverse_iterator(high)))
        << "n = " << size;
    ASSERT_EQ(std::count(found.begin(), low, 98), kAround);
    ASSERT_EQ(std::count(high, found.end(), 98), kAround);
  }
}

template <class Bits>
void expect_sides_taken_in_place(TakeInPlace<Bits>* take) {
  for (const Equals equals : {Equals::kOut, Equals::kAbove}) {
    expect_sides_taken_in_place(take, equals);
  }
}

TEST(VectorSides, AreTakenInPlaceOf32Bits) {
  expect_sides_taken_in_place<std::uint32_t>(take_sides_in_place);
}
TEST(VectorSides, AreTakenInPlaceOf64Bits) {
  expect_sides_taken_in_place<std::uint64_t>(take_sides_in_place);
}
TEST(VectorSides, AreTakenInPlaceByAvx2) {
  if (!has_fast_sides()) GTEST_SKIP() << "this processor has no AVX2";
  expect_sides_taken_in_place<std::uint32_t>(take_sides_in_place_by_avx2);
}
TEST(VectorSides, AreTakenInPlaceByCompressing) {
  if (!uses_avx512()) GTEST_SKIP() << "this processor has no AVX-512";
  expect_sides_taken_in_place<std::uint32_t>(take_sides_in_place_by_compressing);
}

}  // namespace
}  // namespace postroom::sorting
