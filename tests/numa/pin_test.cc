#include "numa/pin.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "numa/binding.h"
#include "numa/topology.h"
#include "numa/tree.h"

namespace postroom {
namespace {

/// Whether the system lets a thread be pinned there.
bool may_be_pinned_to(int cpu) {
  const Binding before = current_binding();
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(cpu), &one);
  const bool pinned = sched_setaffinity(0, sizeof(one), &one) == 0;
  restore(before);
  return pinned;
}

TEST(PinTest, EveryLeafOfThisMachine) {
  const Topology box = Topology::this_machine();
  const Binding before = current_binding();
  for (int leaf = 0; leaf < box.leaf_count(); ++leaf) {
    const bool possible = may_be_pinned_to(box.leaf(leaf).os_index);
    const std::string refused = pin_this_thread(box, leaf);
    EXPECT_EQ(refused.empty(), possible) << refused;
    if (refused.empty()) {
      EXPECT_EQ(current_binding().cpus(), std::vector<int>{box.leaf(leaf).os_index});
      for (int cpu = -1; cpu < 200; ++cpu) {
        EXPECT_EQ(current_binding().is_only(cpu), cpu == box.leaf(leaf).os_index);
      }
      EXPECT_EQ(sched_getcpu(), box.leaf(leaf).os_index);
    } else {
      EXPECT_EQ(refused.back(), '.');
      EXPECT_EQ(current_binding().cpus(), before.cpus()) << refused;
    }
    restore(before);
    EXPECT_EQ(current_binding().cpus(), before.cpus());
  }
}

TEST(PinTest, ABindingKnowsWhetherItIsOneCpuOnly) {
  const Binding all = current_binding();
  const std::vector<int> cpus = all.cpus();
  for (const int cpu : cpus) EXPECT_EQ(all.is_only(cpu), cpus.size() == 1);
  EXPECT_FALSE(all.is_only(static_cast<int>(kMostCpus)));
  EXPECT_FALSE(Binding().is_only(0));
}

TEST(PinTest, ThreadsArePinnedForThemselves) {
  const Topology box = Topology::this_machine();
  const Binding before = current_binding();
  std::vector<std::thread> threads;
  for (int leaf = 0; leaf < box.leaf_count(); ++leaf) {
    threads.emplace_back([&box, leaf] {
      if (!pin_this_thread(box, leaf).empty()) return;
      EXPECT_EQ(current_binding().cpus(), std::vector<int>{box.leaf(leaf).os_index});
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(current_binding().cpus(), before.cpus());
}

TEST(PinTest, AMadeUpBoxIsRefusedInOneSentence) {
  const Binding before = current_binding();
  EXPECT_EQ(pin_this_thread(Topology::synthetic("pu:2"), 0),
            "Threads are not pinned: the topology (synthetic pu:2) is not this machine.");
  EXPECT_EQ(current_binding().cpus(), before.cpus());
}

TEST(PinTest, NoSuchLeafIsRefusedInOneSentence) {
  const Topology box = Topology::this_machine();
  for (const int leaf : {-1, box.leaf_count(), std::numeric_limits<int>::max()}) {
    EXPECT_NE(pin_this_thread(box, leaf).find("no leaf " + std::to_string(leaf)),
              std::string::npos);
  }
}

TEST(PinTest, ACpuThatIsNotThereIsRefusedInOneSentence) {
  // As after a CPU was switched off: the box as it was once read names CPUs that the system lacks.
  for (const int cpu : {-1, 8190, 1 << 20}) {
    Tree tree = flat_tree({cpu});
    tree.is_this_machine = true;
    const Binding before = current_binding();
    const std::string refused = pin_this_thread(Topology::from_tree(tree), 0);
    EXPECT_EQ(refused.rfind("The system refused to pin a thread to CPU " + std::to_string(cpu), 0),
              0U)
        << refused;
    EXPECT_EQ(current_binding().cpus(), before.cpus());
  }
}

TEST(BindingTest, EmptyOneChangesNothing) {
  const Binding before = current_binding();
  EXPECT_TRUE(Binding().cpus().empty());
  restore(Binding());
  EXPECT_EQ(current_binding().cpus(), before.cpus());
}

}  // namespace
}  // namespace postroom
