#include "cli/bench/bench_guidelines.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "cli/bench/bench_report.h"
#include "cli/bench/bench_run.h"
#include "cli/common/text_table.h"
#include "cli/common/this_box.h"
#include "cli/simulate/simulated_operations.h"
#include "numa/rounding.h"
#include "runtime/version.h"

namespace postroom::cli {
namespace {

/// The size of a step of a composition, for the size m of the whole.
enum class Size {
  kSame,   ///< m
  kSlice,  ///< m / p, rounded up
  kAll,    ///< p m
  kWord,   ///< 8 bytes
};

struct Step {
  std::string_view operation;
  Size size = Size::kSame;
};

struct Guideline {
  std::string_view operation;
  Step first;
  std::optional<Step> second = {};
};

// What is combined at one processor between two steps (in those of scan) is not counted.
constexpr Guideline kGuidelines[] = {
    {"broadcast", {"scatter", Size::kSlice}, Step{"allgather", Size::kSlice}},
    {"broadcast", {"allreduce"}},
    {"reduce", {"allreduce"}},
    {"allreduce", {"reduce"}, Step{"broadcast"}},
    {"allreduce", {"reduce_scatter", Size::kSlice}, Step{"allgatherv", Size::kSlice}},
    {"reduce_scatter", {"allreduce", Size::kAll}},
    {"scan", {"allgather"}},
    {"scan", {"gather"}, Step{"scatter"}},
    {"scatter", {"broadcast", Size::kAll}},
    {"scatter", {"alltoall"}},
    {"scatter", {"scatterv"}},
    {"gather", {"allgather"}},
    {"gather", {"alltoall"}},
    {"gather", {"gatherv"}},
    {"allgather", {"gather"}, Step{"broadcast", Size::kAll}},
    {"allgather", {"alltoall"}},
    {"allgather", {"allgatherv"}},
    {"alltoall", {"allgather", Size::kAll}},
    {"alltoall", {"alltoallv"}},
    {"barrier", {"allreduce", Size::kWord}},
};

constexpr double kTolerance = 1.1;  // on a real clock
constexpr double kExactly = 1 + 1e-9;

/// Times of the chosen algorithms, each measured when it is first asked for.
class Times {
 public:
  explicit Times(const BenchArguments& arguments) : arguments_(arguments), bench_(arguments) {}

  /// Nothing where the memory does not suffice, or the operation does not run.
  std::optional<double> operator()(const SimulatedOperation& operation, std::size_t bytes) {
    const auto [place, is_new] = known_.try_emplace({operation.name, bytes});
    if (is_new) {
      const std::vector<BenchRow> rows =
          bench_.cell(operation, bytes, {bench_.choice(operation, bytes)});
      if (!rows.empty()) place->second = rows.front().summary.median;
    }
    return place->second;
  }

  std::optional<double> of(const Step& step, std::size_t bytes) {
    return (*this)(simulated_operation(step.operation), size_of(step, bytes));
  }

  const Bench& bench() const { return bench_; }

 private:
  std::size_t size_of(const Step& step, std::size_t bytes) const {
    const auto processors = static_cast<std::size_t>(arguments_.machine.processors);
    switch (step.size) {
      case Size::kSame:
        return bytes;
      case Size::kSlice:
        return ceil_divide(bytes, processors);
      case Size::kAll:
        return bytes * processors;
      case Size::kWord:
        return sizeof(std::uint64_t);
    }
    return bytes;
  }

  const BenchArguments& arguments_;
  Bench bench_;
  std::map<std::pair<std::string_view, std::size_t>, std::optional<double>> known_;
};

std::string in_words(const Step& step) {
  switch (step.size) {
    case Size::kSame:
      return fmt::format("{}(m)", step.operation);
    case Size::kSlice:
      return fmt::format("{}(m/p)", step.operation);
    case Size::kAll:
      return fmt::format("{}(p m)", step.operation);
    case Size::kWord:
      return fmt::format("{}(8)", step.operation);
  }
  return "";
}

std::string in_words(const Guideline& guideline) {
  const SimulatedOperation& operation = simulated_operation(guideline.operation);
  const bool sized = operation.block != SimulatedOperation::Block::kNone;
  std::string text =
      fmt::format("{}{} <= {}", operation.name, sized ? "(m)" : "", in_words(guideline.first));
  if (guideline.second) text += " + " + in_words(*guideline.second);
  return text;
}

class Check {
 public:
  Check(const BenchArguments& arguments, GuidelineReport& report)
      : arguments_(arguments), report_(report), times_(arguments) {}

