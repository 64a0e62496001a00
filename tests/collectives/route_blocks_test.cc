#include "collectives/route/route_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace postroom {
namespace {

struct alignas(32) Wide {
  std::array<std::uint64_t, 4> words;
};

TEST(RouteBlocks, LayoutHoldsTheDirectoryAndTheElements) {
  const RouteBlockLayout words = RouteBlockLayout::of<std::uint32_t>(8, 67);
  EXPECT_EQ(words.elements, 8u + 8 * 8);  // never more runs than processors
  EXPECT_EQ(words.bytes, 72u + 268 + 4);  // a multiple of 8
  const RouteBlockLayout few = RouteBlockLayout::of<std::uint8_t>(100, 3);
  EXPECT_EQ(few.elements, 8u + 3 * 8);  // nor than elements
  EXPECT_EQ(few.bytes, 40u);
  const RouteBlockLayout wide = RouteBlockLayout::of<Wide>(8, 2);
  EXPECT_EQ(wide.elements, 32u);
  EXPECT_EQ(wide.bytes, 96u);
  EXPECT_EQ(RouteBlockLayout::of<std::uint32_t>(8, 0).bytes, 8u);
}

TEST(RouteBlocks, TooLargeForItsCounts) {
  EXPECT_NO_THROW(RouteBlockLayout::of<std::uint8_t>(1, 0xffff'ffffu));
  EXPECT_THROW(RouteBlockLayout::of<std::uint8_t>(1, std::size_t{1} << 32), std::invalid_argument);
}

TEST(RouteBlocks, CloseTogetherTakesWhatIsInThem) {
  const auto small = RouteBlockLayout::of<std::uint32_t>(8, 1'000);
  const auto large = RouteBlockLayout::of<std::uint32_t>(8, 8'000);
  EXPECT_EQ(block_set_bytes(8, large, small, Spacing::kEqual), 8 * large.bytes);
  EXPECT_EQ(block_set_bytes(8, small, small, Spacing::kClose), 8 * small.bytes);
  // All that was in eight small ones fits, however it is shared out, and then one large block.
  const std::size_t close = block_set_bytes(8, large, small, Spacing::kClose);
  EXPECT_LT(close, 3 * large.bytes);
  EXPECT_GE(close, large.bytes_with(8'000) + 6 * large.bytes_with(0) + large.bytes);
  EXPECT_GE(close, 7 * large.bytes_with(1'001) + large.bytes);
}

class RouteBlocksOf : public ::testing::TestWithParam<Spacing> {};
INSTANTIATE_TEST_SUITE_P(Spacings, RouteBlocksOf,
                         ::testing::Values(Spacing::kEqual, Spacing::kClose));

TEST_P(RouteBlocksOf, RunsComeBack) {
  const RouteBlockLayout layout = RouteBlockLayout::of<std::uint16_t>(4, 6);
  const BlockMemory<std::uint16_t> memory(nullptr, block_set_bytes(4, layout, layout, GetParam()));
  const std::vector<std::size_t> sizes{0, 1, 6, 3};
  RouteBlocks<std::uint16_t> blocks(layout, memory, sizes, GetParam());
  // Block b has a run of one element, with the label b, and one of all others.
  for (int b = 3; b > 0; --b) {
    const auto size = sizes[static_cast<std::size_t>(b)];
    *blocks.add_run(b, b, 1) = static_cast<std::uint16_t>(10 * b);
    if (size == 1) continue;
    std::uint16_t* const place = blocks.add_run(b, 0, size - 1);
    for (std::size_t k = 1; k < size; ++k) {
      place[k - 1] = static_cast<std::uint16_t>(10 * static_cast<std::size_t>(b) + k);
    }
  }
  for (std::size_t b = 0; b < 4; ++b) {
    const std::byte* const begin = blocks.begins()[b];
    const RunsOfBlock<std::uint16_t> block(begin, layout);
    ASSERT_EQ(block.runs().size(), std::min<std::size_t>(sizes[b], 2));
    if (sizes[b] > 0) {
      EXPECT_EQ(block.runs()[0].label, b);
      EXPECT_EQ(block.runs()[0].count, 1u);
    }
    if (sizes[b] > 1) {
      EXPECT_EQ(block.runs()[1].label, 0u);
      EXPECT_EQ(block.runs()[1].count, sizes[b] - 1);
    }
    for (std::size_t k = 0; k < sizes[b]; ++k) EXPECT_EQ(block.elements()[k], 10 * b + k);
    if (GetParam() == Spacing::kEqual) {
      EXPECT_EQ(begin, memory.data() + b * layout.bytes);
    } else if (b > 0) {
      EXPECT_EQ(begin, blocks.begins()[b - 1] + layout.bytes_with(sizes[b - 1]));
    }
  }
}

}  // namespace
}  // namespace postroom
