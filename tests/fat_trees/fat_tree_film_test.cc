#include "fat_trees/fat_tree_film.h"

#include <gtest/gtest.h>

#include "fat_trees/fat_tree_study.h"

namespace postroom {
namespace {

TEST(FatTreeFilm, ShowsWhatMovesAndWhatWaits) {
  const FatTree tree = FatTree::balanced(4);
  // Both need the branch above {0, 1}, node 4; one of them waits a step.
  const PacketSchedule two = [](const PacketSink& sink) {
    sink({11, 0, 2});
    sink({11, 1, 3});
  };
  FatTreeFilm film;
  EXPECT_EQ(simulate(tree, two, Duplex::full, film.observer()).steps, 15);
  ASSERT_EQ(film.frames().size(), 5u);  // none for the ten idle steps
  const FatTreeFilm::Frame& first = film.frames()[0];
  EXPECT_EQ(first.step, 11);
  ASSERT_EQ(first.branches.size(), 3u);
  EXPECT_EQ(first.branches[0].node, 0);
  EXPECT_EQ(first.branches[0].carried, (UpDown{1, 0}));
  EXPECT_EQ(first.branches[2].node, 4);
  EXPECT_EQ(first.branches[2].carried, (UpDown{0, 0}));
  EXPECT_EQ(first.branches[2].waiting, (UpDown{2, 0}));
}

TEST(FatTreeFilm, AddsUpToTheReport) {
  for (const FatTreeStudyName& name : fat_tree_studies()) {
    SCOPED_TRACE(std::string(name.operation) + " " + std::string(name.algorithm));
    const FatTree tree = FatTree::balanced(11, 3).exponential();
    FatTreeFilm film;
    const FatTreeStudy study =
        study_fat_tree(name.operation, name.algorithm, tree, 4, Duplex::full, film.observer());
    ASSERT_FALSE(film.frames().empty());
    EXPECT_EQ(film.frames().back().step, study.report.steps);
    std::vector<UpDown> load(study.report.load.size());
    for (const FatTreeFilm::Frame& frame : film.frames()) {
      for (const FatTreeFilm::Branch& branch : frame.branches) {
        load[branch.node].up += branch.carried.up;
        load[branch.node].down += branch.carried.down;
      }
    }
    EXPECT_EQ(load, study.report.load);
  }
}

}  // namespace
}  // namespace postroom