  void compositions(const SimulatedOperation& operation, std::size_t bytes) {
    for (const Guideline& guideline : kGuidelines) {
      if (guideline.operation != operation.name) continue;
      const auto left = times_(operation, bytes);
      const auto first = times_.of(guideline.first, bytes);
      const auto second =
          guideline.second ? times_.of(*guideline.second, bytes) : std::optional<double>(0);
      if (left && first && second) add(in_words(guideline), bytes, *left, *first + *second);
    }
  }

  /// Of a size and the next.
  void neighbours(const SimulatedOperation& operation, std::size_t bytes, std::size_t next) {
    const auto few = times_(operation, bytes);
    const auto many = times_(operation, next);
    if (!few || !many) return;
    const std::size_t factor = arguments_.factor;
    add(fmt::format("{}(m) <= {}({} m)", operation.name, operation.name, factor), bytes, *few,
        *many);
    add(fmt::format("{}({} m) <= {} {}(m)", operation.name, factor, factor, operation.name), bytes,
        *many, *few * static_cast<double>(factor));
  }

  const Bench& bench() const { return times_.bench(); }

 private:
  void add(const std::string& rule, std::size_t bytes, double left, double right) {
    const double allowed = arguments_.machine.is_real() ? kTolerance : kExactly;
    report_.findings.push_back({.rule = rule,
                                .processors = arguments_.machine.processors,
                                .bytes = bytes,
                                .left_ns = left,
                                .right_ns = right,
                                .broken = left > right * allowed});
  }

  const BenchArguments& arguments_;
  GuidelineReport& report_;
  Times times_;
};

}  // namespace

GuidelineReport check_guidelines(const BenchArguments& arguments, Progress& progress) {
  GuidelineReport report;
  progress.begin("measuring", arguments.processors.size() * arguments.operations.size());
  for (const int processors : arguments.processors) {
    const BenchArguments one = on_processors(arguments, processors);
    Check check(one, report);
    for (const SimulatedOperation* operation : one.operations) {
      const std::vector<std::size_t> sizes = sizes_for(*operation, one);
      for (std::size_t i = 0; i < sizes.size(); ++i) {
        check.compositions(*operation, sizes[i]);
        if (i + 1 < sizes.size()) check.neighbours(*operation, sizes[i], sizes[i + 1]);
      }
      progress.advance(1);
    }
    add_notes(report.notes, check.bench().notes());
    report.machines.push_back(check.bench().machine());
  }
  progress.finish();
  return report;
}

std::string to_text(const BenchArguments& arguments, const GuidelineReport& report) {
  const double scale = arguments.machine.is_real() ? 1e-3 : 1;
  const bool several = arguments.processors.size() > 1;
  std::vector<std::string> columns = {"broken"};
  if (several) columns.emplace_back("p");
  columns.insert(columns.end(), {"m", "left", "right", "ratio"});
  TextTable table(columns);
  for (const GuidelineFinding& finding : report.findings) {
    if (!finding.broken) continue;
    std::vector<TextTable::Cell> cells = {finding.rule};
    if (several) cells.emplace_back(finding.processors);
    cells.insert(cells.end(), {finding.bytes, fmt::format("{:.6g}", finding.left_ns * scale),
                               fmt::format("{:.6g}", finding.right_ns * scale),
                               fmt::format("{:.3f}", finding.ratio())});
    table.row(std::move(cells));
  }
  const auto broken = std::ranges::count_if(report.findings, &GuidelineFinding::broken);
  std::string text = bench_header(arguments, report.machines) + notes_in_words(report.notes);
  if (broken > 0) text += table.to_text();
  return text + fmt::format("# {} of {} rules broken\n", broken, report.findings.size());
}

nlohmann::ordered_json to_json(const BenchArguments& arguments, const GuidelineReport& report) {
  auto findings = nlohmann::ordered_json::array();
  for (const GuidelineFinding& finding : report.findings) {
    nlohmann::ordered_json json = {{"rule", finding.rule},      {"processors", finding.processors},
                                   {"bytes", finding.bytes},    {"left", finding.left_ns},
                                   {"right", finding.right_ns}, {"broken", finding.broken}};
    if (finding.right_ns > 0) json["ratio"] = finding.ratio();
    findings.push_back(std::move(json));
  }
  return {{"postroom", kVersion},
          {"box", this_box_in_words()},
          {"machines", to_json(report.machines)},
          {"time_unit", arguments.machine.is_real() ? "ns" : "units"},
          {"notes", report.notes},
          {"rules", std::move(findings)}};
}

}  // namespace postroom::cli
