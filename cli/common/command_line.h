// The words after a subcommand, taken apart: CLI11 finds the options, this class gives every
// mistake one clear line.
//
// All values arrive as text; whoever declared an option converts it with the functions below, so
// that all errors have one form: "--type: 'u63' is not one of u8, u16". An option given twice that
// may not be, an unknown one, a missing value and a superfluous operand are UsageErrors.
//
//   CommandLine line("sort", "Sorts a file of integers.");
//   line.value("-o,--output", arguments.output, "FILE", "where to write");
//   line.parse({"keys.u64", "-o", "sorted.u64"});
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace postroom::cli {

/// Thrown by parse() where the words ask for help: nothing else is to be done then but to print it.
struct HelpWanted {
  std::string text;
};

class CommandLine {
 public:
  /// `command` as the user types it after "postroom"; `summary` opens the help.
  CommandLine(std::string command, std::string summary);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  /// What parse() fills in must outlive it. `names` as in "-r,--reverse".
  void flag(const std::string& names, bool& given, const std::string& help);
  void value(const std::string& names, std::optional<std::string>& text, const std::string& label,
             const std::string& help);
  /// An option that may be given any number of times.
  void values(const std::string& names, std::vector<std::string>& texts, const std::string& label,
              const std::string& help);
  /// The one operand that the command takes, if any.
  void operand(std::optional<std::string>& text, const std::string& label, const std::string& help);
  /// The operands of a command that takes any number of them.
  void operands(std::vector<std::string>& texts, const std::string& label, const std::string& help);
  /// Options declared after this stand under `heading` in the help.
  void heading(const std::string& heading);
  /// Closes the help.
  void footer(const std::string& text);

  /// Adds -h,--help as the last option. Throws UsageError on the first mistake, HelpWanted when
  /// there is none and help was asked for. An operand may follow "--" to begin with a dash.
  void parse(std::span<const std::string> words);

 private:
  struct Value {
    std::string name;
    std::optional<std::string>* text;
    std::vector<std::string> given;
  };
  struct Operands {
    std::vector<std::string>* texts;
    std::string label;
    std::string help;
  };

  void refuse_wrong_values(std::span<const std::string> words) const;
  void store(Value& value) const;
  void take_rest();
  std::string help() const;

  std::string command_;
  std::string heading_ = "Options";
  std::unique_ptr<CLI::App> app_;
  std::vector<std::string> flags_;          // all names: "-r", "--reverse"
  std::vector<std::string> value_options_;  // likewise
  std::deque<Value> values_;
  std::optional<Operands> operands_;
};

/// `text`, such as 100000000 or 1e8, as a whole number from `least` to `most`; UsageError names
/// `option`.
std::uint64_t whole_number(std::string_view option, std::string_view text, std::uint64_t least,
                           std::uint64_t most);

/// Where `text` was given, `value`, a number or an optional one, becomes it.
template <class Value>
void set_whole_number(Value& value, std::string_view option, const std::optional<std::string>& text,
                      std::uint64_t least, std::uint64_t most) {
  if (text) value = static_cast<Value>(whole_number(option, *text, least, most));
}

/// UsageError where `both` are given: "--json and --check contradict each other".
void contradict(bool both, std::string_view one, std::string_view other);

/// "--type: 'u63' is not one of u8, u16".
[[noreturn]] void throw_unknown_name(std::string_view option, std::string_view text,
                                     std::span<const std::string_view> names);

/// The value of the pair whose first is `text`; UsageError names `option` and all that are allowed.
template <class Choices>
auto named(std::string_view option, std::string_view text, const Choices& choices) {
  std::vector<std::string_view> names;
  for (const auto& [name, value] : choices) {
    if (name == text) return value;
    names.push_back(name);
  }
  throw_unknown_name(option, text, names);
}

}  // namespace postroom::cli
