#include "fat_trees/fat_tree.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>

namespace postroom {
namespace {

using Groups = std::vector<std::vector<int>>;

Groups balanced_groups(int leaves, int arity) {
  const int levels = ceil_log(leaves, arity);
  Groups groups(levels, std::vector<int>(leaves));
  // At depth d, subtree j of arity^d starts at leaf ⌊j · leaves / arity^d⌋.
  std::int64_t subtrees = 1;
  for (int level = levels; level >= 1; --level) {
    for (std::int64_t j = 0; j < subtrees; ++j) {
      for (std::int64_t leaf = j * leaves / subtrees; leaf < (j + 1) * leaves / subtrees; ++leaf) {
        groups[level - 1][leaf] = static_cast<int>(j);
      }
    }
    subtrees *= arity;
  }
  return groups;
}

[[noreturn]] void refuse_groups(int leaf, int level) {
  throw std::invalid_argument("fat tree: the group of leaf " + std::to_string(leaf) + " at level " +
                              std::to_string(level) +
                              " is not allowed; groups are contiguous and contain those below");
}

void check_leaves(int leaves) {
  if (leaves >= 1) return;
  throw std::invalid_argument("fat tree: " + std::to_string(leaves) +
                              " leaves are not allowed; at least 1");
}

void check_groups(int leaves, const Groups& groups) {
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const int level = static_cast<int>(i) + 1;
    if (static_cast<int>(groups[i].size()) != leaves) {
      throw std::invalid_argument("fat tree: " + std::to_string(groups[i].size()) +
                                  " groups at level " + std::to_string(level) +
                                  " are not allowed; one for each of " + std::to_string(leaves) +
                                  " leaves");
    }
    for (int leaf = 1; leaf < leaves; ++leaf) {
      const bool falls = groups[i][leaf] < groups[i][leaf - 1];
      const bool same = groups[i][leaf] == groups[i][leaf - 1];
      const bool same_below = i > 0 && groups[i - 1][leaf] == groups[i - 1][leaf - 1];
      if (falls || (same_below && !same)) refuse_groups(leaf, level);
    }
  }
}

int number(std::string_view word, std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) {
    throw std::invalid_argument("capacities: " + std::string(text) +
                                " is not allowed; constant, exponential or a list such as 1,2,4");
  }
  return value;
}

std::vector<int> numbers(std::string_view text) {
  std::vector<int> list;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    list.push_back(number(text.substr(begin, end - begin), text));
    begin = end + 1;
  }
  return list;
}

}  // namespace

int ceil_log(int n, int base) {
  int levels = 0;
  for (std::int64_t reached = 1; reached < n; reached *= base) ++levels;
  return levels;
}

FatTree FatTree::balanced(int leaves, int arity) {
  check_leaves(leaves);
  if (arity < 2) {
    throw std::invalid_argument("fat tree: arity " + std::to_string(arity) +
                                " is not allowed; at least 2");
  }
  return from_groups(leaves, balanced_groups(leaves, arity));
}

FatTree FatTree::from_groups(int leaves, const Groups& group_of_leaf) {
  check_leaves(leaves);
  check_groups(leaves, group_of_leaf);
  Groups groups{std::vector<int>(leaves)};
  std::iota(groups[0].begin(), groups[0].end(), 0);
  groups.insert(groups.end(), group_of_leaf.begin(), group_of_leaf.end());
  if (groups.back().front() != groups.back().back()) groups.emplace_back(leaves);
  return FatTree(groups);
}

// `group_of_leaf` begins with level 0 and ends with a level of one group.
FatTree::FatTree(const Groups& group_of_leaf) {
  const int leaves = static_cast<int>(group_of_leaf[0].size());
  for (std::size_t level = 0; level < group_of_leaf.size(); ++level) {
    const std::vector<int>& groups = group_of_leaf[level];
    level_begin_.push_back(static_cast<int>(first_leaf_.size()));
    for (int leaf = 0; leaf < leaves; ++leaf) {
      if (leaf == 0 || groups[leaf] != groups[leaf - 1]) {
        first_leaf_.push_back(leaf);
        last_leaf_.push_back(leaf);
        level_of_node_.push_back(static_cast<int>(level));
        first_child_.push_back(level == 0 ? 0 : ancestors_[ancestors_.size() - leaves]);
        child_count_.push_back(0);
      }
      ancestors_.push_back(static_cast<int>(first_leaf_.size()) - 1);
      ++last_leaf_.back();
    }
  }
  level_begin_.push_back(static_cast<int>(first_leaf_.size()));
  for (int node = 0; node < root(); ++node) {
    parents_.push_back(ancestor(first_leaf_[node], level(node) + 1));
    ++child_count_[parents_[node]];
  }
  capacities_.assign(levels(), 1);
}

FatTree FatTree::with_capacities(std::vector<int> capacities) const {
  if (static_cast<int>(capacities.size()) != levels()) {
    throw std::invalid_argument("capacities: " + std::to_string(capacities.size()) +
                                " are not allowed; " + std::to_string(levels()) +
                                ", one for each level");
  }
  for (std::size_t i = 0; i < capacities.size(); ++i) {
    const int least = i == 0 ? 1 : capacities[i - 1];
    if (capacities[i] < least) {
      throw std::invalid_argument("capacities: " + std::to_string(capacities[i]) + " at level " +
                                  std::to_string(i + 1) + " is not allowed; at least " +
                                  std::to_string(least));
    }
  }
  FatTree tree = *this;
  tree.capacities_ = std::move(capacities);
  return tree;
}

FatTree FatTree::exponential() const {
  std::vector<int> capacities;
  for (int level = 0; level < levels(); ++level) {
    int largest = 0;
    for (int node = nodes(level).first; node < nodes(level).second; ++node) {
      largest = std::max(largest, size(node));
    }
    capacities.push_back(largest);
  }
  return with_capacities(std::move(capacities));
}

FatTree FatTree::with_named_capacities(std::string_view text) const {
  if (text == "constant") return with_capacities(std::vector<int>(levels(), 1));
  if (text == "exponential") return exponential();
  return with_capacities(text.empty() && levels() == 0 ? std::vector<int>() : numbers(text));
}

int FatTree::level(int a, int b) const {
  int level = 0;
  while (ancestor(a, level) != ancestor(b, level)) ++level;
  return level;
}

}  // namespace postroom
