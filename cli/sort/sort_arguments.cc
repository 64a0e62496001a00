#include "cli/sort/sort_arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <variant>
#include <vector>

#include "cli/common/command_line.h"
#include "cli/common/failure.h"
#include "cli/common/units.h"
#include "cli/files/links.h"
#include "cli/sort/memory_budget.h"
#include "cli/sort/memory_size.h"
#include "sort/key_type.h"

namespace postroom::cli {
namespace {

constexpr std::uint64_t kMostProcessors = 4096;

constexpr const char* kSummary =
    "Sorts a file of integers, floating-point numbers or records, stably, with all cores.\n"
    "Reads each FILE after the other, standard input without any or for '-'. The output file is "
    "replaced as a whole at the very end; it may be an input.";

constexpr const char* kFooter =
    "Without --type the end of the file's name tells: .u8 … .u64, .i8 … .i64, .f32, .f64, .txt.\n"
    "Text: one integer a line, blanks around it and a sign allowed; every line keeps its spelling, "
    "blank ones count as 0.\n"
    "Floating point: in the total order, -NaN first and NaN last.\n"
    "Bytes: bytesN is a key of N bytes, the first counts most; so characters, and big-endian "
    "unsigned numbers (bytes8 is a u64 of that kind).\n"
    "Memory: what does not fit is sorted in runs, in a file without a name in DIR that is as large "
    "as the input, and merged. SIZE is a number with b, K, M, G, T, P, E or % behind it, of KiB "
    "without; the whole program keeps within it.\n"
    "Exit codes: 0 done, 1 not in order (-c, -C), 2 an error: no file has changed, "
    "though a part may have gone into a pipe.\n"
    "An output that is there keeps its owner, group, mode and access control list, and is refused "
    "where they cannot be kept; other hard links keep the old content.\n\n"
    "  postroom sort keys.u64 -o sorted.u64\n"
    "  postroom sort --type text < numbers > sorted\n"
    "  postroom sort events.bin --type u32 --record-bytes 100 --key-offset 12 -o events.bin\n"
    "  postroom sort gensort.dat --type bytes10 --record-bytes 100 -o sorted.dat\n"
    "  postroom sort huge.u64 -S 2G -T /scratch -o huge.u64\n"
    "  postroom sort -m monday.u32 tuesday.u32 -o days.u32\n"
    "  postroom sort --random 100000000 --type u64 --verify -o sorted.u64";

/// The words of the options, as they were given.
struct Words {
  std::vector<std::string> files;
  std::optional<std::string> output, type, record_bytes, key_offset, parallel, buffer_size,
      spill_folder, algorithm, random, distribution, seed, json;
  bool merge = false;
  bool reverse = false;
  bool check = false;
  bool check_quietly = false;
  bool verify = false;
  bool plan = false;
  bool no_pin = false;
  bool quiet = false;
  bool verbose = false;
};

std::vector<std::pair<std::string, SortAlgorithm>> named_algorithms() {
  std::vector<std::pair<std::string, SortAlgorithm>> named;
  for (const SortAlgorithm each : kSortAlgorithms) named.emplace_back(to_string(each), each);
  return named;
}

std::string algorithm_names() {
  std::vector<std::string> names;
  for (const auto& [name, algorithm] : named_algorithms()) names.push_back(name);
  return fmt::format("{}", fmt::join(names, ", "));
}

void declare(CommandLine& line, Words& words) {
  line.operands(words.files, "FILE", "what to sort; '-' or nothing: standard input");
  line.value("-o,--output", words.output, "FILE",
             "where to write; '-' or nothing: standard output");
  line.flag("-r,--reverse", words.reverse,
            "from the largest key down; equal keys keep their order");
  line.flag("-m,--merge", words.merge, "each FILE is in order already: only merge them");
  line.flag("-c,--check", words.check, "only look whether it is in order, and say where it is not");
  line.flag("-C,--check-quietly", words.check_quietly, "the same without a word");

  line.heading("Format");
  line.value(
      "--type", words.type, "TYPE",
      "u8, u16, u32, u64, i8, i16, i32, i64, f32, f64 (raw, little-endian), bytesN (raw, in the "
      "order of memcmp) or text");
  line.value("--record-bytes", words.record_bytes, "N", "records of N bytes with the key in each");
  line.value("--key-offset", words.key_offset, "K", "where the key begins in a record (0)");

  line.heading("How");
  line.value("-p,--parallel,--processors", words.parallel, "N",
             "N processors; by itself one for each core, as far as SIZE allows");
  line.flag("--no-pin", words.no_pin, "leave it to the system where threads run");
  line.value("--algorithm", words.algorithm, "NAME", algorithm_names());
  line.value("-S,--buffer-size", words.buffer_size, "SIZE",
             "the most memory to use: 800M, 2G, 50%; by itself what is available");
  line.value("-T,--temporary-directory", words.spill_folder, "DIR",
             "where to put what does not fit into memory ($TMPDIR, or else /tmp; where /tmp is in "
             "memory itself, the output's folder or /var/tmp). The output's own temporary file is "
             "always beside the output, because it is renamed at the end");
  line.flag("--verify", words.verify,
            "read the output again and check that it is in order and holds the same records");
  line.flag("--plan", words.plan, "say what sorting would cost; sort nothing");

  line.heading("Made-up input instead of FILEs");
  line.value("--random", words.random, "N", "N keys");
  line.value("--distribution", words.distribution, "NAME", distribution_names() + " (uniform)");
  line.value("--seed", words.seed, "S", "the same seed makes the same keys (1)");

  line.heading("Reports");
  line.value("--json", words.json, "FILE", "write what was done as JSON ('-': standard output)");
  line.flag("-q,--quiet", words.quiet, "no final line");
  line.flag("-v,--verbose", words.verbose, "more than one");
  line.footer(kFooter);
}

void require(bool given, const char* name, bool needed, const char* needed_name) {
  if (given && !needed) throw UsageError(fmt::format("{} needs {}", name, needed_name));
}

void refuse_contradictions(const Words& words) {
  const bool checks = words.check || words.check_quietly;
  const char* const check = words.check ? "--check" : "--check-quietly";
  contradict(words.check && words.check_quietly, "--check", "--check-quietly");
  contradict(checks && words.output, check, "--output");
  contradict(checks && words.verify, check, "--verify");
  contradict(checks && words.plan, check, "--plan");
  contradict(checks && words.json, check, "--json");
  contradict(checks && words.spill_folder, check, "--temporary-directory");
  contradict(checks && words.random, check, "--random");
  contradict(checks && words.merge, check, "--merge");
  contradict(checks && words.algorithm, check, "--algorithm");
  contradict(checks && words.verbose, check, "--verbose");
  contradict(!words.files.empty() && words.random, "a FILE", "--random");
  contradict(words.merge && words.random, "--merge", "--random");
  contradict(words.merge && words.algorithm, "--merge", "--algorithm");
  contradict(words.buffer_size && words.algorithm, "--buffer-size", "--algorithm");
  contradict(words.quiet && words.verbose, "--quiet", "--verbose");
  contradict(words.record_bytes && words.random, "--record-bytes", "--random");
  contradict(words.spill_folder && words.random, "--temporary-directory", "--random");
  contradict(words.plan && words.verbose, "--plan", "--verbose");
  require(words.distribution.has_value(), "--distribution", words.random.has_value(), "--random");
  require(words.seed.has_value(), "--seed", words.random.has_value(), "--random");
  require(words.key_offset.has_value(), "--key-offset", words.record_bytes.has_value(),
          "--record-bytes");
}

/// In quotes as in_quotes does, but not cut: it is the end that tells.
std::string whole(const std::string& name) { return in_quotes(name, name.size()); }

/// The one format that the names of the inputs tell, of those that tell any.
std::optional<KeyFormat> format_of_inputs(const std::vector<std::string>& files) {
  std::optional<KeyFormat> found;
  const std::string* told_by = nullptr;
  for (const std::string& file : files) {
    const std::optional<KeyFormat> format = format_of_name(file);
    if (!format) continue;
    if (found && *found != *format) {
      throw UsageError(fmt::format("{} is {} and {} is {}; --type says what both are",
                                   whole(*told_by), in_words(*found), whole(file),
                                   in_words(*format)));
    }
    found = format;
    told_by = &file;
  }
  return found;
}

/// What the names of the inputs tell, or that of the output, which may not tell something else.
std::optional<KeyFormat> format_of_names(const Words& words) {
  const std::optional<KeyFormat> input = format_of_inputs(words.files);
  const std::optional<KeyFormat> output = format_of_name(words.output.value_or(""));
  if (input && output && *input != *output) {
    const auto told_by = std::ranges::find_if(
        words.files, [](const std::string& file) { return format_of_name(file).has_value(); });
    throw UsageError(fmt::format("{} is {} and the output {} is {}; --type says what both are",
                                 whole(*told_by), in_words(*input), whole(*words.output),
                                 in_words(*output)));
  }
  return input ? input : output;
}

/// --type, or else what the names tell.
KeyFormat parse_type(const Words& words) {
  if (words.type) return parse_format(*words.type);
  if (const auto format = format_of_names(words)) return *format;
  const std::string name = !words.files.empty() ? words.files.front() : words.output.value_or("-");
  throw UsageError(fmt::format(
      "--type is missing: {} does not end in .u8 … .u64, .i8 … .i64, .f32, .f64 or .txt",
      name != "-"    ? in_quotes(name)
      : words.random ? "standard output"
                     : "standard input"));
}

KeyFormat format_of(const Words& words) {
  KeyFormat format = parse_type(words);
  contradict(words.random && std::holds_alternative<ByteKey>(format.key),
             "--type " + to_string(format.key), "--random");
  if (!words.record_bytes) return format;
  contradict(format.text, "--record-bytes", "text");
  format.record_bytes =
      whole_number("--record-bytes", *words.record_bytes, key_bytes(format.key), kMostRecordBytes);
  if (words.key_offset) {
    format.key_offset = whole_number("--key-offset", *words.key_offset, 0,
                                     format.record_bytes - key_bytes(format.key));
  }
  return format;
}

/// The memory that the program may use, if that is enough for it: with --parallel for all of these
/// processors, else for one at least.
std::uint64_t parse_buffer_size(const std::string& text, int processors) {
  const std::uint64_t bytes = memory_size("--buffer-size", text);
  const int least = std::max(processors, 1);
  if (bytes < least_memory_bytes(least)) {
    throw UsageError(fmt::format("--buffer-size: {} is {}, too little; at least {}M with {}",
                                 in_quotes(text), readable_bytes(bytes),
                                 least_memory_bytes(least) >> 20U, counted(least, "processor")));
  }
  return bytes;
}

/// Standard input can be read once, and only one file at a time is checked.
void refuse_too_many(const Words& words) {
  const auto is_standard_input = [](const std::string& file) {
    return file == "-" || own_descriptor(file) == 0;
  };
  if (std::ranges::count_if(words.files, is_standard_input) > 1) {
    throw UsageError("'-', standard input, can be read once only");
  }
  if ((words.check || words.check_quietly) && words.files.size() > 1) {
    throw UsageError(fmt::format("{} is one operand too many; one FILE is checked at a time",
                                 in_quotes(words.files[1])));
  }
}

SortArguments::Action action_of(const Words& words) {
  using Action = SortArguments::Action;
  if (words.check) return Action::kCheck;
  if (words.check_quietly) return Action::kCheckQuietly;
  return words.plan ? Action::kPlan : Action::kSort;
}

}  // namespace

SortArguments parse_sort_arguments(std::span<const std::string> given) {
  CommandLine line("sort", kSummary);
  Words words;
  declare(line, words);
  line.parse(given);
  SortArguments arguments;

  refuse_contradictions(words);
  refuse_too_many(words);
  arguments.action = action_of(words);
  arguments.format = format_of(words);
  arguments.descending = words.reverse;
  arguments.pin = !words.no_pin;
  arguments.verify = words.verify;
  arguments.quiet = words.quiet;
  arguments.verbose = words.verbose;
  arguments.json = words.json;
  arguments.spill_folder = words.spill_folder;
  arguments.merge = words.merge;
  if (!words.files.empty()) arguments.inputs = words.files;
  arguments.output = words.output.value_or("-");
  set_whole_number(arguments.processors, "--processors", words.parallel, 1, kMostProcessors);
  if (words.buffer_size) {
    arguments.buffer_bytes = parse_buffer_size(*words.buffer_size, arguments.processors);
  }
  if (words.algorithm) {
    arguments.algorithm = named("--algorithm", *words.algorithm, named_algorithms());
  }
  if (words.random) {
    arguments.random = parse_data_source("--random", *words.random, words.distribution, words.seed);
  }
  return arguments;
}

}  // namespace postroom::cli
