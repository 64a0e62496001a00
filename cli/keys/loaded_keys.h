// Keys in memory, between their file and their file.
//
// Raw keys are the bytes of the file. Text becomes 64-bit integers; when every line is spelled as
// the command itself would print it, the text is let go and printed anew at the end, otherwise each
// integer knows its line, and the lines are written as they were.
//
// Memory: raw the size of the file; text 8 bytes a line, and in the second case 16 and the text.
// Errors: those of cli/keys/text_numbers.h, beginning with the input's name.
//
//   LoadedKeys keys = load_records(inputs.read_up_to(most_bytes, progress), format, false, time);
//   sort_records(keys.records.bytes(), keys.layout, options);
//   store_keys(keys, output, progress);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cli/common/progress.h"
#include "cli/common/stopwatch.h"
#include "cli/files/buffer.h"
#include "cli/files/byte_sink.h"
#include "cli/keys/data_source.h"
#include "cli/keys/fingerprint.h"
#include "cli/keys/key_format.h"
#include "cli/keys/line_names.h"
#include "cli/keys/lines.h"
#include "cli/keys/text_numbers.h"
#include "sort/options.h"

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
  Buffer text;                             ///< only for kKept
  std::size_t longest_line = 0;            ///< of it, in bytes
  SignLines signs;                         ///< of text
  std::optional<Fingerprint> fingerprint;  ///< of what was read, if asked for

  std::uint64_t count() const noexcept { return records.size() / layout.record_bytes; }
};

/// The raw records that fill `bytes`. Lap: "fingerprint", if asked for.
LoadedKeys load_records(Buffer bytes, const KeyFormat& format, bool fingerprint, Stopwatch& time);

/// The layout of records that begin with a 64-bit integer, which was text.
KeyFormat integers(bool is_unsigned, std::size_t record_bytes = sizeof(std::uint64_t));

/// A text in whole lines: where they are, and what they are called.
struct TextLines {
  LineChunks chunks;
  LineNames names{};
  std::uint64_t first_line = 0;  // the number of the first one among the names
};

/// The numbers of `text`. Takes the text over, unless `memory_bytes` do not suffice for it and for
/// sorting: then nothing is returned. Laps: "fingerprint", if asked for, and "parse".
std::optional<LoadedKeys> load_lines(Buffer& text, const TextLines& lines,
                                     std::uint64_t memory_bytes, bool fingerprint, Stopwatch& time);

/// Makes all keys of `source`; for text signed 64-bit integers. Laps: "make", and "fingerprint", if
/// asked for.
LoadedKeys load_made_keys(const DataSource& source, const KeyFormat& format, bool fingerprint,
                          Progress& progress, Stopwatch& time);

/// How many bytes store_keys writes.
std::uint64_t stored_bytes(const LoadedKeys& keys);

/// Advances `progress` by as many.
void store_keys(const LoadedKeys& keys, ByteSink& sink, Progress& progress);

/// Of the records, or of the lines, that store_keys writes.
Fingerprint fingerprint_of(const LoadedKeys& keys);

/// How much memory each byte of records takes at least, the byte itself and what sorting takes
/// included: sort_records_within() (cli/keys/by_format.h).
double memory_for_each_byte(const KeyFormat& layout,
                            SortAlgorithm algorithm = SortAlgorithm::automatic);

/// The same for `records` records. At most 2^63.
std::uint64_t memory_for(std::uint64_t records, const KeyFormat& layout,
                         SortAlgorithm algorithm = SortAlgorithm::automatic);

}  // namespace postroom::cli
