#include "collectives/algorithms/broadcast_blocks.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "collectives/models/postal_model.h"
#include "collectives/models/time_replay.h"
#include "collectives/parts/arguments.h"
#include "collectives/parts/block_cut.h"
#include "collectives/parts/sends.h"

namespace postroom {
namespace {

void require_at_least_one(const char* name, std::int64_t value) {
  if (value >= 1) return;
  throw std::invalid_argument("broadcast: " + std::string(name) + " " + std::to_string(value) +
                              " is not allowed; at least 1");
}

void check(Rational latency, int blocks, std::int64_t processors) {
  require_parameter("broadcast", "blocks", blocks, 1, kMostBlocks);
  require_at_least_one("processors", processors);
  (void)PostalModel(latency);
}

/// λ' of a message of `blocks` blocks, its own length being the unit.
Rational latency_of_pack(Rational latency, int blocks) { return 1 + (latency - 1) / blocks; }

/// λ of a stream, its own length or its latency being the unit, whichever is less.
Rational latency_of_stream(Rational latency, int blocks) {
  return latency >= blocks ? latency / blocks : blocks / latency;
}

/// The (child, message) of each send of one processor with `children`, in its order.
template <class Visit>
void for_each_send(int children, int messages, bool child_by_child, Visit visit) {
  for (int outer = 0; outer < (child_by_child ? children : messages); ++outer) {
    for (int inner = 0; inner < (child_by_child ? messages : children); ++inner) {
      visit(child_by_child ? outer : inner, child_by_child ? inner : outer);
    }
  }
}

/// Runs a plan: calls visit(message, start of the send) for each message there is, in steps.
/// Returns when the last one has arrived.
template <class Visit>
std::int64_t run(const BlockPlan& plan, std::int64_t latency, std::int64_t length, Visit visit) {
  const auto messages = static_cast<std::size_t>(plan.messages());
  // When each message is there; nodes have smaller numbers than their children.
  std::vector<std::vector<std::int64_t>> there(static_cast<std::size_t>(plan.tree().processors()));
  there[0].assign(messages, 0);
  std::int64_t last = 0;
  for (int node = 0; node < plan.tree().processors(); ++node) {
    const std::vector<int> children = plan.tree().node(node).children;
    const std::vector<std::int64_t> mine = std::exchange(there[static_cast<std::size_t>(node)], {});
    for (const int child : children) there[static_cast<std::size_t>(child)].resize(messages);
    std::int64_t port_free = 0;
    for_each_send(static_cast<int>(children.size()), plan.messages(), plan.child_by_child(),
                  [&](int child, int message) {
                    const auto m = static_cast<std::size_t>(message);
                    const std::int64_t start = std::max(port_free, mine[m]);
                    const int target = children[static_cast<std::size_t>(child)];
                    visit(message, start);
                    port_free = start + length;
                    there[static_cast<std::size_t>(target)][m] = start + latency;
                    last = std::max(last, start + latency);
                  });
  }
  return last;
}

}  // namespace

BlockPlan BlockPlan::repeat(Rational latency, int blocks, int processors) {
  check(latency, blocks, processors);
  return {PostalTree::bottom_up(latency, processors), blocks, blocks, false};
}

BlockPlan BlockPlan::pack(Rational latency, int blocks, int processors) {
  check(latency, blocks, processors);
  return {PostalTree::bottom_up(latency_of_pack(latency, blocks), processors), blocks, 1, false};
}

BlockPlan BlockPlan::pipeline(Rational latency, int blocks, int processors) {
  check(latency, blocks, processors);
  SplitRule rule = SplitRule::bottom_up(latency_of_stream(latency, blocks), processors);
  if (latency < blocks) rule = std::move(rule).giving_more();
  return {PostalTree(std::move(rule), processors), blocks, blocks, true};
}

BlockPlan BlockPlan::d_tree(int children, int blocks, int processors) {
  require_at_least_one("children", children);
  check(1, blocks, processors);
  return {PostalTree::d_ary(children, processors), blocks, blocks, false};
}

BlockPlan BlockPlan::fastest(Rational latency, int blocks, int processors) {
  BlockPlan best = repeat(latency, blocks, processors);
  Rational best_time = best.time(latency);
  const auto consider = [&](BlockPlan plan) {
    const Rational time = plan.time(latency);
    if (time >= best_time) return;
    best = std::move(plan);
    best_time = time;
  };
  consider(pack(latency, blocks, processors));
  consider(pipeline(latency, blocks, processors));
  // One block travels fastest on the λ-tree. With d children the last of several is not sent before
  // d (m-1), which soon is too late.
  for (int d = 1; blocks > 1 && d < processors && d * (blocks - Rational(1)) < best_time; ++d) {
    consider(d_tree(d, blocks, processors));
  }
  return best;
}

Rational BlockPlan::time(Rational latency) const {
  // A message of several blocks occupies ports for as many units and arrives that much later.
  const Rational length = blocks_ / messages_;
  const Rational arrival = latency - 1 + length;
  const std::int64_t steps = latency.denominator();
  const std::int64_t last = run(*this, (arrival * steps).numerator(), (length * steps).numerator(),
                                [](int, std::int64_t) {});
  return Rational(last, steps);
}

double BlockPlan::time(std::int64_t bytes, const TimeModel& model) const {
  const BlockCut cut(static_cast<std::size_t>(bytes), messages_);
  const auto size = [&](int message) { return static_cast<std::int64_t>(cut.bytes(message)); };
  const int p = tree_.processors();
  const std::int64_t at_once = std::min<std::int64_t>(std::int64_t{p} * messages_, model.ports);
  TimeReplay replay(model, p, static_cast<int>(at_once));
  std::vector<std::vector<Time>> arrivals(static_cast<std::size_t>(p));  // in the order of sending
  for (int node = 0; node < p; ++node) {
    const std::vector<int> children = tree_.node(node).children;
    const std::vector<Time> mine = std::exchange(arrivals[static_cast<std::size_t>(node)], {});
    int received = node == 0 ? messages_ : 0;
    const auto receive_next = [&] {
      replay.receive(node, size(received), mine[static_cast<std::size_t>(received)]);
      ++received;
    };
    for_each_send(
        static_cast<int>(children.size()), messages_, child_by_child_, [&](int child, int message) {
          if (received == message) receive_next();
          const int target = children[static_cast<std::size_t>(child)];
          arrivals[static_cast<std::size_t>(target)].push_back(replay.send(node, size(message)));
        });
    while (received < messages_) receive_next();
  }
  return replay.finish_ns();
}

Cost BlockPlan::cost(std::int64_t bytes) const {
  const BlockCut cut(static_cast<std::size_t>(bytes), messages_);
  std::map<std::int64_t, std::size_t> largest;  // message of each round
  run(*this, 1, 1, [&](int message, std::int64_t start) {
    largest[start] = std::max(largest[start], cut.bytes(message));
  });
  Cost cost;
  for (const auto& [start, size] : largest) cost += Cost::round(size);
  return cost;
}

Rational repeat_time(Rational latency, int blocks, std::int64_t processors) {
  check(latency, blocks, processors);
  if (processors == 1) return 0;
  return blocks * PostalModel(latency).time(processors) - (blocks - 1) * (latency - 1);
}

Rational pack_time(Rational latency, int blocks, std::int64_t processors) {
  check(latency, blocks, processors);
  return blocks * PostalModel(latency_of_pack(latency, blocks)).time(processors);
}

Rational pipeline_time(Rational latency, int blocks, std::int64_t processors) {
  check(latency, blocks, processors);
  if (processors == 1) return 0;
  const Rational unit = std::min(latency, Rational(blocks));
  return unit * PostalModel(latency_of_stream(latency, blocks)).time(processors) + unit - 1;
}

Rational d_tree_time(Rational latency, int children, int blocks, std::int64_t processors) {
  check(latency, blocks, processors);
  require_at_least_one("children", children);
  if (processors == 1) return 0;
  const std::int64_t d = std::min<std::int64_t>(children, processors - 1);
  std::int64_t height = 0;
  std::int64_t level = 1;
  for (std::int64_t count = 1; count < processors && d > 1; count += level) {
    level *= d;
    ++height;
  }
  if (d == 1) height = processors - 1;
  return d * (blocks - 1) + height * (d - 1 + latency);
}

Rational least_blocks_time(Rational latency, int blocks, std::int64_t processors) {
  check(latency, blocks, processors);
  if (processors == 1) return 0;
  return blocks - 1 + PostalModel(latency).time(processors);
}

void broadcast_blocks(Processor& self, int root, Bytes data, const BlockPlan& plan, Where where) {
  const Operation operation(self, operation_or(self, "broadcast"));
  const int p = self.count();
  require_root("broadcast", root, p);
  if (plan.tree().processors() != p) {
    throw std::invalid_argument("broadcast: plan for " + std::to_string(plan.tree().processors()) +
                                " processors is not allowed; for " + std::to_string(p));
  }
  const auto processor = [&](int node) { return (root + node) % p; };
  const PostalTree::Node me = plan.tree().node((self.id() + p - root) % p);
  const BlockCut cut(data.size(), plan.messages());

  int received = me.parent < 0 ? plan.messages() : 0;
  const auto receive_next = [&] {
    self.receive_bytes(processor(me.parent), cut.of(data, received++), where);
  };
  Sends sends;
  for_each_send(static_cast<int>(me.children.size()), plan.messages(), plan.child_by_child(),
                [&](int child, int message) {
                  if (received == message) receive_next();
                  const int target = processor(me.children[static_cast<std::size_t>(child)]);
                  sends.add(self.start_send_bytes(target, cut.of(data, message), where));
                });
  while (received < plan.messages()) receive_next();
  sends.wait();
}

}  // namespace postroom
