// Keys in memory, between their file and their file.
//
// Raw keys are the bytes of the file. Text becomes 64-bit integers; when every line is spelled as
// the command itself would print it, the text is let go and printed anew at the end, otherwise each
// integer knows its line, and the lines are written as they were.
//
// Memory: raw the size of the file; text 8 bytes a line, and in the second case 16 and the text.
// Errors: those of cli/input.h and cli/text_numbers.h, beginning with the input's name; UsageError
// for a size that is no whole number of records.
//
//   LoadedKeys keys = load_keys(input, format, {.fingerprint = true}, progress, time);
//   sort_records(keys.records.bytes(), keys.layout.record_bytes, …);
//   store_keys(keys, output, progress);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cli/buffer.h"
#include "cli/data_source.h"
#include "cli/fingerprint.h"
#include "cli/input.h"
#include "cli/key_format.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/stopwatch.h"

namespace postroom::cli {

struct LoadedKeys {
  enum class Spelling {
    kRaw,      ///< the records themselves are written
    kPrinted,  ///< each record, a 64-bit integer, as a line
    kKept,     ///< of each record, a NumberedLine, its line of `text`
  };

  Buffer records;
  KeyFormat layout;  ///< of the records; never text
  Spelling spelling = Spelling::kRaw;
  Buffer text;  ///< only for kKept
  std::uint64_t input_bytes = 0;
  std::optional<Fingerprint> fingerprint;  ///< of what was read, if asked for

  std::uint64_t count() const noexcept { return records.size() / layout.record_bytes; }
};

struct LoadWishes {
  bool sorting = true;       ///< the memory must suffice for sorting too
  bool fingerprint = false;  ///< take the fingerprint of what was read
};

/// Reads all of `input`. Checks the memory first. Laps: "read", "parse", "fingerprint".
LoadedKeys load_keys(Input& input, const KeyFormat& format, const LoadWishes& wishes,
                     Progress& progress, Stopwatch& time);

/// Makes all keys of `source`; for text signed 64-bit integers. Checks the memory first. Laps:
/// "make", "fingerprint".
LoadedKeys load_made_keys(const DataSource& source, const KeyFormat& format,
                          const LoadWishes& wishes, Progress& progress, Stopwatch& time);

/// How many bytes store_keys writes.
std::uint64_t stored_bytes(const LoadedKeys& keys);

void store_keys(const LoadedKeys& keys, Output& output, Progress& progress);

/// Of the records, or of the lines, that store_keys writes.
Fingerprint fingerprint_of(const LoadedKeys& keys);

/// The key of that record, or its line as it was spelled.
std::string in_words(const LoadedKeys& keys, std::size_t record);

/// How much memory `records` records take, and with `sorting` the scratch to sort them. At most
/// 2^63.
std::uint64_t memory_for(std::uint64_t records, std::size_t record_bytes, bool sorting);

}  // namespace postroom::cli
