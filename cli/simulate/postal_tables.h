// The tables and curves of the postal model, exact, each with the chart that shows it.
//
// Source: [P]; which of its figures and tables is said beside each. Times are in units of the time
// that a sender needs for one message. Errors: UsageError for more than 100,000 rows,
// std::invalid_argument of the model.
//
//   const TableAndChart made = alpha_times_table(Rational(9, 5), 64);
//   made.table.to_text();
//   to_svg(made.chart);
#pragma once

#include <cstdint>
#include <span>

#include "cli/common/chart.h"
#include "cli/common/text_table.h"
#include "runtime/rational.h"

namespace postroom::cli {

struct TableAndChart {
  TextTable table;
  Chart chart;
};

/// How many processors a message reaches by each time up to `until`: N_λ(t).
TableAndChart reached_table(const Rational& lambda, const Rational& until);
/// T_λ(p) for 2 … `processors`; the legal splits; the time of the binomial tree.
TableAndChart times_table(const Rational& lambda, std::int64_t processors);
/// γ(λ), by which N_λ grows in a unit of time: Table 1, Fig. 17.
TableAndChart growth_table(std::span<const Rational> lambdas);
/// The λ at which delay-send and delay-receive take equally long: Table 2, Fig. 18.
TableAndChart break_even_table();
/// The α that split optimally, by ranges of processors: the look-up table of section 2.4.
TableAndChart look_up_table(const Rational& lambda, std::int64_t processors);
/// The α that split p processors optimally, for 2 … `processors`: Figs. 6 and 7.
TableAndChart alpha_ranges_table(const Rational& lambda, std::int64_t processors);
/// Where those ranges are narrowest: Fig. 8.
TableAndChart alpha_corners_table(const Rational& lambda, std::int64_t processors);
/// How many rows the look-up table has: Fig. 9.
TableAndChart table_sizes_table(const Rational& lambda, std::int64_t processors);
/// The time of a broadcast for α = 0.50, 0.51, …: Fig. 12.
TableAndChart alpha_times_table(const Rational& lambda, std::int64_t processors);

}  // namespace postroom::cli
