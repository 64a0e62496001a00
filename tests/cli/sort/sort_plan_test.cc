// The bytes of a plan, counted by hand.
#include "cli/sort/sort_plan.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace postroom::cli {
namespace {

const PlanStep& step_of(const SortPlan& plan, const std::string& name) {
  for (const PlanStep& step : plan.steps) {
    if (step.name == name) return step;
  }
  throw std::out_of_range("no step " + name);
}

PlanQuestion raw_file() {
  return {.name = "keys.u64",
          .records = 1'000'000,
          .input_bytes = 8'000'000,
          .format = {},
          .algorithm = SortAlgorithm::automatic,
          .processors = 2};
}

TEST(SortPlan, OfARawFile) {
  PlanQuestion question = raw_file();
  question.verify = true;
  const SortPlan plan = plan_sort(question);
  EXPECT_EQ(step_of(plan, "read").bytes, 16'000'000u);
  EXPECT_EQ(step_of(plan, "count").bytes, 8'000'000u);
  EXPECT_EQ(step_of(plan, "place").bytes, 16'000'000u);
  EXPECT_EQ(step_of(plan, "finish").bytes, 16'000'000u);
  EXPECT_EQ(step_of(plan, "write").bytes, 16'000'000u);
  EXPECT_NO_THROW(step_of(plan, "verify"));
  EXPECT_GE(plan.memory_bytes, 8'500'000u);  // in place, if there is no more
  EXPECT_LT(plan.memory_bytes, 8'900'000u);
}

TEST(SortPlan, FromFileToFile) {
  PlanQuestion question = raw_file();
  question.in_pieces = true;
  const SortPlan plan = plan_sort(question);
  EXPECT_EQ(step_of(plan, "place").bytes, 32'000'000u);
  EXPECT_EQ(step_of(plan, "finish").bytes, 48'000'000u);
  EXPECT_THROW(step_of(plan, "read"), std::out_of_range);
  EXPECT_THROW(step_of(plan, "write"), std::out_of_range);
  EXPECT_EQ(plan.memory_bytes, 9'000'000u);
}

TEST(SortPlan, TheRadixSortGoesOverTheRecordsSeveralTimes) {
  const SortPlan plan = plan_sort({.name = "--random",
                                   .records = 1'000'000,
                                   .made = true,
                                   .format = {},
                                   .algorithm = SortAlgorithm::radix_two_transpose,
                                   .processors = 2,
                                   .verify = false});
  EXPECT_EQ(step_of(plan, "make").bytes, 8'000'000u);
  const PlanStep& route = step_of(plan, "route");
  EXPECT_GE(route.passes, 6);
  EXPECT_LE(route.passes, 8);
  EXPECT_EQ(route.bytes, 4u * 8'000'000 * static_cast<unsigned>(route.passes));
  EXPECT_THROW(step_of(plan, "read"), std::out_of_range);
}

TEST(SortPlan, ExpectsTheTimeOfACopyTimesTheSlowness) {
  SortPlan plan;
  plan.copy_bytes_per_second = 1e9;
  EXPECT_DOUBLE_EQ(plan.expected_seconds({"step", 1, 2'000'000'000, 1.5}), 3.0);
}

TEST(SortPlan, GuessesLines) {
  EXPECT_EQ(guess_lines("", 0), 0u);
  EXPECT_EQ(guess_lines("1\n2\n33\n", 7), 3u);
  EXPECT_EQ(guess_lines("1\n2\n3\n4\n", 8000), 4000u);
}

TEST(SortPlan, MeasuresTheCopySpeed) {
  for (const std::uint64_t most_bytes : {std::uint64_t{0}, std::uint64_t{1} << 27}) {
    EXPECT_GT(measure_copy_speed(most_bytes), 1e7);
    EXPECT_LT(measure_copy_speed(most_bytes), 1e13);
  }
}

TEST(SortPlan, OfNothing) {
  SortPlan plan = plan_sort({.name = "empty.u64",
                             .records = 0,
                             .input_bytes = 0,
                             .format = {},
                             .algorithm = SortAlgorithm::radix_direct,
                             .processors = 3,
                             .verify = true});
  EXPECT_EQ(step_of(plan, "read").bytes, 0u);
  EXPECT_THROW(step_of(plan, "make"), std::out_of_range);
  plan.copy_bytes_per_second = 1e9;
  EXPECT_NE(to_text(plan).find("0 u64"), std::string::npos);
}

}  // namespace
}  // namespace postroom::cli
