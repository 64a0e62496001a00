#include "cli/sort/sort_report.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "cli/common/failure.h"
#include "cli/common/json_text.h"
#include "cli/common/units.h"
#include "runtime/version.h"

namespace postroom::cli {
namespace {

/// "100,000,000 u64", "3 records of 100 bytes", "5 lines".
std::string what_was_sorted(const SortReport& report) {
  const std::string count = with_commas(report.records);
  const KeyFormat& format = report.arguments.format;
  const char* const plural = report.records == 1 ? "" : "s";
  if (format.text) return fmt::format("{} line{}", count, plural);
  if (format.record_bytes == key_bytes(format.key)) {
    return fmt::format("{} {}", count, to_string(format.key));
  }
  return fmt::format("{} record{} of {} bytes", count, plural, format.record_bytes);
}

std::string speed(double bytes, double seconds) {
  if (seconds <= 0) return "";
  return readable_bytes(static_cast<std::uint64_t>(bytes / seconds)) + "/s";
}

nlohmann::ordered_json source_of(const SortArguments& arguments) {
  if (!arguments.random) {
    if (arguments.inputs.size() == 1) return arguments.inputs.front();
    return arguments.inputs;
  }
  return {{"random", arguments.random->keys},
          {"distribution", to_string(arguments.random->distribution)},
          {"seed", arguments.random->seed}};
}

/// null where all was in memory.
nlohmann::ordered_json runs_of(const SortReport& report) {
  if (!report.in_runs) return nullptr;
  const RunsReport& runs = *report.in_runs;
  return {{"runs", runs.runs},
          {"temporary_directory", runs.folder},
          {"spilled_bytes", runs.spilled_bytes},
          {"merge_passes", runs.passes}};
}

/// Of sorting proper; in runs, that is not told apart from reading and writing.
double sort_seconds(const SortReport& report) {
  if (!report.in_runs) return report.time.seconds_of("sort");
  return report.time.seconds_of("runs") + report.time.seconds_of("merge");
}

/// ", 9 runs in /tmp".
std::string which_runs(const RunsReport& runs) {
  std::string text = fmt::format(", {} run{}", runs.runs, runs.runs == 1 ? "" : "s");
  if (runs.spilled_bytes > 0) text += fmt::format(" in {}", one_line(runs.folder));
  if (runs.passes > 1) text += fmt::format(", merged in {} passes", runs.passes);
  return text;
}

}  // namespace

std::string final_line(const SortReport& report) {
  std::string line = fmt::format(
      "{} {}{} in {} ({} processor{})", report.arguments.merge ? "merged" : "sorted",
      what_was_sorted(report), report.in_pieces ? " from file to file" : "",
      readable_seconds(sort_seconds(report)), report.processors, report.processors == 1 ? "" : "s");
  if (report.in_runs) line += which_runs(*report.in_runs);
  for (const auto& [part, seconds] : report.time.laps()) {
    if (part != "sort") line += fmt::format(", {} {}", part, readable_seconds(seconds));
  }
  if (report.verified) line += "; verified: in order, same keys";
  return line;
}

std::string details(const SortReport& report) {
  std::string text;
  for (const std::string& note : report.notes) text += fmt::format("note: {}\n", note);
  for (const auto& [part, seconds] : report.time.laps()) {
    text += fmt::format("{:<11} {:>9}  {:>12}\n", part, readable_seconds(seconds),
                        speed(static_cast<double>(report.input_bytes), seconds));
  }
  if (report.verified)
    text += fmt::format("fingerprint of the records: {}\n", hex(*report.verified));
  return text;
}

std::string to_json(const SortReport& report) {
  const SortArguments& arguments = report.arguments;
  nlohmann::ordered_json seconds;
  for (const auto& [part, spent] : report.time.laps()) seconds[part] = spent;
  seconds["total"] = report.time.total_seconds();
  nlohmann::ordered_json json = {
      {"postroom", kVersion},
      {"command", "sort"},
      {"input", source_of(arguments)},
      {"output", arguments.output},
      {"type", arguments.format.text ? "text" : to_string(arguments.format.key)},
      {"key_type", to_string(report.sorted.key)},
      {"record_bytes", report.sorted.record_bytes},
      {"key_offset", report.sorted.key_offset},
      {"records", report.records},
      {"input_bytes", report.input_bytes},
      {"output_bytes", report.output_bytes},
      {"descending", arguments.descending},
      {"algorithm", to_string(arguments.algorithm)},
      {"processors", report.processors},
      {"pinned", arguments.pin},
      {"seconds", seconds},
      {"merge", arguments.merge},
      {"in_pieces", report.in_pieces},
      {"runs", runs_of(report)},
      {"verified", report.verified.has_value()},
      {"notes", report.notes},
  };
  if (report.verified) json["fingerprint"] = hex(*report.verified);
  return json_text(json);
}

}  // namespace postroom::cli
