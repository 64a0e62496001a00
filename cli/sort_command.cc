#include "cli/sort_command.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <tbb/global_control.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <vector>

#include "cli/failure.h"
#include "cli/input.h"
#include "cli/loaded_keys.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/sort_arguments.h"
#include "cli/sort_plan.h"
#include "cli/sort_report.h"
#include "cli/verify.h"
#include "runtime/machine.h"
#include "sort/records.h"

namespace postroom::cli {
namespace {

// Of the progress of sorting, which is told as a fraction.
constexpr std::uint64_t kProgressSteps = 1000;
// How much of a text is looked at to guess the number of its lines.
constexpr std::uint64_t kGuessBytes = std::uint64_t{1} << 20;

/// Throws unless `folder` is one and may be written to.
void require_writable_folder(const std::string& folder) {
  struct stat status = {};
  if (stat(folder.c_str(), &status) != 0) throw_errno("--temporary-directory: " + folder);
  if (!S_ISDIR(status.st_mode)) throw_error(ENOTDIR, "--temporary-directory: " + folder);
  if (access(folder.c_str(), W_OK | X_OK) != 0) throw_errno("--temporary-directory: " + folder);
}

/// The processors, and as many threads of oneTBB for the rest of the work.
class Crew {
 public:
  explicit Crew(const SortArguments& arguments)
      : machine_({.processors = arguments.processors, .pin = arguments.pin}),
        threads_(tbb::global_control::max_allowed_parallelism,
                 static_cast<std::size_t>(machine_.processors())) {}

  Machine& machine() noexcept { return machine_; }

  SortOptions options(const SortArguments& arguments) {
    SortOptions options;
    options.algorithm = arguments.algorithm;
    options.descending = arguments.descending;
    options.machine = &machine_;
    return options;
  }

 private:
  Machine machine_;
  tbb::global_control threads_;
};

/// A sort of files, step by step.
class FileSort {
 public:
  explicit FileSort(const SortArguments& arguments)
      : arguments_(arguments), progress_(!arguments.quiet), crew_(arguments) {
    report_.arguments = arguments;
  }

  void run() {
    open();
    load();
    sort();
    if (arguments_.verify && output_->rereadable_descriptor() < 0) verify_in_memory();
    store();
    if (arguments_.verify && output_->rereadable_descriptor() >= 0) verify_file();
    output_->finish();
    report_.time.lap("finish");
    progress_.finish();
    report();
  }

 private:
  /// All files, so that what cannot be opened is refused before the work.
  void open() {
    if (arguments_.spill_folder) require_writable_folder(*arguments_.spill_folder);
    if (!arguments_.random) input_.emplace(arguments_.input);
    output_.emplace(arguments_.output);
    if (!arguments_.format.text) output_->refuse_terminal();
    if (arguments_.json) json_.emplace(*arguments_.json);
  }

  void load() {
    const LoadWishes wishes{.fingerprint = arguments_.verify};
    keys_ = input_ ? load_keys(*input_, arguments_.format, wishes, progress_, report_.time)
                   : load_made_keys(*arguments_.random, arguments_.format, wishes, progress_,
                                    report_.time);
    report_.sorted = keys_.layout;
    report_.records = keys_.count();
    report_.input_bytes = keys_.input_bytes;
    output_->reserve(stored_bytes(keys_));
  }

  void sort() {
    SortOptions options = crew_.options(arguments_);
    options.progress = [this](double fraction) {
      progress_.set(static_cast<std::uint64_t>(fraction * kProgressSteps));
    };
    progress_.begin("sorting", kProgressSteps);
    sort_records(keys_.records.bytes(), keys_.layout.record_bytes, keys_.layout.key_offset,
                 keys_.layout.key, options);
    report_.processors = crew_.machine().processors();
    report_.notes = crew_.machine().notes();
    report_.time.lap("sort");
  }

  void verify_in_memory() {
    verify_loaded(keys_, crew_.options(arguments_), *keys_.fingerprint, output_->name());
    report_.verified = keys_.fingerprint;
    report_.time.lap("verify");
  }

  void store() {
    store_keys(keys_, *output_, progress_);
    report_.output_bytes = output_->written_bytes();
    report_.time.lap("write");
  }

  void verify_file() {
    // The memory is needed for what is read again.
    const Fingerprint expected = *keys_.fingerprint;
    keys_ = LoadedKeys();
    verify_written(*output_, arguments_.format, crew_.options(arguments_), expected, progress_);
    report_.verified = expected;
    report_.time.lap("verify");
  }

  void report() {
    if (json_) json_->write_and_finish(to_json(report_));
    if (arguments_.verbose) tell(details(report_));
    if (!arguments_.quiet) tell(final_line(report_) + "\n");
  }

  const SortArguments& arguments_;
  Progress progress_;
  Crew crew_;
  SortReport report_;
  std::optional<Input> input_;
  std::optional<Output> output_;
  std::optional<Output> json_;
  LoadedKeys keys_;
};

/// -c and -C.
int check(const SortArguments& arguments) {
  Progress progress(!arguments.quiet);
  Crew crew(arguments);
  Input input(arguments.input);
  Stopwatch time;
  const LoadedKeys keys = load_keys(input, arguments.format, {.sorting = false}, progress, time);
  const std::optional<std::size_t> disorder =
      first_disorder(keys.records.bytes(), keys.layout.record_bytes, keys.layout.key_offset,
                     keys.layout.key, crew.options(arguments));
  progress.finish();
  if (!disorder) return 0;
  if (arguments.action == SortArguments::Action::kCheck) {
    tell(fmt::format("postroom sort: {}:{}: disorder: {}\n", one_line(input.name()), *disorder + 1,
                     in_words(keys, *disorder)));
  }
  return 1;
}

/// How many lines a text file has, from its beginning.
std::uint64_t guess_lines_of(const Input& input) {
  std::vector<char> beginning(std::min<std::uint64_t>(*input.size(), kGuessBytes));
  const std::size_t got = input.peek(std::as_writable_bytes(std::span(beginning)));
  return guess_lines({beginning.data(), got}, *input.size());
}

PlanQuestion question_about(const SortArguments& arguments) {
  PlanQuestion question;
  question.format = arguments.format;
  question.algorithm = arguments.algorithm;
  question.verify = arguments.verify;
  if (arguments.random) {
    question.name = "--random";
    question.records = arguments.random->keys;
    return question;
  }
  const Input input(arguments.input);
  if (!input.size()) {
    throw UsageError(fmt::format("--plan: {} is no file, so its size is not known", input.name()));
  }
  question.name = input.name();
  question.input_bytes = *input.size();
  question.records = arguments.format.text
                         ? guess_lines_of(input)
                         : records_in(*input.size(), arguments.format, input.name());
  return question;
}

int plan(const SortArguments& arguments) {
  std::optional<Output> json;
  if (arguments.json) json.emplace(*arguments.json);
  PlanQuestion question = question_about(arguments);
  Crew crew(arguments);
  question.processors = crew.machine().processors();
  SortPlan plan = plan_sort(question);
  plan.copy_bytes_per_second = measure_copy_speed();
  if (arguments.json != "-") print(to_text(plan));
  if (json) json->write_and_finish(to_json(plan));
  return 0;
}

}  // namespace

int run_sort(std::span<const std::string> words) {
  const SortArguments arguments = parse_sort_arguments(words);
  switch (arguments.action) {
    case SortArguments::Action::kHelp:
      print(sort_help());
      return 0;
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
}

}  // namespace postroom::cli
