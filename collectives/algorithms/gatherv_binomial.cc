#include "collectives/algorithms/gatherv_binomial.h"

#include <cstdint>
#include <vector>

#include "collectives/algorithms/scatterv_binomial.h"
#include "collectives/models/time_replay.h"
#include "collectives/parts/arguments.h"
#include "collectives/parts/binomial_tree.h"
#include "collectives/parts/framed_blocks.h"
#include "collectives/parts/scratch.h"

namespace postroom {
namespace {

void gather_at_root(Processor& self, const BinomialTree& tree, ConstBytes mine,
                    const Blocks& blocks, Bytes all, Where where) {
  copy_bytes(mine, blocks.of(all, self.id()));
  for (int child = 1; tree.has_child(0, child); child *= 2) {
    const int source = tree.processor(child);
    const Borrowed message = self.borrow_bytes(source, where);
    FrameReader frames("gatherv", message.bytes(), source, where);
    for (int node = child; node < child + tree.subtree(child); ++node) {
      const int owner = tree.processor(node);
      copy_bytes(frames.next(owner, blocks.bytes(owner)), blocks.of(all, owner));
    }
    frames.end();
  }
}

void gather_for_parent(Processor& self, const BinomialTree& tree, ConstBytes mine, Where where) {
  const int me = tree.node(self.id());
  std::size_t bytes = kFrameBytes + mine.size();
  std::vector<Borrowed> subtrees;
  for (int distance = 1; tree.has_child(me, distance); distance *= 2) {
    subtrees.push_back(self.borrow_bytes(tree.processor(me + distance), where));
    bytes += subtrees.back().bytes().size();
  }
  Scratch held(self, bytes);
  Bytes rest = held.bytes();
  put_frame(mine, rest);
  for (Borrowed& subtree : subtrees) {
    put_frames(subtree.bytes(), rest);
    subtree.give_back();
  }
  self.send_bytes(tree.processor(tree.parent(me)), held.bytes(), where);
}

}  // namespace

void gatherv_binomial(Processor& self, int root, ConstBytes mine, const Blocks& blocks, Bytes all,
                      Where where) {
  const BinomialTree tree(self.count(), root);
  if (self.id() == root) {
    gather_at_root(self, tree, mine, blocks, all, where);
  } else {
    gather_for_parent(self, tree, mine, where);
  }
}

Cost gatherv_binomial_cost(const Blocks& blocks, int root) {
  return scatterv_binomial_cost(blocks, root);
}

double gatherv_binomial_time(const Blocks& blocks, int root, const TimeModel& model) {
  const BinomialTree tree(blocks.processors(), root);
  TimeReplay replay(model, blocks.processors(), model.ports);
  std::vector<Time> arrivals(static_cast<std::size_t>(blocks.processors()));
  const auto bytes = [&](int node) {
    return static_cast<std::int64_t>(
        framed_bytes(blocks, tree.processor(node), tree.subtree(node)));
  };
  for (int node = blocks.processors() - 1; node >= 0; --node) {  // children before their parents
    for (int distance = 1; tree.has_child(node, distance); distance *= 2) {
      const int child = node + distance;
      replay.receive(node, bytes(child), arrivals[static_cast<std::size_t>(child)]);
    }
    if (node > 0) arrivals[static_cast<std::size_t>(node)] = replay.send(node, bytes(node));
  }
  return replay.finish_ns();
}

}  // namespace postroom
