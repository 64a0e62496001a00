#include "numa/placement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "numa/quota.h"
#include "numa/topology.h"
#include "tests/numa/boxes.h"
#include "tests/numa/invariants.h"

namespace postroom {
namespace {

TEST(PlacementTest, ExampleOfTheHeader) {
  const Placement placement = place(Topology::synthetic("package:2 core:2 pu:2"), 3);
  EXPECT_EQ(placement.leaf_of_processor, (std::vector<int>{0, 2, 4}));
  EXPECT_FALSE(placement.oversubscribed);
  EXPECT_TRUE(placement.notes.empty());
}

class PlacementOnBoxTest : public testing::TestWithParam<Box> {};

TEST_P(PlacementOnBoxTest, IsValidForEveryNumber) {
  const Topology topology = Topology::synthetic(GetParam().description);
  const int leaves = topology.leaf_count();
  for (const int processors : {1, 2, 3, 5, leaves / 2, GetParam().cores, GetParam().cores + 1,
                               leaves - 1, leaves, leaves + 1, 3 * leaves + 2}) {
    if (processors < 1) continue;
    SCOPED_TRACE(processors);
    const Placement placement = place(topology, processors);
    expect_valid(topology, placement, processors);
    EXPECT_EQ(placement.oversubscribed, processors > leaves);
    EXPECT_EQ(placement.at_once, std::min(processors, leaves));
    EXPECT_EQ(placement.notes.empty(), processors <= GetParam().cores);
  }
}

TEST_P(PlacementOnBoxTest, DefaultIsOneForEachCore) {
  const Topology topology = Topology::synthetic(GetParam().description);
  ASSERT_EQ(default_processors(topology), GetParam().cores);
  for (const int leaf : place(topology, GetParam().cores).leaf_of_processor) {
    EXPECT_EQ(topology.leaf(leaf).sibling, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Boxes, PlacementOnBoxTest, testing::ValuesIn(regular_boxes()));

TEST(PlacementTest, TakesTheFirstCores) {
  const Topology box = Topology::synthetic("numa:4 core:4 pu:2");
  EXPECT_EQ(place(box, 4).leaf_of_processor, (std::vector<int>{0, 2, 4, 6}));
}

TEST_P(PlacementOnBoxTest, TheLeastUsedLeavesAreTheFirstWhereAllAreAlike) {
  const Topology topology = Topology::synthetic(GetParam().description);
  const int leaves = topology.leaf_count();
  for (const int others : {0, 3}) {
    for (int processors = 1; processors <= leaves; ++processors) {
      ASSERT_EQ(least_used_leaves(topology, processors, std::vector<int>(leaves, others)),
                place(topology, processors).leaf_of_processor);
    }
  }
}

TEST(PlacementTest, TheLeastUsedLeavesAreTakenFirst) {
  const Topology box = Topology::synthetic("core:4 pu:2");
  EXPECT_EQ(least_used_leaves(box, 2, {1, 0, 1, 0, 0, 0, 0, 0}), (std::vector<int>{4, 6}));
  EXPECT_EQ(least_used_leaves(box, 4, {1, 0, 1, 0, 0, 0, 0, 0}), (std::vector<int>{1, 3, 4, 6}));
  EXPECT_EQ(least_used_leaves(box, 2, {2, 2, 1, 2, 2, 2, 2, 2}), (std::vector<int>{0, 2}));
}

TEST(PlacementTest, SiblingsComeAfterCores) {
  const Topology box = Topology::synthetic("core:3 pu:2");
  const Placement placement = place(box, 4);
  EXPECT_EQ(placement.leaf_of_processor, (std::vector<int>{0, 1, 2, 4}));
  EXPECT_FALSE(placement.oversubscribed);
  EXPECT_EQ(placement.notes,
            std::vector<std::string>{"4 processors on 3 cores: some share a core."});
}

TEST(PlacementTest, MoreProcessorsThanLeavesComeInRuns) {
  const Topology box = Topology::synthetic("core:2 pu:1");
  const Placement placement = place(box, 5);
  EXPECT_EQ(placement.leaf_of_processor, (std::vector<int>{0, 0, 0, 1, 1}));
  EXPECT_TRUE(placement.oversubscribed);
  EXPECT_EQ(placement.notes, std::vector<std::string>{"5 processors take turns on 2 CPUs."});
}

TEST(PlacementTest, AMillionProcessors) {
  const Topology box = Topology::synthetic("package:3 core:5 pu:1");
  expect_valid(box, place(box, 1'000'000), 1'000'000);
  const Topology one = Topology::synthetic("pu:1");
  expect_valid(one, place(one, 1'000'000), 1'000'000);
}

TEST(PlacementTest, ReasonsAreGiven) {
  const Topology box = Topology::synthetic("core:8 pu:2");
  EXPECT_EQ(place(box, 8).reason, "one for each core");
  EXPECT_EQ(place(box, 3).reason, "asked for; by itself the box would take 8, one for each core");
}

TEST(PlacementTest, TheQuotaBoundsTheDefault) {
  const Topology box = Topology::synthetic("core:8 pu:2");
  EXPECT_EQ(choose_processors(box, std::nullopt).processors, 8);
  EXPECT_EQ(choose_processors(box, 2.5).processors, 3);
  EXPECT_EQ(choose_processors(box, 2.5).reason,
            "as many as the cgroup's CPU quota of 2.5 keeps busy, on 8 cores");
  EXPECT_EQ(choose_processors(box, 0.01).processors, 1);
  EXPECT_EQ(choose_processors(box, 100).processors, 8);
  EXPECT_EQ(choose_processors(box, 7.5).reason, "one for each core");
}

TEST(PlacementTest, AboveTheQuotaIsOversubscribed) {
  const Topology box = Topology::synthetic("core:8 pu:1");
  const Placement within = place_with_quota(box, 3, 2.5);
  EXPECT_FALSE(within.oversubscribed);
  EXPECT_EQ(within.at_once, 3);
  EXPECT_EQ(place_with_quota(box, 2, 2.5).at_once, 2);
  EXPECT_EQ(place_with_quota(box, 20, 9).at_once, 8);
  const Placement placement = place_with_quota(box, 4, 2.5);
  EXPECT_TRUE(placement.oversubscribed);
  EXPECT_EQ(placement.at_once, 3);
  EXPECT_EQ(placement.notes,
            std::vector<std::string>{"4 processors take turns: the cgroup's CPU quota is 2.5."});
}

TEST(PlacementTest, AQuotaOfAPartOfTheCoresKeepsNobodyOnTheFirstOnes) {
  const Topology box = Topology::synthetic("core:8 pu:2");
  EXPECT_TRUE(place_with_quota(box, 4, std::nullopt).may_be_pinned);
  EXPECT_TRUE(place_with_quota(box, 4, 8).may_be_pinned);
  EXPECT_FALSE(place_with_quota(box, 4, 7).may_be_pinned);
  EXPECT_FALSE(place_with_quota(box, 2, 4).may_be_pinned);
}

TEST(PlacementTest, ThisMachine) {
  const Topology box = Topology::this_machine();
  const int processors = default_processors(box);
  EXPECT_GE(processors, 1);
  EXPECT_LE(processors, box.core_count());
  if (const std::optional<double> quota = cpu_quota()) {
    EXPECT_LE(processors, whole_cpus(*quota));
  }
  expect_valid(box, place(box, processors), processors);
}

TEST(PlacementTest, NoProcessorsAreRefused) {
  const Topology box = Topology::synthetic("pu:2");
  for (const int processors : {0, -1, -1000}) {
    try {
      place(box, processors);
      ADD_FAILURE() << processors;
    } catch (const std::invalid_argument& error) {
      EXPECT_EQ(error.what(),
                "processors: " + std::to_string(processors) + " is not allowed; at least 1");
    }
  }
}

}  // namespace
}  // namespace postroom
