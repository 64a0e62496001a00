// Inputs that do not fit into memory become runs in a file: chunk by chunk read, sorted, stored.
//
// A pipeline of oneTBB: while one chunk is sorted, by all processors, the next is read and the one
// before is stored. Text is stored as lines, as they were spelled. Stable: the runs are in the
// order of the input. Errors: those of reading, of cli/keys/text_numbers.h with the line's name,
// and of the file.
//
//   SpillFile file(folder);
//   const FormedRuns formed = form_runs(inputs, Buffer(), wishes, file, progress);
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/common/progress.h"
#include "cli/files/buffer.h"
#include "cli/files/spill_file.h"
#include "cli/keys/fingerprint.h"
#include "cli/keys/inputs.h"
#include "cli/keys/key_format.h"
#include "cli/keys/text_numbers.h"
#include "cli/sort/sorted_run.h"
#include "sort/options.h"

namespace postroom::cli {

struct RunWishes {
  KeyFormat format;
  SortOptions options;
  std::uint64_t memory_bytes = 0;  ///< for everything, also for merging later
  int processors = 1;
  std::string spill_folder;
  bool verify = false;  ///< take fingerprints
};

struct FormedRuns {
  std::vector<SortedRun> runs;  // of the file
  std::uint64_t records = 0;
  SignLines signs;          // of text
  Fingerprint fingerprint;  // of all records, if asked for
};

/// The bytes that a run will have, of inputs that are read from the beginning.
std::uint64_t run_bytes_for(const RunWishes& wishes);

/// `pending` is what was read of the inputs already. Where it is more than half of the memory, it
/// becomes the first run: bare numbers are sorted in what is left, others take as much again.
FormedRuns form_runs(Inputs& inputs, Buffer pending, const RunWishes& wishes, SpillFile& file,
                     Progress& progress);

}  // namespace postroom::cli
