#include "collectives/tree_times.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <vector>

#include "collectives/time_replay.h"

namespace postroom {
namespace {

/// What a node passes on: a subtree of so many processors, in a message of so many bytes.
struct Child {
  int processors;
  std::int64_t bytes;
};

/// The time of a subtree by its size, for trees in which nothing else matters. `children_of(size)`
/// are those of its root, in the order in which it sends.
template <class ChildrenOf>
class SubtreeTimes {
 public:
  SubtreeTimes(const TimeModel& model, ChildrenOf children_of)
      : model_(model), children_of_(children_of) {}

  /// From when the root has it until the last one has it.
  Time down(int processors) {
    return known(processors, [this](const std::vector<Child>& children) {
      TimeReplay root(model_, 1, static_cast<int>(children.size()));
      Time last = 0;
      for (const auto [size, bytes] : children) {
        last = std::max(last, later(root.send(0, bytes), down(size)));
      }
      return last;
    });
  }
  /// Until the root has taken in everything, the last child first.
  Time up(int processors) {
    return known(processors, [this](const std::vector<Child>& children) {
      TimeReplay root(model_, 1, static_cast<int>(children.size()));
      for (const auto [size, bytes] : children | std::views::reverse) {
        const Time sent = up(size);
        root.receive(0, bytes, later(sent, TimeReplay(model_, 1, 1).send(0, bytes)));
      }
      return root.now(0);
    });
  }
  double ns(Time time) const { return TimeReplay(model_, 1, 1).ns(time); }

 private:
  template <class Compute>
  Time known(int processors, Compute compute) {
    if (processors == 1) return 0;
    if (const auto found = known_.find(processors); found != known_.end()) return found->second;
    return known_[processors] = compute(children_of_(processors));
  }

  const TimeModel& model_;
  ChildrenOf children_of_;
  std::map<int, Time> known_;
};

/// Those of the root of `processors` that splits by kept(count).
template <class Kept>
std::vector<Child> split_children(int processors, std::int64_t bytes, Kept kept) {
  std::vector<Child> children;
  while (processors > 1) {
    const auto own = static_cast<int>(kept(processors));
    children.push_back({processors - own, bytes});
    processors = own;
  }
  return children;
}

/// Those of a node of a BinomialTree whose subtree has `processors`, the largest first.
std::vector<Child> binomial_children(int processors, std::int64_t block_bytes) {
  std::vector<Child> children;
  int distance = 1;
  while (2 * std::int64_t{distance} < processors) distance *= 2;
  for (; distance >= 1; distance /= 2) {
    const int size = std::min(distance, processors - distance);
    children.push_back({size, size * block_bytes});
  }
  return children;
}

}  // namespace

double split_broadcast_time(const SplitRule& rule, int processors, std::int64_t bytes,
                            const TimeModel& model) {
  SubtreeTimes times(model, [&](int size) {
    return split_children(size, bytes, [&](int count) { return rule.kept(count); });
  });
  return times.ns(times.down(processors));
}

double split_reduce_time(const SplitRule& rule, int processors, std::int64_t bytes,
                         const TimeModel& model) {
  SubtreeTimes times(model, [&](int size) {
    return split_children(size, bytes, [&](int count) { return rule.kept(count); });
  });
  return times.ns(times.up(processors));
}

double binomial_scatter_time(int processors, std::int64_t block_bytes, const TimeModel& model) {
  SubtreeTimes times(model, [&](int size) { return binomial_children(size, block_bytes); });
  return times.ns(times.down(processors));
}

double binomial_gather_time(int processors, std::int64_t block_bytes, const TimeModel& model) {
  SubtreeTimes times(model, [&](int size) { return binomial_children(size, block_bytes); });
  return times.ns(times.up(processors));
}

double halving_reduce_time(int processors, std::int64_t bytes, const TimeModel& model) {
  SubtreeTimes times(model, [&](int size) {
    return split_children(size, bytes, [](int count) { return count / 2; });
  });
  return times.ns(times.up(processors));
}

}  // namespace postroom
