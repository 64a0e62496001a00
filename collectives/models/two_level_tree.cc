#include "collectives/models/two_level_tree.h"

#include <algorithm>
#include <queue>
#include <utility>

namespace postroom {
namespace {

constexpr unsigned kAttempts = 64;

/// Builds the tree: first the nodes that one entry fills, in the order of their entries, then the
/// others from several.
class Builder {
 public:
  Builder(const NodeReach& reach, int nodes, unsigned attempt)
      : reach_(reach),
        nodes_(nodes),
        attempt_(attempt),
        draws_(attempt),
        tree_(std::size_t(nodes) * reach.node().size) {}

  bool build(std::int64_t time) {
    if (reach_.inside(time) < reach_.node().size) return false;
    entries_.push({time, kNobody, 0});
    while (!entries_.empty() && whole_ < nodes_) {
      const Entry entry = entries_.top();
      entries_.pop();
      if (reach_.inside(entry.time) < reach_.node().size) {
        parts_.push_back(entry);
      } else {
        fill_whole(entry);
      }
    }
    return put_parts_together();
  }

  /// Whom each sends to. What was sent to nobody in the end is left out.
  std::vector<std::vector<int>> sends() const {
    std::vector<std::vector<int>> sends(tree_.size());
    for (std::size_t sender = 0; sender < tree_.size(); ++sender) {
      std::ranges::remove_copy(tree_[sender], std::back_inserter(sends[sender]), kNobody);
    }
    return sends;
  }

 private:
  static constexpr int kNobody = -1;

  /// A message into another node: what time is left when it arrives, who sends it, as which of its
  /// sends.
  struct Entry {
    std::int64_t time;
    int sender;
    std::size_t place;

    // The earliest entry is the greatest; the rest makes the order a definite one.
    friend bool operator<(const Entry& a, const Entry& b) {
      if (a.time != b.time) return a.time < b.time;
      return std::pair(a.sender, a.place) > std::pair(b.sender, b.place);
    }
  };

  void enter(const Entry& entry, int processor) {
    if (entry.sender != kNobody) tree_[entry.sender][entry.place] = processor;
  }

  void fill_whole(const Entry& entry) {
    next_ = whole_++ * reach_.node().size;
    const int first = next_++;
    enter(entry, first);
    serve(first, entry.time, reach_.node().size - 1);
  }

  void serve(int processor, std::int64_t time, int duties) {
    const NodeLatency& node = reach_.node();
    for (; time >= 0; time -= node.send_steps) {
      const std::vector<NodeReach::Step> steps = reach_.best_steps(time, duties);
      if (steps.empty()) return;
      const NodeReach::Step step = steps[draw(steps.size())];
      if (step.is_across) {
        entries_.push({time - node.far, processor, tree_[processor].size()});
        tree_[processor].push_back(kNobody);
      } else {
        const int child = next_++;
        tree_[processor].push_back(child);
        serve(child, time - node.near, step.given);
        duties -= 1 + step.given;
      }
    }
  }

  /// 0 in the first attempt, in others the same numbers each time.
  std::size_t draw(std::size_t below) {
    if (attempt_ == 0 || below == 1) return 0;
    draws_ = draws_ * 6364136223846793005U + 1442695040888963407U;
    return (draws_ >> 33U) % below;
  }

  /// Whether the parts suffice. Largest first, each into the fullest node that it fits into; then
  /// those that fitted nowhere, cut to what is missing most.
  bool put_parts_together() {
    std::vector<int> missing(nodes_ - whole_, reach_.node().size);
    std::vector<Entry> too_large;
    for (const Entry& part : parts_) {
      const auto size = static_cast<int>(reach_.inside(part.time));
      auto best = missing.end();
      for (auto it = missing.begin(); it != missing.end(); ++it) {
        if (*it >= size && (best == missing.end() || *it < *best)) best = it;
      }
      if (best == missing.end()) {
        too_large.push_back(part);
      } else {
        fill_part(part, size, *best, static_cast<int>(best - missing.begin()));
      }
    }
    for (const Entry& part : too_large) {
      const auto most = std::ranges::max_element(missing);
      if (most == missing.end() || *most == 0) break;
      const auto size = std::min<std::int64_t>(*most, reach_.inside(part.time));
      fill_part(part, static_cast<int>(size), *most, static_cast<int>(most - missing.begin()));
    }
    return std::ranges::all_of(missing, [](int left) { return left == 0; });
  }

  /// The next `size` processors of the node, from one entry: whoever is free first sends next.
  void fill_part(const Entry& entry, int size, int& missing, int number) {
    const NodeLatency& node = reach_.node();
    const int end = (whole_ + number + 1) * node.size;
    const int first = end - missing;
    missing -= size;
    enter(entry, first);
    std::priority_queue<std::pair<std::int64_t, int>> free;  // time left, minus the processor
    free.push({entry.time, -first});
    for (int child = first + 1; child < first + size; ++child) {
      const auto [time, sender] = free.top();
      free.pop();
      tree_[-sender].push_back(child);
      free.push({time - node.send_steps, sender});
      free.push({time - node.near, -child});
    }
  }

  const NodeReach& reach_;
  int nodes_;
  unsigned attempt_;
  std::uint64_t draws_;
  int whole_ = 0;  // nodes that one entry fills, so far
  int next_ = 0;   // in the node that is being filled
  std::priority_queue<Entry> entries_;
  std::vector<Entry> parts_;  // entries too late to fill a node, from the earliest on
  std::vector<std::vector<int>> tree_;
};

}  // namespace

std::optional<std::vector<std::vector<int>>> two_level_tree(NodeReach& reach, int nodes,
                                                            std::int64_t time) {
  (void)reach.most(time);
  for (unsigned attempt = 0; attempt < kAttempts; ++attempt) {
    Builder builder(reach, nodes, attempt);
    if (builder.build(time)) return builder.sends();
  }
  return std::nullopt;
}

}  // namespace postroom
