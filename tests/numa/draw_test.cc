#include "numa/draw.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "numa/topology.h"
#include "tests/numa/boxes.h"

namespace postroom {
namespace {

TEST(DrawTest, ASmallBoxInFull) {
  const Topology box =
      Topology::synthetic("package:2 [numa(memory=2GiB)] l3:1(size=32MiB) core:2 pu:2");
  EXPECT_EQ(box.draw(),
            "machine: leaves 0-7\n"
            "├─ package 0, NUMA 0 (2 GiB), L3 (32 MiB): leaves 0-3\n"
            "│  ├─ core 0: leaf 0 = CPU 0, leaf 1 = CPU 1\n"
            "│  └─ core 1: leaf 2 = CPU 2, leaf 3 = CPU 3\n"
            "└─ package 1, NUMA 1 (2 GiB), L3 (32 MiB): leaves 4-7\n"
            "   ├─ core 2: leaf 4 = CPU 4, leaf 5 = CPU 5\n"
            "   └─ core 3: leaf 6 = CPU 6, leaf 7 = CPU 7\n");
}

TEST(DrawTest, ALargeBoxShortened) {
  EXPECT_EQ(Topology::synthetic("numa:8(memory=1GiB) core:32 pu:1").draw(),
            "machine: leaves 0-255\n"
            "├─ NUMA 0 (1 GiB): leaves 0-31\n"
            "│  ├─ core 0: leaf 0 = CPU 0\n"
            "│  └─ and 31 more like it: leaves 1-31\n"
            "└─ and 7 more like it: leaves 32-255\n");
}

TEST(DrawTest, OnlyAlikeSiblingsAreCounted) {
  std::vector<int> all_but_one;
  for (int cpu = 0; cpu < 24; ++cpu) {
    if (cpu != 5) all_but_one.push_back(cpu);
  }
  const Topology box = Topology::synthetic("core:12 pu:2").restricted_to(all_but_one);
  const std::string picture = box.draw();
  EXPECT_NE(picture.find("├─ core 2: leaf 4 = CPU 4\n"), std::string::npos) << picture;
  EXPECT_NE(picture.find("├─ core 3: leaf 5 = CPU 6, leaf 6 = CPU 7\n"), std::string::npos);
  EXPECT_NE(picture.find("└─ and 8 more like it: leaves 7-22\n"), std::string::npos) << picture;
}

TEST(DrawTest, MemoryAloneIsNamed) {
  for (const OddBox& box : odd_boxes()) {
    if (box.name != "nodes without CPUs") continue;
    const std::string picture = box.topology.draw();
    EXPECT_EQ(picture.rfind("machine, NUMA without CPUs 3 (9 GiB): leaves 0-3\n", 0), 0U)
        << picture;
    return;
  }
  FAIL() << "no such box";
}

TEST(DrawTest, LargeBoxesStayShort) {
  for (const Box& box : regular_boxes()) {
    const std::string picture = Topology::synthetic(box.description).draw();
    EXPECT_LE(std::count(picture.begin(), picture.end(), '\n'), 130) << picture;
  }
}

TEST(DrawTest, Sizes) {
  EXPECT_EQ(size_in_words(0), "0 B");
  EXPECT_EQ(size_in_words(1023), "1023 B");
  EXPECT_EQ(size_in_words(32768), "32 KiB");
  EXPECT_EQ(size_in_words(33554432), "32 MiB");
  EXPECT_EQ(size_in_words(1536), "1.5 KiB");
  EXPECT_EQ(size_in_words(std::uint64_t{1} << 63), "8 EiB");
}

}  // namespace
}  // namespace postroom
