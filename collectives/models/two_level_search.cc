#include "collectives/models/two_level_search.h"

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

#include "collectives/models/node_patterns.h"

namespace postroom {
namespace {

using Sends = std::vector<std::vector<int>>;

/// What an entry may become: a part of a node that sends across in one of its patterns. Size 0:
/// nobody uses it.
struct Role {
  int size = 0;
  int pattern = 0;
  std::int64_t loss = 0;
  bool is_fixed = false;
};

/// What has been chosen for the entries of the slots so far.
struct State {
  State(int slots, int node_size) : entries(slots), parts(node_size) {}

  std::vector<int> entries;  // by slot: how many there are
  NodeParts parts;
  std::int64_t loss = 0;
  std::vector<const Role*> roles;  // of the entries of the last slot
  const State* before = nullptr;   // by one slot
};

/// Makes the tree from the roles of all entries and the places of the parts.
class TreeOfRoles {
 public:
  TreeOfRoles(NodePatterns& patterns, const NodeLatency& node, int nodes,
              const std::vector<PlacedPart>& placed)
      : patterns_(patterns),
        node_(node),
        places_(placed),
        next_(nodes),
        arrivals_(patterns.slots()),
        tree_(static_cast<std::size_t>(nodes) * node.size) {
    for (int i = 0; i < nodes; ++i) next_[i] = i * node.size;
    arrivals_[0].push_back({kNobody, 0});
  }

  void enter(int slot, const std::vector<const Role*>& roles) {
    for (std::size_t i = 0; i < roles.size(); ++i) {
      const Role& role = *roles[i];
      const Arrival& arrival = arrivals_[slot][i];
      const auto place = std::ranges::find_if(places_, [&](const PlacedPart& each) {
        return each.size == role.size && each.is_fixed == role.is_fixed;
      });
      if (place == places_.end()) continue;
      if (arrival.sender == kNobody) swap_nodes(0, place->node);
      const int first = next_[place->node]++;
      if (arrival.sender != kNobody) tree_[arrival.sender][arrival.place] = first;
      const bool is_cut = place->used < role.size;
      serve(first, patterns_.time_of(slot), place->used - 1, is_cut ? 0 : role.pattern);
      places_.erase(place);
    }
  }

  Sends sends() const {
    Sends sends(tree_.size());
    for (std::size_t sender = 0; sender < tree_.size(); ++sender) {
      std::ranges::remove_copy(tree_[sender], std::back_inserter(sends[sender]), kNobody);
    }
    return sends;
  }

 private:
  static constexpr int kNobody = -1;

  /// Into a node: who sends it, as which of its sends.
  struct Arrival {
    int sender;
    std::size_t place;
  };

  void swap_nodes(int a, int b) {
    for (PlacedPart& place : places_) {
      if (place.node == a || place.node == b) place.node = a + b - place.node;
    }
  }

  void serve(int processor, std::int64_t time, int duties, int index) {
    while (true) {
      const NodePattern& pattern = patterns_.of(time, duties)[index];
      if (pattern.is_empty) return;
      if (pattern.step.is_across) {
        const int slot = patterns_.slot_of(time - node_.far);
        arrivals_[slot].push_back({processor, tree_[processor].size()});
        tree_[processor].push_back(kNobody);
      } else {
        const int node = processor / node_.size;
        const int child = next_[node]++;
        tree_[processor].push_back(child);
        serve(child, time - node_.near, pattern.step.given, pattern.of_receiver);
        duties -= 1 + pattern.step.given;
      }
      time -= node_.send_steps;
      index = pattern.of_sender;
    }
  }

  NodePatterns& patterns_;
  const NodeLatency& node_;
  std::vector<PlacedPart> places_;              // that are left
  std::vector<int> next_;                       // by node: the processor that is entered next
  std::vector<std::vector<Arrival>> arrivals_;  // by slot
  Sends tree_;
};

/// With a definite loss that is allowed.
class Choices {
 public:
  Choices(NodeReach& reach, NodeCover& cover, int nodes, std::int64_t time, std::int64_t most_loss,
          SearchEffort& effort)
      : reach_(reach),
        cover_(cover),
        nodes_(nodes),
        most_loss_(most_loss),
        effort_(effort),
        patterns_(reach, time, most_loss, effort) {}

  std::optional<Sends> run() {
    State root(patterns_.slots(), reach_.node().size);
    root.entries[0] = 1;
    states_.push_back({std::move(root)});
    for (int slot = 0; slot < patterns_.slots(); ++slot) choose(slot);
    for (const State& state : states_.back()) {
      if (const auto placed = cover_.fill(state.parts, nodes_)) return tree_of(state, *placed);
    }
    return std::nullopt;
  }

