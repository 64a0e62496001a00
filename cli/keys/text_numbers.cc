#include "cli/keys/text_numbers.h"

#include <fmt/core.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

#include <limits>
#include <optional>
#include <string>

#include "cli/common/failure.h"
#include "cli/keys/decimal.h"

namespace postroom::cli {
namespace {

constexpr std::uint64_t kLargestSigned = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t kNoLine = std::numeric_limits<std::size_t>::max();

enum class Fault { kNone, kNotAnInteger, kTooLarge };

struct Number {
  std::uint64_t magnitude = 0;
  bool negative = false;
  bool canonical = true;
  Fault fault = Fault::kNone;
};

/// What is known of some lines; of two neighbours, merged, of both.
struct Findings {
  bool canonical = true;
  std::size_t first_fault = kNoLine;
  std::size_t first_negative = kNoLine;
  std::size_t first_above_signed = kNoLine;

  void merge(const Findings& other) {
    canonical = canonical && other.canonical;
    first_fault = std::min(first_fault, other.first_fault);
    first_negative = std::min(first_negative, other.first_negative);
    first_above_signed = std::min(first_above_signed, other.first_above_signed);
  }

  void note(std::size_t line, const Number& number) {
    canonical = canonical && number.canonical;
    if (number.fault != Fault::kNone) first_fault = std::min(first_fault, line);
    if (number.negative) first_negative = std::min(first_negative, line);
    if (!number.negative && number.magnitude > kLargestSigned) {
      first_above_signed = std::min(first_above_signed, line);
    }
  }
};

bool is_blank(char character) { return character == ' ' || character == '\t'; }

std::string_view without_blanks(std::string_view line) {
  while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
  return line;
}

/// The value of `digits`, of any length.
Number read_magnitude(std::string_view digits) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  Number number;
  for (const char character : digits) {
    if (character < '0' || character > '9') return {.fault = Fault::kNotAnInteger};
    const auto digit = static_cast<std::uint64_t>(character - '0');
    if (number.magnitude > (kMost - digit) / 10) number.fault = Fault::kTooLarge;
    number.magnitude = number.magnitude * 10 + digit;
  }
  return number;
}

/// Any line, character by character.
Number read_line(std::string_view line) {
  std::string_view digits = without_blanks(line);
  if (digits.empty()) return {.canonical = false};
  const bool negative = digits.front() == '-';
  const bool has_sign = negative || digits.front() == '+';
  if (has_sign) digits.remove_prefix(1);
  if (digits.empty()) return {.fault = Fault::kNotAnInteger};
  Number number = read_magnitude(digits);
  if (negative && number.magnitude > kLargestSigned + 1 && number.fault == Fault::kNone) {
    number.fault = Fault::kTooLarge;
  }
  // "-0" is a negative zero no longer.
  number.negative = negative && number.magnitude != 0;
  const bool leading_zero = digits.size() > 1 && digits.front() == '0';
  number.canonical = line.size() == digits.size() + (number.negative ? 1 : 0) && !leading_zero;
  return number;
}

/// A line that begins at `place`, if it is spelled in the usual way and ends well before the text
/// does; else nothing.
struct QuickLine {
  Number number;
  std::size_t end;  // of the line
};
std::optional<QuickLine> read_usual_line(std::string_view text, std::size_t place) {
  if (text.size() - place <= kDigitsRoom + 1) return std::nullopt;
  const bool negative = text[place] == '-';
  const char* const first = text.data() + place + (negative ? 1 : 0);
  const Digits digits = read_digits(first);
  // 19 digits fit into 64 bits in any case.
  const bool usual = digits.count >= 1 && digits.count <= 19 && first[digits.count] == '\n' &&
                     (!negative || digits.value <= kLargestSigned + 1) &&
                     (*first != '0' || (digits.count == 1 && !negative));
  if (!usual) return std::nullopt;
  return QuickLine{{digits.value, negative},
                   static_cast<std::size_t>(first - text.data()) + digits.count};
}

/// In two's complement.
std::uint64_t value_of(const Number& number) {
  return number.negative ? 0 - number.magnitude : number.magnitude;
}

void store(std::uint64_t& key, std::uint64_t number, std::size_t) { key = number; }
void store(NumberedLine& line, std::uint64_t number, std::size_t place) { line = {number, place}; }

/// The line that begins at `place`, and where it ends.
QuickLine read_line_at(std::string_view text, std::size_t place) {
  if (const std::optional<QuickLine> quick = read_usual_line(text, place)) return *quick;
  const std::size_t end = line_end(text, place);
  return {read_line(text.substr(place, end - place)), end};
}

/// Reads the lines of `chunk` into `elements`, which belong to all the lines of the text.
template <class Element>
Findings read_chunk(std::string_view text, const LineChunk& chunk, std::span<Element> elements) {
  Findings findings;
  std::size_t line = chunk.first_line;
  for (std::size_t place = chunk.begin; place < chunk.end; ++line) {
    const auto [number, end] = read_line_at(text, place);
    findings.note(line, number);
    store(elements[line], value_of(number), place);
    place = end + 1;
  }
  return findings;
}

template <class Element>
Findings read_all(std::string_view text, const LineChunks& lines, std::span<Element> elements) {
  std::vector<Findings> findings(lines.chunks.size());
  tbb::parallel_for(std::size_t{0}, lines.chunks.size(), [&](std::size_t chunk) {
    findings[chunk] = read_chunk(text, lines.chunks[chunk], elements);
  });
  Findings all;
  for (const Findings& each : findings) all.merge(each);
  return all;
}

const char* in_words(Fault fault) {
  return fault == Fault::kNotAnInteger ? "is not an integer"
                                       : "is outside -9223372036854775808 … 18446744073709551615";
}

std::optional<SeenLine> seen(std::string_view text, const LineChunks& lines, std::size_t line,
                             std::uint64_t first_line) {
  if (line == kNoLine) return std::nullopt;
  return SeenLine{first_line + line, std::string(line_of(text, lines, line))};
}

void refuse_fault(std::string_view text, const LineChunks& lines, std::size_t line,
                  const LineNames& names, std::uint64_t first_line) {
  if (line == kNoLine) return;
  const std::string_view content = line_of(text, lines, line);
  throw UsageError(fmt::format("{}: {} {}", names(first_line + line), in_quotes(content),
                               in_words(read_line(content).fault)));
}

bool prints_minus(std::uint64_t number, bool is_unsigned) {
  return !is_unsigned && number > kLargestSigned;
}

}  // namespace

