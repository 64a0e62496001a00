#include "cli/sort/sort_command.h"

#include <fmt/core.h>

#include <algorithm>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/common/failure.h"
#include "cli/common/progress.h"
#include "cli/files/output.h"
#include "cli/files/outputs.h"
#include "cli/files/spill_file.h"
#include "cli/keys/inputs.h"
#include "cli/keys/loaded_keys.h"
#include "cli/keys/record_order.h"
#include "cli/sort/copied_sort.h"
#include "cli/sort/crew.h"
#include "cli/sort/file_sort.h"
#include "cli/sort/find_disorder.h"
#include "cli/sort/memory_budget.h"
#include "cli/sort/merge_runs.h"
#include "cli/sort/run_former.h"
#include "cli/sort/sort_arguments.h"
#include "cli/sort/sort_plan.h"
#include "cli/sort/usual_text.h"
#include "numa/rounding.h"

namespace postroom::cli {
namespace {

// How much of a text is looked at to guess the number of its lines.
constexpr std::uint64_t kGuessBytes = std::uint64_t{1} << 20;

/// -c and -C.
int check(const SortArguments& arguments) {
  Progress progress(!arguments.quiet);
  Crew crew(arguments);
  const MemoryBudget budget(arguments.buffer_bytes, crew.processors());
  Inputs inputs(arguments.inputs, arguments.format);
  const std::optional<FoundDisorder> disorder = find_disorder(
      inputs, arguments.format, crew.options(arguments), budget.run_bytes(), progress);
  progress.finish();
  if (!disorder) return 0;
  if (arguments.action == SortArguments::Action::kCheck) {
    tell(fmt::format("postroom sort: {}:{}: disorder: {}\n", one_line(inputs.name()),
                     disorder->record + 1, disorder->content));
  }
  return 1;
}

/// How many lines the text files have, from the beginning of each.
std::uint64_t guess_lines_of(Inputs& inputs) {
  std::uint64_t lines = 0;
  for (const Input& input : inputs.each()) {
    std::vector<char> beginning(std::min<std::uint64_t>(*input.size(), kGuessBytes));
    const std::size_t got = input.peek(std::as_writable_bytes(std::span(beginning)));
    lines += guess_lines({beginning.data(), got}, *input.size());
  }
  return lines;
}

/// What it takes to sort files in runs, if that is what will happen.
std::optional<PlannedRuns> plan_runs(const SortArguments& arguments, const PlanQuestion& question,
                                     const MemoryBudget& budget, Crew& crew) {
  const KeyFormat& format = arguments.format;
  const bool fits = format.text
                        ? memory_in_one_go(question) <= budget.data_bytes()
                        : question.input_bytes <=
                              most_in_memory(format, arguments.algorithm, budget.data_bytes());
  if (!arguments.merge && (question.in_pieces || fits)) return std::nullopt;
  const RunWishes wishes = run_wishes(arguments, crew, budget);
  if (!arguments.merge) refuse_runs_by(arguments.algorithm, question.name);
  PlannedRuns planned;
  planned.formed = !arguments.merge;
  planned.folder = wishes.spill_folder;
  const std::uint64_t run_bytes = run_bytes_for(wishes);
  planned.runs =
      planned.formed ? ceil_divide(question.input_bytes, run_bytes) : arguments.inputs.size();
  const RecordOrder order(format, false, false);
  const MergeWishes how{.memory_bytes = wishes.memory_bytes, .processors = wishes.processors};
  planned.passes = merge_passes(planned.runs, order, how);
  if (planned.formed || planned.passes > 1) require_spill_folder(wishes.spill_folder);
  // Forming them takes all of it.
  planned.memory_bytes = planned.formed
                             ? wishes.memory_bytes
                             : merge_memory_bytes(planned.runs, question.input_bytes, order, how);
  return planned;
}

PlanQuestion question_about(const SortArguments& arguments, const Outputs& outputs,
                            const MemoryBudget& budget, Crew& crew) {
  if (arguments.spill_folder) require_spill_folder(*arguments.spill_folder);
  PlanQuestion question;
  question.format = arguments.format;
  question.algorithm = arguments.algorithm;
  question.processors = crew.processors();
  question.verify = arguments.verify;
  if (arguments.random) {
    require_memory_to_make(arguments, budget.data_bytes());
    question.name = "--random";
    question.made = true;
    question.records = arguments.random->keys;
    return question;
  }
  Inputs inputs(arguments.inputs, arguments.format);
  if (outputs.has("--json") && inputs.overwritten_by(*outputs.find("--json")) != nullptr) {
    throw UsageError(fmt::format("--json: {} is the input", in_quotes(*arguments.json)));
  }
  for (const Input& input : inputs.each()) {
    if (!input.size()) {
      throw UsageError(
          fmt::format("--plan: {} is no file, so its size is not known", input.name()));
    }
    question.input_bytes += *input.size();
  }
  question.name = inputs.name();
  question.records = arguments.format.text ? guess_lines_of(inputs)
                                           : question.input_bytes / arguments.format.record_bytes;
  question.keeps_text = arguments.format.text && !guess_usual_lines(inputs);
  question.in_pieces = goes_to_file(arguments.output) &&
                       may_be_copied(arguments, question.input_bytes, budget.data_bytes());
  question.in_runs = plan_runs(arguments, question, budget, crew);
  return question;
}

int plan(const SortArguments& arguments) {
  const auto file = goes_to_file(arguments.output) ? std::optional(arguments.output) : std::nullopt;
  Outputs outputs({{"--output", file}, {"--json", arguments.json}});
  Crew crew(arguments);
  const MemoryBudget budget(arguments.buffer_bytes, crew.processors());
  SortPlan plan = plan_sort(question_about(arguments, outputs, budget, crew));
  plan.copy_bytes_per_second = measure_copy_speed(budget.data_bytes());
  outputs.write("--json", to_json(plan));
  outputs.finish(to_text(plan));
  return 0;
}

}  // namespace

int run_sort(std::span<const std::string> words) try {
  const SortArguments arguments = parse_sort_arguments(words);
  switch (arguments.action) {
    case SortArguments::Action::kCheck:
    case SortArguments::Action::kCheckQuietly:
      return check(arguments);
    case SortArguments::Action::kPlan:
      return plan(arguments);
    case SortArguments::Action::kSort:
      FileSort(arguments).run();
      return 0;
  }
  return 0;
} catch (const std::bad_alloc&) {
  throw std::runtime_error("the memory does not suffice; --buffer-size says how much may be used");
}

}  // namespace postroom::cli
