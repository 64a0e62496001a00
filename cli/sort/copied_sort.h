// Raw numbers that are sorted straight from files to a file (sort/copy_sorted.h); big-endian ones
// are turned on the way.
//
// Twice as many fit into memory as when all are read, sorted and written, and it takes half of the
// time. Not those of --random: they are in memory as soon as they are made. Errors: those of
// cli/keys/inputs.h and cli/files/output.h; std::runtime_error for a file that was changed
// meanwhile.
//
//   if (may_be_copied(arguments, bytes, memory_bytes)) {
//     const std::optional<CopiedSort> done = sort_by_copying(…);
//     if (!done) …   // another way
//   }
#pragma once

#include <cstdint>
#include <optional>

#include "cli/common/stopwatch.h"
#include "cli/files/output.h"
#include "cli/keys/fingerprint.h"
#include "cli/keys/inputs.h"
#include "cli/sort/sort_arguments.h"
#include "sort/options.h"

namespace postroom::cli {

struct CopiedSort {
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;
  std::optional<Fingerprint> fingerprint{};  ///< of what was read, if asked for
};

/// Whether files of so many bytes are sorted straight into one that can be written at any place,
/// unless too many of their keys turn out to be alike.
bool may_be_copied(const SortArguments& arguments, std::uint64_t bytes, std::uint64_t memory_bytes);

/// Sorts what is in `inputs`, of which size() tells; `output` can be read again.
/// Nothing, and nothing has been written, where too many keys are alike. Laps: "fingerprint", if
/// asked for, and "sort", or else "count".
std::optional<CopiedSort> sort_by_copying(const SortArguments& arguments, const Inputs& inputs,
                                          Output& output, const SortOptions& options,
                                          std::uint64_t memory_bytes, Stopwatch& time);

}  // namespace postroom::cli
