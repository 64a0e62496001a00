#include "collectives/models/level_tree_of_box.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "collectives/models/level_tree.h"
#include "collectives/models/postal_model.h"
#include "numa/rounding.h"

namespace postroom {
namespace {

constexpr int kNobody = -1;
// Of the last level's latency in steps times the square of the processors below it, since tables of
// times and processors are made; but so many steps are always allowed, and no more than that.
constexpr std::int64_t kMostWork = std::int64_t{1} << 28;
constexpr std::int64_t kLeastLatencySteps = 64;
constexpr std::int64_t kMostLatencySteps = 2048;

/// The levels of a box, those of equal latency made one. Level 0 are the processors.
class MergedBox {
 public:
  explicit MergedBox(const LatencyLevels& levels) : tree_(levels.tree) {
    for (int level = 1; level <= tree_.levels(); ++level) {
      const Rational& lambda = levels.by_level[static_cast<std::size_t>(level - 1)];
      if (!lambda_.empty() && lambda_.back() == lambda) {
        tree_level_.back() = level;
      } else {
        lambda_.push_back(lambda);
        tree_level_.push_back(level);
      }
    }
  }

  int processors() const { return tree_.leaf_count(); }
  int levels() const { return static_cast<int>(lambda_.size()); }
  /// λ between two that meet at `level` + 1.
  const std::vector<Rational>& lambda() const { return lambda_; }
  int root() const { return tree_.root(); }
  int size(int node) const { return tree_.size(node); }
  int first_leaf(int node) const { return tree_.leaves(node).first; }

  /// The nodes of `level`.
  std::pair<int, int> nodes(int level) const { return tree_.nodes(tree_level(level)); }
  /// The children of `node` of `level`, one merged level below it.
  std::pair<int, int> children(int node, int level) const {
    const auto [first, end] = tree_.leaves(node);
    const int below = tree_level(level - 1);
    return {tree_.ancestor(first, below), tree_.ancestor(end - 1, below) + 1};
  }
  int ancestor(int processor, int level) const {
    return tree_.ancestor(processor, tree_level(level));
  }
  /// The least level whose node holds both.
  int meet(int a, int b) const {
    const auto at_least = std::ranges::lower_bound(tree_level_, tree_.level(a, b));
    return static_cast<int>(at_least - tree_level_.begin()) + 1;
  }

 private:
  int tree_level(int level) const {
    return level == 0 ? 0 : tree_level_[static_cast<std::size_t>(level - 1)];
  }

  const FatTree& tree_;
  std::vector<Rational> lambda_;
  std::vector<int> tree_level_;  // of the level that it ends with
};

/// The latencies and the time of a send in steps.
struct Steps {
  std::vector<std::int64_t> latency;
  std::int64_t send = 1;
  std::int64_t per_unit = 1;
};

Steps exact_steps(const std::vector<Rational>& lambda, std::int64_t units) {
  Steps steps;
  for (const Rational& each : lambda) {
    steps.per_unit = std::lcm(steps.per_unit, each.denominator());
  }
  steps.send = units * steps.per_unit;
  for (const Rational& each : lambda) {
    steps.latency.push_back(((each + units - 1) * steps.per_unit).floor());
  }
  return steps;
}

/// The largest `count(node, level)` of each level.
template <class Count>
std::vector<int> most_by_level(const MergedBox& box, Count count) {
  std::vector<int> most;
  for (int level = 1; level <= box.levels(); ++level) {
    most.push_back(1);
    const auto [begin, end] = box.nodes(level);
    for (int node = begin; node < end; ++node) {
      most.back() = std::max(most.back(), count(node, level));
    }
  }
  return most;
}

std::vector<int> most_children(const MergedBox& box) {
  return most_by_level(box, [&](int node, int level) {
    const auto [first, last] = box.children(node, level);
    return last - first;
  });
}

std::vector<int> most_processors(const MergedBox& box) {
  return most_by_level(box, [&](int node, int) { return box.size(node); });
}

/// How many steps are taken as one: so many that nothing is rounded, unless there are too many.
std::int64_t grain(const Steps& steps, std::span<const int> children) {
  std::int64_t common = steps.send;
  for (const std::int64_t each : steps.latency) common = std::gcd(common, each);
  std::int64_t below = 1;  // LevelTree refuses more than so many
  constexpr std::int64_t kMost = std::int64_t{1} << 24;
  for (const int each : children.first(children.size() - 1)) below = std::min(below * each, kMost);
  const std::int64_t most =
      std::clamp(kMostWork / (below * below), kLeastLatencySteps, kMostLatencySteps);
  return std::max(common, ceil_divide(steps.latency.back(), most));
}

/// The even box around this one.
LevelLatency even_box(const MergedBox& box, const Steps& steps, std::int64_t& scale) {
  LevelLatency even{most_children(box), {}, 1};
  scale = grain(steps, even.children);
  const auto coarse = [&](std::int64_t time) { return static_cast<int>(ceil_divide(time, scale)); };
  even.send_steps = coarse(steps.send);
  for (const std::int64_t each : steps.latency) even.latency.push_back(coarse(each));
  return even;
}

Rational bound_of(const MergedBox& box, const LevelLatency& even, const LevelTree& tree,
                  const Steps& steps, std::int64_t scale) {
  const bool is_exact =
      even.send_steps * scale == steps.send &&
      std::ranges::equal(even.latency, steps.latency, {}, [&](int each) { return each * scale; });
  if (is_exact) {
    const std::int64_t least = box.processors() == tree.processors()
                                   ? tree.lower_bound()
                                   : least_level_steps(box.processors(), most_processors(box),
                                                       even.latency, even.send_steps);
    return {least * scale, steps.per_unit};
  }
  const Rational unit(steps.send, steps.per_unit);
  return PostalModel(Rational(steps.latency.front(), steps.send)).time(box.processors()) * unit;
}

/// Which processor takes which place of the even box, from the one that is entered first on.
class Layout {
 public:
  Layout(const MergedBox& box, const LevelLatency& even, const LevelTree& tree, int root)
      : box_(box), even_(even), root_(root), processor_at_(tree.processors(), kNobody) {
    known_.assign(tree.processors(), 0);
    order_ = {0};
    for (std::size_t i = 0; i < order_.size(); ++i) {
      std::int64_t start = known_[order_[i]];
      for (const int child : tree.sends(order_[i])) {
        known_[child] = start + latency(order_[i], child);
        start += even.send_steps;
        order_.push_back(child);
      }
    }
    lay(box.root(), box.levels(), 0, tree.processors());
  }

