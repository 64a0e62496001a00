#include "collectives/algorithms/broadcast_lambda_tree.h"

#include <stdexcept>
#include <string>

#include "collectives/parts/arguments.h"
#include "collectives/parts/sends.h"

namespace postroom {
namespace {

void require_for(const char* name, int made_for, int processors) {
  if (made_for == processors) return;
  throw std::invalid_argument("broadcast: " + std::string(name) + " for " +
                              std::to_string(made_for) + " processors is not allowed; for " +
                              std::to_string(processors));
}

/// `place_of` a processor and `processor_at` a place are the two directions of an order.
template <class PlaceOf, class ProcessorAt>
void pass_on(Processor& self, int root, Bytes data, const PostalTree& tree, PlaceOf place_of,
             ProcessorAt processor_at, Where where) {
  const int p = self.count();
  const int root_place = place_of(root);
  const auto processor = [&](int node) { return processor_at((root_place + node) % p); };
  const PostalTree::Node node = tree.node((place_of(self.id()) + p - root_place) % p);

  if (node.parent >= 0) self.receive_bytes(processor(node.parent), data, where);
  Sends sends;
  for (const int child : node.children) {
    sends.add(self.start_send_bytes(processor(child), data, where));
  }
  sends.wait();
}

}  // namespace

void broadcast_lambda_tree(Processor& self, int root, Bytes data, const PostalTree& tree,
                           Where where) {
  const Operation operation(self, operation_or(self, "broadcast"));
  require_root("broadcast", root, self.count());
  require_for("tree", tree.processors(), self.count());
  const auto same = [](int number) { return number; };
  pass_on(self, root, data, tree, same, same, where);
}

void broadcast_lambda_tree(Processor& self, int root, Bytes data, const PostalTree& tree,
                           const ProcessorOrder& order, Where where) {
  const Operation operation(self, operation_or(self, "broadcast"));
  require_root("broadcast", root, self.count());
  require_for("tree", tree.processors(), self.count());
  require_for("order", order.processors(), self.count());
  pass_on(
      self, root, data, tree, [&](int processor) { return order.place(processor); },
      [&](int place) { return order.processor(place); }, where);
}

Cost broadcast_lambda_tree_cost(const PostalTree& tree, std::int64_t bytes) {
  return tree.rounds() * Cost::round(bytes);
}

}  // namespace postroom
