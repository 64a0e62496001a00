#include "numa/rounding.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>

namespace postroom {
namespace {

TEST(Rounding, IsUpwards) {
  for (std::size_t unit = 1; unit <= 9; ++unit) {
    for (std::size_t value = 0; value <= 40; ++value) {
      const std::size_t count = ceil_divide(value, unit);
      EXPECT_GE(count * unit, value);
      EXPECT_LT(count * unit, value + unit);
      EXPECT_EQ(round_up(value, unit), count * unit);
    }
  }
}

TEST(Rounding, AtTheEndOfTheNumbers) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(ceil_divide(kMost, kMost), 1);
  EXPECT_EQ(ceil_divide<std::int64_t>(kMost, 2), kMost / 2 + 1);
  constexpr std::size_t kLast = std::numeric_limits<std::size_t>::max();
  EXPECT_EQ(round_up<std::size_t>(kLast - 63, 64), kLast - 63);
  for (const std::size_t value : {kLast - 62, kLast}) {
    EXPECT_LT(round_up<std::size_t>(value, 64), value);
  }
}

}  // namespace
}  // namespace postroom
