#include "cli/bench/bench_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "cli/bench/bench_bandwidth.h"
#include "cli/bench/bench_statistics.h"
#include "cli/common/text_table.h"
#include "cli/common/this_box.h"
#include "cli/common/units.h"
#include "runtime/version.h"

namespace postroom::cli {
namespace {

using Clock = BenchMachine::Clock;
using Cell = TextTable::Cell;

const char* counted_s(long count) { return count == 1 ? "" : "s"; }

/// Microseconds, or units of virtual time.
std::string shown_time(const BenchMachine& machine, double ns) {
  if (machine.clock == Clock::kVirtual) return fmt::format("{:.6g}", ns);
  const double us = ns / 1000;
  const int decimals = us < 99.995 ? 2 : us < 999.95 ? 1 : 0;
  return fmt::format("{:.{}f}", us, decimals);
}

Cell cell_of(const std::optional<double>& value, const char* form) {
  return value ? Cell(fmt::format(fmt::runtime(form), *value)) : Cell();
}

Cell time_cell(const BenchMachine& machine, const std::optional<double>& ns) {
  if (!ns) return {};
  return shown_time(machine, *ns);
}

std::string mark(const BenchRow& row) {
  return fmt::format("{}{}", row.chosen ? "*" : "", row.best ? "+" : "");
}

std::optional<double> of_peer(const BenchPeer& peer, const BenchRow& row) {
  const auto found =
      peer.median_ns.find({std::string(row.operation->name), row.processors, row.block_bytes});
  if (found == peer.median_ns.end()) return std::nullopt;
  return found->second;
}

std::vector<Cell> cells_of(const BenchArguments& arguments, const BenchRow& row,
                           const std::vector<BenchPeer>& peers) {
  const BenchMachine& machine = arguments.machine;
  std::vector<Cell> cells = {row.operation->name};
  if (arguments.processors.size() > 1) cells.emplace_back(row.processors);
  cells.insert(cells.end(),
               {row.block_bytes, to_string(row.algorithm), row.cost.rounds, row.cost.bytes});
  cells.emplace_back(shown_time(machine, row.summary.min));
  cells.emplace_back(shown_time(machine, row.summary.median));
  cells.emplace_back(shown_time(machine, row.summary.p99));
  const auto speed = machine.is_real() ? bandwidth(*row.operation, row.processors, row.block_bytes,
                                                   row.summary.median)
                                       : std::nullopt;
  cells.push_back(speed ? Cell(fmt::format("{:.4g}", speed->algorithm)) : Cell());
  cells.push_back(speed ? Cell(fmt::format("{:.4g}", speed->bus)) : Cell());
  cells.push_back(time_cell(machine, row.predicted_ns));
  cells.push_back(cell_of(row.error_percent(), "{:+.1f}"));
  for (const BenchPeer& peer : peers) {
    cells.push_back(time_cell(machine, of_peer(peer, row)));
  }
  cells.emplace_back(mark(row));
  return cells;
}

/// Whether the row's processors had a thread each: an MPI whose processes share CPUs is no measure.
bool had_threads(const BenchResult& result, const BenchRow& row) {
  return std::ranges::any_of(result.machines, [&](const BenchedMachine& machine) {
    return machine.processors == row.processors && machine.threads == row.processors;
  });
}

/// How many times as fast as `peer` automatic is, over all cells that both have.
std::optional<double> speed_beside(const BenchResult& result, const BenchPeer& peer) {
  std::vector<double> ratios;
  for (const BenchRow& row : result.rows) {
    const auto ns = of_peer(peer, row);
    const bool counts = row.chosen && ns && row.summary.median > 0 && had_threads(result, row);
    if (counts) ratios.push_back(*ns / row.summary.median);
  }
  return geometric_mean(ratios);
}

std::string summary_in_words(const BenchResult& result, const std::vector<BenchPeer>& peers) {
  std::string text;
  if (result.regret) {
    text += fmt::format(
        "# regret of automatic {:.4f}: time of the chosen by that of the best, "
        "geometric mean\n",
        *result.regret);
  }
  if (result.prediction_error_percent) {
    text +=
        fmt::format("# prediction error {:.2f} %, the median\n", *result.prediction_error_percent);
  }
  for (const BenchPeer& peer : peers) {
    if (const auto speed = speed_beside(result, peer)) {
      text += fmt::format("# {:.2f} times as fast as {}, geometric mean\n", *speed, peer.name);
    }
  }
  return text;
}

nlohmann::ordered_json or_null(const std::optional<double>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

nlohmann::ordered_json row_as_json(const BenchArguments& arguments, const BenchRow& row,
                                   const std::vector<BenchPeer>& peers) {
  const BenchMachine& machine = arguments.machine;
  nlohmann::ordered_json json = {
      {"operation", row.operation->name}, {"processors", row.processors},
      {"bytes", row.block_bytes},         {"algorithm", to_string(row.algorithm)},
      {"rounds", row.cost.rounds},        {"volume", row.cost.bytes},
      {"samples", row.summary.samples},   {"min", row.summary.min},
      {"median", row.summary.median},     {"p99", row.summary.p99}};
  if (row.exact) json["exact"] = to_string(*row.exact);
  const auto speed = bandwidth(*row.operation, row.processors, row.block_bytes, row.summary.median);
  if (speed && machine.is_real()) {
    json["algorithm_bandwidth"] = speed->algorithm;
    json["bus_bandwidth"] = speed->bus;
  }
  json["predicted"] = or_null(row.predicted_ns);
  json["error_percent"] = or_null(row.error_percent());
  json["chosen"] = row.chosen;
  json["best"] = row.best;
  for (const BenchPeer& peer : peers) json[peer.name] = or_null(of_peer(peer, row));
  return json;
}

}  // namespace

std::string clock_in_words(const BenchArguments& arguments) {
  const BenchMachine& machine = arguments.machine;
  if (machine.clock == Clock::kWall) return "wall";
  std::string text = machine.clock == Clock::kPostal ? "postal, in real time" : "virtual";
  text += ", lambda " + to_string(machine.lambda);
  if (machine.clock == Clock::kPostal) {
    text += fmt::format(", t0 {:g} us", static_cast<double>(machine.t0.count()) / 1000);
  }
  text += fmt::format(", {} port{}", machine.ports, counted_s(machine.ports));
  if (machine.unit_bytes != 0)
    text += fmt::format(", units of {}",
                        counted(static_cast<std::int64_t>(machine.unit_bytes), "byte"));
  return text;
}

std::string bench_header(const BenchArguments& arguments,
                         const std::vector<BenchedMachine>& machines) {
  const BenchMachine& machine = arguments.machine;
  const bool one = arguments.processors == std::vector{1};
  std::string text = fmt::format("# postroom bench on {}\n", this_box_in_words());
  text += fmt::format("# {} processor{}; clock: {}\n", fmt::join(arguments.processors, ", "),
                      one ? "" : "s", clock_in_words(arguments));
  if (!machine.is_real()) return text + "# times in units, exact\n";
  if (machine.schedule_seed != 0) {
    text += fmt::format("# one thread: processors take turns in the order of --schedule-seed {}\n",
                        machine.schedule_seed);
  }
  for (const BenchedMachine& each : machines) {
    if (each.pinning.empty()) continue;
    text += fmt::format("# {} pinned thread{}: processor{} {}\n", each.threads,
                        counted_s(each.threads), counted_s(each.processors), each.pinning);
  }
  return text + fmt::format("# {} after {} to warm up, at most {:g} s a row; results {}\n",
                            counted(arguments.iterations, "call"), arguments.warm_up,
                            static_cast<double>(arguments.limit.count()) * 1e-9,
                            arguments.check ? "checked" : "not checked");
}

nlohmann::ordered_json to_json(const std::vector<BenchedMachine>& machines) {
  auto list = nlohmann::ordered_json::array();
  for (const BenchedMachine& each : machines) {
    nlohmann::ordered_json json = {{"processors", each.processors}, {"threads", each.threads}};
    if (!each.pinning.empty()) json["pinning"] = each.pinning;
    list.push_back(std::move(json));
  }
  return list;
}

std::string notes_in_words(const std::vector<std::string>& notes) {
  std::string text;
  for (const std::string& note : notes) text += fmt::format("# note: {}\n", note);
  return text;
}

std::string to_text(const BenchArguments& arguments, const BenchResult& result,
                    const std::vector<BenchPeer>& peers) {
  std::vector<std::string> columns = {"operation"};
  if (arguments.processors.size() > 1) columns.emplace_back("p");
  columns.insert(columns.end(), {"bytes", "algorithm", "rounds", "volume", "min", "median", "p99",
                                 "algbw", "busbw", "predicted", "error%"});
  for (const BenchPeer& peer : peers) columns.push_back(peer.name);
  columns.emplace_back("");
  TextTable table(columns);
  for (const BenchRow& row : result.rows) table.row(cells_of(arguments, row, peers));
  return bench_header(arguments, result.machines) +
         (arguments.machine.is_real() ? "# times in us, bandwidths in GB/s\n" : "") +
         "# * what automatic chooses, + the best of the cell\n" + notes_in_words(result.notes) +
         table.to_text() + summary_in_words(result, peers);
}

nlohmann::ordered_json to_json(const BenchArguments& arguments, const BenchResult& result,
                               const std::vector<BenchPeer>& peers) {
  const BenchMachine& machine = arguments.machine;
  auto rows = nlohmann::ordered_json::array();
  for (const BenchRow& row : result.rows) rows.push_back(row_as_json(arguments, row, peers));
  nlohmann::ordered_json json = {{"postroom", kVersion},
                                 {"box", this_box_in_words()},
                                 {"processors", arguments.processors},
                                 {"machines", to_json(result.machines)},
                                 {"clock", machine.clock == Clock::kWall     ? "wall"
                                           : machine.clock == Clock::kPostal ? "postal"
                                                                             : "virtual"},
                                 {"time_unit", machine.is_real() ? "ns" : "units"}};
  if (machine.is_model()) {
    json["lambda"] = to_string(machine.lambda);
    json["ports"] = machine.ports;
    if (machine.clock == Clock::kPostal) json["t0_ns"] = machine.t0.count();
    if (machine.unit_bytes != 0) json["unit_bytes"] = machine.unit_bytes;
  }
  if (machine.schedule_seed != 0) json["schedule_seed"] = machine.schedule_seed;
  json["root"] = arguments.root;
  json["notes"] = result.notes;
  json["regret"] = or_null(result.regret);
  json["prediction_error_percent"] = or_null(result.prediction_error_percent);
  json["rows"] = std::move(rows);
  return json;
}

std::string to_csv(const BenchArguments& arguments, const BenchResult& result,
                   const std::vector<BenchPeer>& peers) {
  const BenchMachine& machine = arguments.machine;
  std::string text = bench_header(arguments, result.machines) +
                     "operation,processors,bytes,algorithm,rounds,volume,sample,time,unit\n";
  for (const BenchRow& row : result.rows) {
    for (std::size_t i = 0; i < row.samples_ns.size(); ++i) {
      text +=
          fmt::format("{},{},{},\"{}\",{},{},{},{:.10g},{}\n", row.operation->name, row.processors,
                      row.block_bytes, to_string(row.algorithm), row.cost.rounds, row.cost.bytes, i,
                      row.samples_ns[i], machine.is_real() ? "ns" : "units");
    }
  }
  for (const BenchPeer& peer : peers) {
    for (const auto& [cell, ns] : peer.median_ns) {
      const auto& [operation, processors, bytes] = cell;
      text += fmt::format("{},{},{},\"{}\",,,median,{:.10g},ns\n", operation, processors, bytes,
                          peer.name, ns);
    }
  }
  return text;
}

}  // namespace postroom::cli
