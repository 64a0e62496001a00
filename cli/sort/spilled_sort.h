// Sorting what does not fit into memory, and merging what is sorted already.
//
// sort_in_runs makes runs of the inputs in a file of the spill folder and merges them into the
// output; merge_inputs takes the inputs for runs, after it has copied those that cannot be read at
// any place (pipes) into such a file. Nothing of the file is left, however the program ends.
// Errors: those of cli/sort/run_former.h and cli/sort/merge_runs.h; std::runtime_error when what
// was written is not what was read.
//
//   const SpilledSort done = sort_in_runs(inputs, Buffer(), wishes, output, progress, time);
#pragma once

#include <cstddef>
#include <cstdint>

#include "cli/common/progress.h"
#include "cli/common/stopwatch.h"
#include "cli/files/buffer.h"
#include "cli/files/output.h"
#include "cli/keys/fingerprint.h"
#include "cli/keys/inputs.h"
#include "cli/keys/key_format.h"
#include "cli/sort/run_former.h"

namespace postroom::cli {

struct SpilledSort {
  std::uint64_t records = 0;
  std::uint64_t input_bytes = 0;
  KeyFormat layout;  ///< what text was read as
  std::size_t runs = 0;
  std::uint64_t spilled_bytes = 0;  ///< written to the spill folder at first
  std::size_t passes = 0;           ///< how often the records were merged
  Fingerprint fingerprint;          ///< of what was read, if asked for
};

/// `pending` is what was read of the inputs already. Laps: "runs", "merge". With wishes.verify, an
/// output that cannot be read again is checked before each piece of it is written.
SpilledSort sort_in_runs(Inputs& inputs, Buffer pending, const RunWishes& wishes, Output& output,
                         Progress& progress, Stopwatch& time);

/// Laps: "read", where inputs are copied, and "merge".
SpilledSort merge_inputs(Inputs& inputs, const RunWishes& wishes, Output& output,
                         Progress& progress, Stopwatch& time);

}  // namespace postroom::cli
