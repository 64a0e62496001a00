// `postroom simulate` where processors are near and far: a latency for each level, and fat trees.
#include <gtest/gtest.h>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "tests/cli/command.h"
#include "tests/cli/scratch_folder.h"
#include "tests/cli/simulate/printed_json.h"

namespace postroom::cli {
namespace {

using nlohmann::json;

json simulated(const std::string& line) { return printed_json("simulate " + line); }

TEST(SimulateLevels, LatencyMayDependOnTheLevel) {
  const std::string line = "broadcast --algorithm binomial -p 8 --lambda-per-level ";
  EXPECT_EQ(simulated(line + "1,2,4")["time"], "7");
  EXPECT_EQ(simulated(line + "2,2,2")["time"],
            simulated("broadcast --algorithm binomial -p 8 --lambda 2")["time"]);
}

TEST(SimulateLevels, BroadcastsAlongTheTreeForTheLevels) {
  const json two = simulated("broadcast --algorithm level_tree -p 4 --lambda-per-level 2,5");
  EXPECT_EQ(two["time"], "6");
  EXPECT_EQ(two["optimum"], "6");
  EXPECT_EQ(two["rounds"], 3);
  EXPECT_EQ(two["lambda_per_level"], json({"2", "5"}));
  // Four nodes of eight; nodes of different size; one level alone.
  const std::string line = "broadcast --algorithm level_tree ";
  const json nodes = simulated(line + "-p 32 --lambda-per-level 1,1,1,4,4 --root 7");
  EXPECT_EQ(nodes["optimum"], nodes["time"]);
  const json of_topology =
      simulated(line + "-p 32 --lambda-per-level 1,4 --topology 'numa:4 core:8 pu:1'");
  EXPECT_EQ(of_topology["time"], nodes["time"]);
  const json uneven = simulated(line + "-p 13 --lambda-per-level 1,1,3,3 --root 5");
  EXPECT_GE(std::stoi(uneven["time"].get<std::string>()),
            std::stoi(uneven["lower_bound"].get<std::string>()));
  EXPECT_EQ(simulated(line + "-p 64 --lambda 9/5")["time"], "46/5");
}

TEST(SimulateLevels, ListsTheLevelTreeWhereThereAreLevels) {
  const auto names = [](const std::string& line) {
    std::set<std::string> list;
    for (const json& one : simulated(line)) list.insert(one["algorithm"]);
    return list;
  };
  EXPECT_EQ(names("broadcast -p 8 --lambda-per-level 2,2,9").count("level_tree"), 1u);
  EXPECT_EQ(names("broadcast -p 8 --lambda 2").count("level_tree"), 0u);
  const std::string levels = " -p 16 --lambda-per-level 2,2,9,9";
  EXPECT_EQ(simulated("broadcast --algorithm automatic" + levels)["algorithm"], "level_tree");
  // Nothing is faster than what is printed as the least time, whatever the operation.
  for (const char* operation : {"broadcast", "reduce", "scatter", "gather", "allreduce", "scan"}) {
    for (const json& one : simulated(operation + levels)) {
      const std::string bound = one["optimum"].is_null() ? one["lower_bound"] : one["optimum"];
      EXPECT_GE(std::stoi(one["time"].get<std::string>()), std::stoi(bound)) << one;
      EXPECT_GT(std::stoi(bound), 9);
    }
  }
}

TEST(SimulateLevels, DrawsTheTreeForTheLevels) {
  const ScratchFolder folder;
  simulated("broadcast --algorithm level_tree -p 8 --lambda-per-level 2,2,5 --svg '" +
            folder("a.svg") + "' --trace '" + folder("a.json") + "'");
  EXPECT_EQ(content_of(folder("a.svg")).substr(0, 4), "<svg");
  EXPECT_GE(json::parse(content_of(folder("a.json")))["traceEvents"].size(), 7u);
}

TEST(SimulateLevels, CountsStepsOnAFatTree) {
  const json simple = simulated("alltoall --algorithm fat_tree -p 64 --fat-tree constant");
  EXPECT_EQ(simple["steps"], 1376);
  EXPECT_EQ(simple["formula"], 1376);
  EXPECT_LE(simple["lower_bound"], 1376);
  ASSERT_EQ(simple["largest_queues"].size(), 6u);
  EXPECT_EQ(simple["largest_queues"][0]["level"], 1);
  EXPECT_EQ(simulated("scatter --algorithm farthest_first -p 128 --fat-tree exponential")["steps"],
            129);
  EXPECT_EQ(simulated("allgather --algorithm queueless -p 16 --fat-tree constant")["steps"], 22);
  const json binomial = simulated("broadcast --algorithm binomial -p 8 --fat-tree 1,1,2");
  EXPECT_EQ(binomial["algorithm"], "binomial");
  EXPECT_TRUE(binomial["formula"].is_null());
  EXPECT_GE(binomial["steps"], binomial["lower_bound"]);
  EXPECT_GE(simulated("allgather -p 8 --fat-tree exponential").size(), 5u);
  EXPECT_GE(simulated("allreduce -p 6 --fat-tree constant").size(), 2u);
  EXPECT_GE(simulated("alltoall --algorithm bruck -p 6 --fat-tree box")["steps"], 1);
}

TEST(SimulateLevels, DrawsTheFatTree) {
  const ScratchFolder folder;
  simulated("gather --algorithm farthest_first -p 8 --fat-tree constant --svg '" + folder("t.svg") +
            "'");
  EXPECT_NE(content_of(folder("t.svg")).find("</svg>"), std::string::npos);
}

TEST(SimulateLevels, WritesAFilmOfTheFatTree) {
  const ScratchFolder folder;
  const std::string to_page = " --html '" + folder("film.html") + "'";
  for (const char* words : {"alltoall --algorithm fat_tree -p 8 --fat-tree constant",
                            "broadcast --algorithm binomial -p 5 --fat-tree exponential"}) {
    const json simulated_film = simulated(words + to_page);
    const std::string page = content_of(folder("film.html"));
    EXPECT_EQ(page.substr(0, 15), "<!doctype html>");
    // Nothing is loaded from elsewhere.
    for (const char* none : {"src=", "href=", "url(", "import"}) {
      EXPECT_EQ(page.find(none), std::string::npos) << none;
    }
    const std::size_t begin = page.find("const film = ") + 13;
    const json film = json::parse(page.substr(begin, page.find(";\n", begin) - begin));
    EXPECT_EQ(film["frames"].back()["step"], simulated_film["steps"]);
    for (std::size_t node = 0; node < film["links"].size(); ++node) {
      for (const char* kind : {"b", "u", "d"}) {
        EXPECT_NE(page.find(" id=\"" + (kind + std::to_string(node)) + '"'), std::string::npos);
      }
    }
  }
}

TEST(SimulateLevels, ALaptopStandsInForALargeBox) {
  const json large = simulated(
      "alltoall --algorithm fat_tree -p 64 --fat-tree box --topology 'numa:8 core:8 pu:1'");
  EXPECT_EQ(large["capacities"].size(), 2u);
  EXPECT_GE(large["steps"], large["lower_bound"]);
  EXPECT_EQ(simulated("allgather --algorithm queueless -p 15 --fat-tree box --topology "
                      "'package:3 core:5 pu:1'")["capacities"]
                .size(),
            2u);
}

}  // namespace
}  // namespace postroom::cli
