#include "cli/reproduce/reproduce_postal.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "cli/simulate/postal_tables.h"
#include "cli/simulate/simulated_operations.h"
#include "cli/simulate/simulation.h"
#include "cli/simulate/simulation_report.h"
#include "collectives/algorithm.h"
#include "collectives/models/alpha_table.h"
#include "collectives/models/combine_schedule.h"
#include "collectives/models/postal_model.h"
#include "collectives/models/postal_tree.h"
#include "runtime/rational.h"
#include "runtime/trace_svg.h"

namespace postroom::cli {
namespace {

/// The run as a space-time diagram.
std::string diagram(const char* operation, const Algorithm& algorithm, int processors,
                    const Rational& lambda) {
  const Outcome outcome = simulate({.operation = &simulated_operation(operation),
                                    .algorithm = algorithm,
                                    .processors = processors,
                                    .lambda = lambda,
                                    .trace = true});
  std::ostringstream svg;
  write_svg(svg, outcome.trace,
            {.title = fmt::format("{}: {}", to_string(algorithm), title_of(outcome.scenario))});
  return svg.str();
}

/// What draws the figures of a section one by one.
void commands(PaperPage& page, const std::vector<std::string>& lines) {
  std::string text = "Alone:\n";
  for (const std::string& line : lines) text += "\n    postroom " + line;
  page.text(text);
}

/// Numbers of processors for tables: all small ones, some larger.
std::vector<int> few_sizes() {
  std::vector<int> sizes;
  for (int n = 2; n <= 33; ++n) sizes.push_back(n);
  sizes.insert(sizes.end(), {64, 100, 250});
  return sizes;
}

void first_trees(PaperPage& page, const Effort&) {
  const Rational lambda = 2;
  page.picture("fig01", "Fig. 1b: the binomial tree, 8 processors, λ = 2",
               diagram("broadcast", Algorithm::binomial, 8, lambda));
  page.picture("fig02", "Fig. 2: the tree made for λ = 2",
               diagram("broadcast", Algorithm::lambda_tree(lambda), 8, lambda));
  commands(page, {"simulate broadcast --algorithm binomial -p 8 --lambda 2 --svg fig01.svg",
                  "simulate broadcast --algorithm lambda_tree -p 8 --lambda 2 --svg fig02.svg"});
  page.compare({.paper = "The binomial tree takes six units of time, the λ-tree five.",
                .seen = fmt::format("{} and {}.", to_string(binomial_time(8, lambda)),
                                    to_string(PostalModel(lambda).time(8))),
                .why = "None; both are exact."});
}

void times(PaperPage& page, const Effort&) {
  std::vector<int> sizes = few_sizes();
  sizes.insert(sizes.end(), {1000, 4096});
  TextTable table({"lambda", "n", "T_optimal", "split_min", "split_max", "T_binomial"});
  for (const Rational& lambda :
       {Rational(1), Rational(2), Rational(3), Rational(5, 2), Rational(9, 5), Rational(39, 20)}) {
    const PostalModel model(lambda);
    for (const int p : sizes) {
      const PostalModel::Split split = model.split(p);
      table.row({to_string(lambda), p, to_string(model.time(p)), split.fewest, split.most,
                 to_string(binomial_time(p, lambda))});
    }
  }
  page.text(
      "T_λ(n), the least time in which n processors can be reached; how many of them may stay "
      "with the root when it sends first; the time of the binomial tree.");
  page.table("optimal_times", table);
}

/// How many of the rounded numbers are what the paper prints.
template <std::size_t kCount>
std::string agreement(const std::vector<double>& numbers,
                      const std::array<const char*, kCount>& printed) {
  std::size_t same = 0;
  for (std::size_t i = 0; i < kCount; ++i) same += fmt::format("{:.3f}", numbers[i]) == printed[i];
  return fmt::format("{} of the {} printed numbers come out to the last digit.", same, kCount);
}

void growth(PaperPage& page, const Effort&) {
  std::vector<Rational> lambdas;
  std::vector<double> gammas;
  for (int whole = 1; whole <= 10; ++whole) {
    lambdas.emplace_back(whole);
    gammas.push_back(PostalModel(whole).growth());
  }
  const TableAndChart made = growth_table(lambdas);
  page.table("table1", made.table);
  page.chart("fig17", "Fig. 17: γ(λ)", made.chart);
  commands(page, {"table gamma --svg fig17.svg"});
  constexpr std::array kPrinted = {"2.000", "1.618", "1.466", "1.380", "1.325",
                                   "1.285", "1.255", "1.232", "1.213", "1.197"};
  page.compare({.paper = "γ falls from 2.000 for λ = 1 to 1.197 for λ = 10.",
                .seen = agreement(gammas, kPrinted),
                .why = "None; both are roots of the same equation."});
}

void break_even(PaperPage& page, const Effort&) {
  std::vector<double> lambdas;
  for (int whole = 1; whole <= 9; ++whole) lambdas.push_back(break_even_latency(whole));
  const TableAndChart made = break_even_table();
  page.table("table2", made.table);
  page.chart("fig18", "Fig. 18: the break-even λ, less its whole part", made.chart);
  commands(page, {"table break-even --svg fig18.svg"});
  constexpr std::array kPrinted = {"1.440", "2.518", "3.558", "4.584", "5.604",
                                   "6.618", "7.630", "8.640", "9.649"};
  page.compare({.paper = "Below the break-even λ delay-send is faster, above it delay-receive.",
                .seen = agreement(lambdas, kPrinted),
                .why = "None but in the digits named; both are the same formula."});
}

/// Whether one α serves 2 … `processors`, in words.
std::string common_alpha(const Rational& lambda, std::int64_t processors) {
  const PostalModel model(lambda);
  AlphaRange common = alpha_range(model, 2);
  for (std::int64_t p = 3; p <= processors; ++p) {
    const AlphaRange range = alpha_range(model, p);
    common = {std::max(common.least, range.least), std::min(common.below, range.below)};
  }
  const std::string where =
      fmt::format("for all n up to {} and λ = {}", processors, to_string(lambda));
  if (common.least >= common.below) return "no α is optimal " + where;
  return fmt::format("every α from {:.4f}, below {:.4f}, is optimal {}", common.least.to_double(),
                     common.below.to_double(), where);
}

void alpha_ranges(PaperPage& page, const Effort&) {
  const Rational two = 2;
  const Rational odd(39, 20);
  const TableAndChart straight = alpha_ranges_table(two, 250);
  page.chart("fig06", "Fig. 6: optimal α for λ = 2: a straight line fits between the curves",
             straight.chart);
  page.table("fig06", straight.table);
  const TableAndChart none = alpha_ranges_table(odd, 250);
  page.chart("fig07", "Fig. 7: the same for λ = 1.95: none does", none.chart);
  page.table("fig07", none.table);
  const TableAndChart corners = alpha_corners_table(odd, 10'000);
  page.chart("fig08", "Fig. 8: the tops of the triangles, λ = 1.95, up to 10,000 processors",
             corners.chart);
  page.table("fig08", corners.table);
  commands(page, {"table alpha-ranges --lambda 2 -p 250 --svg fig06.svg",
                  "table alpha-ranges --lambda 1.95 -p 250 --svg fig07.svg",
                  "table alpha-corners --lambda 1.95 -p 10000 --svg fig08.svg"});
  page.compare({.paper = "For λ = 2 a fixed α serves any n; for λ = 1.95 none does.",
                .seen = fmt::format("Up to 250 processors: {}; {}.", common_alpha(two, 250),
                                    common_alpha(odd, 250)),
                .why = "None; both are exact."});
}

void look_up_tables(PaperPage& page, const Effort&) {
  const Rational lambda(1293, 1000);
  const TableAndChart sizes = table_sizes_table(lambda, 2000);
  page.chart("fig09", "Fig. 9: rows of the look-up table, λ = 1.293", sizes.chart);
  page.table("fig09", sizes.table);
  commands(page, {"table alpha-table-sizes --lambda 1.293 -p 2000 --svg fig09.svg"});
  page.compare(
      {.paper = "The look-up table of α is small: it grows about with the logarithm of n.",
       .seen = fmt::format("{} rows serve 2,000 processors.",
                           alpha_table(PostalModel(lambda), 2000).size()),
       .why =
           "The paper shows a curve and no numbers. Rows are as few as there can be here, each as "
           "long as one α serves it."});
}

void predicted_times(PaperPage& page, const Effort&) {
  const TableAndChart made = alpha_times_table(Rational(9, 5), 64);
  page.chart("fig12", "Fig. 12: predicted time against α, 64 processors, λ = 9/5", made.chart);
  page.table("fig12", made.table);
  commands(page, {"table alpha-times --lambda 9/5 -p 64 --svg fig12.svg"});
  const auto& points = made.chart.lines[0].points;
  double least = points[0].second;
  for (const auto& [alpha, time] : points) least = std::min(least, time);
  std::vector<double> best;
  for (const auto& [alpha, time] : points) {
    if (time == least) best.push_back(alpha);
  }
  page.compare(
      {.paper = "The least time is expected for α from 0.56 to 0.59.",
       .seen = fmt::format("{:.4g} units for α from {:.2f} to {:.2f}; {:.4g} for α = 0.5, the "
                           "binomial tree.",
                           least, best.front(), best.back(), points[0].second),
       .why = "None; the model is exact."});
}

void combine(PaperPage& page, const Effort&) {
  const Rational lambda(5, 2);
  page.picture("fig15_16", "Figs. 15, 16: global combine for λ = 5/2, 7 processors",
               diagram("allreduce", Algorithm::postal_combine(lambda), 7, lambda));
  commands(page,
           {"simulate allreduce --algorithm postal_combine -p 7 --lambda 5/2 --svg fig15_16.svg"});
  TextTable table({"lambda", "n", "rounds"});
  for (int whole = 1; whole <= 4; ++whole) {
    for (const int n : few_sizes()) table.row({whole, n, CombineSchedule(whole, n).rounds()});
  }
  page.table("combine_rounds", table);
  const CombineSchedule receive = CombineSchedule::delay_receive(lambda, 7);
  const CombineSchedule send = CombineSchedule::delay_send(lambda, 7);
  page.compare(
      {.paper = "Delay-receive rounds λ up to a whole number and waits before it uses what came; "
                "delay-send rounds it down and waits between its sends.",
       .seen = fmt::format("For λ = 5/2 and 7 processors with the paper's idling {} and {} units; "
                           "without it {} and {}.",
                           to_string(receive.time_with_idling(lambda)),
                           to_string(send.time_with_idling(lambda)),
                           to_string(receive.time(lambda)), to_string(send.time(lambda))),
       .why = "Where the paper lets a processor idle until the next whole round, here it sends as "
              "soon "
              "as its port is free and it has what it needs, which is never later."});
}

constexpr std::array kExperiments = {
    Experiment{"Figs. 1, 2: two trees", 1, first_trees},
    Experiment{"Times of a broadcast", 1, times},
    Experiment{"Figs. 3, 4, 5: measuring λ", 15, reproduce_latency},
    Experiment{"Figs. 6, 7, 8: the optimal α", 1, alpha_ranges},
    Experiment{"Fig. 9: the look-up table", 1, look_up_tables},
    Experiment{"Figs. 10, 11: time against α, long and short messages", 15,
               reproduce_alpha_by_size},
    Experiment{"Fig. 12: the predicted time", 1, predicted_times},
    Experiment{"Fig. 13: the measured time, and the tuned broadcast", 8, reproduce_tuned_broadcast},
    Experiment{"Fig. 14: congestion", 2, reproduce_congestion},
    Experiment{"Figs. 15, 16: global combine", 1, combine},
    Experiment{"Table 1, Fig. 17: how fast N grows", 1, growth},
    Experiment{"Table 2, Fig. 18: delay-send or delay-receive", 1, break_even},
};

constexpr Paper kPaper = {
    .letter = "P",
    .name = "postal",
    .page = "postal",
    .title = "The postal model: tables and figures",
    .introduction =
        "Bruck, De Coster, Dewulf, Ho and Lauwereins, *On the Design and Implementation of "
        "Broadcast "
        "and Global Combine Operations Using the Postal Model* ([P] in the comments). What is "
        "exact is "
        "the same on every box. The paper's machine, an Intel Delta, had the latency that the "
        "model is "
        "about; here it is injected: under a `PostalClock` a message becomes visible λ·t0 after "
        "its send "
        "began, real threads really wait, and everything else takes the time that it takes.",
    .experiments = kExperiments,
};

}  // namespace

const Paper& postal_paper() { return kPaper; }

}  // namespace postroom::cli
