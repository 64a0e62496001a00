#include "cli/table_command.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/chart.h"
#include "cli/command_line.h"
#include "cli/failure.h"
#include "cli/output.h"
#include "cli/postal_arguments.h"
#include "cli/text_table.h"
#include "collectives/alpha_table.h"
#include "collectives/postal_model.h"
#include "collectives/postal_tree.h"
#include "runtime/rational.h"

namespace postroom::cli {
namespace {

constexpr std::int64_t kMostProcessors = 1'000'000'000;
constexpr std::int64_t kMostRows = 100'000;
constexpr const char* kSummary = "Prints the tables of the postal model, or draws them.";
constexpr const char* kFooter =
    "A WHAT is one of\n"
    "  N                  processors that a message reaches by the time t\n"
    "  T                  least time to reach p processors; how many of them the root may keep\n"
    "                     when it sends first; the time of the binomial tree\n"
    "  gamma              growth of N in a unit of time, for lambda 1 … 10, or for --lambda\n"
    "  break-even         the lambda at which delay-send and delay-receive take equally long\n"
    "  alpha              the alpha that split optimally, by ranges of processors\n"
    "  alpha-ranges       the alpha that split optimally, for each number of processors\n"
    "  alpha-corners      where those ranges are narrowest\n"
    "  alpha-table-sizes  how many rows the table has that `alpha` prints\n"
    "  alpha-times        the time of a broadcast for alpha 0.50, 0.51, …\n\n"
    "Times are exact fractions, in units of the time that a sender needs for one message.\n\n"
    "  postroom table T --lambda 9/5 -p 64\n"
    "  postroom table alpha-ranges --lambda 1.95 -p 250 --svg ranges.svg";

struct Words {
  std::optional<std::string> what, lambda, processors, until, json, svg;
  bool help = false;
};

void declare(CommandLine& line, Words& words) {
  line.operand(words.what, "WHAT", "see below");
  line.value("--lambda", words.lambda, "L", "the latency, a number or a fraction: 2, 1.8, 9/5");
  line.value("-p,--processors", words.processors, "P", "up to so many processors (64)");
  line.value("--until", words.until, "T", "N: up to this time (10)");
  line.value("--json", words.json, "FILE", "write the table as JSON ('-': standard output)");
  line.value("--svg", words.svg, "FILE", "draw it");
  line.flag("-h,--help", words.help, "show this");
  line.footer(kFooter);
}

struct Wanted {
  std::optional<Rational> lambda;
  std::int64_t processors = 64;
  Rational until = 10;

