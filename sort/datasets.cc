#include "sort/datasets.h"

#include <stdexcept>
#include <string>

namespace postroom {
namespace {

std::string all_names() {
  std::string names;
  for (const Distribution distribution : kDistributions) {
    if (!names.empty()) names += ", ";
    names += name_of(distribution);
  }
  return names;
}

}  // namespace

std::string_view name_of(Distribution distribution) noexcept {
  switch (distribution) {
    case Distribution::kR:
      return "R";
    case Distribution::kS:
      return "S";
    case Distribution::kC:
      return "C";
    case Distribution::kN:
      return "N";
    case Distribution::kUniform:
      return "uniform";
    case Distribution::kSorted:
      return "sorted";
    case Distribution::kReverse:
      return "reverse";
    case Distribution::kEqual:
      return "equal";
    case Distribution::kZipf:
      return "zipf";
    case Distribution::kNearlySorted:
      return "nearly_sorted";
    case Distribution::kFewDistinct:
      return "few_distinct";
    case Distribution::kHighBitsEqual:
      return "high_bits_equal";
    case Distribution::kOrganPipe:
      return "organ_pipe";
    case Distribution::kSawtooth:
      return "sawtooth";
    case Distribution::kAppended:
      return "appended";
  }
  return "";
}

Distribution parse_distribution(std::string_view name) {
  for (const Distribution distribution : kDistributions) {
    if (name_of(distribution) == name) return distribution;
  }
  throw std::invalid_argument("distribution: '" + std::string(name) + "' is not allowed; one of " +
                              all_names());
}

namespace datasets {

void check_indices(const DataSet& set, std::uint64_t first_index, std::uint64_t count) {
  if (set.dealt_over < 1) {
    throw std::invalid_argument("dealt_over: " + std::to_string(set.dealt_over) +
                                " is not allowed; at least 1");
  }
  if (first_index > set.elements || count > set.elements - first_index) {
    throw std::invalid_argument("first_index: " + std::to_string(count) + " elements from " +
                                std::to_string(first_index) + " on are not in a data set of " +
                                std::to_string(set.elements));
  }
}

}  // namespace datasets
}  // namespace postroom