  int processor_at(int place) const { return processor_at_[place]; }

 private:
  int latency(int a, int b) const {
    int level = 0;
    for (int size = 1; a / size != b / size; ++level) size *= even_.children[level];
    return even_.latency[level - 1];
  }

  /// The places [first, first + size) for `node` of `level`.
  void lay(int node, int level, int first, int size) {
    if (level == 0) {
      processor_at_[first] = box_.first_leaf(node);
      return;
    }
    const std::vector<int> children = children_of(node, level);
    const int part = size / even_.children[level - 1];
    std::vector<int> parts;
    for (int begin = first; begin < first + size; begin += part) parts.push_back(begin);
    std::ranges::stable_sort(parts, {}, [&](int begin) {
      return *std::min_element(known_.begin() + begin, known_.begin() + begin + part);
    });
    for (std::size_t i = 0; i < children.size(); ++i) lay(children[i], level - 1, parts[i], part);
  }

  /// First where the root is; the others, the larger first, in their order from there on.
  std::vector<int> children_of(int node, int level) const {
    const auto [begin, end] = box_.children(node, level);
    std::vector<int> children(static_cast<std::size_t>(end - begin));
    std::iota(children.begin(), children.end(), begin);
    const auto own = std::ranges::find(children, box_.ancestor(root_, level - 1));
    if (own != children.end()) std::ranges::rotate(children, own);
    const auto others = children.begin() + (own != children.end() ? 1 : 0);
    std::stable_sort(others, children.end(),
                     [&](int a, int b) { return box_.size(a) > box_.size(b); });
    return children;
  }

  const MergedBox& box_;
  const LevelLatency& even_;
  int root_;
  std::vector<std::int64_t> known_;  // by place: when it has the message
  std::vector<int> order_;
  std::vector<int> processor_at_;
};

/// The tree of the even box, with places that nobody takes left out.
class Pruned {
 public:
  Pruned(const LevelTree& tree, const Layout& layout, std::vector<std::vector<int>>& sends)
      : tree_(tree), layout_(layout), sends_(sends) {}

  /// Whoever takes `place`, or is sent to instead; kNobody if there is nobody below it.
  int processor_for(int place) {
    std::vector<int> children;
    for (const int child : tree_.sends(place)) {
      const int processor = processor_for(child);
      if (processor != kNobody) children.push_back(processor);
    }
    int processor = layout_.processor_at(place);
    if (processor == kNobody) {
      if (children.empty()) return kNobody;
      processor = children.front();
      children.erase(children.begin());
    }
    // What was to be sent by the place that is left out comes first: it is larger.
    sends_[processor].insert(sends_[processor].begin(), children.begin(), children.end());
    return processor;
  }

 private:
  const LevelTree& tree_;
  const Layout& layout_;
  std::vector<std::vector<int>>& sends_;
};

}  // namespace

LevelTreeOfBox::LevelTreeOfBox(const LatencyLevels& levels, int root, std::int64_t units) {
  const MergedBox box(levels);
  sends_.resize(static_cast<std::size_t>(box.processors()));
  parents_.assign(sends_.size(), kNobody);
  if (box.levels() == 0) return;

  const Steps steps = exact_steps(box.lambda(), units);
  std::int64_t scale = 1;
  const LevelLatency even = even_box(box, steps, scale);
  const LevelTree tree(even);
  (void)Pruned(tree, Layout(box, even, tree, root), sends_).processor_for(0);
  lower_bound_ = bound_of(box, even, tree, steps, scale);

  std::vector<std::int64_t> known(sends_.size());
  std::vector<int> round(sends_.size());
  std::vector<int> order = {root};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const int sender = order[i];
    std::int64_t start = known[sender];
    int in_round = round[sender];
    for (const int child : sends_[sender]) {
      parents_[child] = sender;
      known[child] = start + steps.latency[static_cast<std::size_t>(box.meet(sender, child) - 1)];
      round[child] = ++in_round;
      start += steps.send;
      order.push_back(child);
    }
  }
  time_ = Rational(*std::ranges::max_element(known), steps.per_unit);
  rounds_ = *std::ranges::max_element(round);
}

}  // namespace postroom