  PostalModel model() const {
    if (!lambda) throw UsageError("--lambda is missing: a number or a fraction from 1 on");
    return PostalModel(*lambda);
  }
  std::string lambda_in_words() const { return "lambda = " + to_string(*lambda); }
};

/// A table and its picture.
struct Made {
  TextTable table;
  Chart chart;
};

std::string rounded(double value) { return fmt::format("{:.3f}", value); }

void require_rows(std::int64_t rows) {
  if (rows <= kMostRows) return;
  throw UsageError(fmt::format("{} rows are not allowed; at most {}", rows, kMostRows));
}

Made reached(const Wanted& wanted) {
  const PostalModel model = wanted.model();
  const Rational step(1, model.steps_per_unit());
  require_rows((wanted.until / step).floor() + 1);
  Made made{
      TextTable({"t", "processors"}),
      {"Processors reached, " + wanted.lambda_in_words(), "t", "N(t)", Chart::Style::kSteps, {{}}}};
  for (Rational time = 0; time <= wanted.until; time += step) {
    const std::int64_t processors = model.reach(time);
    if (processors == PostalModel::kMost) break;
    made.table.row({to_string(time), processors});
    made.chart.lines[0].points.emplace_back(time.to_double(), processors);
  }
  return made;
}

Made times(const Wanted& wanted) {
  const PostalModel model = wanted.model();
  require_rows(wanted.processors);
  Made made{TextTable({"processors", "time", "kept_least", "kept_most", "binomial"}),
            {"Time of a broadcast, " + wanted.lambda_in_words(),
             "processors",
             "time",
             Chart::Style::kSteps,
             {{"lambda-tree", {}}, {"binomial tree", {}}}}};
  for (std::int64_t p = 2; p <= wanted.processors; ++p) {
    const PostalModel::Split split = model.split(p);
    const Rational best = model.time(p);
    const Rational binomial = binomial_time(p, model.latency());
    made.table.row({p, to_string(best), split.fewest, split.most, to_string(binomial)});
    made.chart.lines[0].points.emplace_back(p, best.to_double());
    made.chart.lines[1].points.emplace_back(p, binomial.to_double());
  }
  return made;
}

Made growth(const Wanted& wanted) {
  Made made{TextTable({"lambda", "gamma"}),
            {"Growth of N in a unit of time", "lambda", "gamma", Chart::Style::kLine, {{}}}};
  const auto add = [&](const Rational& lambda) {
    const double gamma = PostalModel(lambda).growth();
    made.table.row({to_string(lambda), rounded(gamma)});
    made.chart.lines[0].points.emplace_back(lambda.to_double(), gamma);
  };
  if (wanted.lambda) {
    add(*wanted.lambda);
  } else {
    for (int whole = 1; whole <= 10; ++whole) add(whole);
  }
  return made;
}

Made break_even(const Wanted&) {
  Made made{TextTable({"floor_lambda", "break_even_lambda"}),
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

Made look_up_table(const Wanted& wanted) {
  const PostalModel model = wanted.model();
  Made made{TextTable({"processors", "alpha", "from", "below"}),
            {"Look-up table of alpha, " + wanted.lambda_in_words(),
             "processors",
             "alpha",
             Chart::Style::kSteps,
             {{}}}};
  std::int64_t first = 2;
  for (const AlphaRow& row : alpha_table(model, wanted.processors)) {
    made.table.row({fmt::format("{}-{}", first, row.last), to_string(row.alpha),
                    rounded(row.range.least.to_double()), rounded(row.range.below.to_double())});
    made.chart.lines[0].points.emplace_back(first, row.alpha.to_double());
    made.chart.lines[0].points.emplace_back(row.last, row.alpha.to_double());
    first = row.last + 1;
  }
  return made;
}

Made alpha_ranges(const Wanted& wanted) {
  const PostalModel model = wanted.model();
  require_rows(wanted.processors);
  Made made{TextTable({"processors", "from", "below"}),
            {"Optimal alpha, " + wanted.lambda_in_words(),
             "alpha",
             "processors",
             Chart::Style::kLine,
             {{"from", {}}, {"below", {}}}}};
  for (std::int64_t p = 2; p <= wanted.processors; ++p) {
    const AlphaRange range = alpha_range(model, p);
    made.table.row({p, to_string(range.least), to_string(range.below)});
    made.chart.lines[0].points.emplace_back(range.least.to_double(), p);
    made.chart.lines[1].points.emplace_back(range.below.to_double(), p);
  }
  return made;
}

Made alpha_corners(const Wanted& wanted) {
  const PostalModel model = wanted.model();
  Made made{TextTable({"processors", "kept", "ratio"}),
            {"The tops of the ranges of alpha, " + wanted.lambda_in_words(),
             "alpha",
             "processors",
             Chart::Style::kPoints,
             {{}}}};
  for (const PostalModel::Corner& corner : model.corners(wanted.processors)) {
    const double ratio = static_cast<double>(corner.kept) / static_cast<double>(corner.processors);
    made.table.row({corner.processors, corner.kept, fmt::format("{:.6f}", ratio)});
    made.chart.lines[0].points.emplace_back(ratio, corner.processors);
  }
  return made;
}

Made table_sizes(const Wanted& wanted) {
  const PostalModel model = wanted.model();
  Made made{TextTable({"processors", "rows"}),
            {"Rows of the look-up table, " + wanted.lambda_in_words(),
             "processors",
             "rows",
             Chart::Style::kSteps,
             {{}}}};
  std::int64_t first = 2;
  int rows = 0;
  for (const AlphaRow& row : alpha_table(model, wanted.processors)) {
    made.table.row({first, ++rows});
    made.chart.lines[0].points.emplace_back(first, rows);
    first = row.last + 1;
  }
  made.chart.lines[0].points.emplace_back(wanted.processors, rows);
  return made;
}

Made alpha_times(const Wanted& wanted) {
  const PostalModel model = wanted.model();
  Made made{TextTable({"alpha", "time"}),
            {fmt::format("Time of a broadcast on {} processors, {}", wanted.processors,
                         wanted.lambda_in_words()),
             "alpha",
             "time",
             Chart::Style::kLine,
             {{}}}};
  for (int percent = 50; percent < 100; ++percent) {
    const Rational alpha(percent, 100);
    const Rational time =
        split_time(SplitRule::fixed_alpha(alpha), wanted.processors, model.latency());
    made.table.row({fmt::format("{:.2f}", alpha.to_double()), to_string(time)});
    // Beyond 0.7 the time soars and would hide the rest.
    if (percent <= 70) made.chart.lines[0].points.emplace_back(alpha.to_double(), time.to_double());
  }
  return made;
}

constexpr std::array<std::pair<std::string_view, Made (*)(const Wanted&)>, 9> kTables = {{
    {"N", reached},
    {"T", times},
    {"gamma", growth},
    {"break-even", break_even},
    {"alpha", look_up_table},
    {"alpha-ranges", alpha_ranges},
    {"alpha-corners", alpha_corners},
    {"alpha-table-sizes", table_sizes},
    {"alpha-times", alpha_times},
}};

Wanted wanted_of(const Words& words) {
  Wanted wanted;
  if (words.lambda) wanted.lambda = latency_of("--lambda", *words.lambda);
  if (words.processors) {
    wanted.processors = static_cast<std::int64_t>(
        whole_number("--processors", *words.processors, 2, kMostProcessors));
  }
  if (words.until) wanted.until = time_of("--until", *words.until);
  return wanted;
}

}  // namespace

std::string table_help() {
  CommandLine line("table", kSummary);
  Words words;
  declare(line, words);
  return line.help();
}

int run_table(std::span<const std::string> given) {
  CommandLine line("table", kSummary);
  Words words;
  declare(line, words);
  line.parse(given);
  if (words.help) {
    print(table_help());
    return 0;
  }
  if (!words.what) throw UsageError("WHAT is missing: N, T, gamma, break-even, alpha, …");
  const auto make = named("WHAT", *words.what, kTables);
  const Made made = make(wanted_of(words));
  std::optional<Output> json;
  std::optional<Output> svg;
  if (words.json) json.emplace(*words.json);
  if (words.svg) svg.emplace(*words.svg);
  if (words.json != "-") print(made.table.to_text());
  if (json) json->write_and_finish(made.table.to_json().dump(2) + "\n");
  if (svg) svg->write_and_finish(to_svg(made.chart));
  return 0;
}

}  // namespace postroom::cli
