#include "sort/arguments.h"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>

namespace postroom::sorting {

void check_options(const SortOptions& options) {
  if (options.processors < 0 || options.processors > kMostProcessors) {
    throw std::invalid_argument("processors: " + std::to_string(options.processors) +
                                " is not allowed; 1 to " + std::to_string(kMostProcessors) +
                                ", or 0 for as many as the box gives");
  }
  const auto algorithm = static_cast<std::size_t>(options.algorithm);
  if (algorithm >= kSortAlgorithms.size()) {
    throw std::invalid_argument("algorithm: " + std::to_string(algorithm) +
                                " is not one of the SortAlgorithm values");
  }
}

void check_as_many(std::size_t keys, std::size_t values) {
  if (keys == values) return;
  throw std::invalid_argument("values: " + std::to_string(values) +
                              " are not allowed; as many as keys, " + std::to_string(keys));
}

void check_apart(std::span<const std::byte> a, std::span<const std::byte> b) {
  if (a.empty() || b.empty()) return;
  const std::less<> before;  // a total order of pointers, also into different memory
  const std::byte* end_of_a = a.data() + a.size();
  const std::byte* end_of_b = b.data() + b.size();
  if (!before(a.data(), end_of_b) || !before(b.data(), end_of_a)) return;
  const std::size_t shared = static_cast<std::size_t>(std::min(end_of_a, end_of_b, before) -
                                                      std::max(a.data(), b.data(), before));
  throw std::invalid_argument("memory: sources, targets, values and scratch that overlap by " +
                              std::to_string(shared) + " bytes are not allowed");
}

}  // namespace postroom::sorting
