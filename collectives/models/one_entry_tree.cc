#include "collectives/models/one_entry_tree.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace postroom {
namespace {

constexpr int kMostStates = 4096;

void check_states(int states) {
  if (states <= kMostStates) return;
  throw std::invalid_argument("level tree: subtrees below the last level " +
                              std::to_string(states) + " is not allowed; at most " +
                              std::to_string(kMostStates));
}

/// What is left for a processor and its children at each level below the last one: j_1 - 1, j_2 -
/// 1, … as one number, digit h in base k_h.
class Duties {
 public:
  explicit Duties(const std::vector<int>& children) {
    for (std::size_t i = 0; i + 1 < children.size(); ++i) {
      weights_.push_back(count_);
      sizes_.push_back(children[i]);
      count_ *= children[i];
    }
  }

  int levels() const { return static_cast<int>(sizes_.size()); }
  int count() const { return count_; }
  int at(int duties, int level) const { return duties / weights_[level] % sizes_[level]; }
  /// All that there is below `level`.
  int full(int level) const { return level == levels() ? count_ - 1 : weights_[level] - 1; }
  int weight(int level) const { return weights_[level]; }

 private:
  std::vector<int> weights_, sizes_;
  int count_ = 1;
};

/// What a processor does next: sends at `level` (or nothing, -1) and leaves it what `child_duties`
/// says; levels count from 0 here, the last one is duties.levels().
struct Step {
  int level = -1;
  int child_duties = 0;
};

/// G of the header, by time left.
class BestPlans {
 public:
  static constexpr int kImpossible = -1;

  explicit BestPlans(const LevelLatency& box) : box_(box), duties_(box.children) {}

  const Duties& duties() const { return duties_; }

  /// How many subtrees of the last level but one can be entered, kImpossible if even the duties
  /// cannot be done in time.
  int most(std::int64_t time, int duties) {
    while (static_cast<std::int64_t>(most_.size()) <= time) add_time();
    return time < 0 ? kImpossible : most_[time][duties];
  }
  Step step(std::int64_t time, int duties) const { return steps_[time][duties]; }

  int latency(int level) const { return box_.latency[level]; }
  int send_steps() const { return box_.send_steps; }

 private:
  // More than there are processors is as good as any.
  static constexpr int kPlenty = 1 << 21;

  void add_time() {
    const std::int64_t time = static_cast<std::int64_t>(most_.size());
    std::vector<int> most(duties_.count(), kImpossible);
    std::vector<Step> steps(duties_.count());
    most[0] = 0;
    for (int duties = 0; duties < duties_.count(); ++duties) {
      if (!box_.latency.empty()) try_last_level(time, duties, most[duties], steps[duties]);
      for (int level = 0; level < duties_.levels(); ++level) {
        if (duties_.at(duties, level) > 0) {
          try_level(time, duties, level, most[duties], steps[duties]);
        }
      }
    }
    most_.push_back(std::move(most));
    steps_.push_back(std::move(steps));
  }

  int known(std::int64_t time, int duties) const {
    return time < 0 ? kImpossible : most_[time][duties];
  }

  static void take_if_better(int value, Step step, int& most, Step& best) {
    if (value <= most) return;
    most = std::min(value, kPlenty);
    best = step;
  }

  /// A new subtree just below the root: the child has all of it to serve.
  void try_last_level(std::int64_t time, int duties, int& most, Step& best) {
    const int child_duties = duties_.full(duties_.levels());
    const int child = known(time - latency(duties_.levels()), child_duties);
    const int rest = known(time - send_steps(), duties);
    if (child == kImpossible || rest == kImpossible) return;
    take_if_better(1 + child + rest, {duties_.levels(), child_duties}, most, best);
  }

  /// A new subtree at `level`: the child has all below it, and any part of what is left at `level`
  /// and above.
  void try_level(std::int64_t time, int duties, int level, int& most, Step& best) {
    const int left = duties - duties_.weight(level);  // the new subtree is entered
    for (int given = 0; given <= left; given += duties_.weight(level)) {
      if (!is_part(given, left, level)) continue;
      const int kept = left - given;
      const int child_duties = duties_.full(level) + given;
      const int child = known(time - latency(level), child_duties);
      const int rest = known(time - send_steps(), kept);
      if (child == kImpossible || rest == kImpossible) continue;
      take_if_better(child + rest, {level, child_duties}, most, best);
    }
  }

  /// Whether each digit of `part` from `level` on is at most that of `whole`.
  bool is_part(int part, int whole, int level) const {
    for (; level < duties_.levels(); ++level) {
      if (duties_.at(part, level) > duties_.at(whole, level)) return false;
    }
    return true;
  }

  const LevelLatency& box_;
  Duties duties_;
  std::vector<std::vector<int>> most_;    // by time, then duties
  std::vector<std::vector<Step>> steps_;  // by time, then duties
};

/// Follows the plans and gives out the processors. `used` says, for each subtree by level and
/// number, how many of its children have been entered.
class Builder {
 public:
  Builder(const LevelLatency& box, BestPlans& plans, std::vector<std::vector<int>>& sends)
      : box_(box), plans_(plans), sends_(sends), left_(box.children.back() - 1) {
    std::int64_t size = 1;
    const int processors = static_cast<int>(sends.size());
    for (const int children : box.children) {
      sizes_.push_back(static_cast<int>(size));
      size *= children;
      entered_.emplace_back(processors / size, 1);  // by whoever leads it
    }
  }

  void serve(int processor, std::int64_t time, int duties) {
    while (time >= 0) {
      const Step step = plans_.step(time, duties);
      if (step.level < 0) return;
      const bool is_last = step.level == plans_.duties().levels();
      if (is_last && left_ == 0) {
        // Enough subtrees are entered: what else there is to do can only be done sooner.
        time -= plans_.send_steps();
        continue;
      }
      if (is_last) --left_;
      const int child = next_leader(processor, step.level);
      sends_[processor].push_back(child);
      serve(child, time - plans_.latency(step.level), step.child_duties);
      if (!is_last) {
        duties -= plans_.duties().weight(step.level) + step.child_duties -
                  plans_.duties().full(step.level);
      }
      time -= plans_.send_steps();
    }
  }

 private:
  /// The first processor of the next subtree at `level` beside that of `processor`; subtrees are
  /// entered in the order of their numbers, cyclically from the one that was entered first.
  int next_leader(int processor, int level) {
    const int subtree_size = sizes_[level];
    const int parent_size = subtree_size * box_.children[level];
    const int parent = processor / parent_size;
    const int number = entered_[level][parent]++;
    return parent * parent_size + number * subtree_size;
  }

  const LevelLatency& box_;
  BestPlans& plans_;
  std::vector<std::vector<int>>& sends_;
  int left_;                               // subtrees below the root that are not entered
  std::vector<int> sizes_;                 // by level: processors of a subtree below it
  std::vector<std::vector<int>> entered_;  // by level and node
};

}  // namespace

OneEntryTree one_entry_tree(const LevelLatency& box) {
  OneEntryTree tree;
  const int processors = box.processors();
  check_states(processors / box.children.back());
  tree.sends.resize(processors);
  BestPlans plans(box);
  const int all = plans.duties().count() - 1;
  while (plans.most(tree.steps, all) + 1 < box.children.back()) ++tree.steps;
  Builder(box, plans, tree.sends).serve(0, tree.steps, all);
  return tree;
}

}  // namespace postroom
