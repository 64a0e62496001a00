#include "sort/datasets.h"

#include <stdexcept>
#include <string>

namespace postroom {

std::string to_string(Distribution distribution) {
  switch (distribution) {
    case Distribution::R:
      return "R";
    case Distribution::S:
      return "S";
    case Distribution::C:
      return "C";
    case Distribution::N:
      return "N";
    case Distribution::uniform:
      return "uniform";
    case Distribution::sorted:
      return "sorted";
    case Distribution::reverse:
      return "reverse";
    case Distribution::equal:
      return "equal";
    case Distribution::zipf:
      return "zipf";
    case Distribution::nearly_sorted:
      return "nearly_sorted";
    case Distribution::few_distinct:
      return "few_distinct";
    case Distribution::high_bits_equal:
      return "high_bits_equal";
    case Distribution::organ_pipe:
      return "organ_pipe";
    case Distribution::sawtooth:
      return "sawtooth";
    case Distribution::appended:
      return "appended";
  }
  return "";
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
