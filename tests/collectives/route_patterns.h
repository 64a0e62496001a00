// Who sends to whom: the relations that the tests of the routers go through, and what each
// processor has and must get.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace postroom {

/// The numbers of processors, and the seed, that the tests of the routers go through.
inline constexpr int kRouteCounts[] = {1, 2, 3, 4, 5, 7, 8, 13, 16, 33};
inline constexpr std::uint64_t kRouteSeed = 20'240'612;

/// targets[i][k]: where processor i sends its k-th element.
struct Pattern {
  std::string name;
  std::vector<std::vector<int>> targets;

  int processors() const { return static_cast<int>(targets.size()); }
  /// counts[i * p + j]: how many elements processor i sends to processor j.
  std::vector<std::uint64_t> counts() const {
    const std::size_t p = targets.size();
    std::vector<std::uint64_t> counts(p * p);
    for (std::size_t i = 0; i < p; ++i) {
      for (const int target : targets[i]) ++counts[i * p + static_cast<std::size_t>(target)];
    }
    return counts;
  }
  std::size_t most_sent() const {
    std::size_t most = 0;
    for (const auto& list : targets) most = std::max(most, list.size());
    return most;
  }
  std::size_t most_received() const {
    std::vector<std::size_t> received(targets.size());
    for (const auto& list : targets) {
      for (const int target : list) ++received[static_cast<std::size_t>(target)];
    }
    return std::ranges::max(received);
  }
};

inline Pattern uniform_pattern(int p, std::size_t each, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Pattern pattern{"uniform", {}};
  pattern.targets.assign(static_cast<std::size_t>(p), std::vector<int>(each));
  for (auto& list : pattern.targets) {
    for (int& target : list) target = static_cast<int>(random() % static_cast<std::uint64_t>(p));
  }
  return pattern;
}

inline Pattern all_to_one_pattern(int p, std::size_t each, int one) {
  Pattern pattern{"all to one", {}};
  pattern.targets.assign(static_cast<std::size_t>(p), std::vector<int>(each, one));
  return pattern;
}

inline Pattern empty_pattern(int p) {
  Pattern pattern{"empty", {}};
  pattern.targets.resize(static_cast<std::size_t>(p));
  return pattern;
}

/// `block` elements for each processor, in their order.
inline Pattern transpose_pattern(int p, std::size_t block) {
  Pattern pattern{"transpose", {}};
  pattern.targets.resize(static_cast<std::size_t>(p));
  for (auto& list : pattern.targets) {
    for (int target = 0; target < p; ++target) list.insert(list.end(), block, target);
  }
  return pattern;
}

/// Each processor sends `each` elements and receives as many, anyhow mixed.
inline Pattern permutation_pattern(int p, std::size_t each, std::uint64_t seed) {
  std::vector<int> all;
  for (int target = 0; target < p; ++target) all.insert(all.end(), each, target);
  std::mt19937_64 random(seed);
  std::ranges::shuffle(all, random);
  Pattern pattern{"permutation", {}};
  for (std::size_t i = 0; i < static_cast<std::size_t>(p); ++i) {
    pattern.targets.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(i * each),
                                 all.begin() + static_cast<std::ptrdiff_t>((i + 1) * each));
  }
  return pattern;
}

/// Processor i has i·i elements; the last one has most, and all of its own for two targets.
inline Pattern skewed_pattern(int p, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Pattern pattern{"skewed sources", {}};
  pattern.targets.resize(static_cast<std::size_t>(p));
  for (int i = 0; i < p; ++i) {
    for (int k = 0; k < i * i; ++k) {
      const auto among = static_cast<std::uint64_t>(i == p - 1 ? 2 : p);
      pattern.targets[static_cast<std::size_t>(i)].push_back(static_cast<int>(random() % among));
    }
  }
  return pattern;
}

/// [H], Eq. (7): of n elements, v_i go to processor i, h of them to processor 0; they are dealt
/// cyclically to the sources.
inline Pattern equation_7_pattern(int p, std::size_t n, std::size_t h) {
  std::vector<int> all;
  for (int i = 0; i + 1 < p && static_cast<std::size_t>(i) * h < 2 * n; ++i) {
    const double share = 1 - static_cast<double>(h) * i / static_cast<double>(2 * n - h);
    const auto v = h * static_cast<std::size_t>(p) == n
                       ? h  // the case h = n/p: equal numbers
                       : static_cast<std::size_t>(static_cast<double>(h) * share);
    all.insert(all.end(), std::min(v, n - all.size()), i);
  }
  all.resize(n, p - 1);
  Pattern pattern{"Eq. (7), h = " + std::to_string(h), {}};
  pattern.targets.resize(static_cast<std::size_t>(p));
  for (std::size_t k = 0; k < n; ++k) {
    pattern.targets[k % static_cast<std::size_t>(p)].push_back(all[k]);
  }
  return pattern;
}

inline std::vector<Pattern> all_patterns(int p, std::uint64_t seed) {
  std::vector<Pattern> patterns{
      uniform_pattern(p, 1, seed),
      uniform_pattern(p, 101, seed + 1),
      all_to_one_pattern(p, 37, p / 2),
      all_to_one_pattern(p, 1, p - 1),
      empty_pattern(p),
      transpose_pattern(p, 1),
      transpose_pattern(p, 7),
      permutation_pattern(p, 64, seed + 2),
      permutation_pattern(p, 3, seed + 3),
      skewed_pattern(p, seed + 4),
  };
  const std::size_t each = 40;
  const std::size_t n = each * static_cast<std::size_t>(p);
  for (const std::size_t h : {each, 2 * each, 4 * each, 8 * each}) {
    if (h <= n) patterns.push_back(equation_7_pattern(p, n, h));
  }
  return patterns;
}

/// An element that is like no other: the `index`-th of `source`.
struct Tagged {
  std::uint32_t source;
  std::uint32_t index;
  friend bool operator==(const Tagged&, const Tagged&) = default;
};

/// One for each processor.
using TaggedLists = std::vector<std::vector<Tagged>>;

/// What each processor has.
inline TaggedLists elements_of(const Pattern& pattern) {
  std::vector<std::vector<Tagged>> lists(pattern.targets.size());
  for (std::uint32_t i = 0; i < lists.size(); ++i) {
    for (std::uint32_t k = 0; k < pattern.targets[i].size(); ++k) lists[i].push_back({i, k});
  }
  return lists;
}
/// What each must get: by source, and in the order of sending.
inline TaggedLists expected_of(const Pattern& pattern) {
  std::vector<std::vector<Tagged>> lists(pattern.targets.size());
  for (std::uint32_t i = 0; i < lists.size(); ++i) {
    for (std::uint32_t k = 0; k < pattern.targets[i].size(); ++k) {
      lists[static_cast<std::size_t>(pattern.targets[i][k])].push_back({i, k});
    }
  }
  return lists;
}

}  // namespace postroom
