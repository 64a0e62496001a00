#include "runtime/pinned_leaves.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>
#include <vector>

namespace postroom {
namespace {

using Leaves = std::vector<int>;

TEST(PinnedLeaves, AMachineThatIsAloneLiesWhereItIsPlaced) {
  const Topology box = Topology::synthetic("numa:2 core:2 pu:2");
  for (int threads = 1; threads <= 20; ++threads) {
    const Placement alone = place(box, threads);
    EXPECT_EQ(PinnedLeaves(box, alone).leaves(), alone.leaf_of_processor) << threads;
  }
}

TEST(PinnedLeaves, MachinesSideBySideShareNoneWhileOthersAreFree) {
  const Topology box = Topology::synthetic("core:4 pu:1");
  const PinnedLeaves first(box, place(box, 2));
  std::optional<PinnedLeaves> second(std::in_place, box, place(box, 1));
  EXPECT_EQ(first.leaves(), (Leaves{0, 1}));
  EXPECT_EQ(second->leaves(), Leaves{2});
  const PinnedLeaves third(box, place(box, 3));
  EXPECT_EQ(third.leaves(), (Leaves{0, 1, 3}));
  EXPECT_EQ(PinnedLeaves(box, place(box, 2)).leaves(), (Leaves{2, 3}));
  second.reset();
  EXPECT_EQ(PinnedLeaves(box, place(box, 1)).leaves(), Leaves{2});
}

TEST(PinnedLeaves, AMachineCountsOnceForEachOfItsLeaves) {
  const Topology box = Topology::synthetic("core:2 pu:1");
  const PinnedLeaves many(box, place(box, 9));
  EXPECT_EQ(PinnedLeaves(box, place(box, 1)).leaves(), Leaves{0});
}

TEST(PinnedLeaves, LeavesOfOneBoxThatIsReadAgainAreTheSame) {
  const Topology box = Topology::synthetic("core:4 pu:1");
  const PinnedLeaves first(box, place(box, 1));
  const Topology part = box.restricted_to({0, 3});
  EXPECT_EQ(PinnedLeaves(part, place(part, 1)).leaves(), Leaves{1});
}

TEST(PinnedLeaves, AForkedChildBeginsWithNone) {
  const Topology box = Topology::synthetic("core:4 pu:1");
  std::optional<PinnedLeaves> first(std::in_place, box, place(box, 2));
  const pid_t child = fork();
  if (child == 0) {
    alarm(10);
    const PinnedLeaves own(box, place(box, 2));
    first.reset();  // which frees no leaf of its own one
    const PinnedLeaves next(box, place(box, 2));
    _exit(own.leaves() == Leaves{0, 1} && next.leaves() == Leaves{2, 3} ? 0 : 1);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

}  // namespace
}  // namespace postroom
