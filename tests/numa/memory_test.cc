#include "numa/memory.h"

#include <gtest/gtest.h>
#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <new>
#include <span>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "numa/cacheline.h"
#include "numa/rounding.h"
#include "numa/topology.h"

namespace postroom {
namespace {

const auto kPage = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));

/// How many pages of a whole-page range have memory.
std::size_t present_pages(std::byte* memory, std::size_t bytes) {
  std::vector<unsigned char> present(ceil_divide(bytes, kPage));
  EXPECT_EQ(mincore(memory, bytes, present.data()), 0);
  return static_cast<std::size_t>(std::count_if(
      present.begin(), present.end(), [](unsigned char page) { return (page & 1) != 0; }));
}

TEST(PlacedBufferTest, ExampleOfTheHeader) {
  PlacedBuffer buffer(1 << 20);
  std::span<double> mine = buffer.as<double>();
  touch_pages(buffer.memory());
  mine[0] = 1;
  EXPECT_EQ(mine.size(), (1U << 20) / sizeof(double));
  EXPECT_EQ(mine[1], 0);
}

TEST(PlacedBufferTest, IsZeroedAndWritableOverItsWholeLength) {
  for (const std::size_t bytes :
       {std::size_t{1}, std::size_t{63}, kPage - 1, kPage, kPage + 1, std::size_t{100000},
        (std::size_t{4} << 20) - 1, std::size_t{4} << 20, (std::size_t{6} << 20) + 1}) {
    const PlacedBuffer buffer(bytes);
    ASSERT_NE(buffer.data(), nullptr);
    EXPECT_EQ(buffer.bytes(), bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % kPage, 0U);
    EXPECT_EQ(buffer.data()[0], std::byte{0});
    EXPECT_EQ(buffer.data()[bytes - 1], std::byte{0});
    std::fill(buffer.data(), buffer.data() + bytes, std::byte{7});
    EXPECT_EQ(buffer.data()[bytes - 1], std::byte{7});
  }
}

TEST(PlacedBufferTest, LargeOnesBeginAtAHugePage) {
  for (int i = 0; i < 5; ++i) {
    const PlacedBuffer buffer((std::size_t{4} << 20) + i * kPage);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % (2U << 20), 0U);
  }
}

TEST(PlacedBufferTest, NoPageIsTouchedBeforeItsOwnerDoes) {
  const PlacedBuffer buffer(64 * kPage);
  EXPECT_EQ(present_pages(buffer.data(), buffer.bytes()), 0U);
}

TEST(PlacedBufferTest, MovesAndFrees) {
  PlacedBuffer first(3 * kPage);
  first.data()[5] = std::byte{42};
  std::byte* const memory = first.data();
  PlacedBuffer second(std::move(first));
  EXPECT_EQ(second.data(), memory);
  EXPECT_EQ(first.data(), nullptr);  // NOLINT: empty after the move is what is promised
  EXPECT_EQ(first.bytes(), 0U);
  PlacedBuffer third(kPage);
  third = std::move(second);
  EXPECT_EQ(third.data()[5], std::byte{42});
  PlacedBuffer& itself = third;
  third = std::move(itself);
  EXPECT_EQ(third.data(), memory);
  third = PlacedBuffer();
  EXPECT_EQ(third.data(), nullptr);
  EXPECT_NE(mincore(memory, kPage, std::vector<unsigned char>(1).data()), 0);  // unmapped
}

TEST(PlacedBufferTest, EmptyOnes) {
  const PlacedBuffer buffer(0);
  EXPECT_EQ(buffer.data(), nullptr);
  EXPECT_TRUE(buffer.memory().empty());
  EXPECT_TRUE(buffer.as<int>().empty());
  touch_pages(buffer.memory());
  touch_each_page(buffer.memory());
  EXPECT_EQ(buffer.prefer_near(Topology::this_machine(), 0), "");
}

TEST(PlacedBufferTest, OfferedPagesCanBeWrittenAgain) {
  PlacedBuffer buffer(4 * kHugePageBytes);
  std::memset(buffer.data(), 1, buffer.bytes());
  const std::span<std::byte> offered = buffer.memory().subspan(kHugePageBytes / 2);
  offer_pages(offered);
  offer_pages(offered.first(0));
  // What lies in no whole page of those is not on offer; the others are old or zero.
  EXPECT_EQ(buffer.memory()[kHugePageBytes - 1], std::byte{1});
  EXPECT_LE(std::to_integer<int>(buffer.memory()[kHugePageBytes]), 1);
  std::memset(offered.data(), 2, offered.size());
  EXPECT_EQ(std::ranges::count(offered, std::byte{2}), std::ssize(offered));
}

TEST(PlacedBufferTest, PagesThatAreDroppedAreGone) {
  const PlacedBuffer buffer(10 * kPage);
  std::memset(buffer.data(), 1, buffer.bytes());
  drop_pages(buffer.memory().subspan(kPage + 1, 5 * kPage));  // four whole pages
  drop_pages(buffer.memory().subspan(8 * kPage + 1, kPage));  // none
  drop_pages({});
  EXPECT_EQ(present_pages(buffer.data(), buffer.bytes()), 6U);
  EXPECT_EQ(std::ranges::count(buffer.memory(), std::byte{0}),
            static_cast<std::ptrdiff_t>(4 * kPage));
}

TEST(PlacedBufferTest, TooMuchIsBadAlloc) {
  for (const std::size_t bytes : {SIZE_MAX, SIZE_MAX - kPage, SIZE_MAX / 2, SIZE_MAX / 2 + 1}) {
    EXPECT_THROW(PlacedBuffer{bytes}, std::bad_alloc) << bytes;
  }
}

