#include "runtime/kept_memory.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "numa/memory.h"
#include "runtime/group.h"
#include "runtime/machine.h"

namespace postroom {
namespace {

TEST(KeptMemory, GivesTheSmallestThatItKeeps) {
  KeptMemory kept(1 << 20);
  PlacedBuffer small = kept.take(10'000);
  PlacedBuffer large = kept.take(100'000);
  const std::byte* const at_small = small.data();
  const std::byte* const at_large = large.data();
  EXPECT_EQ(kept.bytes(), 0u);
  kept.keep(large);
  kept.keep(small);
  EXPECT_EQ(large.data(), nullptr);
  EXPECT_EQ(kept.bytes(), 110'000u);

  EXPECT_EQ(kept.take(20'000).data(), at_large);  // freed here
  EXPECT_EQ(kept.take(9'000).data(), at_small);
  EXPECT_EQ(kept.bytes(), 0u);
}

TEST(KeptMemory, KeepsTheLargestWithinItsBound) {
  KeptMemory kept(200'000);
  EXPECT_TRUE(kept.may_keep(100'000));
  EXPECT_FALSE(kept.may_keep(100'001));
  const auto keep = [&](std::size_t bytes) {
    PlacedBuffer buffer(bytes);
    kept.keep(buffer);
    EXPECT_EQ(buffer.data(), nullptr);
    return kept.bytes();
  };
  EXPECT_EQ(keep(5'000), 5'000u);
  EXPECT_EQ(keep(100'000), 105'000u);
  EXPECT_EQ(keep(100'001), 105'000u);
  EXPECT_EQ(keep(90'000), 195'000u);
  EXPECT_EQ(keep(4'000), 199'000u);
  EXPECT_EQ(keep(8'000), 198'000u);  // instead of 4,000 and 5,000
  EXPECT_EQ(keep(100'000), 200'000u);
  KeptMemory nothing(0);
  PlacedBuffer buffer(1);
  nothing.keep(buffer);
  EXPECT_EQ(nothing.bytes(), 0u);
}

TEST(KeptMemory, KeepsNoMorePiecesThanItSays) {
  KeptMemory kept(1 << 30);
  for (std::size_t i = 1; i <= KeptMemory::kPieces + 2; ++i) {
    PlacedBuffer buffer(i * 1000);
    kept.keep(buffer);
  }
  std::size_t sum = 0;
  for (std::size_t i = 3; i <= KeptMemory::kPieces + 2; ++i) sum += i * 1000;
  EXPECT_EQ(kept.bytes(), sum);
}

TEST(KeptMemory, IsTheProcessorsOwnAndStaysBetweenRuns) {
  constexpr int kProcessors = 3;
  Machine machine({.processors = kProcessors});
  std::vector<KeptMemory*> first(kProcessors);
  machine.run([&](Processor& self) {
    KeptMemory* const kept = self.kept_memory();
    first[static_cast<std::size_t>(self.id())] = kept;
    PlacedBuffer buffer = kept->take(50'000);
    kept->keep(buffer);
    EXPECT_FALSE(kept->may_keep(kKeptBytesOfMachine / kProcessors));
  });
  machine.run([&](Processor& self) {
    const auto id = static_cast<std::size_t>(self.id());
    EXPECT_EQ(self.kept_memory(), first[id]);
    EXPECT_EQ(self.kept_memory()->bytes(), 50'000u);
    Group all(self, {2, 1, 0});
    EXPECT_EQ(all.kept_memory(), first[id]);
  });
  EXPECT_NE(first[0], first[1]);
}

}  // namespace
}  // namespace postroom
