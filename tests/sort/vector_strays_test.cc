// Where keys fall, and rows moved up, by vectors of each kind that this processor has, as one by
// one.
#include "sort/vectors/vector_strays.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "numa/vectors.h"
#include "sort/keys.h"

namespace postroom::sorting {
namespace {

/// Rows whose keys rise, some of them alike; what is beside the keys is random.
template <std::size_t kRowBytes, class Bits>
struct Table {
  Table(std::size_t size, std::size_t key_offset, Bits flip)
      : bytes(size * kRowBytes), offset(key_offset) {
    std::mt19937_64 random(size);
    for (auto& byte : bytes) byte = static_cast<std::byte>(random());
    Bits key = 0;
    const Bits most = static_cast<Bits>(~Bits{0}) / static_cast<Bits>(size + 1);
    for (std::size_t i = 0; i < size; ++i) {
      key = static_cast<Bits>(key + (random() % 3 == 0 ? 0 : random() % most));
      set(i, key ^ flip);
    }
  }
  void set(std::size_t i, Bits key) {
    std::memcpy(bytes.data() + i * kRowBytes + offset, &key, sizeof(key));
  }
  KeyRows<Bits> keys(Bits flip) const { return {bytes.data(), offset, flip}; }

  std::vector<std::byte> bytes;
  std::size_t offset;
};

template <std::size_t kRowBytes, class Bits>
void expect_falls_found() {
  const auto expect = [](const KeyRows<Bits>& keys, std::size_t begin, std::size_t end) {
    const std::size_t fall = first_fall_singly<kRowBytes>(keys, begin, end);
    EXPECT_EQ(first_fall<kRowBytes>(keys, begin, end), fall);
#ifdef __x86_64__
    if (vectors_of_cpu() >= Vectors::kAvx2) {
      EXPECT_EQ(first_fall_by_avx2<kRowBytes>(keys, begin, end), fall);
    }
    if (vectors_of_cpu() >= Vectors::kAvx512) {
      EXPECT_EQ(first_fall_by_avx512<kRowBytes>(keys, begin, end), fall);
    }
#endif
    return fall;
  };
  for (const Bits flip : {Bits{0}, kTopBit<Bits>, static_cast<Bits>(~Bits{0})}) {
    for (std::size_t offset = 0; offset < kRowBytes; offset += sizeof(Bits)) {
      for (const std::size_t size : {1, 2, 15, 16, 17, 40, 200}) {
        Table<kRowBytes, Bits> table(size, offset, flip);
        EXPECT_EQ(expect(table.keys(flip), 1, size), size);
        for (std::size_t i = 0; i < size; ++i) {
          Table<kRowBytes, Bits> other = table;
          other.set(i, flip);
          const std::size_t fall = expect(other.keys(flip), 1, size);
          EXPECT_TRUE(fall == i || fall == size);  // a key may be the least already
          other.set(i, static_cast<Bits>(~flip));
          expect(other.keys(flip), 1, size);
          expect(other.keys(flip), (i + 1) / 2 + 1, size);
        }
      }
    }
  }
}

template <std::size_t kRowBytes, class Bits>
void expect_raised() {
  constexpr std::size_t kRoom = kRowsAtATime<kRowBytes>;
  for (const Bits flip : {Bits{0}, kTopBit<Bits>, static_cast<Bits>(~Bits{0})}) {
    for (std::size_t offset = 0; offset < kRowBytes; offset += sizeof(Bits)) {
      for (const std::size_t size : {1, 15, 16, 17, 40, 200}) {
        for (const std::size_t room : {kRoom, kRoom + 3}) {
          const Table<kRowBytes, Bits> table(size + room, offset, flip);
          for (std::size_t i = 0; i < size; i += 1 + size / 17) {
            const Bits key = table.keys(flip).template key<kRowBytes>(i);
            const auto expect = [&](auto raise, const std::string& how) {
              auto moved = table;
              const std::size_t count =
                  raise(moved.bytes.data(), moved.keys(flip), size, size + room, key);
              std::size_t above = 0;
              while (above < size &&
                     key < table.keys(flip).template key<kRowBytes>(size - above - 1)) {
                ++above;
              }
              ASSERT_EQ(count, above) << how;
              const auto* const was = table.bytes.data();
              const auto* const is = moved.bytes.data();
              ASSERT_EQ(std::memcmp(is, was, (size - count) * kRowBytes), 0) << how;
              ASSERT_EQ(std::memcmp(is + (size + room - count) * kRowBytes,
                                    was + (size - count) * kRowBytes, count * kRowBytes),
                        0)
                  << how;
            };
            expect(raise_above_singly<kRowBytes, Bits>, "singly");
            expect(raise_above<kRowBytes, Bits>, "as is best");
#ifdef __x86_64__
            if (vectors_of_cpu() >= Vectors::kAvx2) {
              expect(raise_above_by_avx2<kRowBytes, Bits>, "by AVX2");
            }
            if (vectors_of_cpu() >= Vectors::kAvx512) {
              expect(raise_above_by_avx512<kRowBytes, Bits>, "by AVX-512");
            }
#endif
          }
        }
      }
    }
  }
}

TEST(VectorStrays, FallsAreFound) {
  expect_falls_found<4, std::uint32_t>();
  expect_falls_found<8, std::uint32_t>();
  expect_falls_found<8, std::uint64_t>();
  expect_falls_found<16, std::uint32_t>();
  expect_falls_found<16, std::uint64_t>();
}

TEST(VectorStrays, RowsAboveAKeyAreRaised) {
  expect_raised<4, std::uint32_t>();
  expect_raised<8, std::uint32_t>();
  expect_raised<8, std::uint64_t>();
  expect_raised<16, std::uint32_t>();
  expect_raised<16, std::uint64_t>();
}

}  // namespace
}  // namespace postroom::sorting
