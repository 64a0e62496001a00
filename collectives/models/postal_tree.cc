#include "collectives/models/postal_tree.h"

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>

#include "collectives/models/postal_model.h"
#include "runtime/clock.h"

namespace postroom {
namespace {

constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();

void require_processors(std::int64_t processors) {
  if (processors >= 1) return;
  throw std::invalid_argument("postal tree: processors " + std::to_string(processors) +
                              " is not allowed; at least 1");
}

/// F of split_time, in steps of 1/f.
class SplitTime {
 public:
  SplitTime(const SplitRule& rule, Rational latency)
      : rule_(rule), latency_(latency.numerator()), unit_(latency.denominator()) {}

  std::int64_t of(std::int64_t processors) {
    // Not by recursion: trees may be as deep as they are large.
    std::vector<std::int64_t> wanted{processors};
    while (!wanted.empty()) {
      const std::size_t unknown = wanted.size();
      const std::int64_t count = wanted.back();
      const std::int64_t time = known_.contains(count) ? 0 : time_of(count, wanted);
      if (wanted.size() > unknown) continue;  // these first
      known_.emplace(count, time);
      wanted.pop_back();
    }
    return known_.at(processors);
  }

 private:
  // A root sends one message after another, until it has only itself left. Parts whose time is not
  // known go to `unknown`; then the result is of no meaning.
  std::int64_t time_of(std::int64_t processors, std::vector<std::int64_t>& unknown) const {
    std::int64_t time = 0;
    std::int64_t sent_at = 0;
    for (std::int64_t left = processors; left > 1; sent_at = later(sent_at, unit_)) {
      const std::int64_t kept = rule_.kept(left);
      const auto part = known_.find(left - kept);
      if (part == known_.end()) {
        unknown.push_back(left - kept);
      } else {
        time = std::max(time, later(later(sent_at, latency_), part->second));
      }
      left = kept;
    }
    return time;
  }

