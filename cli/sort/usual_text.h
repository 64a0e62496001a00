// Text files of numbers that are spelled as the command itself prints them: read in pieces,
// straight into keys.
//
// The text is not kept, so that it takes less memory than it is large. Files are read twice, in
// parallel, the second time from the system's cache: lines are counted, then each piece is parsed
// to where its lines belong. Cost: 50,000,000 numbers 0.6 s, read whole and parsed 1.1 s (two
// cores of an AMD Zen 5).
#pragma once

#include <cstdint>
#include <optional>

#include "cli/common/progress.h"
#include "cli/common/stopwatch.h"
#include "cli/keys/inputs.h"
#include "cli/keys/loaded_keys.h"

namespace postroom::cli {

/// About how many lines all inputs have, by the beginning of the first. Nothing where that is
/// spelled in another way, an input is no file, or one but the last has no '\n' at its end.
std::optional<std::uint64_t> guess_usual_lines(const Inputs& inputs);

/// The keys of `inputs`, of which nothing has been read yet. Nothing where that is not the way: an
/// input that is no file, another spelling, something that is no number, or more than
/// `memory_bytes` for the keys and for sorting them. Laps: "count" and "parse", with the
/// fingerprint if asked for.
std::optional<LoadedKeys> load_usual_text(const Inputs& inputs, std::uint64_t memory_bytes,
                                          bool fingerprint, Progress& progress, Stopwatch& time);

}  // namespace postroom::cli