void SignLines::add(const SignLines& later) {
  if (!negative) negative = later.negative;
  if (!above_signed) above_signed = later.above_signed;
}

void refuse_mixed(const SignLines& signs, const LineNames& names) {
  if (!signs.negative || !signs.above_signed) return;
  throw_mixed(names(signs.above_signed->number), in_quotes(signs.above_signed->content),
              names.beside(signs.negative->number));
}

void throw_mixed(std::string_view above_place, std::string_view quoted,
                 std::string_view negative_place) {
  throw UsageError(fmt::format(
      "{}: {} is above 9223372036854775807, which is not allowed beside a negative number ({})",
      above_place, quoted, negative_place));
}

LineNumber number_at(std::string_view text, std::size_t place) {
  const auto [number, end] = read_line_at(text, place);
  if (number.fault != Fault::kNone) {
    const std::string_view line = text.substr(place, end - place);
    throw UsageError(fmt::format("{} {}", in_quotes(line), in_words(number.fault)));
  }
  return {value_of(number), number.negative, end};
}

TextNumbers parse_numbers(std::string_view text, const LineChunks& lines, const LineNames& names,
                          std::uint64_t first_line) {
  Buffer keys(lines.lines * sizeof(std::uint64_t));
  keys.touch();
  const Findings findings = read_all(text, lines, keys.as<std::uint64_t>());
  refuse_fault(text, lines, findings.first_fault, names, first_line);
  const SignLines signs{seen(text, lines, findings.first_negative, first_line),
                        seen(text, lines, findings.first_above_signed, first_line)};
  refuse_mixed(signs, names);
  return {std::move(keys), signs.above_signed.has_value(), findings.canonical, signs};
}

TextNumbers parse_numbers(std::string_view text) { return parse_numbers(text, chunk_lines(text)); }

UsualNumbers parse_usual_numbers(std::string_view text, std::span<std::uint64_t> numbers) {
  UsualNumbers found;
  for (std::size_t place = 0; place < text.size(); ++found.lines) {
    const auto [number, end] = read_line_at(text, place);
    const bool usual = number.canonical && number.fault == Fault::kNone;
    if (!usual || found.lines == numbers.size()) return found;
    numbers[found.lines] = value_of(number);
    found.negative = found.negative || number.negative;
    found.above_signed =
        found.above_signed || (!number.negative && number.magnitude > kLargestSigned);
    place = end + 1;
  }
  found.all = true;
  return found;
}

Buffer parse_numbered_lines(std::string_view text, const LineChunks& lines) {
  Buffer numbered(lines.lines * sizeof(NumberedLine));
  numbered.touch();
  read_all(text, lines, numbered.as<NumberedLine>());
  return numbered;
}

std::size_t print_numbers(std::span<const std::uint64_t> numbers, bool is_unsigned,
                          std::span<char> room) {
  char* place = room.data();
  for (const std::uint64_t number : numbers) {
    const bool minus = prints_minus(number, is_unsigned);
    *place = '-';
    place = print_decimal(place + (minus ? 1 : 0), minus ? 0 - number : number);
    *place++ = '\n';
  }
  return static_cast<std::size_t>(place - room.data());
}

std::size_t printed_room(std::size_t numbers) {
  return numbers * (kMostDecimalCharacters + 1) + kDecimalRoom;
}

std::uint64_t printed_characters(std::span<const std::uint64_t> numbers, bool is_unsigned) {
  constexpr std::size_t kGrain = std::size_t{1} << 16;
  return tbb::parallel_reduce(
      tbb::blocked_range<std::size_t>(0, numbers.size(), kGrain), std::uint64_t{0},
      [&](const tbb::blocked_range<std::size_t>& range, std::uint64_t sum) {
        for (std::size_t at = range.begin(); at != range.end(); ++at) {
          const bool minus = prints_minus(numbers[at], is_unsigned);
          sum += decimal_digits(minus ? 0 - numbers[at] : numbers[at]) + (minus ? 2 : 1);
        }
        return sum;
      },
      std::plus<>());
}

std::uint64_t printed_characters(std::string_view text) {
  return text.size() + (text.empty() || text.back() == '\n' ? 0 : 1);
}

}  // namespace postroom::cli
