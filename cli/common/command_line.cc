#include "cli/common/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <optional>

#include "cli/common/failure.h"

namespace postroom::cli {
namespace {

/// The long name of "-o,--output".
std::string last_name(const std::string& names) {
  return names.substr(names.find_last_of(',') + 1);
}

/// Adds "-o" and "--output" of "-o,--output".
void add_names(std::vector<std::string>& all, const std::string& names) {
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    all.push_back(names.substr(begin, end - begin));
    begin = end + 1;
  }
}

/// What is written in digits alone.
std::optional<std::uint64_t> parse_digits(std::string_view text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return {};
  return number;
}

/// Digits, or as in 25e7: digits, and how many zeros follow them.
std::optional<std::uint64_t> parse_whole(std::string_view text) {
  const std::size_t e = std::min(text.find('e'), text.size());
  std::optional<std::uint64_t> number = parse_digits(text.substr(0, e));
  if (!number || e == text.size()) return number;
  const std::optional<std::uint64_t> zeros = parse_digits(text.substr(e + 1));
  if (!zeros) return {};
  for (std::uint64_t i = 0; *number > 0 && i < *zeros; ++i) {
    if (__builtin_mul_overflow(*number, std::uint64_t{10}, &*number)) return {};
  }
  return number;
}

}  // namespace

CommandLine::CommandLine(std::string command, std::string summary)
    : command_(std::move(command)),
      app_(std::make_unique<CLI::App>(std::move(summary), "postroom " + command_)) {
  app_->set_help_flag();
  app_->allow_extras();
  app_->get_formatter()->label("Positionals", "Operand");
}

CommandLine::~CommandLine() = default;

void CommandLine::flag(const std::string& names, bool& given, const std::string& help) {
  add_names(flags_, names);
  app_->add_flag_callback(
          names, [&given] { given = true; }, help)
      ->group(heading_);
}

void CommandLine::value(const std::string& names, std::optional<std::string>& text,
                        const std::string& label, const std::string& help) {
  add_names(value_options_, names);
  Value& value = values_.emplace_back(Value{last_name(names), &text, {}});
  app_->add_option(names, value.given, help)
      ->allow_extra_args(false)
      ->option_text(label)
      ->group(heading_);
}

void CommandLine::values(const std::string& names, std::vector<std::string>& texts,
                         const std::string& label, const std::string& help) {
  add_names(value_options_, names);
  app_->add_option(names, texts, help)
      ->allow_extra_args(false)
      ->option_text(label)
      ->group(heading_);
}

void CommandLine::operand(std::optional<std::string>& text, const std::string& label,
                          const std::string& help) {
  app_->add_option_function<std::string>(
          label, [&text](const std::string& word) { text = word; }, help)
      ->option_text(" ");
}

void CommandLine::operands(std::vector<std::string>& texts, const std::string& label,
                           const std::string& help) {
  operands_ = Operands{&texts, label, help};
}

void CommandLine::heading(const std::string& heading) { heading_ = heading; }

void CommandLine::footer(const std::string& text) { app_->footer(text); }

void CommandLine::parse(std::span<const std::string> words) {
  bool help_wanted = false;
  flag("-h,--help", help_wanted, "show this");
  refuse_wrong_values(words);
  std::vector<std::string> reversed(words.rbegin(), words.rend());
  try {
    app_->parse(std::move(reversed));
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string_view message = error.what();
    throw UsageError(fmt::format("{}: a value is missing", message.substr(0, message.find(':'))));
  } catch (const CLI::ParseError& error) {
    throw UsageError(one_line(error.what()));
  }
  take_rest();
  for (Value& value : values_) store(value);
  if (help_wanted) throw HelpWanted{help()};
}

/// A flag that is given a value; an option with nothing behind its "=", for which CLI11 would take
/// the next word; one that is followed by the name of another.
void CommandLine::refuse_wrong_values(std::span<const std::string> words) const {
  const auto is_value_option = [&](const std::string& word) {
    return std::ranges::count(value_options_, word) > 0;
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--") return;  // operands follow
    if (i + 1 < words.size() && is_value_option(word) &&
        (is_value_option(words[i + 1]) || std::ranges::count(flags_, words[i + 1]) > 0)) {
      throw UsageError(fmt::format("{}: a value is missing before {}", word, words[i + 1]));
    }
    const std::size_t end = word.find('=');
    if (end == std::string::npos) continue;
    const std::string name = word.substr(0, end);
    const std::string text = word.substr(end + 1);
    if (std::ranges::count(flags_, name) > 0) {
      throw UsageError(
          fmt::format("{}: {} is not allowed; it takes no value", name, in_quotes(text)));
    }
    if (text.empty() && is_value_option(name)) {
      throw UsageError(fmt::format("{}: a value is missing", name));
    }
  }
}

void CommandLine::store(Value& value) const {
  if (value.given.empty()) return;
  if (value.given.size() > 1) {
    throw UsageError(fmt::format("{}: given twice, as {} and as {}; once is allowed", value.name,
                                 in_quotes(value.given[0]), in_quotes(value.given[1])));
  }
  *value.text = value.given.front();
}

void CommandLine::take_rest() {
  bool only_operands = false;
  for (const std::string& word : app_->remaining()) {
    if (word == "--" && !only_operands) {
      only_operands = true;
    } else if (word.starts_with('-') && word != "-" && !only_operands) {
      throw UsageError(fmt::format("{} is not one of its options; 'postroom help {}' lists them",
                                   in_quotes(word.substr(0, word.find('='))), command_));
    } else if (operands_) {
      operands_->texts->push_back(word);
    } else {
      throw UsageError(fmt::format("{} is one operand too many", in_quotes(word)));
    }
  }
}

std::string CommandLine::help() const {
  // Any number of operands are taken from what CLI11 leaves, as they are: it would look into them.
  std::vector<std::string> nobodys;
  CLI::Option* const shown =
      operands_ ? app_->add_option(operands_->label, nobodys, operands_->help) : nullptr;
  // Not an ellipsis: CLI11 aligns by bytes.
  if (shown != nullptr) shown->option_text("...");
  const std::string text = app_->help();
  if (shown != nullptr) app_->remove_option(shown);
  return text;
}

std::uint64_t whole_number(std::string_view option, std::string_view text, std::uint64_t least,
                           std::uint64_t most) {
  const std::optional<std::uint64_t> number = parse_whole(text);
  if (!number || *number < least || *number > most) {
    throw UsageError(fmt::format("{}: {} is not a whole number from {} to {}", option,
                                 in_quotes(text), least, most));
  }
  return *number;
}

void contradict(bool both, std::string_view one, std::string_view other) {
  if (both) throw UsageError(fmt::format("{} and {} contradict each other", one, other));
}

void throw_unknown_name(std::string_view option, std::string_view text,
                        std::span<const std::string_view> names) {
  throw UsageError(
      fmt::format("{}: {} is not one of {}", option, in_quotes(text), fmt::join(names, ", ")));
}

}  // namespace postroom::cli
