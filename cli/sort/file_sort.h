// Files sorted: straight from file to file (cli/sort/copied_sort.h), else in memory if they fit,
// else in runs.
//
// Nothing is replaced before all has been done, and checked where that is wished for. Errors: those
// of the steps; the output is as it was then.
//
//   FileSort(arguments).run();
#pragma once

#include <cstdint>
#include <optional>

#include "cli/common/progress.h"
#include "cli/files/buffer.h"
#include "cli/files/output.h"
#include "cli/keys/fingerprint.h"
#include "cli/keys/inputs.h"
#include "cli/keys/loaded_keys.h"
#include "cli/sort/crew.h"
#include "cli/sort/memory_budget.h"
#include "cli/sort/run_former.h"
#include "cli/sort/sort_arguments.h"
#include "cli/sort/sort_report.h"
#include "cli/sort/spilled_sort.h"

namespace postroom::cli {

class FileSort {
 public:
  explicit FileSort(const SortArguments& arguments);

  void run();

 private:
  void open();
  void refuse_overwriting() const;
  bool sort_by_copying();
  std::optional<Buffer> load();
  void make();
  std::optional<Buffer> load_raw();
  std::optional<Buffer> load_text();
  SortOptions sort_options();
  void sort_in_memory();
  void sort();
  void sort_in_runs(Buffer pending);
  void merge();
  void note(const SpilledSort& done, const RunWishes& wishes);
  void verify_in_memory();
  void verify_file();
  void finish();

  const SortArguments& arguments_;
  Progress progress_;
  Crew crew_;
  MemoryBudget budget_;
  SortReport report_;
  std::optional<Inputs> inputs_;
  std::optional<Output> output_;
  std::optional<Output> json_;
  LoadedKeys keys_;
  std::optional<Fingerprint> expected_;
};

/// How runs are made and merged.
RunWishes run_wishes(const SortArguments& arguments, Crew& crew, const MemoryBudget& budget);

/// Throws std::runtime_error where the keys that arguments.random tells to make need more memory.
void require_memory_to_make(const SortArguments& arguments, std::uint64_t memory_bytes);

/// Throws UsageError: the input `name` is to be sorted in runs, which only `automatic` does.
void refuse_runs_by(SortAlgorithm algorithm, const std::string& name);

/// The most bytes of input of this format that are sorted in so much memory.
std::uint64_t most_in_memory(const KeyFormat& format, SortAlgorithm algorithm,
                             std::uint64_t memory_bytes);

}  // namespace postroom::cli
