#include "cli/sort/file_sort.h"

#include <fmt/core.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/common/failure.h"
#include "cli/common/memory_check.h"
#include "cli/common/units.h"
#include "cli/files/spill_file.h"
#include "cli/keys/by_format.h"
#include "cli/keys/lines.h"
#include "cli/sort/copied_sort.h"
#include "cli/sort/usual_text.h"
#include "cli/sort/verify.h"

namespace postroom::cli {
namespace {

// Of the progress of sorting, which is told as a fraction.
constexpr std::uint64_t kProgressSteps = 1000;

}  // namespace

RunWishes run_wishes(const SortArguments& arguments, Crew& crew, const MemoryBudget& budget) {
  return {.format = arguments.format,
          .options = crew.options(arguments),
          .memory_bytes = budget.run_bytes(),
          .processors = crew.processors(),
          .spill_folder = spill_folder(arguments.spill_folder, arguments.output),
          .verify = arguments.verify};
}

std::uint64_t most_in_memory(const KeyFormat& format, SortAlgorithm algorithm,
                             std::uint64_t memory_bytes) {
  // Of text, the other half is for its numbers; how many there are is seen when it has been read.
  if (format.text) return memory_bytes / 2;
  const double bytes = static_cast<double>(memory_bytes) / memory_for_each_byte(format, algorithm);
  return static_cast<std::uint64_t>(bytes) / format.record_bytes * format.record_bytes;
}

void require_memory_to_make(const SortArguments& arguments, std::uint64_t memory_bytes) {
  const KeyFormat& format = arguments.format;
  const KeyFormat layout = format.text ? integers(/*is_unsigned=*/false) : format;
  const std::uint64_t keys = arguments.random->keys;
  check_memory(fmt::format("--random {}", keys), memory_for(keys, layout, arguments.algorithm),
               memory_bytes);
}

void refuse_runs_by(SortAlgorithm algorithm, const std::string& name) {
  if (algorithm == SortAlgorithm::automatic) return;
  throw UsageError(fmt::format("{}: does not fit into memory; --algorithm {} sorts nowhere else",
                               name, to_string(algorithm)));
}

FileSort::FileSort(const SortArguments& arguments)
    : arguments_(arguments),
      progress_(!arguments.quiet),
      crew_(arguments),
      budget_(arguments.buffer_bytes, crew_.processors()) {
  report_.arguments = arguments;
  report_.processors = crew_.processors();
}

void FileSort::run() {
  open();
  if (arguments_.merge) {
    merge();
  } else if (sort_by_copying()) {
    // All has been done.
  } else if (std::optional<Buffer> too_much = load()) {
    sort_in_runs(std::move(*too_much));
  } else {
    sort_in_memory();
  }
  report_.output_bytes = output_->written_bytes();
  if (expected_ && output_->rereadable_descriptor() >= 0) verify_file();
  finish();
  progress_.finish();
  if (arguments_.verbose) tell(details(report_));
  if (!arguments_.quiet) tell(final_line(report_) + "\n");
}

/// All files, so that what cannot be opened is refused before the work.
void FileSort::open() {
  if (arguments_.spill_folder) require_spill_folder(*arguments_.spill_folder);
  if (!arguments_.random) inputs_.emplace(arguments_.inputs, arguments_.format);
  output_.emplace(arguments_.output);
  if (!arguments_.format.text) output_->refuse_terminal();
  if (arguments_.json) json_.emplace(*arguments_.json);
  refuse_overwriting();
}

void FileSort::refuse_overwriting() const {
  // A terminal, or /dev/null, may be written to by several, but not under one name.
  const bool same_stream =
      json_ && is_standard_output(*arguments_.json) && is_standard_output(arguments_.output);
  if (same_stream || (json_ && json_->has_same_place(*output_))) {
    throw UsageError(fmt::format("--json: {} is the output already", in_quotes(json_->name())));
  }
  if (!inputs_) return;
  if (json_ && inputs_->overwritten_by(*json_) != nullptr) {
    throw UsageError(fmt::format("--json: {} is the input", in_quotes(json_->name())));
  }
  // A stream is written while the inputs are read; a file takes its place when they have been.
  if (!arguments_.merge || output_->rereadable_descriptor() >= 0) return;
  if (const Input* const input = inputs_->overwritten_by(*output_)) {
    throw UsageError(fmt::format("--merge: {} is {}, which would be overwritten before it is read",
                                 output_->name(), in_quotes(input->name())));
  }
}

/// Straight from file to file; false, and nothing has been done, where that is not the way.
bool FileSort::sort_by_copying() {
  if (!inputs_ || output_->rereadable_descriptor() < 0) return false;
  const std::uint64_t bytes = inputs_->size().value_or(0);
  if (!may_be_copied(arguments_, bytes, budget_.data_bytes())) return false;
  progress_.begin("sorting", kProgressSteps);
  const std::optional<CopiedSort> done = cli::sort_by_copying(
      arguments_, *inputs_, *output_, sort_options(), budget_.data_bytes(), report_.time);
  if (!done) return false;
  report_.sorted = arguments_.format;
  report_.records = done->records;
  report_.input_bytes = done->bytes;
  report_.in_pieces = true;
  expected_ = done->fingerprint;
  return true;
}

/// Loads all into memory; where it does not fit, returns what has been read of it.
std::optional<Buffer> FileSort::load() {
  if (arguments_.random) {
    make();
    return std::nullopt;
  }
  std::optional<Buffer> too_much = arguments_.format.text ? load_text() : load_raw();
  if (too_much) refuse_runs_by(arguments_.algorithm, inputs_->name());
  return too_much;
}

void FileSort::make() {
  require_memory_to_make(arguments_, budget_.data_bytes());
  keys_ = load_made_keys(*arguments_.random, arguments_.format, arguments_.verify, progress_,
                         report_.time);
}

std::optional<Buffer> FileSort::load_raw() {
  const std::uint64_t most =
      most_in_memory(arguments_.format, arguments_.algorithm, budget_.data_bytes());
  if (inputs_->size().value_or(0) > most) return Buffer();
  Buffer bytes = inputs_->read_up_to(most, progress_);
  report_.time.lap("read");
  if (!inputs_->at_end()) return bytes;
  keys_ = load_records(std::move(bytes), arguments_.format, arguments_.verify, report_.time);
  return std::nullopt;
}

std::optional<Buffer> FileSort::load_text() {
  if (std::optional<LoadedKeys> keys = load_usual_text(
          *inputs_, budget_.data_bytes(), arguments_.verify, progress_, report_.time)) {
    keys_ = std::move(*keys);
    return std::nullopt;
  }
  const std::uint64_t most =
      most_in_memory(arguments_.format, arguments_.algorithm, budget_.data_bytes());
  if (inputs_->size().value_or(0) > most) return Buffer();
  Buffer text = inputs_->read_up_to(most, progress_);
  report_.time.lap("read");
  if (!inputs_->at_end()) return text;
  const std::string_view read = characters(text.bytes());
  TextLines lines{.chunks = chunk_lines(read)};
  LineNamer namer(*inputs_);
  namer.pass(read, lines.chunks.lines);
  lines.names = namer.names();
  std::optional<LoadedKeys> keys =
      load_lines(text, lines, budget_.data_bytes(), arguments_.verify, report_.time);
  if (!keys) return text;
  keys_ = std::move(*keys);
  return std::nullopt;
}

void FileSort::sort_in_memory() {
  report_.sorted = keys_.layout;
  report_.records = keys_.count();
  report_.input_bytes =
      inputs_ ? inputs_->size().value_or(inputs_->bytes_read()) : keys_.records.size();
  expected_ = keys_.fingerprint;
  const std::uint64_t bytes = stored_bytes(keys_);
  output_->reserve(bytes);
  sort();
  if (arguments_.verify && output_->rereadable_descriptor() < 0) verify_in_memory();
  progress_.begin("writing", bytes);
  store_keys(keys_, *output_, progress_);
  report_.time.lap("write");
  keys_ = LoadedKeys();  // the memory is needed for what is read again
}

SortOptions FileSort::sort_options() {
  SortOptions options = crew_.options(arguments_);
  if (progress_.is_drawing()) {
    options.progress = [this](double fraction) {
      progress_.set(static_cast<std::uint64_t>(fraction * kProgressSteps));
    };
  }
  return options;
}

void FileSort::sort() {
  progress_.begin("sorting", kProgressSteps);
  const std::uint64_t taken = keys_.records.size() + keys_.text.size();
  const std::uint64_t left = budget_.data_bytes() - std::min(budget_.data_bytes(), taken);
  sort_records_within(left, keys_.records.bytes(), keys_.layout, sort_options());
  report_.time.lap("sort");
}

void FileSort::sort_in_runs(Buffer pending) {
  const RunWishes wishes = run_wishes(arguments_, crew_, budget_);
  require_spill_folder(wishes.spill_folder);
  if (!arguments_.quiet) {
    progress_.finish();
    const std::optional<std::uint64_t> all = arguments_.buffer_bytes;
    tell(fmt::format(
        "postroom sort: {}: more than fits into {} of memory{}; runs go to {}\n",
        one_line(inputs_->name()), readable_bytes(wishes.memory_bytes),
        all ? fmt::format(" ({} less what the program needs)", readable_bytes(*all)) : "",
        one_line(wishes.spill_folder)));
  }
  note(cli::sort_in_runs(*inputs_, std::move(pending), wishes, *output_, progress_, report_.time),
       wishes);
}

void FileSort::merge() {
  const RunWishes wishes = run_wishes(arguments_, crew_, budget_);
  for (const Input& input : inputs_->each()) {
    if (input.is_run() || arguments_.quiet) continue;
    progress_.finish();
    tell(fmt::format("postroom sort: {}: no regular file; it is copied to {} first\n",
                     one_line(input.name()), one_line(wishes.spill_folder)));
  }
  note(merge_inputs(*inputs_, wishes, *output_, progress_, report_.time), wishes);
}

void FileSort::note(const SpilledSort& done, const RunWishes& wishes) {
  report_.sorted = done.layout;
  report_.records = done.records;
  report_.input_bytes = done.input_bytes;
  report_.in_runs = RunsReport{wishes.spill_folder, done.runs, done.spilled_bytes, done.passes};
  if (!arguments_.verify) return;
  expected_ = done.fingerprint;
  // Where the output cannot be read again, each piece was checked before it was written.
  if (output_->rereadable_descriptor() < 0) report_.verified = expected_;
}

void FileSort::verify_in_memory() {
  verify_loaded(keys_, crew_.options(arguments_), *expected_, output_->name());
  report_.verified = expected_;
  report_.time.lap("verify");
}

void FileSort::verify_file() {
  verify_written(*output_, arguments_.format, crew_.options(arguments_), *expected_,
                 budget_.run_bytes(), progress_);
  report_.verified = expected_;
  report_.time.lap("verify");
}

/// Whatever fails, the output is as it was: it takes its place when all else is on the disk. Then
/// the report does, too.
void FileSort::finish() {
  report_.notes = crew_.machine().notes();
  if (json_) {
    output_->flush();
    report_.time.lap("finish");
    const std::string json = to_json(report_);
    json_->write(std::as_bytes(std::span(json)));
    json_->flush();
  }
  output_->finish();
  report_.time.lap("finish");
  if (!json_) return;
  try {
    json_->finish();
  } catch (const std::system_error& error) {
    throw std::runtime_error(
        fmt::format("{} is written; --json: {}", output_->name(), error.what()));
  }
}

}  // namespace postroom::cli
