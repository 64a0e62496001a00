// What a sort has done: as one line, as some lines, as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/common/stopwatch.h"
#include "cli/keys/fingerprint.h"
#include "cli/sort/sort_arguments.h"

namespace postroom::cli {

/// What went through the spill folder, and how the records were merged.
struct RunsReport {
  std::string folder;
  std::size_t runs = 0;
  std::uint64_t spilled_bytes = 0;  ///< 0: nothing was spilled
  std::size_t passes = 0;           ///< of merging
};

struct SortReport {
  SortArguments arguments;
  KeyFormat sorted;  ///< what was sorted in memory; for text the type that was found
  std::uint64_t records = 0;
  std::uint64_t input_bytes = 0;
  std::uint64_t output_bytes = 0;
  int processors = 0;
  bool in_pieces = false;               ///< read and written meanwhile
  std::optional<RunsReport> in_runs;    ///< nothing: all was in memory
  std::optional<Fingerprint> verified;  ///< of the output, equal to that of the input
  Stopwatch time;
  std::vector<std::string> notes;
};

/// "sorted 100,000,000 u64 in 0.31 s (2 processors), read 0.12 s, write 0.26 s; verified: …"; of
/// runs "sorted 100,000,000 u64 in 5.33 s (2 processors), 9 runs in /tmp, runs 3.10 s, merge …".
std::string final_line(const SortReport& report);
/// The notes and a table of the parts.
std::string details(const SortReport& report);
std::string to_json(const SortReport& report);

}  // namespace postroom::cli
