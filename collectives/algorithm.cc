#include "collectives/algorithm.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <ostream>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace postroom {
namespace {

using Name = Algorithm::Name;

// Which parameters an algorithm has.
enum : unsigned { kNone = 0, kRadix = 1, kPorts = 2, kBlocks = 4, kLatency = 8 };

struct Entry {
  Name name;
  std::string_view text;
  unsigned parameters = kNone;
};

constexpr std::array kEntries{
    Entry{Name::kAutomatic, "automatic"},
    Entry{Name::kBinomial, "binomial"},
    Entry{Name::kLinear, "linear"},
    Entry{Name::kRing, "ring"},
    Entry{Name::kCirculant, "circulant", kPorts},
    Entry{Name::kRecursiveDoubling, "recursive_doubling"},
    Entry{Name::kGatherBroadcast, "gather_broadcast"},
    Entry{Name::kBruck, "bruck", kRadix | kPorts},
    Entry{Name::kPairwise, "pairwise"},
    Entry{Name::kHalvingDoubling, "halving_doubling"},
    Entry{Name::kReduceBroadcast, "reduce_broadcast"},
    Entry{Name::kHillisSteele, "hillis_steele"},
    Entry{Name::kMachine, "machine"},
    Entry{Name::kDissemination, "dissemination"},
    Entry{Name::kShared, "shared"},
    Entry{Name::kTiled, "tiled"},
    Entry{Name::kLambdaTree, "lambda_tree", kLatency},
    Entry{Name::kLevelTree, "level_tree"},
    Entry{Name::kPostalCombine, "postal_combine", kLatency},
    Entry{Name::kScatterAllgather, "scatter_allgather"},
    Entry{Name::kBlockCirculant, "block_circulant", kBlocks},
    Entry{Name::kRepeat, "repeat", kBlocks | kLatency},
    Entry{Name::kPack, "pack", kBlocks | kLatency},
    Entry{Name::kPipeline, "pipeline", kBlocks | kLatency},
    Entry{Name::kDTree, "d_tree", kRadix | kBlocks},
    Entry{Name::kCirculantLeastBytes, "circulant_least_bytes", kPorts},
    Entry{Name::kCirculantUnrotated, "circulant_unrotated", kPorts},
    Entry{Name::kBruckUnrotated, "bruck_unrotated", kRadix | kPorts},
    Entry{Name::kFarthestFirst, "farthest_first"},
    Entry{Name::kFlooding, "flooding"},
    Entry{Name::kQueueless, "queueless"},
    Entry{Name::kFatTree, "fat_tree"},
    Entry{Name::kTwoTranspose, "two_transpose"},
    Entry{Name::kOnePhase, "one_phase"},
    Entry{Name::kDirect, "direct"},
    Entry{Name::kSlots, "slots"},
    Entry{Name::kTurns, "turns"},
    Entry{Name::kTeams, "teams"},
};

struct Parameter {
  unsigned bit;
  std::string_view text;
  int Algorithm::*value;
};

// Those that are whole numbers; the latency is a fraction.
constexpr std::array kParameters{
    Parameter{kRadix, "radix", &Algorithm::radix},
    Parameter{kPorts, "ports", &Algorithm::ports},
    Parameter{kBlocks, "blocks", &Algorithm::blocks},
};

const Entry& entry_of(Name name) { return *std::ranges::find(kEntries, name, &Entry::name); }

std::string list_of_names() {
  std::string list;
  for (const Entry& entry : kEntries) {
    if (!list.empty()) list += ", ";
    list += entry.text;
  }
  return list;
}

[[noreturn]] void refuse(std::string_view text, const std::string& allowed) {
  throw std::invalid_argument("algorithm: \"" + std::string(text) + "\" is not allowed; " +
                              allowed);
}

/// Cuts `text` at the first `separator`; without one, everything is the first part.
std::pair<std::string_view, std::string_view> cut(std::string_view text, char separator) {
  const std::size_t at = text.find(separator);
  if (at == std::string_view::npos) return {text, {}};
  return {text.substr(0, at), text.substr(at + 1)};
}

bool read_number(std::string_view text, int& value) {
  const char* const end = text.data() + text.size();
  const auto [read_to, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && read_to == end;
}

bool read_number(std::string_view text, Rational& value) {
  try {
    value = Rational::parse(text);
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

/// Reads the parameter called `name`; false when there is none or `number` is no number.
bool read_parameter(Algorithm& algorithm, const Entry& entry, std::string_view name,
                    std::string_view number) {
  if (name == "lambda" && (entry.parameters & kLatency) != 0) {
    return read_number(number, algorithm.latency);
  }
  const auto parameter = std::ranges::find(kParameters, name, &Parameter::text);
  if (parameter == kParameters.end() || (entry.parameters & parameter->bit) == 0) return false;
  return read_number(number, algorithm.*parameter->value);
}

std::string parameters_of(const Entry& entry) {
  std::string list;
  int count = 0;
  const auto add = [&](std::string_view name) {
    if (count++ > 0) list += " and ";
    list += name;
    list += "=NUMBER";
  };
  for (const Parameter& parameter : kParameters) {
    if ((entry.parameters & parameter.bit) != 0) add(parameter.text);
  }
  if ((entry.parameters & kLatency) != 0) add("lambda");
  if (count == 0) return "it has no parameters";
  return list + (count == 1 ? " is its parameter" : " are its parameters");
}

}  // namespace

std::string to_string(const Algorithm& algorithm) {
  std::string parameters;
  const auto add = [&](std::string_view name, const std::string& value) {
    if (!parameters.empty()) parameters += ", ";
    parameters.append(name).append("=").append(value);
  };
  if (algorithm.radix != 0) add("radix", std::to_string(algorithm.radix));
  if (algorithm.ports != 0 && algorithm.ports != 1) add("ports", std::to_string(algorithm.ports));
  if (algorithm.blocks != 0 && algorithm.blocks != 1) {
    add("blocks", std::to_string(algorithm.blocks));
  }
  if (algorithm.latency != 0) add("lambda", to_string(algorithm.latency));
  std::string text(entry_of(algorithm.name).text);
  if (!parameters.empty()) text += "(" + parameters + ")";
  return text;
}

std::ostream& operator<<(std::ostream& out, const Algorithm& algorithm) {
  return out << to_string(algorithm);
}

Algorithm parse_algorithm(std::string_view text) {
  std::string packed(text);
  std::erase(packed, ' ');
  const bool closed = packed.ends_with(')');
  const bool opened = packed.find('(') != std::string::npos;
  if (closed != opened) refuse(text, "NAME or NAME(PARAMETER=NUMBER, ...)");
  if (closed) packed.pop_back();

  auto [name, rest] = cut(packed, '(');
  const auto entry = std::ranges::find(kEntries, name, &Entry::text);
  if (entry == kEntries.end()) refuse(text, list_of_names());
  const auto unless_given = [&](unsigned parameter, int value) {
    return (entry->parameters & parameter) != 0 ? value : 0;
  };
  Algorithm algorithm{entry->name, unless_given(kRadix, 2), unless_given(kPorts, 1),
                      unless_given(kBlocks, 1), unless_given(kLatency, 2)};
  std::set<std::string_view> given;
  while (!rest.empty()) {
    std::string_view assignment;
    std::tie(assignment, rest) = cut(rest, ',');
    const auto [key, number] = cut(assignment, '=');
    if (!given.insert(key).second) refuse(text, std::string(key) + " once");
    if (!read_parameter(algorithm, *entry, key, number)) refuse(text, parameters_of(*entry));
  }
  return algorithm;
}

void throw_unknown_algorithm(std::string_view operation, const Algorithm& algorithm,
                             std::span<const Algorithm> has) {
  std::string list(entry_of(Name::kAutomatic).text);
  for (const Algorithm& one : has) {
    list += ", ";
    list += entry_of(one.name).text;
  }
  throw std::invalid_argument(std::string(operation) + ": " + to_string(algorithm) +
                              " is not allowed; " + list);
}

}  // namespace postroom
