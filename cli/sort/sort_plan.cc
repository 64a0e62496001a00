#include "cli/sort/sort_plan.h"

#include <fmt/core.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>

#include "cli/common/failure.h"
#include "cli/common/json_text.h"
#include "cli/common/units.h"
#include "cli/files/buffer.h"
#include "cli/keys/lines.h"
#include "cli/keys/loaded_keys.h"
#include "cli/keys/text_numbers.h"
#include "numa/available_memory.h"
#include "runtime/version.h"
#include "sort/radix_sort.h"

namespace postroom::cli {
namespace {

/// What the plan is written down into.
class Steps {
 public:
  explicit Steps(std::uint64_t record_bytes_of_all) : all_(record_bytes_of_all) {}

  /// A step that reads and writes all records so many times each.
  void over_records(const char* name, int passes, int reads, int writes, double slowness) {
    add(name, passes, all_ * static_cast<std::uint64_t>(passes * (reads + writes)), slowness);
  }
  void add(const char* name, int passes, std::uint64_t bytes, double slowness) {
    steps_.push_back({name, passes, bytes, slowness});
  }
  std::vector<PlanStep> take() { return std::move(steps_); }

 private:
  std::uint64_t all_;
  std::vector<PlanStep> steps_;
};

/// What is sorted: records, or numbers; those of another spelling with the places of their lines.
KeyFormat layout_of(const PlanQuestion& question) {
  if (!question.format.text) return question.format;
  return integers(/*is_unsigned=*/false,
                  question.keeps_text ? sizeof(NumberedLine) : sizeof(std::uint64_t));
}

/// The steps of sort/engine/engine.h.
void add_engine(Steps& steps) {
  steps.over_records("count", 1, 1, 0, 1.5);
  steps.over_records("place", 1, 1, 1, 2.0);
  steps.over_records("finish", 1, 1, 1, 3.0);
}

/// The steps of sort/copy_sorted.h, with what the system copies from and to its cache.
void add_pieces(Steps& steps) {
  steps.over_records("place", 1, 2, 2, 5.0);
  steps.over_records("finish", 1, 3, 3, 4.0);
}

/// Those of sort/radix_sort.h: a key in its order, the digits counted, the records routed.
void add_radix(Steps& steps, const PlanQuestion& question) {
  const BlockDistribution blocks(question.records, question.processors);
  // What is equal in the first eight bytes of a longer key is sorted once more.
  const std::size_t bytes = std::min(key_bytes(question.format.key), sizeof(std::uint64_t));
  const int passes = choose_digits(blocks, static_cast<int>(8 * bytes), {}).passes;
  const bool twice = question.algorithm == SortAlgorithm::radix_two_transpose;
  steps.over_records("count", passes, 1, 0, 2.0);
  steps.over_records("route", passes, twice ? 2 : 1, twice ? 2 : 1, 4.0);
}

void add_sort(Steps& steps, const PlanQuestion& question) {
  if (question.algorithm == SortAlgorithm::automatic) {
    add_engine(steps);
  } else {
    add_radix(steps, question);
  }
}

/// Runs are written to a file; each pass of merging but the last reads one file and writes another.
void add_runs(Steps& steps, const PlannedRuns& runs, std::uint64_t file) {
  if (runs.formed) steps.add("spill", 1, 2 * file, 3.0);
  const auto passes = static_cast<std::uint64_t>(runs.passes);
  steps.add("merge", static_cast<int>(runs.passes), (4 * passes + 2 * (passes - 1)) * file, 3.0);
}

/// Each pass but the last writes a file and reads the one before, so there are two at most.
std::uint64_t spilled_bytes(const PlannedRuns& runs, std::uint64_t file) {
  return file * std::min<std::size_t>((runs.formed ? 1 : 0) + runs.passes - 1, 2);
}

std::uint64_t steps_bytes(const std::vector<PlanStep>& steps) {
  std::uint64_t bytes = 0;
  for (const PlanStep& step : steps) bytes += step.bytes;
  return bytes;
}

double all_seconds(const SortPlan& plan) {
  double seconds = 0;
  for (const PlanStep& step : plan.steps) seconds += plan.expected_seconds(step);
  return seconds;
}

}  // namespace

double SortPlan::expected_seconds(const PlanStep& step) const {
  return static_cast<double>(step.bytes) * step.slowness / copy_bytes_per_second;
}

std::uint64_t memory_in_one_go(const PlanQuestion& question) {
  const std::uint64_t text = question.keeps_text ? question.input_bytes : 0;
  return text + memory_for(question.records, layout_of(question), question.algorithm);
}

SortPlan plan_sort(const PlanQuestion& question) {
  const bool text = question.format.text;
  const KeyFormat layout = layout_of(question);
  const std::uint64_t all = question.records * layout.record_bytes;
  const std::uint64_t file = question.made ? all : question.input_bytes;
  const bool only_merges = question.in_runs && !question.in_runs->formed;
  Steps steps(all);
  if (question.made) {
    steps.add("make", 1, all, 2.0);
  } else if (!only_merges && !question.in_pieces) {
    steps.add(text ? "count" : "read", 1, 2 * file, 1.5);
    if (text) steps.add("parse", 1, 2 * file + all, 3.0);
  }
  if (question.verify) steps.add("fingerprint", 1, text ? file : all, 4.0);
  if (question.in_pieces) {
    add_pieces(steps);
  } else if (!only_merges) {
    add_sort(steps, question);
    if (text) steps.add("print", 1, all + file, 4.0);
  }
  if (question.in_runs) add_runs(steps, *question.in_runs, file);
  if (!question.in_pieces) steps.add("write", 1, 2 * file, 3.0);
  if (question.verify) steps.add("verify", 1, 4 * file, 2.5);

  SortPlan plan;
  plan.question = question;
  plan.steps = steps.take();
  if (question.in_runs) {
    plan.memory_bytes = question.in_runs->memory_bytes;
    plan.spilled_bytes = spilled_bytes(*question.in_runs, file);
  } else if (question.in_pieces) {
    plan.memory_bytes = all + all / 8;
  } else {
    plan.memory_bytes = memory_in_one_go(question);
  }
  plan.available_memory_bytes = available_memory_bytes();
  return plan;
}

double measure_copy_speed(std::uint64_t most_bytes) {
  constexpr std::uint64_t kWanted = std::uint64_t{64} << 20;
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  const std::size_t pieces = std::max<std::size_t>(std::min(kWanted, most_bytes / 2) / kPiece, 1);
  const std::size_t bytes = pieces * kPiece;
  using Clock = std::chrono::steady_clock;
  const Buffer from(bytes);
  const Buffer to(bytes);
  const auto copy = [&](const Buffer& target, const Buffer& source) {
    const Clock::time_point start = Clock::now();
    tbb::parallel_for(std::size_t{0}, pieces, [&](std::size_t piece) {
      std::memcpy(target.bytes().data() + piece * kPiece, source.bytes().data() + piece * kPiece,
                  kPiece);
    });
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  // The first ones take the memory from the system.
  copy(from, to);
  copy(to, from);
  double best = copy(from, to);
  for (int repetition = 0; repetition < 4; ++repetition) best = std::min(best, copy(to, from));
  return 2.0 * static_cast<double>(bytes) / best;
}

std::uint64_t guess_lines(std::string_view beginning, std::uint64_t bytes) {
  if (beginning.empty()) return 0;
  const double lines = static_cast<double>(chunk_lines(beginning).lines);
  return static_cast<std::uint64_t>(
      lines * static_cast<double>(bytes) / static_cast<double>(beginning.size()) + 0.5);
}

std::string to_text(const SortPlan& plan) {
  const PlanQuestion& question = plan.question;
  std::string text = fmt::format(
      "{}: {}{} {}, {}, {} processor{}\n\n", one_line(question.name),
      question.format.text ? "about " : "", with_commas(question.records),
      question.format.text ? "lines of text" : in_words(question.format),
      to_string(question.algorithm), question.processors, question.processors == 1 ? "" : "s");
  text +=
      fmt::format("  {:<12} {:>6} {:>12} {:>10}\n", "step", "passes", "bytes moved", "expected");
  for (const PlanStep& step : plan.steps) {
    text += fmt::format("  {:<12} {:>6} {:>12} {:>10}\n", step.name, step.passes,
                        readable_bytes(step.bytes), readable_seconds(plan.expected_seconds(step)));
  }
  text += fmt::format("  {:<12} {:>6} {:>12} {:>10}\n\n", "all", "",
                      readable_bytes(steps_bytes(plan.steps)), readable_seconds(all_seconds(plan)));
  text +=
      fmt::format("memory {} of {} available; a copy moves {}/s here (read and written)\n",
                  readable_bytes(plan.memory_bytes), readable_bytes(plan.available_memory_bytes),
                  readable_bytes(static_cast<std::uint64_t>(plan.copy_bytes_per_second)));
  if (question.in_pieces) {
    text += "From file to file, unless many keys are alike.\n";
  }
  if (question.in_runs) {
    text += fmt::format("{} run{}; {} in {}\n", question.in_runs->runs,
                        question.in_runs->runs == 1 ? "" : "s", readable_bytes(plan.spilled_bytes),
                        one_line(question.in_runs->folder));
  } else if (plan.memory_bytes > plan.available_memory_bytes) {
    text += "The memory does not suffice.\n";
  }
  return text;
}

std::string to_json(const SortPlan& plan) {
  const PlanQuestion& question = plan.question;
  auto steps = nlohmann::ordered_json::array();
  for (const PlanStep& step : plan.steps) {
    steps.push_back({{"step", step.name},
                     {"passes", step.passes},
                     {"bytes", step.bytes},
                     {"expected_seconds", plan.expected_seconds(step)}});
  }
  const nlohmann::ordered_json json = {
      {"postroom", kVersion},
      {"command", "plan"},
      {"input", question.name},
      {"type", question.format.text ? "text" : to_string(question.format.key)},
      {"record_bytes", question.format.text ? 0 : question.format.record_bytes},
      {"records", question.records},
      {"algorithm", to_string(question.algorithm)},
      {"processors", question.processors},
      {"steps", steps},
      {"bytes", steps_bytes(plan.steps)},
      {"expected_seconds", all_seconds(plan)},
      {"in_pieces", question.in_pieces},
      {"runs", question.in_runs ? question.in_runs->runs : 0},
      {"spilled_bytes", plan.spilled_bytes},
      {"memory_bytes", plan.memory_bytes},
      {"available_memory_bytes", plan.available_memory_bytes},
      {"copy_bytes_per_second", plan.copy_bytes_per_second},
  };
  return json_text(json);
}

}  // namespace postroom::cli
