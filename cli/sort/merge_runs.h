// Merging runs: any number of them, in no more memory than is given.
//
// The runs are cut into pieces of bounded size (cli/sort/merge_cuts.h), 16 MiB or 1 MiB for each
// run where the memory allows it, that go through a pipeline of oneTBB: several threads read and
// merge a piece each, while the one before is written. Where there are too many runs for the
// memory, groups of neighbours are merged into longer runs first, through files in the spill
// folder.
//
// Stable: among equal keys, the records of earlier runs come first. Errors: UsageError for a run
// that is not in order, naming the run and the record; those of the files.
//
//   const MergeWishes wishes{.memory_bytes = 1 << 30, .spill_folder = "/tmp"};
//   const MergeResult result = merge_runs(runs, order, wishes, output, progress);
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/common/progress.h"
#include "cli/files/byte_sink.h"
#include "cli/files/spill_file.h"
#include "cli/keys/fingerprint.h"
#include "cli/keys/record_order.h"
#include "cli/sort/sorted_run.h"

namespace postroom::cli {

struct MergeWishes {
  std::uint64_t memory_bytes = 0;
  int processors = 1;
  std::string spill_folder{};  ///< for what has to be merged in several passes
  bool fingerprint = false;    ///< of what is read
  /// Check what is written and take its fingerprint: where the sink cannot be read again.
  bool check = false;
};

struct MergeResult {
  std::uint64_t records = 0;
  std::size_t passes = 0;  ///< how often the records were merged
  Fingerprint read;        ///< if asked for
  Fingerprint written;     ///< if it was checked
};

/// How many passes merging `runs` takes, the last one included.
std::size_t merge_passes(std::size_t runs, const RecordOrder& order, const MergeWishes& wishes);

/// The most memory that the records take while `runs` of so many bytes in all are merged.
std::uint64_t merge_memory_bytes(std::size_t runs, std::uint64_t bytes, const RecordOrder& order,
                                 const MergeWishes& wishes);

/// `held` is what the runs lie in, if they do: it is given back as soon as they have been merged
/// into longer ones.
MergeResult merge_runs(std::vector<SortedRun> runs, const RecordOrder& order,
                       const MergeWishes& wishes, ByteSink& sink, Progress& progress,
                       std::unique_ptr<SpillFile> held = nullptr);

}  // namespace postroom::cli
