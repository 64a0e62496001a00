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

void require_at_least_one(const char* name, int value) {
  if (value >= 1) return;
  throw std::invalid_argument("broadcast: " + std::string(name) + " " + std::to_string(value) +
                              " is not allowed; at least 1");
}

void check(Rational latency, int blocks, int processors) {
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

}  // namespace

BlockPlan BlockPlan::repeat(Rational latency, int blocks, int processors) {
  check(latency, blocks, processors);
  return {PostalTree::bottom_up(latency, processors), blocks, false};
}

BlockPlan BlockPlan::pack(Rational latency, int blocks, int processors) {
  check(latency, blocks, processors);
  return {PostalTree::bottom_up(latency_of_pack(latency, blocks), processors), 1, false};
}

BlockPlan BlockPlan::pipeline(Rational latency, int blocks, int processors) {
  check(latency, blocks, processors);
  SplitRule rule = SplitRule::bottom_up(latency_of_stream(latency, blocks), processors);
  if (latency < blocks) rule = std::move(rule).giving_more();
  return {PostalTree(std::move(rule), processors), blocks, true};
}

BlockPlan BlockPlan::d_tree(int children, int blocks, int processors) {
  require_at_least_one("children", children);
  check(1, blocks, processors);
  return {PostalTree::d_ary(children, processors), blocks, false};
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
  const auto p = static_cast<std::size_t>(tree_.processors());
  // After which round each message is there; nodes have smaller numbers than their children.
  std::vector<std::vector<std::int64_t>> there(p);
  there[0].assign(static_cast<std::size_t>(messages_), 0);
  for (std::size_t node = 0; node < p; ++node) {
    const std::vector<int> children = tree_.node(static_cast<int>(node)).children;
    const std::vector<std::int64_t> mine = std::exchange(there[node], {});
    std::int64_t round = 0;
    for_each_send(static_cast<int>(children.size()), messages_, child_by_child_,
                  [&](int child, int message) {
                    round = std::max(round, mine[static_cast<std::size_t>(message)]) + 1;
                    largest[round] = std::max(largest[round], cut.bytes(message));
                    const int target = children[static_cast<std::size_t>(child)];
                    there[static_cast<std::size_t>(target)].push_back(round);
                  });
  }
  Cost cost;
  for (const auto& [round, size] : largest) cost += Cost::round(size);
  return cost;
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
