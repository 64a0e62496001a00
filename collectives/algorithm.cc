#include "collectives/algorithm.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <ostream>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace postroom {
namespace {

using Name = Algorithm::Name;

struct Entry {
  Name name;
  std::string_view text;
  bool has_radix = false;
  bool has_ports = false;
};

constexpr std::array kEntries{
    Entry{Name::kAutomatic, "automatic"},
    Entry{Name::kBinomial, "binomial"},
    Entry{Name::kLinear, "linear"},
    Entry{Name::kRing, "ring"},
    Entry{Name::kCirculant, "circulant", false, true},
    Entry{Name::kRecursiveDoubling, "recursive_doubling"},
    Entry{Name::kGatherBroadcast, "gather_broadcast"},
    Entry{Name::kBruck, "bruck", true, true},
    Entry{Name::kPairwise, "pairwise"},
    Entry{Name::kReduceBroadcast, "reduce_broadcast"},
    Entry{Name::kHillisSteele, "hillis_steele"},
    Entry{Name::kMachine, "machine"},
    Entry{Name::kDissemination, "dissemination"},
    Entry{Name::kShared, "shared"},
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

/// The parameter of `algorithm` that `name` names, or nullptr.
int* parameter(Algorithm& algorithm, const Entry& entry, std::string_view name) {
  if (name == "radix" && entry.has_radix) return &algorithm.radix;
  if (name == "ports" && entry.has_ports) return &algorithm.ports;
  return nullptr;
}

bool read_number(std::string_view text, int& value) {
  const char* const end = text.data() + text.size();
  const auto [read_to, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && read_to == end;
}

std::string parameters_of(const Entry& entry) {
  if (entry.has_radix) return "radix=NUMBER and ports=NUMBER are its parameters";
  if (entry.has_ports) return "ports=NUMBER is its parameter";
  return "it has no parameters";
}

}  // namespace

std::string to_string(const Algorithm& algorithm) {
  std::string parameters;
  if (algorithm.radix != 0) parameters = "radix=" + std::to_string(algorithm.radix);
  if (algorithm.ports != 0 && algorithm.ports != 1) {
    if (!parameters.empty()) parameters += ", ";
    parameters += "ports=" + std::to_string(algorithm.ports);
  }
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
  Algorithm algorithm{entry->name, entry->has_radix ? 2 : 0, entry->has_ports ? 1 : 0};
  while (!rest.empty()) {
    std::string_view assignment;
    std::tie(assignment, rest) = cut(rest, ',');
    const auto [key, number] = cut(assignment, '=');
    int* value = parameter(algorithm, *entry, key);
    if (value == nullptr || !read_number(number, *value)) refuse(text, parameters_of(*entry));
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
