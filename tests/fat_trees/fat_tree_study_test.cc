#include "fat_trees/fat_tree_study.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "tests/thrown.h"

namespace postroom {
namespace {

TEST(FatTreeStudy, ModelFormulaAndBoundAgree) {
  for (int n = 1; n <= 64; n *= 2) {
    for (const char* capacities : {"constant", "exponential"}) {
      const FatTree tree = FatTree::balanced(n).with_named_capacities(capacities);
      for (const auto& [operation, algorithm] : fat_tree_studies()) {
        SCOPED_TRACE(std::string(operation) + ' ' + std::string(algorithm) + ' ' + capacities +
                     ", n = " + std::to_string(n));
        const FatTreeStudy study = study_fat_tree(operation, algorithm, tree, n / 3);
        EXPECT_GE(study.report.steps, study.lower_bound);
        if (study.formula) {
          EXPECT_EQ(study.report.steps, *study.formula);
        }
        const bool is_foreign = algorithm == "constant_order" && tree.capacities().size() > 1 &&
                                tree.capacities()[1] > 1;
        EXPECT_EQ(study.formula.has_value(), !is_foreign);
        // But for flooding, no packet ever waits in a queue.
        const bool floods = operation == "allgather" && algorithm == "flooding";
        for (int level = 1; level <= tree.levels() && !floods; ++level) {
          EXPECT_LE(study.report.largest_queue[level - 1].up, tree.capacity(level));
          EXPECT_LE(study.report.largest_queue[level - 1].down, tree.capacity(level));
        }
      }
    }
  }
}

TEST(FatTreeStudy, OfOtherTreesHasNoFormula) {
  for (const FatTree& tree : {FatTree::balanced(6), FatTree::balanced(9, 3),
                              FatTree::from_groups(8, {{0, 0, 0, 0, 1, 1, 1, 1}})}) {
    for (const auto& [operation, algorithm] : fat_tree_studies()) {
      const FatTreeStudy study = study_fat_tree(operation, algorithm, tree, 1);
      EXPECT_FALSE(study.formula) << operation << ' ' << algorithm;
      EXPECT_GE(study.report.steps, study.lower_bound) << operation << ' ' << algorithm;
    }
  }
  const FatTreeStudy half =
      study_fat_tree("scatter", "farthest_first", FatTree::balanced(8), 0, Duplex::half);
  EXPECT_FALSE(half.formula);
}

TEST(FatTreeStudy, Example) {
  const FatTreeStudy study = study_fat_tree("alltoall", "fat_tree", FatTree::balanced(64));
  EXPECT_EQ(study.report.steps, 1376);
  EXPECT_EQ(study.formula, 1376);
  EXPECT_EQ(study.lower_bound, 1035);
}

TEST(FatTreeStudy, RefusesWhatThereIsNot) {
  const auto refusal = [](const char* operation, const char* algorithm, int root) {
    return thrown<std::invalid_argument>(
        [&] { (void)study_fat_tree(operation, algorithm, FatTree::balanced(4), root); });
  };
  EXPECT_EQ(
      refusal("reduce", "flooding", 0),
      "operation on a fat tree: reduce is not allowed; broadcast, scatter, gather, allgather, "
      "alltoall");
  EXPECT_EQ(refusal("allgather", "ring", 0),
            "allgather on a fat tree: ring is not allowed; flooding, queueless");
  EXPECT_EQ(refusal("scatter", "farthest_first", 4), "schedule: root 4 is not allowed; 0 to 3");
}

}  // namespace
}  // namespace postroom
