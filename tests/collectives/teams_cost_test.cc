// What teams cost on a box is what the trace of a run on that box counts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "collectives/allgather.h"
#include "collectives/allgather_by_teams.h"
#include "collectives/allreduce.h"
#include "collectives/allreduce_by_teams.h"
#include "collectives/broadcast.h"
#include "collectives/broadcast_by_teams.h"
#include "collectives/models/side_by_side.h"
#include "collectives/parts/teams.h"
#include "fat_trees/box_tree.h"
#include "numa/placement.h"
#include "numa/topology.h"
#include "runtime/machine.h"

namespace postroom {
namespace {

using List = std::vector<char>;

BoxTree tree_of(const Topology& box, int processors) {
  return box_tree_of(box, place(box, processors).leaf_of_processor);
}

/// Runs calls by teams on a made-up box.
class Runs {
 public:
  Runs(const std::string& description, int processors)
      : topology_(Topology::synthetic(description)),
        box(tree_of(topology_, processors)),
        machine_({.processors = processors,
                  .threads = std::min(2, processors),
                  .topology = std::make_shared<const Topology>(topology_),
                  .trace = true}) {}

  Cost of_broadcast(std::size_t bytes, int root) {
    return counted([&](Processor& self) {
      List data(bytes);
      broadcast(self, root, data, Algorithm::teams);
    });
  }
  Cost of_allreduce(std::size_t bytes) {
    return counted([&](Processor& self) {
      const List in(bytes, 1);
      List out(bytes);
      const auto add = [](char a, char b) { return static_cast<char>(a + b); };
      allreduce(self, in, out, add, Algorithm::teams);
    });
  }
  Cost of_allgather(std::size_t bytes) {
    return counted([&](Processor& self) {
      List all(bytes * static_cast<std::size_t>(self.count()));
      allgather(self, List(bytes), all, Algorithm::teams);
    });
  }

 private:
  Topology topology_;

 public:
  const BoxTree box;

 private:
  Cost counted(const Machine::Program& program) {
    machine_.run(program);
    const Trace& trace = machine_.trace();
    return {trace.rounds(), static_cast<std::int64_t>(trace.volume())};
  }

  Machine machine_;
};

struct Stand {
  const char* box;
  int processors;
};

// From below a slot of a mailbox to lists that are lent, above all thresholds; slices of the last
// one are alike.
constexpr std::size_t kSizes[] = {0, 1, 300, 10'000, 98'304};

TEST(TeamsCost, IsWhatTheTraceCounts) {
  constexpr Stand kEven[] = {
      {"numa:2 core:2 pu:1", 4},
      {"numa:4 core:8 pu:1", 32},
      {"numa:4 core:4 pu:2", 32},
      {"numa:3 core:4 pu:1", 12},
      {"numa:4 core:3 pu:1", 12},
      {"package:2 numa:2 core:1 pu:1", 4},
      {"package:2 numa:2 core:4 pu:1", 16},
      {"package:2 numa:1 l3:4 core:2 pu:1", 16},
      {"core:5 pu:1", 5},
      {"numa:3 core:1 pu:1", 3},
      {"core:4 pu:1", 1},
      {"package:1 l3:4 core:4 pu:1", 16},
      {"package:2 numa:1 l3:4 core:4 pu:1", 32},
      {"l3:2 core:8 pu:2", 32},
  };
  for (const auto& [description, processors] : kEven) {
    Runs runs(description, processors);
    for (const std::size_t size : kSizes) {
      SCOPED_TRACE(std::string(description) + ", bytes " + std::to_string(size));
      const auto bytes = static_cast<std::int64_t>(size);
      for (const int root : {0, processors / 2, processors - 1}) {
        EXPECT_EQ(runs.of_broadcast(size, root), broadcast_by_teams_cost(runs.box, bytes))
            << "root " << root;
      }
      EXPECT_EQ(runs.of_allreduce(size), allreduce_by_teams_cost(runs.box, bytes));
      EXPECT_EQ(runs.of_allgather(size), allgather_by_teams_cost(runs.box, bytes));
    }
  }
}

// Some teams begin before others of their level.
TEST(TeamsCost, IsNoLessWhereSubtreesDiffer) {
  constexpr Stand kUneven[] = {
      {"package:3 core:5 pu:1", 15},
      {"package:3 numa:2 core:2 pu:1", 12},
      {"package:3 numa:3 core:3 pu:1", 27},
      {"package:3 numa:2 l3:2 core:2 pu:1", 23},
      {"numa:2 core:2 pu:1", 7},
      {"package:2 numa:3 core:3 pu:1", 17},
  };
  for (const auto& [description, processors] : kUneven) {
    Runs runs(description, processors);
    for (const std::size_t size : kSizes) {
      SCOPED_TRACE(std::string(description) + ", bytes " + std::to_string(size));
      const auto bytes = static_cast<std::int64_t>(size);
      const auto expect_covered = [](const Cost& run, const Cost& cost) {
        EXPECT_LE(run.rounds, cost.rounds);
        EXPECT_LE(run.bytes, cost.bytes);
      };
      expect_covered(runs.of_broadcast(size, processors / 2),
                     broadcast_by_teams_cost(runs.box, bytes));
      expect_covered(runs.of_allreduce(size), allreduce_by_teams_cost(runs.box, bytes));
      EXPECT_LE(runs.of_allgather(size).rounds, allgather_by_teams_cost(runs.box, bytes).rounds);
    }
  }
}

TEST(TeamsCost, SideBySideTakesTheLargestMessageOfEachRound) {
  SideBySide level;
  EXPECT_EQ(level.cost(), Cost());
  const Cost steps[] = {{2, 10}, {0, 0}, {1, 7}};
  level.add(steps);
  EXPECT_EQ(level.cost(), (Cost{3, 17}));
  level.add(Cost{2, 13});  // 7 and 6
  EXPECT_EQ(level.cost(), (Cost{3, 20}));
  level.add(Cost{4, 4});
  EXPECT_EQ(level.cost(), (Cost{4, 21}));
}

TEST(TeamsCost, EverybodyIsInOneInnerTeamAndLeadersAreInOthers) {
  const BoxTree box = tree_of(Topology::synthetic("package:2 numa:2 core:2 pu:1"), 8);
  const std::vector<std::vector<Team>> levels = teams_by_level(box, /*root=*/3);
  ASSERT_EQ(levels.size(), 3U);
  ASSERT_EQ(levels[0].size(), 1U);
  EXPECT_EQ(levels[0][0].members, (std::vector<int>{3, 4}));
  EXPECT_EQ(levels[0][0].leader, 0);
  ASSERT_EQ(levels[1].size(), 2U);
  EXPECT_EQ(levels[1][0].members, (std::vector<int>{0, 3}));
  EXPECT_EQ(levels[1][0].leader, 1);
  EXPECT_EQ(levels[1][0].begins, (std::vector<int>{0, 2, 4}));
  EXPECT_FALSE(levels[1][0].is_inner);
  ASSERT_EQ(levels[2].size(), 4U);
  EXPECT_EQ(levels[2][3].members, (std::vector<int>{6, 7}));
  EXPECT_TRUE(levels[2][3].is_inner);
}

}  // namespace
}  // namespace postroom
