// Whether a sorted output is what it should be: in order, and the same records as before.
//
// A file is read again from where it was written; what a pipe or a device got cannot be, so there
// the memory is checked before it is written. Errors: std::runtime_error that names the output when
// it is wrong, which would be a defect of this program or of the box.
#pragma once

#include <cstdint>
#include <string>

#include "cli/common/progress.h"
#include "cli/files/output.h"
#include "cli/keys/key_format.h"
#include "cli/keys/loaded_keys.h"
#include "sort/options.h"

namespace postroom::cli {

/// Checks the file that `output` has become, block by block, in at most `memory_bytes`. `format` is
/// that of the command line, `expected` the fingerprint from before sorting.
void verify_written(const Output& output, const KeyFormat& format, const SortOptions& options,
                    const Fingerprint& expected, std::uint64_t memory_bytes, Progress& progress);

/// Checks `keys` in memory.
void verify_loaded(const LoadedKeys& keys, const SortOptions& options, const Fingerprint& expected,
                   const std::string& name);

}  // namespace postroom::cli
