#include "cli/simulate/postal_tables.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "cli/common/failure.h"
#include "collectives/models/alpha_table.h"
#include "collectives/models/postal_model.h"
#include "collectives/models/postal_tree.h"

namespace postroom::cli {
namespace {

constexpr std::int64_t kMostRows = 100'000;
constexpr std::int64_t kMostCorners = 1'000'000;

std::string in_words(const Rational& lambda) { return "lambda = " + to_string(lambda); }

std::string rounded(double value) { return fmt::format("{:.3f}", value); }

// `option` says how many there are to be.
void require_rows(std::string_view option, std::int64_t rows) {
  if (rows <= kMostRows) return;
  throw UsageError(fmt::format("{}: {} rows are not allowed; at most {}", option, rows, kMostRows));
}

// Corners lie at times a + b lambda with whole a >= 0 and b >= 1, on the grid of the model's steps.
void require_corners(const PostalModel& model, std::int64_t processors) {
  const Rational rest = model.time(processors) - model.latency();
  std::int64_t pairs = 0;
  for (Rational left = rest; left >= 0; left -= model.latency()) pairs += left.floor() + 1;
  const std::int64_t steps = (rest * model.steps_per_unit()).floor() + 1;
  const std::int64_t corners = std::min({pairs, steps, processors});
  if (corners <= kMostCorners) return;
  throw UsageError(
      fmt::format("--processors: {} with {} is not allowed; up to {} ranges of alpha, at most {}",
                  processors, in_words(model.latency()), corners, kMostCorners));
}

}  // namespace

TableAndChart reached_table(const Rational& lambda, const Rational& until) {
  const PostalModel model(lambda);
  const Rational step(1, model.steps_per_unit());
  require_rows("--until", (until / step).floor() + 1);
  TableAndChart made{
      TextTable({"t", "processors"}),
      {"Processors reached, " + in_words(lambda), "t", "N(t)", Chart::Style::kSteps, {{}}}};
  for (Rational time = 0; time <= until; time += step) {
    const std::int64_t processors = model.reach(time);
    if (processors == PostalModel::kMost) {
      throw UsageError(
          fmt::format("--until: {} is not allowed; at most {}, when {} processors are reached",
                      to_string(until), to_string(time - step), model.reach(time - step)));
    }
    made.table.row({to_string(time), processors});
    made.chart.lines[0].points.emplace_back(time.to_double(), processors);
  }
  return made;
}

TableAndChart times_table(const Rational& lambda, std::int64_t processors) {
  const PostalModel model(lambda);
  require_rows("--processors", processors);
  TableAndChart made{TextTable({"processors", "time", "kept_least", "kept_most", "binomial"}),
                     {"Time of a broadcast, " + in_words(lambda),
                      "processors",
                      "time",
                      Chart::Style::kSteps,
                      {{"lambda-tree", {}}, {"binomial tree", {}}}}};
  for (std::int64_t p = 2; p <= processors; ++p) {
    const PostalModel::Split split = model.split(p);
    const Rational best = model.time(p);
    const Rational binomial = binomial_time(p, model.latency());
    made.table.row({p, to_string(best), split.fewest, split.most, to_string(binomial)});
    made.chart.lines[0].points.emplace_back(p, best.to_double());
    made.chart.lines[1].points.emplace_back(p, binomial.to_double());
  }
  return made;
}

TableAndChart growth_table(std::span<const Rational> lambdas) {
  TableAndChart made{
      TextTable({"lambda", "gamma"}),
      {"Growth of N in a unit of time", "lambda", "gamma", Chart::Style::kLine, {{}}}};
  for (const Rational& lambda : lambdas) {
    const double gamma = PostalModel(lambda).growth();
    made.table.row({to_string(lambda), rounded(gamma)});
    made.chart.lines[0].points.emplace_back(lambda.to_double(), gamma);
  }
  return made;
}

TableAndChart break_even_table() {
  TableAndChart made{TextTable({"floor_lambda", "break_even_lambda"}),
                     {"Where delay-send and delay-receive take equally long",
                      "floor of lambda",
                      "break-even lambda, less its floor",
                      Chart::Style::kLine,
                      {{}}}};
  for (int whole = 1; whole <= 9; ++whole) {
    const double lambda = break_even_latency(whole);
    made.table.row({whole, rounded(lambda)});
    made.chart.lines[0].points.emplace_back(whole, lambda - whole);
  }
  return made;
}

TableAndChart look_up_table(const Rational& lambda, std::int64_t processors) {
  const PostalModel model(lambda);
  require_corners(model, processors);
  TableAndChart made{TextTable({"processors", "alpha", "from", "below"}),
                     {"Look-up table of alpha, " + in_words(lambda),
                      "processors",
                      "alpha",
                      Chart::Style::kSteps,
                      {{}}}};
  std::int64_t first = 2;
  for (const AlphaRow& row : alpha_table(model, processors)) {
    made.table.row({fmt::format("{}-{}", first, row.last), to_string(row.alpha),
                    rounded(row.range.least.to_double()), rounded(row.range.below.to_double())});
    made.chart.lines[0].points.emplace_back(first, row.alpha.to_double());
    made.chart.lines[0].points.emplace_back(row.last, row.alpha.to_double());
    first = row.last + 1;
  }
  return made;
}

TableAndChart alpha_ranges_table(const Rational& lambda, std::int64_t processors) {
  const PostalModel model(lambda);
  require_rows("--processors", processors);
  TableAndChart made{TextTable({"processors", "from", "below"}),
                     {"Optimal alpha, " + in_words(lambda),
                      "alpha",
                      "processors",
                      Chart::Style::kLine,
                      {{"from", {}}, {"below", {}}}}};
  for (std::int64_t p = 2; p <= processors; ++p) {
    const AlphaRange range = alpha_range(model, p);
    made.table.row({p, to_string(range.least), to_string(range.below)});
    made.chart.lines[0].points.emplace_back(range.least.to_double(), p);
    made.chart.lines[1].points.emplace_back(range.below.to_double(), p);
  }
  return made;
}

TableAndChart alpha_corners_table(const Rational& lambda, std::int64_t processors) {
  const PostalModel model(lambda);
  require_corners(model, processors);
  TableAndChart made{TextTable({"processors", "kept", "ratio"}),
                     {"The tops of the ranges of alpha, " + in_words(lambda),
                      "alpha",
                      "processors",
                      Chart::Style::kPoints,
                      {{}}}};
  for (const PostalModel::Corner& corner : model.corners(processors)) {
    if (corner.processors > processors) continue;
    const double ratio = static_cast<double>(corner.kept) / static_cast<double>(corner.processors);
    made.table.row({corner.processors, corner.kept, fmt::format("{:.6f}", ratio)});
    made.chart.lines[0].points.emplace_back(ratio, corner.processors);
  }
  return made;
}

TableAndChart table_sizes_table(const Rational& lambda, std::int64_t processors) {
  const PostalModel model(lambda);
  require_corners(model, processors);
  TableAndChart made{TextTable({"processors", "rows"}),
                     {"Rows of the look-up table, " + in_words(lambda),
                      "processors",
                      "rows",
                      Chart::Style::kSteps,
                      {{}}}};
  std::int64_t first = 2;
  int rows = 0;
  for (const AlphaRow& row : alpha_table(model, processors)) {
    made.table.row({first, ++rows});
    made.chart.lines[0].points.emplace_back(first, rows);
    first = row.last + 1;
  }
  made.chart.lines[0].points.emplace_back(processors, rows);
  return made;
}

TableAndChart alpha_times_table(const Rational& lambda, std::int64_t processors) {
  const PostalModel model(lambda);
  TableAndChart made{
      TextTable({"alpha", "time"}),
      {fmt::format("Time of a broadcast on {} processors, {}", processors, in_words(lambda)),
       "alpha",
       "time",
       Chart::Style::kLine,
       {{}}}};
  for (int percent = 50; percent < 100; ++percent) {
    const Rational alpha(percent, 100);
    const Rational time = split_time(SplitRule::fixed_alpha(alpha), processors, model.latency());
    made.table.row({fmt::format("{:.2f}", alpha.to_double()), to_string(time)});
    // Beyond 0.7 the time soars and would hide the rest.
    if (percent <= 70) made.chart.lines[0].points.emplace_back(alpha.to_double(), time.to_double());
  }
  return made;
}

}  // namespace postroom::cli
