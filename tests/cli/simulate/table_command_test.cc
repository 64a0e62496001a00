// `postroom table`, from the command line to its figures and files.
#include <gtest/gtest.h>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/command.h"
#include "tests/cli/scratch_folder.h"
#include "tests/cli/simulate/printed_json.h"

namespace postroom::cli {
namespace {

using nlohmann::json;

json table(const std::string& line) { return printed_json("table " + line); }

TEST(Table, OfTheGrowthHasThePrintedDigits) {
  const char* const printed[] = {"2.000", "1.618", "1.466", "1.380", "1.325",
                                 "1.285", "1.255", "1.232", "1.213", "1.197"};
  const json rows = table("gamma");
  ASSERT_EQ(rows.size(), 10u);
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i]["gamma"], printed[i]);
}

TEST(Table, OfTheBreakEvenHasThePrintedDigits) {
  const char* const printed[] = {"1.440", "2.518", "3.558", "4.584", "5.604",
                                 "6.618", "7.630", "8.640", "9.649"};
  const json rows = table("break-even");
  ASSERT_EQ(rows.size(), 9u);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i]["break_even_lambda"], printed[i]);
  }
}

TEST(Table, OfTimesAndReach) {
  const json times = table("T --lambda 9/5 -p 64");
  ASSERT_EQ(times.size(), 63u);
  EXPECT_EQ(times.back()["time"], "46/5");
  EXPECT_EQ(times.back()["binomial"], "54/5");
  const json reach = table("N --lambda 2 --until 7");
  EXPECT_EQ(reach.back()["processors"], 21);
  EXPECT_EQ(table("alpha --lambda 1.95 -p 2000").size(), 41u);
  EXPECT_EQ(table("alpha --lambda 2 -p 2000").size(), 1u);
}

TEST(Table, DrawsEveryOne) {
  const ScratchFolder folder;
  const std::string path = folder("a.svg");
  for (const std::string what :
       {"N --lambda 1.95 --until 9", "T --lambda 1.95 -p 100", "gamma --lambda 1.95", "break-even",
        "alpha --lambda 1.95 -p 100", "alpha-ranges --lambda 1.95 -p 100",
        "alpha-corners --lambda 1.95 -p 100", "alpha-table-sizes --lambda 1.95 -p 100",
        "alpha-times --lambda 1.95 -p 100"}) {
    table(what + " --svg '" + path + "'");
    EXPECT_NE(content_of(path).find("</svg>"), std::string::npos) << what;
  }
}

TEST(Table, CornersLieWithinTheProcessors) {
  for (const json& row : table("alpha-corners --lambda 9/5 -p 50")) {
    EXPECT_LE(row["processors"], 50);
  }
}

}  // namespace
}  // namespace postroom::cli
