#include "collectives/parts/scratch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "runtime/kept_memory.h"

namespace postroom {
namespace {

TEST(Scratch, HasRoomForWhatWasAskedFor) {
  KeptMemory kept(std::size_t{64} << 20);
  for (KeptMemory* const from : {static_cast<KeptMemory*>(nullptr), &kept}) {
    for (const std::size_t bytes :
         {std::size_t{0}, std::size_t{1}, Scratch::kInlineBytes, Scratch::kInlineBytes + 1,
          Scratch::kKeptFromBytes - 1, Scratch::kKeptFromBytes, std::size_t{9} << 20}) {
      Scratch scratch(from, bytes);
      ASSERT_EQ(scratch.bytes().size(), bytes);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(scratch.bytes().data()) % Scratch::kAlignment, 0u);
      std::ranges::fill(scratch.bytes(), std::byte{7});
      if (bytes > 1) {
        EXPECT_EQ(scratch.bytes(1, 1).data(), scratch.bytes().data() + 1);
      }
    }
  }
}

TEST(Scratch, IsKeptFromOneToTheNext) {
  KeptMemory kept(1 << 20);
  const std::byte* first = nullptr;
  {
    Scratch scratch(&kept, Scratch::kKeptFromBytes);
    first = scratch.bytes().data();
    EXPECT_EQ(kept.bytes(), 0u);
  }
  EXPECT_EQ(kept.bytes(), Scratch::kKeptFromBytes);
  EXPECT_EQ(Scratch(&kept, Scratch::kKeptFromBytes).bytes().data(), first);
  { const Scratch small(&kept, Scratch::kKeptFromBytes - 1); }
  EXPECT_EQ(kept.bytes(), Scratch::kKeptFromBytes);
}

TEST(Scratch, WhatCannotBeKeptComesFromElsewhere) {
  KeptMemory kept(2 * Scratch::kKeptFromBytes);
  {
    Scratch scratch(&kept, 2 * Scratch::kKeptFromBytes);
    std::ranges::fill(scratch.bytes(), std::byte{7});
  }
  EXPECT_EQ(kept.bytes(), 0u);
}

}  // namespace
}  // namespace postroom
