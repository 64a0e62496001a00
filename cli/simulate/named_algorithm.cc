#include "cli/simulate/named_algorithm.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/common/command_line.h"
#include "cli/common/failure.h"
#include "runtime/rational.h"

namespace postroom::cli {
namespace {

/// Without parameters and blanks.
std::string name_of(std::string_view text) {
  std::string name(text.substr(0, text.find('(')));
  std::erase(name, ' ');
  return name;
}

bool has(const SimulatedOperation& operation, const std::string& name) {
  return name == to_string(Algorithm::automatic) ||
         std::ranges::any_of(operation.algorithms(), [&](const Algorithm& each) {
           return name_of(to_string(each)) == name;
         });
}

/// Lists those that there are, each once, without parameters.
[[noreturn]] void refuse_name(std::string_view option, std::string_view text,
                              const SimulatedOperation& operation,
                              const std::function<bool(const Algorithm&)>& runs,
                              std::span<const std::string_view> others) {
  std::vector<std::string> known(others.begin(), others.end());
  for (const Algorithm& each : operation.algorithms()) {
    const std::string other = name_of(to_string(each));
    if (runs(each) && std::ranges::find(known, other) == known.end()) known.push_back(other);
  }
  const std::vector<std::string_view> names(known.begin(), known.end());
  throw_unknown_name(fmt::format("{}: for {}", option, operation.name), text, names);
}

}  // namespace

Algorithm named_algorithm(std::string_view option, std::string_view text,
                          const SimulatedOperation& operation,
                          const std::function<bool(const Algorithm&)>& runs,
                          std::span<const std::string_view> others) {
  const std::string name = name_of(text);
  if (!has(operation, name)) {
    refuse_name(option, text, operation, runs, others);
  }
  const Algorithm algorithm = parse_algorithm(text);
  const bool has_latency = parse_algorithm(name).latency != Rational(0);
  if (has_latency && algorithm.latency < Rational(1)) {
    throw UsageError(fmt::format("{}: {}: lambda {} is not allowed; at least 1", option,
                                 in_quotes(text), to_string(algorithm.latency)));
  }
  return algorithm;
}

void throw_no_algorithm(std::string_view option, std::string_view text,
                        const SimulatedOperation& operation) {
  const auto all = [](const Algorithm&) { return true; };
  refuse_name(option, text, operation, all, {});
}

void add_algorithm(std::vector<Algorithm>& list, const Algorithm& algorithm,
                   std::string_view option) {
  if (std::ranges::count(list, algorithm) > 0) {
    throw UsageError(
        fmt::format("{}: {} is given twice; once is allowed", option, to_string(algorithm)));
  }
  list.push_back(algorithm);
}

}  // namespace postroom::cli