 private:
  void choose(int slot) {
    const bool is_entered = std::ranges::any_of(
        states_.back(), [&](const State& state) { return state.entries[slot] > 0; });
    roles_.push_back(is_entered ? roles_at(slot) : std::vector<Role>());
    next_.clear();
    for (const State& state : states_.back()) {
      State after = state;
      after.before = &state;
      after.roles.clear();
      const int entries = std::exchange(after.entries[slot], 0);
      choose_roles(after, entries, roles_.back().begin());
    }
    std::vector<State>& states = states_.emplace_back();
    for (auto& [parts, with_parts] : next_)
      std::ranges::move(with_parts, std::back_inserter(states));
  }

  /// Everything that an entry at this time may be.
  std::vector<Role> roles_at(int slot) {
    const int most = reach_.node().size;
    const std::int64_t time = patterns_.time_of(slot);
    if (time < reach_.node().far) {
      return {{.size = static_cast<int>(std::min<std::int64_t>(most, reach_.inside(time)))}};
    }
    std::vector<Role> roles;
    for (int size = most; size > 0; --size) {
      const auto gain = reach_.gain(time, size - 1);
      if (!gain) continue;
      const std::int64_t loss = reach_.most(time) - size - *gain;
      if (loss > most_loss_) continue;
      const auto& patterns = patterns_.of(time, size - 1);
      for (std::size_t i = 0; i < patterns.size(); ++i) {
        roles.push_back(
            {size, static_cast<int>(i), loss + patterns[i].loss, patterns[i].sends_across()});
      }
    }
    roles.push_back({.loss = reach_.most(time)});
    return roles;
  }

  /// The roles of the next `entries`, from `first` on: entries of the same time are alike.
  void choose_roles(const State& state, int entries, std::vector<Role>::const_iterator first) {
    effort_.spend(patterns_.slots() + 2 * reach_.node().size);
    if (entries == 0) return keep(state);
    for (auto role = first; role != roles_.back().end(); ++role) {
      if (state.loss + role->loss > most_loss_) continue;
      State after = state;
      after.loss += role->loss;
      after.roles.push_back(&*role);
      if (role->size > 0) {
        ++(role->is_fixed ? after.parts.fixed : after.parts.loose)[role->size];
        add_entries(*role, after);
      }
      choose_roles(after, entries - 1, role);
    }
  }

  void add_entries(const Role& role, State& state) {
    const int slot = static_cast<int>(roles_.size()) - 1;
    const auto& arrivals =
        patterns_.of(patterns_.time_of(slot), role.size - 1)[role.pattern].arrivals;
    for (std::size_t i = 0; i < arrivals.size(); ++i) state.entries[i] += arrivals[i];
  }

  void keep(const State& state) {
    std::vector<State>& others = next_[state.parts];
    effort_.spend(static_cast<std::int64_t>(others.size()));
    for (const State& other : others) {
      if (is_no_later(other.entries, state.entries)) return;
    }
    std::erase_if(others,
                  [&](const State& other) { return is_no_later(state.entries, other.entries); });
    others.push_back(state);
  }

  Sends tree_of(const State& last, const std::vector<PlacedPart>& placed) {
    std::vector<const State*> states;
    for (const State* state = &last; state->before != nullptr; state = state->before) {
      states.push_back(state);
    }
    TreeOfRoles tree(patterns_, reach_.node(), nodes_, placed);
    for (int slot = 0; slot < patterns_.slots(); ++slot) {
      tree.enter(slot, states[states.size() - 1 - slot]->roles);
    }
    return tree.sends();
  }

  NodeReach& reach_;
  NodeCover& cover_;
  int nodes_;
  std::int64_t most_loss_;
  SearchEffort& effort_;
  NodePatterns patterns_;
  std::deque<std::vector<Role>> roles_;    // by slot
  std::deque<std::vector<State>> states_;  // before each slot, and after the last one
  std::map<NodeParts, std::vector<State>> next_;
};

}  // namespace

std::optional<Sends> TwoLevelSearch::tree(std::int64_t time) {
  const std::int64_t most_loss =
      reach_.most(time) - static_cast<std::int64_t>(nodes_) * reach_.node().size;
  if (most_loss < 0) return std::nullopt;
  for (std::int64_t loss = 0;; loss = std::min(most_loss, 2 * loss + 1)) {
    auto found = Choices(reach_, cover_, nodes_, time, loss, effort_).run();
    if (found || loss == most_loss) return found;
  }
}

}  // namespace postroom
