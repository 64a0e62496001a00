// Tables whose rows have no line in common, for all lengths of a row up to some lines.
#include "sort/engine/rows_apart.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

#include "numa/cacheline.h"

namespace postroom::sorting {
namespace {

template <class T>
void expect_apart(std::size_t rows, std::size_t length) {
  const RowsApart<T> table(rows, length);
  for (std::size_t i = 0; i < rows; ++i) {
    const auto begin = reinterpret_cast<std::uintptr_t>(table.row(i));
    EXPECT_EQ(begin % kNoSharing, 0U) << "row " << i << " of " << length;
    if (i + 1 == rows) continue;
    const auto next = reinterpret_cast<std::uintptr_t>(table.row(i + 1));
    EXPECT_GE(next, begin + length * sizeof(T)) << "row " << i << " of " << length;
    EXPECT_LT(next, begin + length * sizeof(T) + kNoSharing) << "row " << i << " of " << length;
  }
}

TEST(RowsApart, NoTwoHaveALineInCommon) {
  for (std::size_t length = 0; length <= 100; ++length) {
    expect_apart<std::uint32_t>(3, length);
    expect_apart<std::uint64_t>(5, length);
  }
}

TEST(RowsApart, EachHoldsWhatIsWrittenThere) {
  const RowsApart<std::uint64_t> table(4, 33);
  for (std::size_t i = 0; i < 4 * 33; ++i) table.row(i / 33)[i % 33] = i;
  for (std::size_t i = 0; i < 4 * 33; ++i) EXPECT_EQ(table.row(i / 33)[i % 33], i);
}

}  // namespace
}  // namespace postroom::sorting