class TouchTest : public testing::TestWithParam<void (*)(std::span<std::byte>)> {};

TEST_P(TouchTest, MakesAllPagesPresentAndKeepsWhatIsThere) {
  const PlacedBuffer buffer(33 * kPage);
  buffer.data()[3 * kPage] = std::byte{9};
  GetParam()(buffer.memory());
  EXPECT_EQ(present_pages(buffer.data(), buffer.bytes()), 33U);
  EXPECT_EQ(buffer.data()[3 * kPage], std::byte{9});
  EXPECT_EQ(buffer.data()[4 * kPage], std::byte{0});
}

TEST_P(TouchTest, TouchesThePagesOfItsPartAlone) {
  const PlacedBuffer buffer(40 * kPage);
  // From the middle of page 5 to the first byte of page 9.
  GetParam()(buffer.memory().subspan(5 * kPage + kPage / 2, 3 * kPage + kPage / 2 + 1));
  EXPECT_EQ(present_pages(buffer.data(), 5 * kPage), 0U);
  EXPECT_EQ(present_pages(buffer.data() + 5 * kPage, 5 * kPage), 5U);
  EXPECT_EQ(present_pages(buffer.data() + 10 * kPage, 30 * kPage), 0U);
}

TEST_P(TouchTest, NeighboursMayUseTheirPartOfThePage) {
  constexpr int kThreads = 4;
  const PlacedBuffer buffer(8 * kPage);
  const std::size_t part_bytes = buffer.bytes() / kThreads - 24;  // not on page boundaries
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&buffer, part_bytes, i, touch = GetParam()] {
      const std::span<std::byte> part = buffer.memory().subspan(i * part_bytes, part_bytes);
      touch(part);
      std::fill(part.begin(), part.end(), static_cast<std::byte>(i + 1));
      touch(part);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < kThreads * part_bytes; ++i) {
    ASSERT_EQ(buffer.data()[i], static_cast<std::byte>(i / part_bytes + 1)) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, TouchTest, testing::Values(&touch_pages, &touch_each_page));

TEST(PreferTest, OnThisMachineItIsDoneOrASentence) {
  const Topology box = Topology::this_machine();
  for (int leaf = 0; leaf < box.leaf_count(); ++leaf) {
    const PlacedBuffer buffer(16 * kPage);
    const std::string refused = buffer.prefer_near(box, leaf);
    if (!refused.empty()) {
      EXPECT_EQ(refused.back(), '.');
    }
    touch_pages(buffer.memory());
    EXPECT_EQ(present_pages(buffer.data(), buffer.bytes()), 16U);
  }
}

/// The policy for the memory at an address, as the system has it; -1 where it does not tell.
int policy_at(std::byte* address) {
  int policy = -1;
  const long answer = syscall(SYS_get_mempolicy, &policy, nullptr, 0, address, MPOL_F_ADDR);
  return answer == 0 ? policy : -1;
}

TEST(PreferTest, TheNodeOfThisMachine) {
  const Topology box = Topology::this_machine();
  const PlacedBuffer buffer(16 * kPage);
  const int node = box.node(box.node_of(0)).os_index;
  const int before = policy_at(buffer.data());
  const std::string refused = prefer_node(buffer.memory(), node);
  if (!refused.empty()) {
    EXPECT_EQ(refused.rfind("The system refused to place memory on NUMA node", 0), 0U) << refused;
  } else if (before >= 0) {
    EXPECT_NE(before, MPOL_PREFERRED);
    EXPECT_EQ(policy_at(buffer.data()), MPOL_PREFERRED);
    EXPECT_EQ(policy_at(buffer.data() + 15 * kPage), MPOL_PREFERRED);
  }
  std::fill(buffer.data(), buffer.data() + buffer.bytes(), std::byte{1});
  EXPECT_EQ(buffer.data()[buffer.bytes() - 1], std::byte{1});
}

TEST(PreferTest, ANodeThatIsNotThereIsASentence) {
  const PlacedBuffer buffer(16 * kPage);
  for (const int node : {-1, 63, 1000, 5000}) {
    EXPECT_EQ(
        prefer_node(buffer.memory(), node)
            .rfind("The system refused to place memory on NUMA node " + std::to_string(node), 0),
        0U)
        << node;
  }
}

TEST(PreferTest, LessThanAPageIsLeftAlone) {
  const PlacedBuffer buffer(4 * kPage);
  EXPECT_EQ(prefer_node(buffer.memory().subspan(1, kPage), 5000), "");
  EXPECT_NE(prefer_node(buffer.memory().subspan(1, 2 * kPage), 5000), "");
}

TEST(PreferTest, AMadeUpBoxIsASentence) {
  const PlacedBuffer buffer(kPage);
  EXPECT_EQ(buffer.prefer_near(Topology::synthetic("numa:2 pu:1"), 1),
            "Memory is not placed: the topology (synthetic numa:2 pu:1) is not this machine.");
}

TEST(PreferTest, NoSuchLeafIsRefused) {
  const PlacedBuffer buffer(kPage);
  EXPECT_THROW(static_cast<void>(buffer.prefer_near(Topology::this_machine(), -1)),
               std::invalid_argument);
}

TEST(CacheLineTest, ExampleOfTheHeader) {
  struct Slot {
    alignas(kNoSharing) int written_by_one;
    alignas(kNoSharing) int written_by_another;
  };
  static_assert(sizeof(Slot) == 2 * kNoSharing);
  static_assert(kCacheLine == 64 && kNoSharing == 128);
}

}  // namespace
}  // namespace postroom
