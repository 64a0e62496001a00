// All that a part of a node can send to other nodes at what times, as far as it matters.
//
// A processor with time t left that has to see to d more of its node gains others at most G(t, d)
// of collectives/models/node_reach.h. What it gains less is its loss:
//
//   a send across       G(t, d) - G(t-1, d) - B(t-λ_2)
//   a send inside       G(t, d) - G(t-1, d-1-g) - G(t-λ_1, g)
//
// and what comes after has losses of its own. A pattern is what is sent across in the end, by time
// of arrival, with the sum of these losses. Of all patterns those are kept that lose no more than
// is allowed, and of them those for which no other one sends as much at each time or sooner: who
// gets a message sooner can always act as if it had come later.
//
// Entries so late that nothing can be sent across afterwards (less than λ_2 is left) are alike if
// they can serve as many inside; they count as one time.
//
// Cost: grows with the loss that is allowed; `effort` bounds it.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "collectives/models/node_reach.h"
#include "collectives/models/search_effort.h"

namespace postroom {

/// Whether `sooner`, by time from the earliest on, has as many as `later` up to each time.
bool is_no_later(std::span<const int> sooner, std::span<const int> later);

struct NodePattern {
  std::vector<int> arrivals;  ///< messages into other nodes, by slot
  std::int64_t loss = 0;
  /// The first send, unless there is none; the patterns that follow, of the receiver if it is in
  /// the same node, and of the sender afterwards.
  bool is_empty = true;
  NodeReach::Step step;
  int of_receiver = 0;
  int of_sender = 0;

  bool sends_across() const;
};

class NodePatterns {
 public:
  /// All times are counted back from `time`, which is what is left at the root of all. The
  /// arguments live longer. Precondition: B(time) < NodeReach::kPlenty.
  NodePatterns(NodeReach& reach, std::int64_t time, std::int64_t most_loss, SearchEffort& effort);

  /// The times at which a node can be entered, from the earliest on: slot 0 is the root's.
  int slots() const { return static_cast<int>(slot_times_.size()); }
  std::int64_t time_of(int slot) const { return slot_times_[slot]; }
  /// Of a message with this time left at its arrival.
  int slot_of(std::int64_t time) const { return slots_.at(time); }

  /// Precondition: `time` can be reached, 0 <= duties < size of the node.
  const std::vector<NodePattern>& of(std::int64_t time, int duties);

 private:
  using Patterns = std::vector<NodePattern>;

  void find_slots(std::int64_t whole_time);
  std::int64_t alike(std::int64_t time) const;
  Patterns find(std::int64_t time, int duties);
  void add_across(std::int64_t time, int duties, Patterns& patterns);
  void add_inside(std::int64_t time, int duties, int given, Patterns& patterns);
  void add(NodePattern pattern, Patterns& patterns);

  NodeReach& reach_;
  std::int64_t most_loss_;
  SearchEffort& effort_;
  std::vector<std::int64_t> slot_times_;
  std::map<std::int64_t, int> slots_;                      // by time
  std::map<std::pair<std::int64_t, int>, Patterns> made_;  // by time and duties
};

}  // namespace postroom
