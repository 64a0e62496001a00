#include "cli/reproduce/h_relation.h"

#include <algorithm>

namespace postroom::cli {

std::vector<int> equation_7_targets(int processors, std::size_t n, std::size_t h) {
  std::vector<int> all;
  all.reserve(n);
  for (int i = 0; i + 1 < processors && static_cast<std::size_t>(i) * h < 2 * n; ++i) {
    const double share = 1 - static_cast<double>(h) * i / static_cast<double>(2 * n - h);
    const bool even = h * static_cast<std::size_t>(processors) == n;
    const auto count =
        even ? h : static_cast<std::size_t>(static_cast<double>(h) * std::max(share, 0.0));
    all.insert(all.end(), std::min(count, n - all.size()), i);
  }
  all.resize(n, processors - 1);
  return all;
}

std::vector<std::vector<int>> dealt_cyclically(const std::vector<int>& targets, int processors) {
  const auto p = static_cast<std::size_t>(processors);
  std::vector<std::vector<int>> dealt(p);
  for (std::size_t k = 0; k < targets.size(); ++k) dealt[k % p].push_back(targets[k]);
  return dealt;
}

}  // namespace postroom::cli
