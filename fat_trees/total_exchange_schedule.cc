#include "fat_trees/total_exchange_schedule.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>
#include <vector>

namespace postroom {
namespace {

/// The leaves in an order in which the children of every node take turns in proportion to their
/// leaves: by level, and there at the positions of each node's leaves. Up to `last_level`.
class FairOrders {
 public:
  explicit FairOrders(const FatTree& tree) {
    orders_.emplace_back(tree.leaf_count());
    std::iota(orders_[0].begin(), orders_[0].end(), 0);
    for (int level = 1; level < tree.levels(); ++level) {
      orders_.emplace_back(tree.leaf_count());
      for (int node = tree.nodes(level).first; node < tree.nodes(level).second; ++node) {
        merge_children(tree, node, level);
      }
    }
  }

  int leaf(int level, int position) const { return orders_[level][position]; }

 private:
  void merge_children(const FatTree& tree, int node, int level) {
    const auto [first, last] = tree.children(node);
    std::vector<std::int64_t> taken(last - first, 0);
    for (int position = tree.leaves(node).first; position < tree.leaves(node).second; ++position) {
      // The child that is furthest behind: least (taken + 1/2) / size.
      int next = first;
      for (int child = first + 1; child < last; ++child) {
        const std::int64_t behind = (2 * taken[child - first] + 1) * tree.size(next);
        if (behind < (2 * taken[next - first] + 1) * tree.size(child)) next = child;
      }
      const int place = tree.leaves(next).first + static_cast<int>(taken[next - first]++);
      orders_[level][position] = orders_[level - 1][place];
    }
  }

  std::vector<std::vector<int>> orders_;
};

int most_children(const FatTree& tree, int level) {
  int most = 0;
  for (int node = tree.nodes(level).first; node < tree.nodes(level).second; ++node) {
    most = std::max(most, tree.children(node).second - tree.children(node).first);
  }
  return most;
}

/// The levels whose branches can be too thin for packets between leaves that meet at `level`, from
/// the uppermost down. Not one that is as thick as all below it together; nor one, but for the
/// uppermost, that is as thick as the uppermost, through which all its packets pass.
std::vector<int> narrow_levels(const FatTree& tree, int level) {
  std::vector<int> narrow{level};
  for (int lower = level - 1; lower >= 1; --lower) {
    const int capacity = tree.capacity(lower);
    if (capacity == tree.capacity(level)) continue;
    const std::int64_t from_below =
        lower == 1 ? capacity + 1
                   : std::int64_t{most_children(tree, lower - 1)} * tree.capacity(lower - 1);
    if (capacity < from_below) narrow.push_back(lower);
  }
  return narrow;
}

/// Which links are taken by what leaves at the current step.
class Links {
 public:
  explicit Links(const FatTree& tree)
      : tree_(tree), up_(tree.node_count()), down_(tree.node_count()) {
    for (int level = 1; level <= tree.levels(); ++level) {
      narrow_levels_.push_back(narrow_levels(tree, level));
    }
  }

  /// Takes all links on the way of a packet between two leaves that meet at `level`; false, and
  /// nothing is taken, if one of them is busy.
  bool take(int source, int target, int level, std::int64_t step) {
    const std::vector<int>& narrow = narrow_levels_[level - 1];
    for (const int narrow_level : narrow) {
      const int capacity = tree_.capacity(narrow_level);
      if (!is_free(up_[tree_.ancestor(source, narrow_level - 1)], capacity, step)) return false;
      if (!is_free(down_[tree_.ancestor(target, narrow_level - 1)], capacity, step)) return false;
    }
    for (const int narrow_level : narrow) {
      ++up_[tree_.ancestor(source, narrow_level - 1)].packets;
      ++down_[tree_.ancestor(target, narrow_level - 1)].packets;
    }
    return true;
  }

 private:
  struct Taken {
    std::int64_t step = 0;
    std::int64_t packets = 0;
  };

  static bool is_free(Taken& taken, int capacity, std::int64_t step) {
    if (taken.step != step) taken = {step, 0};
    return taken.packets < capacity;
  }

  const FatTree& tree_;
  std::vector<std::vector<int>> narrow_levels_;  // by level, index 0 for level 1
  std::vector<Taken> up_, down_;                 // by node below the branch
};

/// All that the leaves below `child` have for its siblings.
class ExchangeStream {
 public:
  ExchangeStream(const FatTree& tree, int node, int child, ExchangeOrder order,
                 const FairOrders& orders, Links& links)
      : tree_(&tree),
        orders_(&orders),
        links_(&links),
        node_(node),
        child_(child),
        level_(tree.level(node)),
        order_(order) {
    begin_turn(1);
  }

  bool done() const {
    return turn_ == tree_->children(node_).second - tree_->children(node_).first;
  }

  bool try_send(std::int64_t step, const PacketSink& sink) {
    if (!links_->take(source_, target_, level_, step)) return false;
    sink({step, source_, target_});
    if (++packet_ < std::int64_t{senders_} * receivers_) {
      find_packet();
    } else {
      begin_turn(turn_ + 1);
    }
    return true;
  }

 private:
  void begin_turn(int turn) {
    turn_ = turn;
    packet_ = 0;
    if (done()) return;
    sibling_ = sibling(*tree_, node_, child_, turn);
    senders_ = tree_->size(child_);
    receivers_ = tree_->size(sibling_);
    cycle_ = std::lcm(std::int64_t{senders_}, std::int64_t{receivers_});
    find_packet();
  }

  void find_packet() {
    const auto [sender, receiver] = pair();
    source_ = tree_->leaves(child_).first + sender;
    target_ = tree_->leaves(sibling_).first + receiver;
    if (order_ != ExchangeOrder::kAny) return;
    source_ = orders_->leaf(level_ - 1, source_);
    target_ = orders_->leaf(level_ - 1, target_);
  }

  /// Positions of the sender and the receiver of packet_ among their siblings' leaves.
  std::pair<int, int> pair() const {
    if (order_ == ExchangeOrder::kConstant) {
      return {static_cast<int>(packet_ / receivers_), static_cast<int>(packet_ % receivers_)};
    }
    const int sender = static_cast<int>(packet_ % senders_);
    const bool xor_fits = senders_ == receivers_ && std::has_single_bit(unsigned(senders_));
    if (order_ == ExchangeOrder::kExponential && xor_fits) {
      return {sender, sender ^ static_cast<int>(packet_ / senders_)};
    }
    return {sender, static_cast<int>((packet_ + packet_ / cycle_) % receivers_)};
  }

  const FatTree* tree_;
  const FairOrders* orders_;
  Links* links_;
  int node_, child_, level_;
  ExchangeOrder order_;
  // Within the turn:
  int turn_ = 1;
  int sibling_ = 0;
  int senders_ = 0, receivers_ = 0;
  std::int64_t cycle_ = 1;  // after so many packets every pair of remainders has come up once
  std::int64_t packet_ = 0;
  int source_ = 0, target_ = 0;
};

}  // namespace

PacketSchedule total_exchange_schedule(FatTree tree, ExchangeOrder order, Phases phases) {
  return [tree = std::move(tree), order, phases](const PacketSink& sink) {
    const FairOrders orders(tree);
    Links links(tree);
    run_phases<ExchangeStream>(tree, phases, sink, order, orders, links);
  };
}

}  // namespace postroom
