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
  std::vector<PlacedBuffer> taken;
  for (const std::size_t bytes : {5'000, 100'000, 90'000, 4'000, 8'000, 100'000}) {
    taken.push_back(kept.take(bytes));
    EXPECT_EQ(taken.back().bytes(), bytes);
  }
  EXPECT_EQ(kept.take(100'001).data(), nullptr);
  // With the fifth, 4,000 and 5,000 have to go, and with the last 8,000 and 90,000.
  const std::size_t together[] = {5'000, 105'000, 195'000, 199'000, 198'000, 200'000};
  for (std::size_t i = 0; i < taken.size(); ++i) {
    kept.keep(taken[i]);
    EXPECT_EQ(taken[i].data(), nullptr);
    EXPECT_EQ(kept.bytes(), together[i]);
  }
  EXPECT_EQ(KeptMemory(0).take(1).data(), nullptr);
}

TEST(KeptMemory, GivesAndKeepsNoMorePiecesThanItSays) {
  KeptMemory kept(1 << 30);
  std::vector<PlacedBuffer> taken;
  for (std::size_t i = 0; i < KeptMemory::kPieces; ++i) taken.push_back(kept.take(1000));
  EXPECT_EQ(kept.take(1000).data(), nullptr);
  for (PlacedBuffer& buffer : taken) kept.keep(buffer);
  EXPECT_EQ(kept.bytes(), 1000 * KeptMemory::kPieces);
  PlacedBuffer larger = kept.take(3000);
  kept.keep(larger);  // instead of one
  EXPECT_EQ(kept.bytes(), 1000 * (KeptMemory::kPieces + 2));
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
    EXPECT_EQ(kept->take(kKeptBytesOfMachine / kProcessors).data(), nullptr);
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
