// The axes of charts: ticks, places, and what a logarithmic axis leaves out.
#include "cli/common/chart.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/common/chart_axis.h"

namespace postroom::cli {
namespace {

std::vector<std::string> labels(const std::vector<double>& values, bool logarithmic) {
  std::vector<std::string> labels;
  const ChartAxis axis(values, logarithmic, 0, 1);
  for (const auto& [value, label] : axis.ticks()) labels.push_back(label);
  return labels;
}

using Labels = std::vector<std::string>;

int occurrences(const std::string& text, const std::string& part) {
  int count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(ChartAxis, LinearTicksAreRoundAndEnclose) {
  EXPECT_EQ(labels({0.5, 0.7}, false), (Labels{"0.5", "0.55", "0.6", "0.65", "0.7"}));
  EXPECT_EQ(labels({-3, 9}, false), (Labels{"-4", "-2", "0", "2", "4", "6", "8", "10"}));
}

TEST(ChartAxis, PowersOfTwoHaveTicksAtPowersOfTwo) {
  EXPECT_EQ(labels({8, 64}, true), (Labels{"8", "16", "32", "64"}));
  EXPECT_EQ(labels({512, 2048, 1 << 20}, true).back(), "1M");
  EXPECT_LE(labels({1, 1ull << 40}, true).size(), 12u);
}

TEST(ChartAxis, OtherNumbersHaveTicksAtRoundOnes) {
  EXPECT_EQ(labels({3, 40}, true), (Labels{"2", "5", "10", "20", "50"}));
  EXPECT_EQ(labels({0.001, 300}, true).front(), "0.001");
  EXPECT_LE(labels({1e-3, 3e5}, true).size(), 12u);
}

TEST(ChartAxis, EqualStepsOfALogarithmicAxisAreEqualFactors) {
  const ChartAxis axis({1, 1000}, true, 100, 400);
  EXPECT_NEAR(axis.at(1), 100, 1e-9);
  EXPECT_NEAR(axis.at(10), 200, 1e-9);
  EXPECT_NEAR(axis.at(1000), 400, 1e-9);
  EXPECT_FALSE(axis.shows(0));
}

TEST(ChartAxis, OneNumberOrNoneStillMakesAnAxis) {
  for (const bool logarithmic : {false, true}) {
    EXPECT_GE(labels({}, logarithmic).size(), 2u);
    EXPECT_GE(labels({5}, logarithmic).size(), 2u);
    EXPECT_GE(labels({64}, logarithmic).size(), 2u);
    EXPECT_GE(labels({0}, logarithmic).size(), 2u);
  }
}

TEST(Chart, DrawsWhatHasAPlaceAndNamesTheLines) {
  Chart chart{.title = "a < b",
              .x_label = "x",
              .y_label = "y",
              .lines = {{.name = "measured", .points = {{1, 3}, {2, 5}, {3, 0}}, .marked = true},
                        {.name = "model", .points = {{1, 3}, {2, 4}}, .dashed = true, .colour = 0}},
              .y_scale = Chart::Scale::kLog};
  const std::string svg = to_svg(chart);
  EXPECT_EQ(occurrences(svg, "<circle"), 3) << svg;           // 0 has no place, the name has one
  EXPECT_EQ(occurrences(svg, "stroke-dasharray"), 2) << svg;  // the line and its name
  EXPECT_NE(svg.find("a &lt; b"), std::string::npos);
  EXPECT_NE(svg.find(">measured<"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(ChartAxis, OneNumberIsNotAtItsEdge) {
  for (const bool logarithmic : {false, true}) {
    for (const double value : {1.0, 5.0, 64.0, 0.003}) {
      const ChartAxis axis({value}, logarithmic, 0, 1);
      EXPECT_GT(axis.at(value), 0.1) << value;
      EXPECT_LT(axis.at(value), 0.9) << value;
    }
  }
}

TEST(Chart, ALineOfOnePointIsAMark) {
  for (const Chart::Style style : {Chart::Style::kLine, Chart::Style::kSteps}) {
    Chart chart{.title = "", .x_label = "", .y_label = "", .style = style};
    chart.lines.push_back({.name = "seen", .points = {{8, 3}}});
    chart.lines.push_back({.points = {{8, 3}}, .dashed = true});
    chart.dashed_name = "predicted";
    const std::string svg = to_svg(chart);
    EXPECT_EQ(occurrences(svg, "<circle"), 2 + 2) << svg;            // and beside the names
    EXPECT_EQ(occurrences(svg, "fill=\"none\" stroke="), 2) << svg;  // rings
    EXPECT_EQ(occurrences(svg, "<polyline"), 0) << svg;
    EXPECT_EQ(occurrences(svg, "stroke-dasharray"), 0) << svg;
  }
}

TEST(Chart, SeveralStandOneBelowTheOther) {
  Chart chart{.title = "one", .x_label = "x", .y_label = "y"};
  chart.lines.push_back({.name = "a line", .points = {{1, 2}, {2, 3}}});
  Chart other = chart;
  other.title = "two";
  const std::string svg = to_svg(std::vector<Chart>{chart, other});
  EXPECT_EQ(occurrences(svg, "<svg "), 1);
  EXPECT_EQ(occurrences(svg, "<g transform=\"translate(0 "), 2);
  EXPECT_NE(svg.find(" height=\"960\""), std::string::npos);
  EXPECT_LT(svg.find(">one<"), svg.find(">two<"));
}

TEST(Chart, WhereColoursBeginAgainMarksAreOthers) {
  Chart chart{.title = "", .x_label = "", .y_label = ""};
  for (int i = 0; i < 9; ++i) {
    chart.lines.push_back({.name = "line", .points = {{1, i}, {2, i}}, .marked = true});
  }
  const std::string svg = to_svg(chart);
  EXPECT_EQ(occurrences(svg, "<circle"), 16 + 8);  // in the picture and beside the names
  EXPECT_EQ(occurrences(svg, "<rect x="), 2 + 1);
  EXPECT_EQ(occurrences(svg, "stroke-dasharray=\"1.5 2.5\""), 2);
}

TEST(Chart, PointsHaveNoLineBesideTheirName) {
  Chart chart{.title = "", .x_label = "", .y_label = "", .style = Chart::Style::kPoints};
  chart.lines.push_back({.name = "points", .points = {{0, 0}, {1, 1}}});
  EXPECT_EQ(occurrences(to_svg(chart), "<circle"), 2 + 1);
  EXPECT_EQ(occurrences(to_svg(chart), "stroke-width=\"2\""), 0);
}

TEST(Chart, SaysHowItCameAboutAndWhatIsDashed) {
  Chart chart{.title = "a title", .x_label = "", .y_label = ""};
  chart.lines.push_back({.name = "", .points = {{1, 1}, {2, 2}}, .dashed = true});
  EXPECT_EQ(occurrences(to_svg(chart), "stroke-dasharray"), 1);
  chart.subtitle = "lambda < 2";
  chart.dashed_name = "predicted";
  const std::string svg = to_svg(chart);
  EXPECT_LT(svg.find(">a title<"), svg.find(">lambda &lt; 2<"));
  EXPECT_NE(svg.find(">lambda &lt; 2<"), std::string::npos);
  EXPECT_EQ(occurrences(svg, "stroke-dasharray=\"6 4\""), 2);
  EXPECT_NE(svg.find(">predicted<"), std::string::npos);
  chart.lines.push_back(chart.lines.front());  // the same points: the dashes take turns
  const std::string both = to_svg(chart);
  EXPECT_EQ(occurrences(both, "stroke-dashoffset=\"0\""), 1);
  EXPECT_EQ(occurrences(both, "stroke-dashoffset=\"2\""), 1);
}

TEST(Chart, NamesWhatLiesTogetherInALineEach) {
  Chart chart;
  chart.lines.push_back({.name = "a", .points = {{1, 2}, {2, 3}}, .same = {"b", "a longer name"}});
  const std::string svg = to_svg(chart);
  EXPECT_EQ(occurrences(svg, "<polyline"), 1);
  for (const char* name : {">a<", ">= b<", ">= a longer name<"}) {
    EXPECT_EQ(occurrences(svg, name), 1) << name;
  }
}

}  // namespace
}  // namespace postroom::cli
