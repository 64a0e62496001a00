// What `postroom bench` cannot measure is left out and noted, and nothing else is lost.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/bench/bench_figures.h"

namespace postroom::cli {
namespace {

using nlohmann::json;

// What does not fit into memory is no reason to give up the rest.
TEST(BenchLeavesOut, WhatIsTooLargeIsLeftOutAndNoted) {
  const json all = figures("barrier alltoallv -p 4 --virtual -b 1T");
  EXPECT_EQ(all["notes"].size(), 1u);
  EXPECT_NE(all["notes"][0].get<std::string>().find("left out: alltoallv with "),
            std::string::npos);
  for (const json& row : all["rows"]) EXPECT_EQ(row["operation"], "barrier");
}

// Nor on the wall clock, whichever operation comes first.
TEST(BenchLeavesOut, WhatIsTooLargeIsLeftOutOnTheWallClockToo) {
  const json all = figures("alltoall barrier -p 2 -n 2 -w 0 -b 1T");
  EXPECT_NE(all["notes"][0].get<std::string>().find("left out: alltoall with "), std::string::npos);
  EXPECT_FALSE(all["rows"].empty());
  for (const json& row : all["rows"]) EXPECT_EQ(row["operation"], "barrier");
}

TEST(BenchLeavesOut, WhatNoModelHasATimeForIsLeftOutAndNoted) {
  struct Case {
    const char* words;
    const char* left_out;
    const char* measured;
  };
  for (const auto& [words, left_out, measured] :
       {Case{"barrier -p 8 --lambda 2 --algorithm machine --algorithm dissemination",
             "barrier: machine", "dissemination"},
        Case{"alltoall -p 8 --lambda 2 --algorithm tiled --algorithm pairwise", "alltoall: tiled",
             "pairwise"}}) {
    const json all = figures(words);
    EXPECT_EQ(all["notes"], json({std::string("left out: ") + left_out +
                                  " is not allowed; a model has no time for it"}))
        << all["notes"];
    ASSERT_EQ(all["rows"].size(), 1u) << words;
    EXPECT_EQ(all["rows"][0]["algorithm"], measured);
  }
}

TEST(BenchLeavesOut, WhatDoesNotRunIsLeftOutAndNoted) {
  const json all = figures("allgather -p 6 --virtual");
  ASSERT_EQ(all["notes"].size(), 1u) << all["notes"];
  EXPECT_NE(all["notes"][0].get<std::string>().find("left out: "), std::string::npos);
  EXPECT_GE(all["rows"].size(), 3u);
}

}  // namespace
}  // namespace postroom::cli
