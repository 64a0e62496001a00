#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/bench/latency_experiment.h"
#include "cli/common/robust.h"
#include "cli/common/this_box.h"
#include "cli/reproduce/reproduce_postal.h"
#include "runtime/machine.h"
#include "runtime/postal_clock.h"
#include "runtime/postal_parameters.h"

namespace postroom::cli {
namespace {

constexpr int kProcessors = 9;

struct Measured {
  std::size_t bytes;
  bool blocking;
  LatencyResult first;
  LatencyResult second;
};

/// Blocking and non-blocking for each size.
std::vector<Measured> measure(Machine& machine, const std::vector<std::size_t>& sizes, int samples,
                              int runs_in_sample) {
  std::vector<Measured> all;
  for (const std::size_t bytes : sizes) {
    for (const bool blocking : {true, false}) {
      const Latencies latencies = measure_latency(machine, {.bytes = bytes,
                                                            .blocking = blocking,
                                                            .samples = samples,
                                                            .runs_in_sample = runs_in_sample});
      all.push_back({bytes, blocking, latencies.of[0], latencies.of[1]});
    }
  }
  return all;
}

/// λ is none where noise made the times fall with k.
std::string lambda_in_words(const LatencyResult& result) {
  return std::isfinite(result.lambda) ? fmt::format("{:.3f}", result.lambda) : "none";
}

TextTable table_of(const std::vector<Measured>& all) {
  TextTable table({"bytes", "sends", "lambda, experiment 1", "lambda, experiment 2",
                   "t0 in us, experiment 1", "t0 in us, experiment 2"});
  for (const Measured& one : all) {
    table.row({one.bytes, one.blocking ? "blocking" : "non-blocking", lambda_in_words(one.first),
               lambda_in_words(one.second), fmt::format("{:.2f}", one.first.t0_ns * 1e-3),
               fmt::format("{:.2f}", one.second.t0_ns * 1e-3)});
  }
  return table;
}

/// A line of `value_of(one)` over the sizes.
template <class ValueOf>
Chart::Line line_of(const std::string& name, const std::vector<Measured>& all, bool blocking,
                    ValueOf value_of) {
  Chart::Line line{.name = name, .marked = true};
  for (const Measured& one : all) {
    if (one.blocking != blocking) continue;
    const double value = value_of(one);
    if (std::isfinite(value)) line.points.emplace_back(static_cast<double>(one.bytes), value);
  }
  return line;
}

double lambda_1(const Measured& one) { return one.first.lambda; }
double lambda_2(const Measured& one) { return one.second.lambda; }
double sender_us(const Measured& one) { return one.first.t0_ns * 1e-3; }
double receiver_us(const Measured& one) { return one.first.lambda * sender_us(one); }

Chart chart_by_bytes(const std::string& title, const std::string& y_label) {
  return {.title = title,
          .x_label = "bytes of a message",
          .y_label = y_label,
          .x_scale = Chart::Scale::kLog};
}

Chart sender_and_receiver(const std::vector<Measured>& all, const std::string& title) {
  Chart chart = chart_by_bytes(title, "microseconds");
  chart.y_scale = Chart::Scale::kLog;
  chart.lines = {line_of("receiver, λ t0", all, true, receiver_us),
                 line_of("sender, t0", all, true, sender_us)};
  return chart;
}

Chart blocking_or_not(const std::vector<Measured>& all, const std::string& title) {
  Chart chart = chart_by_bytes(title, "lambda");
  chart.lines = {line_of("blocking", all, true, lambda_1),
                 line_of("non-blocking", all, false, lambda_1)};
  return chart;
}

/// With a λ that is known: a test of the instrument.
void under_postal_clock(PaperPage& page, const Effort& effort) {
  const PostalParameters parameters{.lambda = Rational(9, 5), .ports = 1, .unit_bytes = 512};
  const std::chrono::nanoseconds t0(effort.of(400'000, 50'000));
  // λ of a message of u units, in units of the time that it occupies a port.
  const auto injected = [&](const Measured& one) {
    const auto units = static_cast<double>(parameters.units_of(one.bytes));
    return (0.8 + units) / units;
  };
  page.text(fmt::format(
      "Under a `PostalClock` with λ = 9/5, t0 = {} µs and units of 512 bytes, the Delta's packets: "
      "a message of u units occupies a port for u·t0 and is there after (λ + u - 1)·t0, so its own "
      "λ is (λ + u - 1)/u. {} processors, k from 1 to {}.",
      t0.count() / 1000, kProcessors, kProcessors - 1));
  Machine machine(
      {.processors = kProcessors, .clock = std::make_shared<PostalClock>(parameters, t0)});
  const std::vector<Measured> clock =
      measure(machine,
              effort.of(std::vector<std::size_t>{64, 128, 256, 512, 1024, 2048, 4096},
                        std::vector<std::size_t>{512, 1024}),
              effort.of(11, 1), 1);
  Chart fig3 = chart_by_bytes("Measured lambda under the postal clock", "lambda");
  fig3.lines = {line_of("experiment 1", clock, true, lambda_1),
                line_of("experiment 2", clock, true, lambda_2),
                line_of("injected", clock, true, injected)};
  fig3.lines.back().dashed = true;
  fig3.lines.back().marked = false;
  page.chart("fig3", "Fig. 3: λ against message size, by both experiments", fig3);
  page.chart("fig4", "Fig. 4: the times at the receiver and at the sender",
             sender_and_receiver(clock, "Times under the postal clock"));
  page.chart("fig5", "Fig. 5: λ for blocking and for non-blocking sends",
             blocking_or_not(clock, "Blocking and non-blocking sends under the postal clock"));
  page.table("lambda", table_of(clock));
  std::vector<double> errors;
  for (const Measured& one : clock) {
    for (const LatencyResult& result : {one.first, one.second}) {
      // As far off as can be where noise left no λ.
      const double lambda = std::isfinite(result.lambda) ? result.lambda : 0;
      errors.push_back(100 * std::abs(lambda / injected(one) - 1));
    }
  }
  page.compare(
      {.paper = "λ rises to about 1.8 at 512 bytes, the size of a packet, and falls hyperbolically "
                "to 1 beyond; both experiments agree; non-blocking sends give a larger λ.",
       .seen = fmt::format(
           "Both experiments give the injected λ back: half of the {} results are within "
           "{:.1f} %, all within {:.1f} %. This tests the instrument.",
           errors.size(), summarize(errors).median, *std::ranges::max_element(errors)),
       .why = "Below 512 bytes the injected λ is constant, where the Delta's rose. A wait ends "
              "some microseconds late, which makes λ a little larger. Under this clock the port "
              "sends while the program goes on, so it makes no difference whether a send blocks."});
}

/// With that of this box.
void on_wall_clock(PaperPage& page, const Effort& effort) {
  Machine pair({.processors = 2});
  const std::vector<Measured> wall =
      measure(pair,
              effort.of(std::vector<std::size_t>{64, 256, 1024, 4096, 16384, 65536, 262144},
                        std::vector<std::size_t>{512, 1024}),
              effort.of(101, 3), effort.of(10, 1));
  page.text(
      fmt::format("On the wall clock, two processors on {}; all k messages go to the same one, "
                  "which in the model makes no difference:",
                  cores_of_this_box() > 1 ? "two cores" : "one core"));
  page.chart("fig4_wall", "Fig. 4 on the wall clock",
             sender_and_receiver(wall, "Times on the wall clock"));
  page.chart("fig5_wall", "Fig. 5 on the wall clock",
             blocking_or_not(wall, "Blocking and non-blocking sends on the wall clock"));
  page.table("lambda_wall", table_of(wall));
  const Measured& least = wall.front();
  const Measured& most = wall[wall.size() - 2];
  page.compare(
      {.paper = "As above.",
       .seen =
           fmt::format("From {} to {} bytes t0 goes from {:.2f} to {:.2f} µs and λ from {} to {} "
                       "(experiment 1, blocking sends).",
                       least.bytes, most.bytes, sender_us(least), sender_us(most),
                       lambda_in_words(least.first), lambda_in_words(most.first)),
       .why =
           "There is no network here: a small message is a line of the cache that has to come over "
           "from the other core; a large one is read straight from the memory of its sender, who "
           "waits for that where its sends block. On a box that others use at the same time these "
           "times vary from run to run."});
}

}  // namespace

void reproduce_latency(PaperPage& page, const Effort& effort) {
  under_postal_clock(page, effort);
  on_wall_clock(page, effort);
}

}  // namespace postroom::cli
