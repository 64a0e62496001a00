// How the keys of rows follow each other, found by vectors, where this processor has them, and
// without.
#include "sort/vectors/vector_order.h"

#include <gtest/gtest.h>

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

enum class Shape { kAlike, kRising, kFalling, kRisingWithAlike, kFallingWithAlike };
constexpr Shape kShapes[] = {Shape::kAlike, Shape::kRising, Shape::kFalling,
                             Shape::kRisingWithAlike, Shape::kFallingWithAlike};

template <class Bits>
Bits key_at(Shape shape, std::size_t i) {
  // Around the highest bit, so that signed keys turn from negative to positive ones on the way.
  const auto key = static_cast<Bits>(i + kTopBit<Bits> - 60);
  switch (shape) {
    case Shape::kAlike:
      return kTopBit<Bits>;
    case Shape::kRising:
      return key;
    case Shape::kFalling:
      return static_cast<Bits>(~key);
    case Shape::kRisingWithAlike:
      return static_cast<Bits>(key - (i % 7 == 6 ? 1 : 0));
    default:
      return static_cast<Bits>(~key + (i % 50 == 49 ? 1 : 0));
  }
}

/// Rows whose other bytes are random; the first one begins anywhere.
template <std::size_t kRowBytes, class Bits>
struct Table {
  Table(std::size_t size, std::size_t from, std::size_t key_offset)
      : memory(size * kRowBytes + from + 64), offset(key_offset) {
    std::mt19937_64 random(size);
    for (std::byte& byte : memory) byte = static_cast<std::byte>(random());
    const auto over = reinterpret_cast<std::uintptr_t>(memory.data()) % 64;
    rows = memory.data() + (64 - over) % 64 + from;
  }

  void set(std::size_t i, Bits key) {
    std::memcpy(rows + i * kRowBytes + offset, &key, sizeof(key));
  }
  Bits key(std::size_t i) const {
    Bits key;
    std::memcpy(&key, rows + i * kRowBytes + offset, sizeof(key));
    return key;
  }

  std::vector<std::byte> memory;
  std::size_t offset;
  std::byte* rows;
};

template <bool kFloating, std::size_t kRowBytes, class Bits>
void expect_found(const Table<kRowBytes, Bits>& table, std::size_t begin, std::size_t end,
                  Bits flip, const std::string& what) {
  const auto ordered = [&](std::size_t i) {
    const Bits key = table.key(i);
    return static_cast<Bits>((kFloating ? fold_negative(key) : key) ^ flip);
  };
  Neighbours expected;
  for (std::size_t i = begin; i < end; ++i) {
    const Bits before = ordered(i - 1);
    const Bits key = ordered(i);
    expected.rise |= before < key;
    expected.fall |= key < before;
    expected.alike |= before == key;
  }
  const KeyRows<Bits, kFloating> keys{table.rows, table.offset, flip};
  const auto expect = [&](const Neighbours& found, const std::string& how) {
    ASSERT_EQ(found.rise, expected.rise) << what << how;
    ASSERT_EQ(found.fall, expected.fall) << what << how;
    if (!expected.rise) {
      ASSERT_EQ(found.alike, expected.alike) << what << how;
    }
  };
  expect(compare_rows_singly<kRowBytes>(keys, begin, end), ", one by one");
#ifdef __x86_64__
  for (const Reading reading : {Reading::kOnAndOn, Reading::kByStrips}) {
    const std::string how = reading == Reading::kByStrips ? ", by strips" : "";
    if (vectors_of_cpu() >= Vectors::kAvx2) {
      expect(compare_rows_by_avx2<kRowBytes>(keys, begin, end, reading), ", by AVX2" + how);
    }
    if (vectors_of_cpu() >= Vectors::kAvx512) {
      expect(compare_rows_by_avx512<kRowBytes>(keys, begin, end, reading), ", by AVX-512" + how);
    }
  }
#endif
}

template <std::size_t kRowBytes, class Bits, bool kFloating = false>
void expect_all_found() {
  static_assert(has_row_vectors<Bits>(kRowBytes));
  for (std::size_t offset = 0; offset < kRowBytes; offset += sizeof(Bits)) {
    for (const Shape shape : kShapes) {
      for (const std::size_t from : {0, 4, 8, 40, 60}) {
        for (std::size_t size = 1; size < 700; size += size < 40 ? 1 : size < 150 ? 17 : 173) {
          Table<kRowBytes, Bits> table(size, from, offset);
          for (std::size_t i = 0; i < size; ++i) {
            const Bits key = key_at<Bits>(shape, i);
            // Folding is its own inverse.
            table.set(i, kFloating ? fold_negative(key) : key);
          }
          for (const Bits flip : {Bits{0}, kTopBit<Bits>, static_cast<Bits>(~Bits{0})}) {
            const std::string what = "shape " + std::to_string(static_cast<int>(shape)) +
                                     ", n = " + std::to_string(size) + " at " +
                                     std::to_string(from) + ", key at " + std::to_string(offset);
            expect_found<kFloating>(table, 1, size, flip, what);
            // One that is out of order, anywhere.
            for (std::size_t i = 0; i < size; i += 1 + size / 20) {
              const Bits held = table.key(i);
              for (const Bits key : {Bits{0}, kTopBit<Bits>, static_cast<Bits>(~Bits{0})}) {
                table.set(i, key);
                expect_found<kFloating>(table, 1, size, flip,
                                        what + ", another at " + std::to_string(i));
              }
              table.set(i, held);
            }
            if (size > 5) expect_found<kFloating>(table, 4, size - 1, flip, what + ", a part");
          }
        }
      }
    }
  }
}

TEST(VectorOrder, IsFoundOfBareKeysOf32Bits) { expect_all_found<4, std::uint32_t>(); }
TEST(VectorOrder, IsFoundOfBareKeysOf64Bits) { expect_all_found<8, std::uint64_t>(); }
TEST(VectorOrder, IsFoundOfFloats) { expect_all_found<4, std::uint32_t, true>(); }
TEST(VectorOrder, IsFoundOfDoubles) { expect_all_found<8, std::uint64_t, true>(); }
TEST(VectorOrder, IsFoundOfFloatsIn8Bytes) { expect_all_found<8, std::uint32_t, true>(); }
TEST(VectorOrder, IsFoundOfFloatsIn16Bytes) { expect_all_found<16, std::uint32_t, true>(); }
TEST(VectorOrder, IsFoundOfDoublesIn16Bytes) { expect_all_found<16, std::uint64_t, true>(); }
TEST(VectorOrder, IsFoundOf32BitsIn8Bytes) { expect_all_found<8, std::uint32_t>(); }
TEST(VectorOrder, IsFoundOf32BitsIn16Bytes) { expect_all_found<16, std::uint32_t>(); }
TEST(VectorOrder, IsFoundOf64BitsIn16Bytes) { expect_all_found<16, std::uint64_t>(); }

TEST(VectorOrder, KeysThatLieAcrossWordsAreNotCompared) {
  EXPECT_FALSE(can_compare_rows(2, 4));
  EXPECT_FALSE(has_row_vectors<std::uint16_t>(8));
  EXPECT_FALSE(has_row_vectors<std::uint64_t>(4));
  EXPECT_FALSE(has_row_vectors<std::uint32_t>(12));
}

}  // namespace
}  // namespace postroom::sorting
