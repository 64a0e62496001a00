// Who sends to whom: the relations of [H], Eq. (7), and others with the same h.
//
// Every processor has n/p elements to send. Dealt cyclically they are Eq. (7)
// (cli/reproduce/h_relation.h); the other patterns hand the same elements to other sources, or in
// another order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cli/reproduce/h_relation.h"

namespace postroom::benchmarks {

struct Pattern {
  std::string name;
  std::vector<std::vector<int>> targets;  ///< targets[i][k]: where processor i sends its k-th
  std::vector<std::size_t> received;      ///< how many elements each processor gets
};

inline Pattern pattern_of(std::string name, std::vector<std::vector<int>> targets) {
  std::vector<std::size_t> received(targets.size());
  for (const std::vector<int>& list : targets) {
    for (const int target : list) ++received[static_cast<std::size_t>(target)];
  }
  return {std::move(name), std::move(targets), std::move(received)};
}

inline std::vector<std::vector<int>> in_blocks(const std::vector<int>& all, int p) {
  std::vector<std::vector<int>> blocks;
  const std::size_t each = all.size() / static_cast<std::size_t>(p);
  for (auto begin = all.begin(); begin != all.end(); begin += static_cast<std::ptrdiff_t>(each)) {
    blocks.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(each));
  }
  return blocks;
}

/// All with `each` elements at each source and at most h at a target.
inline std::vector<Pattern> patterns_of(int p, std::size_t each, std::size_t h) {
  std::vector<int> all = cli::equation_7_targets(p, each * static_cast<std::size_t>(p), h);
  std::vector<Pattern> patterns{pattern_of("Eq. (7)", cli::dealt_cyclically(all, p)),
                                pattern_of("blocks", in_blocks(all, p))};
  std::vector<int> other_way = all;
  for (int& target : other_way) target = p - 1 - target;
  std::ranges::reverse(other_way);
  patterns.push_back(pattern_of("reversed", cli::dealt_cyclically(other_way, p)));
  std::mt19937_64 random(1995);
  std::ranges::shuffle(all, random);
  patterns.push_back(pattern_of("shuffled", in_blocks(all, p)));
  return patterns;
}

}  // namespace postroom::benchmarks
