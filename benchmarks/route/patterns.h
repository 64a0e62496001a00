// Who sends to whom: the relations of [H], Eq. (7), and others with the same h.
//
// Every processor has n/p elements to send. Dealt cyclically they are Eq. (7) (cli/h_relation.h);
// the other patterns hand the same elements to other sources, or in another order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cli/h_relation.h"

namespace postroom::benchmarks {

struct Pattern {
  std::string name;
  std::vector<std::vector<int>> targets;  // targets[i][k]: where processor i sends its k-th
};

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
  std::vector<int> all = cli::equation_7_targets(p, n, h);
  std::vector<Pattern> patterns{{"Eq. (7)", cli::dealt_cyclically(all, p)},
                                in_blocks("blocks", all, p)};
  std::vector<int> other_way = all;
  for (int& target : other_way) target = p - 1 - target;
  std::ranges::reverse(other_way);
  patterns.push_back({"reversed", cli::dealt_cyclically(other_way, p)});
  std::mt19937_64 random(1995);
  std::ranges::shuffle(all, random);
  patterns.push_back(in_blocks("shuffled", all, p));
  return patterns;
}

}  // namespace postroom::benchmarks
