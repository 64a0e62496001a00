#include <fmt/core.h>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "cli/common/this_box.h"
#include "cli/reproduce/index_points.h"
#include "cli/reproduce/reproduce_index.h"
#include "cli/reproduce/timed_rounds.h"
#include "collectives/models/cost.h"
#include "collectives/models/linear_model.h"
#include "runtime/postal_clock.h"
#include "runtime/postal_parameters.h"

namespace postroom::cli {
namespace {

const std::vector<int> kPowers = {2, 4, 8, 16, 32, 64};

/// `from`, 2·`from`, … `to`.
std::vector<std::size_t> doubling(std::size_t from, std::size_t to) {
  std::vector<std::size_t> sizes;
  for (; from <= to; from *= 2) sizes.push_back(from);
  return sizes;
}

/// The three figures, with names that end in `suffix`, and their tables.
void show(PaperPage& page, const std::string& suffix, const std::string& where,
          const IndexPoints& sizes, const IndexPoints& radices,
          const std::vector<std::size_t>& few) {
  page.chart("fig4" + suffix,
             "Fig. 4: time against message size for radices that are powers of two",
             by_size(sizes, "Index on 64 processors, " + where, kPowers));
  page.table("fig4" + suffix, index_table(sizes));
  page.chart("fig5" + suffix, "Fig. 5: r = 2, r = 64, and the best power of two",
             best_by_size(sizes, "Index on 64 processors, " + where));
  page.chart("fig6" + suffix, "Fig. 6: time against radix",
             by_radix(radices, "Index on 64 processors, " + where, few));
  page.table("fig6" + suffix, index_table(radices));
}

std::vector<int> all_radices(const Effort& effort) {
  return effort.of(std::vector<int>{2, 3, 4, 5, 6, 8, 10, 12, 16, 22, 32, 45, 64},
                   std::vector<int>{2, 8, 64});
}

constexpr const char* kPaperSays =
    "On 64 nodes of an SP-1 the smaller radix tends to be better for smaller messages; r = 2 and r "
    "= n "
    "break even at 100 to 200 bytes; the best radix grows with the message.";

}  // namespace

void reproduce_index_injected(PaperPage& page, const Effort& effort) {
  // A twentieth of the speed of the paper's machine, so that 64 processors fit on a few cores.
  const LinearModel model{.start_up = 600e-6, .per_byte = 2.5e-6};
  constexpr std::size_t kUnitBytes = 8;
  const double t0 = model.per_byte * kUnitBytes;
  const PostalParameters parameters{.lambda = Rational(1 + std::lround(model.start_up / t0)),
                                    .ports = 1,
                                    .unit_bytes = kUnitBytes};
  TimedMachine machine(
      kIndexProcessors,
      std::make_shared<PostalClock>(parameters, std::chrono::nanoseconds(std::lround(t0 * 1e9))));
  page.text(
      "Under a `PostalClock` of 8 bytes a unit, t0 = 20 µs and λ = 31, a message of m bytes takes "
      "β + m·τ "
      "with β = 600 µs and τ = 2.5 µs: the ratio of the paper's SP-1 (29 µs and 0.12 µs), twenty "
      "times "
      "as slow, so that 64 processors fit on a few cores.");
  IndexPoints sizes = index_grid(effort.of(kPowers, std::vector<int>{2, 8, 64}),
                                 doubling(effort.of(8, 64), effort.of(512, 128)));
  const std::vector<std::size_t> few = {32, 64, 128};
  IndexPoints radices = index_grid(all_radices(effort), few);
  measure_index(sizes, machine, effort.of(7, 1), 0);
  measure_index(radices, machine, effort.of(7, 1), 0);
  predict(sizes, model);
  predict(radices, model);
  show(page, "", "injected start-up cost", sizes, radices, few);
  IndexPoints by_model = radices;
  for (IndexPoint& point : by_model) point.time.median = point.model;
  const Cost few_rounds = cost_of({2, 1});
  const Cost little_data = cost_of({kIndexProcessors, 1});
  const double even = model.start_up * static_cast<double>(little_data.rounds - few_rounds.rounds) /
                      (model.per_byte * static_cast<double>(few_rounds.bytes - little_data.bytes));
  page.compare({.paper = kPaperSays,
                .seen = fmt::format(
                    "r = 2 and r = 64 break even {}; the linear model says at {:.0f}. The best "
                    "radix is {}; the model says {}. Half of the times in Fig. 4 are within "
                    "{:.1f} % of the model's.",
                    break_even_in_words(sizes), even, best_radices(radices, few),
                    best_radices(by_model, few), median_error_percent(sizes)),
                .why = fmt::format(
                    "{} processors share {} cores, whose work comes on top of the model's times. "
                    "On the SP-1 the paper found “big discrepancies quantitatively”, from copying "
                    "and congestion, which an injected cost does not have.",
                    kIndexProcessors, cores_of_this_box())});
}

void reproduce_index_on_wall(PaperPage& page, const Effort& effort) {
  TimedMachine machine(kIndexProcessors);
  IndexPoints sizes = index_grid(effort.of(kPowers, std::vector<int>{2, 8, 64}),
                                 doubling(effort.of(8, 64), effort.of(8192, 128)));
  const std::vector<std::size_t> few = {32, 64, 128};
  IndexPoints radices = index_grid(all_radices(effort), few);
  const double least_seconds = effort.of(2e-3, 0.0);
  measure_index(sizes, machine, effort.of(11, 1), least_seconds);
  measure_index(radices, machine, effort.of(11, 1), least_seconds);
  const LinearModel model = fitted_model(sizes);
  predict(sizes, model);
  predict(radices, model);
  show(page, "_wall", "wall clock", sizes, radices, few);
  page.compare(
      {.paper = kPaperSays,
       .seen = fmt::format(
           "r = 2 and r = 64 break even {}; the best radix is {}. Fitted to Fig. 4, the linear "
           "model has "
           "β = {:.2f} µs and τ = {:.2f} ns, and half of the times are within {:.0f} % of it.",
           break_even_in_words(sizes), best_radices(radices, few), model.start_up * 1e6,
           model.per_byte * 1e9, median_error_percent(sizes)),
       .why = fmt::format(
           "{0} processors share {1} cores, so each core carries the work of {2:.0f} of them one "
           "after "
           "another, and nobody waits for a start-up while there is other work: what a message "
           "costs is "
           "the work for it. With as many processors as the {1} cores there is little to choose: a "
           "radix is at most the number of processors.",
           kIndexProcessors, cores_of_this_box(),
           static_cast<double>(kIndexProcessors) / cores_of_this_box())});
}

}  // namespace postroom::cli
