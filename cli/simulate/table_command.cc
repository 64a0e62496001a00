#include "cli/simulate/table_command.h"

#include <fmt/core.h>

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/common/chart.h"
#include "cli/common/command_line.h"
#include "cli/common/failure.h"
#include "cli/common/json_text.h"
#include "cli/files/outputs.h"
#include "cli/simulate/postal_arguments.h"
#include "cli/simulate/postal_tables.h"
#include "runtime/rational.h"

namespace postroom::cli {
namespace {

constexpr std::int64_t kMostProcessors = 1'000'000'000;
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
};

void declare(CommandLine& line, Words& words) {
  line.operand(words.what, "WHAT", "see below");
  line.value("--lambda", words.lambda, "L", "the latency, a number or a fraction: 2, 1.8, 9/5");
  line.value("-p,--processors", words.processors, "P", "up to so many processors (64)");
  line.value("--until", words.until, "T", "N: up to this time (10)");
  line.value("--json", words.json, "FILE", "write the table as JSON ('-': standard output)");
  line.value("--svg", words.svg, "FILE", "draw it");
  line.footer(kFooter);
}

struct Wanted {
  std::optional<Rational> lambda;
  std::int64_t processors = 64;
  Rational until = 10;

  const Rational& latency() const {
    if (!lambda) throw UsageError("--lambda is missing: a number or a fraction from 1 on");
    return *lambda;
  }
};

TableAndChart growth(const Wanted& wanted) {
  std::vector<Rational> lambdas;
  if (wanted.lambda) {
    lambdas.push_back(*wanted.lambda);
  } else {
    for (int whole = 1; whole <= 10; ++whole) lambdas.emplace_back(whole);
  }
  return growth_table(lambdas);
}

using ForProcessors = TableAndChart (*)(const Rational& lambda, std::int64_t processors);

template <ForProcessors kMake>
TableAndChart for_processors(const Wanted& wanted) {
  return kMake(wanted.latency(), wanted.processors);
}

struct Table {
  TableAndChart (*make)(const Wanted&);
  bool has_lambda = true, has_processors = true, has_until = false;
};

TableAndChart reached(const Wanted& wanted) {
  return reached_table(wanted.latency(), wanted.until);
}
TableAndChart break_even(const Wanted&) { return break_even_table(); }

constexpr std::array<std::pair<std::string_view, Table>, 9> kTables = {{
    {"N", {.make = reached, .has_processors = false, .has_until = true}},
    {"T", {for_processors<times_table>}},
    {"gamma", {.make = growth, .has_processors = false}},
    {"break-even", {.make = break_even, .has_lambda = false, .has_processors = false}},
    {"alpha", {for_processors<look_up_table>}},
    {"alpha-ranges", {for_processors<alpha_ranges_table>}},
    {"alpha-corners", {for_processors<alpha_corners_table>}},
    {"alpha-table-sizes", {for_processors<table_sizes_table>}},
    {"alpha-times", {for_processors<alpha_times_table>}},
}};

void refuse_what_it_has_not(const Words& words, const Table& table) {
  const auto refuse = [&](const char* option, bool given, bool has) {
    if (given && !has) throw UsageError(fmt::format("{}: {} has none", option, *words.what));
  };
  refuse("--lambda", words.lambda.has_value(), table.has_lambda);
  refuse("--processors", words.processors.has_value(), table.has_processors);
  refuse("--until", words.until.has_value(), table.has_until);
}

Wanted wanted_of(const Words& words) {
  Wanted wanted;
  if (words.lambda) wanted.lambda = latency_of("--lambda", *words.lambda);
  set_whole_number(wanted.processors, "--processors", words.processors, 2, kMostProcessors);
  if (words.until) wanted.until = time_of("--until", *words.until);
  return wanted;
}

/// Times are fractions of 64 bits above and below the line.
TableAndChart make(const Table& table, const Wanted& wanted) {
  try {
    return table.make(wanted);
  } catch (const std::overflow_error& error) {
    if (!wanted.lambda) throw;
    throw UsageError(fmt::format("--lambda: {} is not allowed here: {}", to_string(*wanted.lambda),
                                 error.what()));
  }
}

}  // namespace

int run_table(std::span<const std::string> given) {
  CommandLine line("table", kSummary);
  Words words;
  declare(line, words);
  line.parse(given);
  if (!words.what) throw UsageError("WHAT is missing: N, T, gamma, break-even, alpha, …");
  const Table table = named("WHAT", *words.what, kTables);
  refuse_what_it_has_not(words, table);
  const Wanted wanted = wanted_of(words);
  Outputs outputs({{"--json", words.json}, {"--svg", words.svg}});
  const TableAndChart made = make(table, wanted);
  outputs.write("--json", json_text(made.table.to_json()));
  outputs.write("--svg", to_svg(made.chart));
  outputs.finish(made.table.to_text());
  return 0;
}

}  // namespace postroom::cli
