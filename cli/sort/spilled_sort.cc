#include "cli/sort/spilled_sort.h"

#include <fmt/core.h>

#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cli/common/failure.h"
#include "cli/files/spill_file.h"
#include "cli/files/stored_file.h"
#include "cli/keys/record_order.h"
#include "cli/sort/merge_runs.h"
#include "cli/sort/sorted_run.h"

namespace postroom::cli {
namespace {

constexpr std::size_t kCopiedBytes = std::size_t{4} << 20;

KeyFormat layout_of(const KeyFormat& format, bool is_unsigned) {
  return format.text ? KeyFormat{.key = is_unsigned ? KeyType::u64 : KeyType::i64} : format;
}

MergeWishes merge_wishes(const RunWishes& wishes, const Output& output) {
  return {.memory_bytes = wishes.memory_bytes,
          .processors = wishes.processors,
          .spill_folder = wishes.spill_folder,
          .check = wishes.verify && output.rereadable_descriptor() < 0};
}

void require_same(const Fingerprint& written, const Fingerprint& read, const std::string& name) {
  if (written == read) return;
  throw std::runtime_error(
      fmt::format("{}: the verification failed, it was given other records than were read", name));
}

/// Copies the rest of `input` to the end of the file.
SortedRun copy(Input& input, const RunWishes& wishes, SpillFile& file, Progress& progress) {
  const std::uint64_t begin = file.bytes();
  Buffer buffer(kCopiedBytes);
  while (!input.at_end()) {
    file.write(buffer.bytes().first(input.read(buffer.bytes(), progress)));
  }
  const std::uint64_t bytes = file.bytes() - begin;
  if (!wishes.format.text) records_in(bytes, wishes.format, input.name());
  return {StoredFile(file.descriptor()), begin, bytes, input.name(), run_bytes_for(wishes)};
}

/// Whether the numbers of the runs are u64; for that it suffices to see the first and the last of
/// each. UsageError when they have no type in common.
bool has_unsigned(const std::vector<SortedRun>& runs, const RecordOrder& order) {
  struct Seen {
    const SortedRun* run = nullptr;
    std::uint64_t place = 0;
  };
  Seen negative;
  Seen above_signed;
  for (const SortedRun& run : runs) {
    if (run.bytes() == 0) continue;
    for (const FoundRecord& found : {*run.at_or_after(0, order), run.last(order)}) {
      if (found.line.negative) negative = {&run, found.place};
      if (!found.line.negative && found.line.number >> 63 != 0) {
        above_signed = {&run, found.place};
      }
    }
  }
  if (negative.run != nullptr && above_signed.run != nullptr) {
    throw_mixed(above_signed.run->line_in_words(above_signed.place),
                above_signed.run->quoted_line(above_signed.place),
                negative.run->line_in_words(negative.place));
  }
  return above_signed.run != nullptr;
}

}  // namespace

SpilledSort sort_in_runs(Inputs& inputs, Buffer pending, const RunWishes& wishes, Output& output,
                         Progress& progress, Stopwatch& time) {
  auto file = std::make_unique<SpillFile>(wishes.spill_folder);
  // What is stored has the bytes of what is read; text may get an end of a line on top.
  const std::uint64_t told = inputs.size().value_or(0);
  file->reserve(told);
  output.reserve(told);
  progress.begin("sorting", 2 * told);
  FormedRuns formed = form_runs(inputs, std::move(pending), wishes, *file, progress);
  time.lap("runs");

  const bool is_unsigned = formed.signs.above_signed.has_value();
  const RecordOrder order(wishes.format, is_unsigned, wishes.options.descending);
  const MergeWishes how = merge_wishes(wishes, output);
  const std::size_t runs = formed.runs.size();
  const std::uint64_t spilled_bytes = file->bytes();
  output.reserve(spilled_bytes);
  const MergeResult merged =
      merge_runs(std::move(formed.runs), order, how, output, progress, std::move(file));
  if (how.check) require_same(merged.written, formed.fingerprint, output.name());
  time.lap("merge");
  return {.records = formed.records,
          .input_bytes = inputs.bytes_read(),
          .layout = layout_of(wishes.format, is_unsigned),
          .runs = runs,
          .spilled_bytes = spilled_bytes,
          .passes = merged.passes,
          .fingerprint = formed.fingerprint};
}

SpilledSort merge_inputs(Inputs& inputs, const RunWishes& wishes, Output& output,
                         Progress& progress, Stopwatch& time) {
  std::unique_ptr<SpillFile> file;
  std::vector<SortedRun> runs;
  progress.begin("reading", 0);
  for (Input& input : inputs.each()) {
    if (input.is_run()) {
      runs.emplace_back(input.file(), input.offset(), *input.size(), input.name(),
                        run_bytes_for(wishes));
    } else {
      if (!file) file = std::make_unique<SpillFile>(wishes.spill_folder);
      runs.push_back(copy(input, wishes, *file, progress));
    }
  }
  if (file) time.lap("read");

  const bool descending = wishes.options.descending;
  const bool is_unsigned =
      wishes.format.text && has_unsigned(runs, RecordOrder(wishes.format, false, descending));
  const RecordOrder order(wishes.format, is_unsigned, descending);
  MergeWishes how = merge_wishes(wishes, output);
  how.fingerprint = wishes.verify;
  const std::size_t count = runs.size();
  std::uint64_t bytes = 0;
  for (const SortedRun& run : runs) bytes += run.bytes();
  output.reserve(inputs.size().value_or(0));
  const std::uint64_t spilled_bytes = file ? file->bytes() : 0;
  const MergeResult merged =
      merge_runs(std::move(runs), order, how, output, progress, std::move(file));
  if (how.check) require_same(merged.written, merged.read, output.name());
  time.lap("merge");
  return {.records = merged.records,
          .input_bytes = bytes,
          .layout = layout_of(wishes.format, is_unsigned),
          .runs = count,
          .spilled_bytes = spilled_bytes,
          .passes = merged.passes,
          .fingerprint = merged.read};
}

}  // namespace postroom::cli
