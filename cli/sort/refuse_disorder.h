// The first record of runs that is out of order, whichever was found first.
//
// Pieces of runs are merged at the same time, so where a disorder is found is a matter of luck. The
// runs are read again from the beginning then, once, by the calling thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "cli/keys/record_order.h"
#include "cli/sort/sorted_run.h"

namespace postroom::cli {

/// Throws the UsageError for runs that are not in order, which names the first record that is not,
/// as `postroom sort -c` does, in the first such run; one is at `place` of runs[run] or before it,
/// of lines perhaps behind it, where that one has a number that the first and the last have not.
/// Where none is found any more, std::runtime_error: the file was changed meanwhile.
[[noreturn]] void refuse_disorder(std::span<const SortedRun> runs, std::size_t run,
                                  std::uint64_t place, const RecordOrder& order);

}  // namespace postroom::cli
