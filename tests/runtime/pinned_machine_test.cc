// The threads of a machine are where it says that they are, or it says why not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "numa/binding.h"
#include "numa/topology.h"
#include "numa/tree.h"
#include "runtime/machine.h"

namespace postroom {
namespace {

// The first to ask in this process, so this test is the first one.
TEST(PinnedMachine, WhoAsksForTheBoxInAPinnedThreadSeesAllOfIt) {
  const auto box = std::make_shared<const Topology>(Topology::this_machine());
  Machine machine({.processors = 2, .topology = box});
  int leaves = 0;
  machine.run([&](Processor& self) {
    if (self.id() == 0) leaves = Topology::this_machine_once()->leaf_count();
  });
  EXPECT_EQ(leaves, box->leaf_count());
}

TEST(PinnedMachine, PinsItsThreadsToTheirLeaves) {
  const Topology box = Topology::this_machine();
  if (box.leaf_count() < 2) GTEST_SKIP() << "one CPU";
  Machine machine({.processors = 2, .threads = 2});
  if (std::ranges::any_of(machine.notes(), [](const std::string& note) {
        return note.find("pin") != std::string::npos;
      })) {
    GTEST_SKIP() << "the system refuses";
  }
  std::vector<std::vector<int>> cpus(2);
  machine.run([&](Processor& self) {
    cpus[static_cast<std::size_t>(self.id())] = current_binding().cpus();
  });
  for (std::size_t i = 0; i < 2; ++i) {
    const int leaf = machine.placement().leaf_of_processor[i];
    EXPECT_EQ(cpus[i], std::vector<int>{machine.topology().leaf(leaf).os_index});
  }
  EXPECT_NE(cpus[0], cpus[1]);
}

// As after CPUs were switched off.
TEST(PinnedMachine, ARefusalToPinIsANote) {
  Tree tree = flat_tree({8190, 8191});
  tree.is_this_machine = true;
  Machine machine({.processors = 2,
                   .threads = 2,
                   .topology = std::make_shared<const Topology>(Topology::from_tree(tree))});
  int sum = 0;
  machine.run([&](Processor& self) {
    if (self.id() == 1) self.send(0, 7);
    if (self.id() == 0) sum = self.receive<int>(1);
  });
  EXPECT_EQ(sum, 7);
  EXPECT_TRUE(std::ranges::any_of(machine.notes(), [](const std::string& note) {
    return note.starts_with("The system refused to pin a thread to CPU 819");
  }));
}

}  // namespace
}  // namespace postroom
