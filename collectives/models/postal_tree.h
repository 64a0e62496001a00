// Trees for one message under latency: who receives from whom, and in which order one sends.
//
// Source: [P], sections 2.1, 2.3 and 2.4. The λ-tree reaches n processors in T_λ(n), the least time
// there is. Four constructions, in the order of the paper:
//
//   greedy      two queues of processors in the order in which they may send, O(n) time, memory
//
//   bottom-up   from the corner points of N_λ, λ an integer, O(log n) steps
//
//   bottom-up   the same on the grid of a rational λ = u/f, O(f log n) steps
//
//   implicit    every range splits at round(α n), α from a table or fixed, O(log n) a processor for
//               a λ that is small beside n; the root of a range has up to ⌈λ⌉ parts of one each
//
// The second is the third with f = 1, so they are one function. In all but the first every subtree
// is a range of nodes, and a processor finds its parent and children on its way down from the root;
// no tree is ever built. α = 1/2 is the binomial tree.
//
// Errors: std::invalid_argument for λ < 1 and for less than one processor; std::overflow_error for
// a time of 2^63 steps of 1/f or more.
//
// Nodes are numbered from the root, 0; which processor is which node is for the user of the tree.
// Immutable, so one tree may serve all processors.
//
//   const PostalTree tree = PostalTree::bottom_up(Rational(9, 5), 64);
//   tree.node(5).children;          // in the order in which node 5 sends to them
//   tree.time(Rational(9, 5));      // 46/5
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "collectives/models/alpha_table.h"
#include "runtime/rational.h"

namespace postroom {

/// How many of n processors stay with the root that sends, for every n.
class SplitRule {
 public:
  /// The most that the corner points of N_λ allow, for up to `processors`.
  static SplitRule bottom_up(Rational latency, std::int64_t processors);
  /// The α of the table for λ.
  static SplitRule alpha_table(Rational latency, std::int64_t processors);
  /// One α for all. Throws std::invalid_argument unless 1/2 <= alpha < 1.
  static SplitRule fixed_alpha(Rational alpha);
  /// α = 1/2.
  static SplitRule halving() { return fixed_alpha(Rational(1, 2)); }

  /// The same sizes the other way round: the receiver gets the larger part.
  SplitRule giving_more() && {
    gives_more_ = !gives_more_;
    return std::move(*this);
  }

  /// n', at least half of `processors` unless the rule gives more. Precondition: 2 <= processors,
  /// not more than the rule is for.
  std::int64_t kept(std::int64_t processors) const;

 private:
  // n' = round(α n), but not more than `most`; valid up to `last` processors.
  struct Row {
    std::int64_t last;
    Rational alpha;
    std::int64_t most;
  };
  explicit SplitRule(std::vector<Row> rows) : rows_(std::move(rows)) {}

  std::vector<Row> rows_;  // by `last`
  bool gives_more_ = false;
};

/// The time until `rule` has reached `processors` under `latency`: F(1) = 0 and
/// F(n) = max(1 + F(n'), λ + F(n - n')). O(log² n) for a fixed α.
Rational split_time(const SplitRule& rule, std::int64_t processors, Rational latency);

/// That of the binomial tree under `latency`, for comparison.
Rational binomial_time(std::int64_t processors, Rational latency);

class PostalTree {
 public:
  struct Node {
    int parent;                 ///< -1 for the root
    std::vector<int> children;  ///< in the order of sending
  };

  /// Splits by `rule`, which is for at least as many processors.
  PostalTree(SplitRule rule, int processors) : processors_(processors), rule_(std::move(rule)) {}
  static PostalTree greedy(Rational latency, int processors);
  static PostalTree bottom_up(Rational latency, int processors);
  static PostalTree alpha_table(Rational latency, int processors);
  static PostalTree fixed_alpha(Rational alpha, int processors);
  static PostalTree halving(int processors);
  /// Node i has the children d i + 1 … d i + d.
  static PostalTree d_ary(int children, int processors);

  int processors() const { return processors_; }
  /// Parent and children of node `node`.
  Node node(int node) const;
  /// When the last node has the message, under any latency.
  Rational time(Rational latency) const;
  /// C1: the time for λ = 1.
  int rounds() const;

 private:
  // An explicit tree: children of node i are children[begin[i]] … children[begin[i + 1] - 1].
  struct Explicit {
    std::vector<int> parent;
    std::vector<int> begin;
    std::vector<int> children;
  };

  PostalTree(Explicit nodes, int processors) : processors_(processors), nodes_(std::move(nodes)) {}

  PostalTree(int processors, int degree) : processors_(processors), degree_(degree) {}

  Node split_node(int node) const;
  Node d_ary_node(int node) const;
  Node explicit_node(int node) const;

  int processors_;
  std::optional<SplitRule> rule_;  // empty for the other two
  int degree_ = 0;                 // of a d-ary tree, else 0
  Explicit nodes_;
};

}  // namespace postroom
