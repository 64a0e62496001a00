// Every collective runs on a group as it runs on a machine, several groups at once.
#include "runtime/group.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "collectives/allgather.h"
#include "collectives/alltoall.h"
#include "collectives/broadcast.h"
#include "collectives/scan.h"
#include "fat_trees/fat_tree.h"
#include "runtime/latency_by_level.h"
#include "runtime/machine.h"
#include "runtime/virtual_clock.h"
#include "tests/collectives/all_collectives.h"
#include "tests/collectives/testing.h"

namespace postroom {
namespace {

/// The processors of a machine of p, dealt to `groups` groups, each in an order of its own.
std::vector<int> members_of(int group, int groups, int p) {
  std::vector<int> members;
  for (int id = group; id < p; id += groups) members.push_back(id);
  std::ranges::rotate(members, members.begin() + static_cast<std::ptrdiff_t>(members.size() / 3));
  if (group % 2 == 1) std::ranges::reverse(members);
  return members;
}

void check_results(Processor& self, std::size_t count) {
  const int p = self.count();
  const int root = p / 2;
  std::vector<std::int64_t> data = self.id() == root ? elements(root, 0, count) : unset(count);
  broadcast(self, root, data);
  EXPECT_EQ(data, elements(root, 0, count));

  std::vector<std::int64_t> all = unset(count * static_cast<std::size_t>(p));
  allgather(self, elements(self.id(), 0, count), all);
  EXPECT_EQ(all, elements_of_all(p, count));

  std::vector<std::int64_t> out;
  std::vector<std::int64_t> expected;
  for (int other = 0; other < p; ++other) {
    for (std::size_t i = 0; i < count; ++i) {
      out.push_back(element(self.id(), other, i));
      expected.push_back(element(other, self.id(), i));
    }
  }
  std::vector<std::int64_t> in = unset(out.size());
  alltoall(self, out, in);
  EXPECT_EQ(in, expected);

  std::vector<Word> joined_before(count);
  scan(self, words_of(self.id(), count), joined_before, join);
  EXPECT_EQ(joined_before, joined(0, self.id() + 1, count));
}

TEST(CollectivesOnGroups, GiveWhatTheyGiveOnAMachine) {
  for (const int p : {5, 8, 13}) {
    for (const int groups : {1, 2, 3}) {
      machine_of(p).run([&](Processor& self) {
        Group group(self, members_of(self.id() % groups, groups, p));
        for (const std::size_t count : {1u, 31u}) check_results(group, count);
      });
    }
  }
}

TEST(CollectivesOnGroups, AllOfThemRunOnSeveralGroupsAtOnce) {
  constexpr int p = 10;
  for (const Collective& collective : all_collectives(p / 2)) {
    SCOPED_TRACE(collective.name);
    for (Machine* machine : {&machine_of(p), &threaded_machine_of(p)}) {
      machine->run([&](Processor& self) {
        Group group(self, members_of(self.id() % 2, 2, p));
        for (const std::size_t count : {0u, 1u, 65u}) {
          const auto call = [&] { collective.call(group, /*root=*/3, count); };
          collective.needs_shared_threads() ? expect_shared_threads_needed(call) : call();
        }
      });
    }
  }
}

// A group takes the time that a machine of its size takes, whoever else runs beside it.
TEST(CollectivesOnGroups, TakeTheTimeOfAMachineOfTheirSize) {
  constexpr int p = 9;
  const auto small_clock = std::make_shared<VirtualClock>(Rational(9, 5));
  Machine small({.processors = p / 3, .threads = 1, .clock = small_clock});
  const auto large_clock = std::make_shared<VirtualClock>(Rational(9, 5));
  Machine large({.processors = p, .threads = 1, .clock = large_clock});
  for (const Collective& collective : all_collectives(p / 3)) {
    if (collective.needs_shared_memory()) continue;
    SCOPED_TRACE(collective.name);
    small.run([&](Processor& self) { collective.call(self, 1, 31); });
    large.run([&](Processor& self) {
      Group group(self, members_of(self.id() % 3, 3, p));
      collective.call(group, 1, 31);
    });
    for (int id = 0; id < p; ++id) {
      const std::vector<int> members = members_of(id % 3, 3, p);
      const auto rank = static_cast<int>(std::ranges::find(members, id) - members.begin());
      EXPECT_EQ(large_clock->time(id), small_clock->time(rank)) << "processor " << id;
    }
  }
}

// Its λ are those between its members, not those of the first ranks of the machine.
TEST(CollectivesOnGroups, ChooseByTheLambdaOfTheirMembers) {
  const auto time_among = [](const std::vector<int>& members, Algorithm algorithm) {
    const auto clock = std::make_shared<VirtualClock>(
        latency_by_level(FatTree::balanced(16), {1, 1, 20, 20}));  // four nodes of four
    Machine machine({.processors = 16, .clock = clock});
    machine.run([&](Processor& self) {
      if (std::ranges::find(members, self.id()) == members.end()) return;
      Group group(self, members);
      int value = group.id() == 0 ? 7 : 0;
      broadcast(group, 0, value, algorithm);
      EXPECT_EQ(value, 7);
      EXPECT_EQ(group.model()->lambda.of(0, 1), self.model()->lambda.of(members[0], members[1]));
    });
    return clock->finish();
  };
  const std::vector<int> of_each_node = {0, 4, 8, 12};
  EXPECT_EQ(time_among(of_each_node, Algorithm::linear), 22);
  EXPECT_EQ(time_among(of_each_node, Algorithm::automatic), 22);
  EXPECT_EQ(time_among(of_each_node, Algorithm::level_tree), 22);
  EXPECT_EQ(time_among({0, 1, 2, 3}, Algorithm::automatic), 2);
}

}  // namespace
}  // namespace postroom
