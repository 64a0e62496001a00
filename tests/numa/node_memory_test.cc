#include "numa/node_memory.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory_resource>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

#include "numa/topology.h"

namespace postroom {
namespace {

TEST(NodeMemoryTest, ExampleOfTheHeader) {
  const Topology topology = Topology::synthetic("numa:2 core:2 pu:1");
  NodeMemory memory(topology, 3);
  std::pmr::vector<int> list(&memory);
  for (int i = 0; i < 10000; ++i) list.push_back(i);
  EXPECT_EQ(list[9999], 9999);
  EXPECT_GE(memory.bytes(), 10000 * sizeof(int));
}

TEST(NodeMemoryTest, UsesWhatWasGivenBack) {
  const Topology topology = Topology::this_machine();
  NodeMemory memory(topology, 0);
  for (int i = 0; i < 1000; ++i) memory.deallocate(memory.allocate(4096, 64), 4096, 64);
  EXPECT_LT(memory.bytes(), 1000 * 4096U);
}

TEST(NodeMemoryTest, KeepsAlignments) {
  const Topology topology = Topology::this_machine();
  NodeMemory memory(topology, 0);
  for (const std::size_t alignment : {8U, 64U, 128U, 4096U}) {
    for (const std::size_t bytes : {1U, 64U, 1000U, 100'000U, 5'000'000U}) {
      void* const piece = memory.allocate(bytes, alignment);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(piece) % alignment, 0U);
      memory.deallocate(piece, bytes, alignment);
    }
  }
}

// The system allows so many mappings in a process.
TEST(NodeMemoryTest, ManyPiecesAreCutFromFewSlabs) {
  const Topology topology = Topology::this_machine();
  NodeMemory memory(topology, 0);
  constexpr std::size_t kBytes = 8192;
  constexpr std::size_t kPieces = 20'000;
  std::vector<std::size_t> sizes;  // of what the system was asked for each time
  std::vector<void*> pieces;
  for (std::size_t i = 0; i < kPieces; ++i) {
    const std::size_t before = memory.bytes();
    pieces.push_back(memory.allocate(kBytes, 64));
    std::memset(pieces.back(), static_cast<int>(i % 251), kBytes);
    if (memory.bytes() != before) sizes.push_back(memory.bytes() - before);
  }
  EXPECT_LE(sizes.size(), 40U);
  EXPECT_LE(memory.bytes(), kPieces * kBytes * 5 / 4 + (std::size_t{1} << 20));
  for (std::size_t i = 0; i < kPieces; ++i) {  // none of them overlap
    const auto* const bytes = static_cast<const unsigned char*>(pieces[i]);
    ASSERT_EQ(bytes[0], i % 251);
    ASSERT_EQ(bytes[kBytes - 1], i % 251);
  }
  const std::size_t all = memory.bytes();
  for (void* const piece : pieces) memory.deallocate(piece, kBytes, 64);
  for (void*& piece : pieces) piece = memory.allocate(kBytes - 100, 64);
  EXPECT_EQ(memory.bytes(), all);
  for (void* const piece : pieces) memory.deallocate(piece, kBytes - 100, 64);
}

TEST(NodeMemoryTest, LargePiecesGoBack) {
  const Topology topology = Topology::this_machine();
  NodeMemory memory(topology, 0);
  void* const piece = memory.allocate(5'000'000, 64);
  EXPECT_GE(memory.bytes(), 5'000'000U);
  memory.deallocate(piece, 5'000'000, 64);
  EXPECT_EQ(memory.bytes(), 0U);
}

TEST(NodeMemoryTest, WhatCannotBeHadIsBadAlloc) {
  const Topology topology = Topology::this_machine();
  NodeMemory memory(topology, 0);
  volatile std::size_t most = SIZE_MAX;  // or the compiler warns
  EXPECT_THROW((void)memory.allocate(most, 8), std::bad_alloc);
  EXPECT_THROW((void)memory.allocate(most / 2, 8), std::bad_alloc);
  EXPECT_THROW((void)memory.allocate(8, 8192), std::bad_alloc);
  EXPECT_EQ(memory.bytes(), 0U);
}

TEST(NodeMemoryTest, ServesSeveralThreads) {
  const Topology topology = Topology::this_machine();
  NodeMemory memory(topology, 0);
  const auto write_lists = [&] {
    for (int round = 0; round < 200; ++round) {
      std::pmr::vector<int> list(&memory);
      for (int i = 0; i < 500; ++i) list.push_back(round + i);
      for (int i = 0; i < 500; ++i) ASSERT_EQ(list[static_cast<std::size_t>(i)], round + i);
    }
  };
  std::thread other(write_lists);
  write_lists();
  other.join();
}

TEST(NodeMemoryTest, RefusesALeafThatIsNotThere) {
  const Topology topology = Topology::synthetic("numa:2 core:2 pu:1");
  EXPECT_THROW(NodeMemory(topology, 4), std::invalid_argument);
  EXPECT_THROW(NodeMemory(topology, -1), std::invalid_argument);
}

}  // namespace
}  // namespace postroom
