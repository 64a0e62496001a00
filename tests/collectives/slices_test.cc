// Slices of a list, one for each processor.
#include "collectives/parts/slices.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "numa/cacheline.h"

namespace postroom {
namespace {

TEST(Slices, CoverTheListByWholeLinesAndElements) {
  for (const int processors : {1, 2, 3, 7}) {
    for (const std::size_t element_bytes : {1, 8, 12, 40}) {
      for (const std::size_t elements : {0, 1, 7, 64, 1000}) {
        const std::size_t bytes = elements * element_bytes;
        const std::size_t unit = std::lcm(element_bytes, kCacheLine);
        for (int favoured = -1; favoured < (processors == 2 ? 2 : 0); ++favoured) {
          const Slices slices(processors, bytes, element_bytes, favoured);
          std::size_t end = 0;
          for (int slice = 0; slice < processors; ++slice) {
            ASSERT_EQ(slices.begin(slice), end);
            ASSERT_TRUE(end % unit == 0 || end == bytes);
            end += slices.bytes(slice);
            ASSERT_LE(slices.bytes(slice), slices.most_bytes());
          }
          ASSERT_EQ(end, bytes);
        }
      }
    }
  }
}

TEST(Slices, AreEven) {
  const Slices slices(3, 3 * 100 * kCacheLine, 1);
  for (int slice = 0; slice < 3; ++slice) EXPECT_EQ(slices.bytes(slice), 100 * kCacheLine);
}

TEST(Slices, WhoIsFavouredGetsFiveEighthsAndNeverLess) {
  for (const int favoured : {0, 1}) {
    EXPECT_EQ(Slices(2, 800 * kCacheLine, 1, favoured).bytes(favoured), 500 * kCacheLine);
    for (std::size_t lines = 1; lines < 20; ++lines) {
      const Slices slices(2, lines * kCacheLine, 1, favoured);
      EXPECT_GE(8 * slices.bytes(favoured), 5 * lines * kCacheLine) << lines;
      EXPECT_EQ(slices.most_bytes(), slices.bytes(favoured));
    }
  }
}

TEST(Slices, ArePartsOfTheList) {
  std::vector<int> list(100);
  const Slices slices(2, list.size() * sizeof(int), sizeof(int));
  const std::span bytes = std::as_writable_bytes(std::span(list));
  EXPECT_EQ(slices.of(bytes, 1).data(), bytes.data() + slices.begin(1));
  EXPECT_EQ(slices.of(bytes, 1).size(), slices.bytes(1));
}

}  // namespace
}  // namespace postroom
