// Values of a column exchanged with their mirror images: of every size that is moved in another
// way, at every number that may be left over, and nothing else is touched.
#include "sort/engine/layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace postroom::sorting {
namespace {

constexpr std::size_t kAround = 3;  // values on either side

std::vector<std::byte> some_bytes(std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 31 + i / 256);
  return bytes;
}

// Of values [kAround, kAround + size) the first `count` with the last.
template <std::size_t kBytes>
void expect_exchanged(std::size_t size, std::size_t count) {
  std::vector<std::byte> bytes = some_bytes((size + 2 * kAround) * kBytes + 1);
  std::byte* const base = bytes.data() + 1;  // not aligned
  std::vector<std::byte> expected = bytes;
  for (std::size_t i = 0; i < count; ++i) {
    std::byte* const low = expected.data() + 1 + (kAround + i) * kBytes;
    std::byte* const high = expected.data() + 1 + (kAround + size - 1 - i) * kBytes;
    std::swap_ranges(low, low + kBytes, high);
  }
  Column<kBytes>(base).swap_round(kAround, kAround + size, count);
  EXPECT_EQ(bytes, expected) << kBytes << " bytes, " << count << " of " << size;
}

template <std::size_t kBytes>
void expect_all() {
  for (std::size_t count = 0; count <= 40; ++count) {
    for (const std::size_t between : {0, 1, 5})
      expect_exchanged<kBytes>(2 * count + between, count);
  }
}

TEST(Layout, ValuesAreExchangedWithTheirMirrorImages) {
  expect_all<1>();
  expect_all<4>();
  expect_all<8>();
  expect_all<12>();
  expect_all<16>();
  expect_all<40>();
}

}  // namespace
}  // namespace postroom::sorting
