#include "collectives/algorithms/broadcast_lambda_tree.h"

#include <stdexcept>
#include <string>

#include "collectives/parts/arguments.h"
#include "collectives/parts/sends.h"

namespace postroom {

void broadcast_lambda_tree(Processor& self, int root, Bytes data, const PostalTree& tree,
                           Where where) {
  const Operation operation(self, operation_or(self, "broadcast"));
  const int p = self.count();
  require_root("broadcast", root, p);
  if (tree.processors() != p) {
    throw std::invalid_argument("broadcast: tree for " + std::to_string(tree.processors()) +
                                " processors is not allowed; for " + std::to_string(p));
  }
  const auto processor = [&](int node) { return (root + node) % p; };
  const PostalTree::Node me = tree.node((self.id() + p - root) % p);

  if (me.parent >= 0) self.receive_bytes(processor(me.parent), data, where);
  Sends sends;
  for (const int child : me.children) {
    sends.add(self.start_send_bytes(processor(child), data, where));
  }
  sends.wait();
}

Cost broadcast_lambda_tree_cost(const PostalTree& tree, std::int64_t bytes) {
  return tree.rounds() * Cost::round(bytes);
}

}  // namespace postroom
