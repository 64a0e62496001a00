// Integers written as text, one a line, as keys, and back.
//
// A line is blanks, an optional sign, decimal digits, blanks; blanks are spaces and tabs, at the
// end also a CR. A line of blanks alone counts as 0, as for `sort -n`. Everything else (letters,
// points, commas, two numbers) is an error that names the line. The numbers are i64; if one is
// above the largest i64 they are u64, and then none may be negative.
//
// Cost: the text is read twice, in parallel; 8 bytes a line for the keys. Errors: UsageError for
// the first bad line, "line 3: '1.5' is not an integer".
//
//   const TextNumbers numbers = parse_numbers("7\n-3\n");
//   numbers.keys.as<std::int64_t>();  // 7, -3
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cli/files/buffer.h"
#include "cli/keys/line_names.h"
#include "cli/keys/lines.h"

namespace postroom::cli {

/// A line that was seen, and its number, from 0.
struct SeenLine {
  std::uint64_t number;
  std::string content;
};

/// The first lines that decide between i64 and u64, of all that were read so far.
struct SignLines {
  std::optional<SeenLine> negative;
  std::optional<SeenLine> above_signed;  // above the largest i64

  /// Those of the lines that follow.
  void add(const SignLines& later);
};

/// UsageError when there are both, which have no type in common.
void refuse_mixed(const SignLines& signs, const LineNames& names);
/// That error: where the number above the largest i64 is, how it is spelled, and where the negative
/// one is.
[[noreturn]] void throw_mixed(std::string_view above_place, std::string_view quoted,
                              std::string_view negative_place);

struct TextNumbers {
  Buffer keys;       // 64-bit words, two's complement if not is_unsigned
  bool is_unsigned;  // some number is above the largest i64
  bool canonical;    // every line is spelled as print_numbers spells it
  SignLines signs;
};

/// The number that a line spells, and where the line ends.
struct LineNumber {
  std::uint64_t number;  // two's complement if negative
  bool negative;
  std::size_t end;  // of the line: its '\n', or the end of the text
};

/// That of the line that begins at `place`. UsageError: "'1.5' is not an integer".
LineNumber number_at(std::string_view text, std::size_t place);

/// A number and where its line begins, so that the line can be printed as it was spelled. The
/// number stands first, as the key of a record.
struct NumberedLine {
  std::uint64_t number;
  std::uint64_t place;
};

/// `names` and `first_line`, the number of the first line of `text` among them, are for messages.
TextNumbers parse_numbers(std::string_view text, const LineChunks& lines,
                          const LineNames& names = {}, std::uint64_t first_line = 0);
TextNumbers parse_numbers(std::string_view text);

/// What parse_usual_numbers found.
struct UsualNumbers {
  bool all = false;           ///< every line was usual, and there was room for it
  std::size_t lines = 0;      ///< that were parsed
  bool negative = false;      ///< one of them
  bool above_signed = false;  ///< one of them is above the largest i64
};

/// Parses `text`, up to the first line that is not spelled as print_numbers spells it. By one
/// thread; no message.
UsualNumbers parse_usual_numbers(std::string_view text, std::span<std::uint64_t> numbers);

/// The same numbers with the places of their lines: an array of NumberedLine. `text` must have gone
/// through parse_numbers.
Buffer parse_numbered_lines(std::string_view text, const LineChunks& lines);

/// Prints one number a line into `room` and returns how many characters that took. `room` holds at
/// least printed_room(numbers.size()) characters, of which any may be overwritten.
std::size_t print_numbers(std::span<const std::uint64_t> numbers, bool is_unsigned,
                          std::span<char> room);
std::size_t printed_room(std::size_t numbers);

/// How many characters print_numbers takes. In parallel.
std::uint64_t printed_characters(std::span<const std::uint64_t> numbers, bool is_unsigned);

/// How many characters the lines of `text` take, each with its '\n'.
std::uint64_t printed_characters(std::string_view text);

}  // namespace postroom::cli
