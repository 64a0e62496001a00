#include "cli/bench/measure_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/common/text_table.h"
#include "cli/common/units.h"

namespace postroom::cli {
namespace {

using Cell = TextTable::Cell;
using Json = nlohmann::ordered_json;

Cell number(double value, const char* format = "{:.4g}") {
  return std::isfinite(value) ? Cell(fmt::format(fmt::runtime(format), value)) : Cell();
}

Cell microseconds(double ns) { return number(ns / 1e3); }

double spread(const Latencies& latencies) {
  return std::max(latencies.of[0].worst_spread, latencies.of[1].worst_spread);
}

std::string outliers(const Latencies& latencies) {
  return fmt::format("{} of {}", latencies.of[0].outliers.size() + latencies.of[1].outliers.size(),
                     latencies.of[0].samples + latencies.of[1].samples);
}

std::string in_words(const char* what, const Summary& summary, const char* unit) {
  return fmt::format("{} {:.4g} {} (quartiles {:.4g} to {:.4g}, {} of {} samples far off)\n", what,
                     summary.median, unit, summary.lower_quartile, summary.upper_quartile,
                     summary.outliers.size(), summary.samples);
}

/// Those of all levels, each in a line, where there are few.
std::string far_off_in_words(const std::vector<LevelMeasurement>& levels) {
  constexpr std::size_t kFew = 12;
  std::vector<std::string> lines;
  for (const LevelMeasurement& level : levels) {
    for (const SizedLatencies& size : level.sizes) {
      for (int experiment = 1; experiment <= 2; ++experiment) {
        for (const FarOff& each : size.latencies.of[experiment - 1].outliers) {
          lines.push_back(fmt::format(
              "far off: {}, {} bytes, {}: experiment {} with k = {}, sample {}: {:.4g} us, the "
              "median is {:.4g}\n",
              level.name, size.bytes, size.send(), experiment, each.messages, each.sample,
              each.ns / 1e3, each.median_ns / 1e3));
        }
      }
    }
  }
  if (lines.size() > kFew) {
    return fmt::format("far off: {} samples; --json names each\n", lines.size());
  }
  return fmt::format("{}", fmt::join(lines, ""));
}

Json as_json(const std::vector<Outlier>& outliers) {
  Json list = Json::array();
  for (const auto& [sample, value] : outliers) {
    list.push_back({{"sample", sample}, {"value", value}});
  }
  return list;
}

Json as_json(const Summary& summary) {
  return {{"median", summary.median},
          {"lower_quartile", summary.lower_quartile},
          {"upper_quartile", summary.upper_quartile},
          {"samples", summary.samples},
          {"outliers", as_json(summary.outliers)}};
}

Json as_json(const LatencyResult& result) {
  Json outliers = Json::array();
  for (const FarOff& each : result.outliers) {
    outliers.push_back({{"k", each.messages},
                        {"sample", each.sample},
                        {"ns", each.ns},
                        {"median_ns", each.median_ns}});
  }
  return {{"t0_ns", result.t0_ns},
          {"lambda", std::isfinite(result.lambda) ? Json(result.lambda) : Json()},
          {"worst_spread", result.worst_spread},
          {"samples", result.samples},
          {"outliers", std::move(outliers)}};
}

}  // namespace

std::string to_text(const std::vector<LevelMeasurement>& levels) {
  TextTable table({"level", "bytes", "send", "one way us", "t0 us (1)", "lambda (1)", "t0 us (2)",
                   "lambda (2)", "spread %", "far off"});
  std::string lines;
  for (const LevelMeasurement& level : levels) {
    for (const SizedLatencies& size : level.sizes) {
      const auto& [answer, way_back] = size.latencies.of;
      table.row({level.name, size.bytes, size.send(), microseconds(size.latencies.one_way_ns),
                 microseconds(answer.t0_ns), number(answer.lambda, "{:.6g}"),
                 microseconds(way_back.t0_ns), number(way_back.lambda, "{:.6g}"),
                 fmt::format("{:.1f}", 100 * spread(size.latencies)), outliers(size.latencies)});
    }
    const Line line = level.one_way();
    if (line.slope == 0) continue;
    lines += fmt::format("{}: a message of m bytes takes {:.4g} us + m * {:.4g} ns ({:.3g} GB/s)\n",
                         level.name, line.intercept / 1e3, line.slope, 1 / line.slope);
  }
  return table.to_text() + lines + far_off_in_words(levels);
}

std::string rest_to_text(const BoxMeasurement& box) {
  std::string text =
      in_words("copying in the caches:", box.copy_small_ns, "ns a byte") +
      in_words("copying past them:", box.copy_large_ns, "ns a byte") +
      in_words(
          fmt::format("a barrier of {}:", counted(box.barrier_processors, "processor")).c_str(),
          box.barrier_ns, "ns");
  for (const std::string& warning : box.warnings) text += "note: " + warning + "\n";
  return text;
}

Json to_json(const std::vector<LevelMeasurement>& levels) {
  Json list = Json::array();
  for (const LevelMeasurement& level : levels) {
    const Line line = level.one_way();
    Json sizes = Json::array();
    for (const SizedLatencies& size : level.sizes) {
      sizes.push_back({{"bytes", size.bytes},
                       {"blocking", size.blocking},
                       {"one_way_ns", size.latencies.one_way_ns},
                       {"experiment_1", as_json(size.latencies.of[0])},
                       {"experiment_2", as_json(size.latencies.of[1])}});
    }
    list.push_back({{"level", level.name},
                    {"leaves", level.leaves},
                    {"start_up_ns", line.intercept},
                    {"per_byte_ns", line.slope},
                    {"sizes", std::move(sizes)}});
  }
  return list;
}

Json to_json(const BoxMeasurement& box) {
  return {{"box", box.box},
          {"measured_at", box.measured_at},
          {"levels", to_json(box.levels)},
          {"copy_small_per_byte_ns", as_json(box.copy_small_ns)},
          {"copy_large_per_byte_ns", as_json(box.copy_large_ns)},
          {"barrier_processors", box.barrier_processors},
          {"barrier_ns", as_json(box.barrier_ns)},
          {"warnings", box.warnings}};
}

}  // namespace postroom::cli
