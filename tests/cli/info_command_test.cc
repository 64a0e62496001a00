// The box in words and as JSON.
#include "cli/info_command.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "runtime/version.h"

namespace postroom::cli {
namespace {

void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " is missing in\n" << text;
  }
}

TEST(Info, AMadeUpBoxInWords) {
  const std::string text = to_text(look_at_box("numa:2 core:2 pu:2", 0));
  expect_parts(text, {kVersion, "leaves       8, 4 cores", "NUMA nodes   2; distances:", "node 0",
                      "processors   4: one for each core", "levels       0 "});
  EXPECT_EQ(text.find("available"), std::string::npos) << "of another box:\n" << text;
}

TEST(Version, IsTheSameInWordsAndAsANumber) {
  EXPECT_EQ(fmt::format("{}.{}.{}", POSTROOM_VERSION / 10000, POSTROOM_VERSION / 100 % 100,
                        POSTROOM_VERSION % 100),
            kVersion);
}

TEST(Info, TheProcessorsThatWereAskedFor) {
  expect_parts(to_text(look_at_box("core:4 pu:1", 3)), {"processors   3: asked for"});
  expect_parts(to_text(look_at_box("pu:1", 0)), {"leaves       1, 1 core\n"});
  expect_parts(to_text(look_at_box("core:4 pu:1", 100)), {"… and 36 more", "note: 100 processors"});
}

TEST(Info, ThisBox) {
  const BoxReport report = look_at_box("", 0);
  EXPECT_TRUE(report.topology.is_this_machine());
  expect_parts(to_text(report), {"this machine", "CPU quota", "memory", " available", "caches"});
  EXPECT_LE(report.available_memory_bytes, report.topology.total_memory_bytes());
}

TEST(Info, JsonHoldsTheSame) {
  const auto json = nlohmann::json::parse(to_json(look_at_box("numa:2 core:2 pu:2", 3)));
  EXPECT_EQ(json["postroom"], kVersion);
  EXPECT_EQ(json["this_machine"], false);
  EXPECT_EQ(json["leaves"].size(), 8u);
  EXPECT_EQ(json["nodes"].size(), 2u);
  EXPECT_EQ(json["nodes"][0]["distances"].size(), 2u);
  ASSERT_EQ(json["processors"].size(), 3u);
  EXPECT_EQ(json["processors"][1]["leaf"], 2);
  EXPECT_TRUE(json["cpu_quota"].is_null());
  EXPECT_EQ(json["fat_tree"]["levels"], 2);
  EXPECT_EQ(json["fat_tree"]["capacities"], (std::vector<int>{1, 1}));
}

TEST(Info, TheProcessorsAsAFatTree) {
  EXPECT_EQ(fat_tree_to_text(look_at_box("numa:2 core:2 pu:1", 4)),
            "fat tree     processors 4, levels 2; links of a branch by level: 1, 1\n"
            "root: leaves 0-3\n"
            "├─ leaves 0-1, 1 link\n"
            "│  ├─ leaf 0, 1 link\n"
            "│  └─ leaf 1, 1 link\n"
            "└─ leaves 2-3, 1 link\n"
            "   ├─ leaf 2, 1 link\n"
            "   └─ leaf 3, 1 link\n");
  EXPECT_EQ(fat_tree_to_text(look_at_box("pu:1", 1)),
            "fat tree     processors 1, levels 0; links of a branch by level: none\n"
            "root: leaf 0\n");
}

TEST(Info, TheFatTreeWithWhatWasMeasured) {
  BoxReport report = look_at_box("package:2 numa:2 core:2 pu:1", 8);
  report.measured = {report.fat_tree().with_capacities({1, 2, 2}), {{8, 10.0}, {8, 9.5}, {8, 5.0}}};
  expect_parts(
      fat_tree_to_text(report),
      {"measured     level 3: 8 copies at a time, 5.0 GB/s each\n", "by level: 1, 2, 2\n"});
  const auto json = nlohmann::json::parse(to_json(report));
  EXPECT_EQ(json["fat_tree"]["capacities"], (std::vector<int>{1, 2, 2}));
  EXPECT_EQ(json["fat_tree"]["measured"][1]["level"], 2);
  EXPECT_EQ(json["fat_tree"]["measured"][1]["gb_per_s_each"], 9.5);
}

TEST(Info, MeasuresThisMachineAlone) {
  const Topology box = Topology::this_machine();
  const MeasuredFatTree measured = measure_fat_tree(box, box.leaf_count());
  EXPECT_EQ(static_cast<int>(measured.bandwidths.size()), measured.tree.levels());
  EXPECT_EQ(to_text(measured).find("no two levels") != std::string::npos,
            measured.tree.levels() <= 1);
  EXPECT_THROW((void)measure_fat_tree(box, box.leaf_count() + 1), std::invalid_argument);
  EXPECT_THROW((void)measure_fat_tree(Topology::parse("pu:2"), 2), std::invalid_argument);
}

TEST(Info, NonsenseIsRefused) { EXPECT_THROW(look_at_box("core:", 0), std::invalid_argument); }

}  // namespace
}  // namespace postroom::cli
