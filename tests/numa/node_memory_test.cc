#include "numa/node_memory.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory_resource>
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