  const SplitRule& rule_;
  std::int64_t latency_;
  std::int64_t unit_;
  std::map<std::int64_t, std::int64_t> known_{{1, 0}};
};

}  // namespace

SplitRule SplitRule::bottom_up(Rational latency, std::int64_t processors) {
  std::vector<Row> rows;
  for (const PostalModel::Corner& corner : PostalModel(latency).corners(processors)) {
    rows.push_back({corner.processors, Rational(1), corner.kept});
  }
  return SplitRule(std::move(rows));
}

SplitRule SplitRule::alpha_table(Rational latency, std::int64_t processors) {
  std::vector<Row> rows;
  for (const AlphaRow& row : postroom::alpha_table(PostalModel(latency), processors)) {
    rows.push_back({row.last, row.alpha, kAny});
  }
  return SplitRule(std::move(rows));
}

SplitRule SplitRule::fixed_alpha(Rational alpha) {
  if (alpha < Rational(1, 2) || alpha >= Rational(1)) {
    throw std::invalid_argument("postal tree: alpha " + to_string(alpha) +
                                " is not allowed; from 1/2, below 1");
  }
  return SplitRule({{kAny, alpha, kAny}});
}

std::int64_t SplitRule::kept(std::int64_t processors) const {
  const auto row = std::ranges::lower_bound(rows_, processors, {}, &Row::last);
  const std::int64_t kept = std::min(alpha_split(row->alpha, processors), row->most);
  return gives_more_ ? processors - kept : kept;
}

Rational split_time(const SplitRule& rule, std::int64_t processors, Rational latency) {
  require_processors(processors);
  return Rational(SplitTime(rule, latency).of(processors), latency.denominator());
}

Rational binomial_time(std::int64_t processors, Rational latency) {
  return split_time(SplitRule::halving(), processors, latency);
}

PostalTree PostalTree::bottom_up(Rational latency, int processors) {
  return PostalTree(SplitRule::bottom_up(latency, processors), processors);
}

PostalTree PostalTree::alpha_table(Rational latency, int processors) {
  return PostalTree(SplitRule::alpha_table(latency, processors), processors);
}

PostalTree PostalTree::fixed_alpha(Rational alpha, int processors) {
  require_processors(processors);
  return PostalTree(SplitRule::fixed_alpha(alpha), processors);
}

PostalTree PostalTree::halving(int processors) {
  require_processors(processors);
  return PostalTree(SplitRule::halving(), processors);
}

// Two queues, each sorted by itself: those that have sent before, those that have just received.
PostalTree PostalTree::greedy(Rational latency, int processors) {
  require_processors(processors);
  const PostalModel model(latency);
  struct Sender {
    int node;
    std::int64_t ready;  // in steps of 1/f
  };
  std::vector<Sender> again;
  std::vector<Sender> fresh{{0, 0}};
  std::size_t next_again = 0;
  std::size_t next_fresh = 0;

  Explicit nodes;
  nodes.parent.assign(static_cast<std::size_t>(processors), -1);
  for (int size = 1; size < processors; ++size) {
    const bool from_again =
        next_again < again.size() &&
        (next_fresh == fresh.size() || again[next_again].ready <= fresh[next_fresh].ready);
    const Sender sender = from_again ? again[next_again++] : fresh[next_fresh++];
    nodes.parent[static_cast<std::size_t>(size)] = sender.node;
    fresh.push_back({size, later(sender.ready, model.latency().numerator())});
    again.push_back({sender.node, later(sender.ready, model.steps_per_unit())});
  }

  // Nodes were numbered as they were reached, so the children of each are in the order of sending.
  nodes.begin.assign(static_cast<std::size_t>(processors) + 1, 0);
  for (int node = 1; node < processors; ++node) {
    ++nodes.begin[static_cast<std::size_t>(nodes.parent[static_cast<std::size_t>(node)]) + 1];
  }
  for (std::size_t node = 0; node < static_cast<std::size_t>(processors); ++node) {
    nodes.begin[node + 1] += nodes.begin[node];
  }
  std::vector<int> next = nodes.begin;
  nodes.children.resize(static_cast<std::size_t>(processors) - 1);
  for (int node = 1; node < processors; ++node) {
    const auto parent = static_cast<std::size_t>(nodes.parent[static_cast<std::size_t>(node)]);
    nodes.children[static_cast<std::size_t>(next[parent]++)] = node;
  }
  return PostalTree(std::move(nodes), processors);
}

PostalTree PostalTree::d_ary(int children, int processors) {
  require_processors(processors);
  if (children < 1) {
    throw std::invalid_argument("postal tree: children " + std::to_string(children) +
                                " is not allowed; at least 1");
  }
  return PostalTree(processors, std::min(children, std::max(1, processors - 1)));
}

PostalTree::Node PostalTree::node(int node) const {
  if (rule_) return split_node(node);
  return degree_ > 0 ? d_ary_node(node) : explicit_node(node);
}

PostalTree::Node PostalTree::d_ary_node(int node) const {
  Node result{node == 0 ? -1 : (node - 1) / degree_, {}};
  const std::int64_t first = static_cast<std::int64_t>(node) * degree_ + 1;
  for (std::int64_t child = first; child < std::min<std::int64_t>(first + degree_, processors_);
       ++child) {
    result.children.push_back(static_cast<int>(child));
  }
  return result;
}

// Down from the root, into the part that has the node, until it is the root of its part.
PostalTree::Node PostalTree::split_node(int node) const {
  Node result{-1, {}};
  int root = 0;
  int count = processors_;
  while (root != node) {
    const int kept = static_cast<int>(rule_->kept(count));
    if (node < root + kept) {
      count = kept;
    } else {
      result.parent = root;
      root += kept;
      count -= kept;
    }
  }
  while (count > 1) {
    count = static_cast<int>(rule_->kept(count));
    result.children.push_back(root + count);
  }
  return result;
}

PostalTree::Node PostalTree::explicit_node(int node) const {
  const auto at = static_cast<std::size_t>(node);
  const auto children = nodes_.children.begin();
  return {nodes_.parent[at],
          std::vector<int>(children + nodes_.begin[at], children + nodes_.begin[at + 1])};
}

Rational PostalTree::time(Rational latency) const {
  if (rule_) return split_time(*rule_, processors_, latency);
  // A parent has a smaller number than its children.
  std::vector<std::int64_t> received(static_cast<std::size_t>(processors_), 0);
  std::int64_t last = 0;
  for (int parent = 0; parent < processors_; ++parent) {
    std::int64_t sent_at = received[static_cast<std::size_t>(parent)];
    for (const int child : node(parent).children) {
      const std::int64_t arrival = later(sent_at, latency.numerator());
      received[static_cast<std::size_t>(child)] = arrival;
      last = std::max(last, arrival);
      sent_at = later(sent_at, latency.denominator());
    }
  }
  return Rational(last, latency.denominator());
}

int PostalTree::rounds() const { return static_cast<int>(time(Rational(1)).numerator()); }

}  // namespace postroom
