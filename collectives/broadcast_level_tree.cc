#include "collectives/broadcast_level_tree.h"

#include <stdexcept>
#include <string>

#include "collectives/arguments.h"
#include "collectives/sends.h"

namespace postroom {

void broadcast_level_tree(Processor& self, int root, Bytes data, const LevelTree& tree,
                          Where where) {
  const Operation operation(self, "broadcast");
  require_root("broadcast", root, self.count());
  if (tree.processors() != self.count()) {
    throw std::invalid_argument("broadcast: a tree of " + std::to_string(tree.processors()) +
                                " processors is not allowed; " + std::to_string(self.count()));
  }
  const int place = tree.place_of(self.id(), root);
  if (place != 0) {
    self.receive_bytes(tree.processor_of(tree.parent(place), root), data, where);
  }
  Sends sends;
  for (const int child : tree.sends(place)) {
    sends.add(self.start_send_bytes(tree.processor_of(child, root), data, where));
  }
  sends.wait();
}

}  // namespace postroom
