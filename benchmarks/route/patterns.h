// Who sends to whom: the relations of [H], Eq. (7), and others with the same h.
//
// Of n elements, v_i go to processor i, so that processor 0 receives h of them and the others less
// and less. Every processor has n/p to send. Dealt cyclically they are Eq. (7); the other patterns
// hand the same elements to other sources, or in another order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace postroom::benchmarks {

struct Pattern {
  std::string name;
  std::vector<std::vector<int>> targets;  // targets[i][k]: where processor i sends its k-th
};

/// The targets of all n elements, the fullest processor first.
inline std::vector<int> equation_7_targets(int p, std::size_t n, std::size_t h) {
  std::vector<int> all;
  all.reserve(n);
  for (int i = 0; i + 1 < p && static_cast<std::size_t>(i) * h < 2 * n; ++i) {
    const double share = 1 - static_cast<double>(h) * i / static_cast<double>(2 * n - h);
    const bool even = h * static_cast<std::size_t>(p) == n;
    const auto count =
        even ? h : static_cast<std::size_t>(static_cast<double>(h) * std::max(share, 0.0));
    all.insert(all.end(), std::min(count, n - all.size()), i);
  }
  all.resize(n, p - 1);
  return all;
}

inline Pattern dealt(std::string name, const std::vector<int>& all, int p) {
  Pattern pattern{std::move(name), std::vector<std::vector<int>>(static_cast<std::size_t>(p))};
  for (std::size_t k = 0; k < all.size(); ++k) {
    pattern.targets[k % static_cast<std::size_t>(p)].push_back(all[k]);
  }
  return pattern;
}

inline Pattern in_blocks(std::string name, const std::vector<int>& all, int p) {
  Pattern pattern{std::move(name), {}};
  const std::size_t each = all.size() / static_cast<std::size_t>(p);
  for (auto begin = all.begin(); begin != all.end(); begin += static_cast<std::ptrdiff_t>(each)) {
    pattern.targets.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(each));
  }
  return pattern;
}

/// All with n/p elements at each source and at most h at a target. Precondition: p divides n.
inline std::vector<Pattern> patterns_of(int p, std::size_t n, std::size_t h) {
  std::vector<int> all = equation_7_targets(p, n, h);
  std::vector<Pattern> patterns{dealt("Eq. (7)", all, p), in_blocks("blocks", all, p)};
  std::vector<int> other_way = all;
  for (int& target : other_way) target = p - 1 - target;
  std::ranges::reverse(other_way);
  patterns.push_back(dealt("reversed", other_way, p));
  std::mt19937_64 random(1995);
  std::ranges::shuffle(all, random);
  patterns.push_back(in_blocks("shuffled", all, p));
  return patterns;
}

}  // namespace postroom::benchmarks
