#include "collectives/models/tree_times.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <ranges>
#include <vector>

#include "collectives/models/time_replay.h"
#include "runtime/latency_by_level.h"

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

/// Each processor of a range that splits by `rule`, in leaf order.
double level_split_broadcast_time(const SplitRule& rule, int processors, std::int64_t bytes,
                                  const TimeModel& model) {
  std::vector<std::vector<int>> sends(static_cast<std::size_t>(processors));
  std::vector<int> sizes(sends.size());
  sizes[0] = processors;
  for (int first = 0; first < processors; ++first) {
    // Whoever sends to it has a lower number.
    for (int size = sizes[first]; size > 1;) {
      const auto kept = static_cast<int>(rule.kept(size));
      sends[first].push_back(first + kept);
      sizes[first + kept] = size - kept;
      size = kept;
    }
  }
  return level_broadcast_time([&](int processor) { return std::span(sends[processor]); },
                              processors, bytes, model);
}

}  // namespace

double level_broadcast_time(const std::function<std::span<const int>(int)>& children_of,
                            int processors, std::int64_t bytes, const TimeModel& model) {
  const LatencyLevels& levels = *model.levels;
  TimeReplay replay(model, processors, processors);
  // What the model takes for all, λ of the first and the last.
  const Rational longest =
      processors > 1 ? levels.by_level[levels.tree.level(0, processors - 1) - 1] : Rational(0);
  std::vector<int> order = {0};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const int sender = order[i];
    for (const int child : children_of(sender)) {
      const int level = levels.tree.level(sender, child);
      const Rational sooner = longest - levels.by_level[level - 1];
      const Time arrival =
          replay.send(sender, bytes) - replay.ticks(sooner.to_double() * model.busy_ns);
      replay.receive(child, bytes, arrival);
      order.push_back(child);
    }
  }
  return replay.finish_ns();
}

double linear_broadcast_time(int processors, std::int64_t bytes, const TimeModel& model) {
  if (model.levels == nullptr) return model.fan_out(processors - 1, bytes);
  std::vector<int> others(static_cast<std::size_t>(processors - 1));
  std::iota(others.begin(), others.end(), 1);
  return level_broadcast_time(
      [&](int processor) { return std::span(others).first(processor == 0 ? others.size() : 0); },
      processors, bytes, model);
}

double split_broadcast_time(const SplitRule& rule, int processors, std::int64_t bytes,
                            const TimeModel& model) {
  if (model.levels != nullptr) {
    return level_split_broadcast_time(rule, processors, bytes, model);
  }
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
