#include "collectives/algorithms/broadcast_level_tree.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "collectives/algorithms/broadcast_lambda_tree.h"
#include "collectives/models/postal_tree.h"
#include "collectives/models/tree_times.h"
#include "collectives/models/variants.h"
#include "collectives/parts/arguments.h"
#include "collectives/parts/kept_last.h"
#include "collectives/parts/sends.h"
#include "numa/once.h"

namespace postroom {
namespace {

struct TreeKey {
  std::shared_ptr<const LatencyLevels> levels;
  int root;
  std::int64_t units;

  friend bool operator==(const TreeKey&, const TreeKey&) = default;
};

std::int64_t units_of(std::int64_t bytes, const TimeModel& model) {
  return PostalParameters{.unit_bytes = model.unit_bytes}.units_of(static_cast<std::size_t>(bytes));
}

}  // namespace

void broadcast_level_tree(Processor& self, int root, Bytes data, const LevelTreeOfBox& tree,
                          Where where) {
  const Operation operation(self, "broadcast");
  require_root("broadcast", root, self.count());
  if (tree.processors() != self.count()) {
    throw std::invalid_argument("broadcast: a tree of " + std::to_string(tree.processors()) +
                                " processors is not allowed; " + std::to_string(self.count()));
  }
  if (tree.parent(root) != -1) {
    throw std::invalid_argument("broadcast: a tree in which processor " + std::to_string(root) +
                                " receives is not allowed; it is the root");
  }
  if (self.id() != root) self.receive_bytes(tree.parent(self.id()), data, where);
  Sends sends;
  for (const int child : tree.sends(self.id())) {
    sends.add(self.start_send_bytes(child, data, where));
  }
  sends.wait();
}

void broadcast_level_tree(Processor& self, int root, Bytes data, Where where) {
  const Operation operation(self, "broadcast");
  require_root("broadcast", root, self.count());
  const auto bytes = static_cast<std::int64_t>(data.size());
  const TimeModel model =
      self.model() != nullptr ? TimeModel::of(*self.model(), self.count()) : TimeModel();
  if (model.levels == nullptr) {
    const Rational latency = latency_of_message(bytes, model);
    return broadcast_lambda_tree(self, root, data, PostalTree::bottom_up(latency, self.count()),
                                 where);
  }
  const auto tree = level_tree_for(model.levels, root, units_of(bytes, model));
  broadcast_level_tree(self, root, data, *tree, where);
}

std::shared_ptr<const LevelTreeOfBox> level_tree_for(
    const std::shared_ptr<const LatencyLevels>& levels, int root, std::int64_t units) {
  static constinit MadeOnce<KeptLast<TreeKey, LevelTreeOfBox>> kept;
  return kept.get().get({levels, root, units},
                        [&] { return LevelTreeOfBox(*levels, root, units); });
}

Cost broadcast_level_tree_cost(int processors, std::int64_t bytes) {
  return broadcast_lambda_tree_cost(PostalTree::bottom_up(Rational(1), processors), bytes);
}

double broadcast_level_tree_time(int processors, std::int64_t bytes, const TimeModel& model) {
  if (model.levels == nullptr) {
    const Rational latency = latency_of_message(bytes, model);
    return split_broadcast_time(SplitRule::bottom_up(latency, processors), processors, bytes,
                                model);
  }
  const auto tree = level_tree_for(model.levels, 0, units_of(bytes, model));
  return level_broadcast_time([&](int processor) { return tree->sends(processor); }, processors,
                              bytes, model);
}

}  // namespace postroom
