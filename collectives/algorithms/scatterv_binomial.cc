#include "collectives/algorithms/scatterv_binomial.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "collectives/models/time_replay.h"
#include "collectives/parts/arguments.h"
#include "collectives/parts/binomial_tree.h"
#include "collectives/parts/framed_blocks.h"
#include "collectives/parts/scratch.h"
#include "collectives/parts/sends.h"

namespace postroom {
namespace {

void scatter_from_root(Processor& self, const BinomialTree& tree, const Blocks& blocks,
                       ConstBytes all, Bytes mine, Where where) {
  const auto bytes_of_nodes = [&](int first, int count) {
    return framed_bytes(blocks, tree.processor(first), count);
  };
  Scratch frames(self, bytes_of_nodes(1, self.count() - 1));
  Bytes rest = frames.bytes();
  for (int node = 1; node < self.count(); ++node) {
    put_frame(blocks.of(all, tree.processor(node)), rest);
  }
  Sends sends;
  for (int child = tree.reach(0) / 2; child >= 1; child /= 2) {
    const Bytes subtree =
        frames.bytes(bytes_of_nodes(1, child - 1), bytes_of_nodes(child, tree.subtree(child)));
    sends.add(self.start_send_bytes(tree.processor(child), subtree, where));
  }
  copy_bytes(blocks.of(all, self.id()), mine);
  sends.wait();
}

void scatter_from_parent(Processor& self, const BinomialTree& tree, Bytes mine, Where where) {
  const int me = tree.node(self.id());
  const int parent = tree.processor(tree.parent(me));
  Borrowed message = self.borrow_bytes(parent, where);
  if (tree.subtree(me) == 1) {
    FrameReader frames("scatterv", message.bytes(), parent, where);
    copy_bytes(frames.next(self.id(), mine.size()), mine);
    return frames.end();
  }
  Scratch held(self, message.bytes().size());  // the parent need not wait for the subtree
  copy_bytes(message.bytes(), held.bytes());
  message.give_back();

  FrameReader frames("scatterv", held.bytes(), parent, where);
  copy_bytes(frames.next(self.id(), mine.size()), mine);
  std::vector<ConstBytes> subtrees;
  for (int distance = 1; tree.has_child(me, distance); distance *= 2) {
    subtrees.push_back(frames.next_frames(tree.subtree(me + distance)));
  }
  frames.end();
  Sends sends;
  for (std::size_t i = subtrees.size(); i-- > 0;) {
    sends.add(self.start_send_bytes(tree.processor(me + (1 << i)), subtrees[i], where));
  }
  sends.wait();
}

/// `visit(node, child)` for each message, in an order in which who sends has received, and of those
/// that one sends in its order.
template <class Visit>
void for_each_message(const BinomialTree& tree, int processors, Visit visit) {
  for (int node = 0; node < processors; ++node) {
    for (int distance = tree.reach(node) / 2; distance >= 1; distance /= 2) {
      if (tree.has_child(node, distance)) visit(node, node + distance);
    }
  }
}

}  // namespace

void scatterv_binomial(Processor& self, int root, const Blocks& blocks, ConstBytes all, Bytes mine,
                       Where where) {
  const BinomialTree tree(self.count(), root);
  if (self.id() == root) {
    scatter_from_root(self, tree, blocks, all, mine, where);
  } else {
    scatter_from_parent(self, tree, mine, where);
  }
}

Cost scatterv_binomial_cost(const Blocks& blocks, int root) {
  const int p = blocks.processors();
  const BinomialTree tree(p, root);
  std::vector<std::size_t> last_round(static_cast<std::size_t>(p));                // of each node
  std::vector<std::size_t> largest(static_cast<std::size_t>(doubling_rounds(p)));  // of each round
  for_each_message(tree, p, [&](int node, int child) {
    const std::size_t round = ++last_round[static_cast<std::size_t>(node)];
    last_round[static_cast<std::size_t>(child)] = round;
    largest[round - 1] = std::max(largest[round - 1],
                                  framed_bytes(blocks, tree.processor(child), tree.subtree(child)));
  });
  Cost cost;
  for (const std::size_t bytes : largest) cost += Cost::round(bytes);
  return cost;
}

double scatterv_binomial_time(const Blocks& blocks, int root, const TimeModel& model) {
  const int p = blocks.processors();
  const BinomialTree tree(p, root);
  TimeReplay replay(model, p, model.ports);
  for_each_message(tree, p, [&](int node, int child) {
    const auto bytes =
        static_cast<std::int64_t>(framed_bytes(blocks, tree.processor(child), tree.subtree(child)));
    replay.receive(child, bytes, replay.send(node, bytes));
  });
  return replay.finish_ns();
}

}  // namespace postroom
