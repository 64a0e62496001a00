// Where inputs are not in order: `postroom sort -c`.
//
// They are looked at chunk by chunk, so their size does not matter, within `memory_bytes`; a line
// that is longer than a quarter of these is refused. Errors: those of
// cli/keys/chunk_reader.h and cli/keys/text_numbers.h.
//
//   const std::optional<FoundDisorder> disorder = find_disorder(inputs, format, options, memory,
//                                                              progress);
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/common/progress.h"
#include "cli/keys/inputs.h"
#include "cli/keys/key_format.h"
#include "sort/options.h"

namespace postroom::cli {

struct FoundDisorder {
  std::uint64_t record;  // or line, from 0
  std::string content;   // its key, or the line as it is spelled
};

/// The first record whose key is on the wrong side of the one before.
std::optional<FoundDisorder> find_disorder(Inputs& inputs, const KeyFormat& format,
                                           const SortOptions& options, std::uint64_t memory_bytes,
                                           Progress& progress);

}  // namespace postroom::cli
