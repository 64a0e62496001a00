// Broadcast along trees for the latency: every construction, order and root.
#include "collectives/algorithms/broadcast_lambda_tree.h"
#include "tests/collectives/testing.h"

namespace postroom {
namespace {

std::vector<PostalTree> trees_for(int processors) {
  std::vector<PostalTree> trees{PostalTree::halving(processors)};
  for (const Rational latency : {Rational(1), Rational(9, 5), Rational(5), Rational(1000)}) {
    trees.push_back(PostalTree::greedy(latency, processors));
    trees.push_back(PostalTree::bottom_up(latency, processors));
    trees.push_back(PostalTree::alpha_table(latency, processors));
  }
  trees.push_back(PostalTree::fixed_alpha(Rational(9, 10), processors));
  return trees;
}

std::vector<ProcessorOrder> orders_for(int processors) {
  std::vector<int> leaves;  // dealt round the box
  for (int q = 0; q < processors; ++q) leaves.push_back(q * 5 % 8);
  return {ProcessorOrder::natural(processors), ProcessorOrder::by_leaf(leaves),
          ProcessorOrder::random(processors, 7)};
}

TEST(LambdaTree, GivesEveryProcessorTheListInEveryConstructionAndOrder) {
  for_each_machine([](Machine& machine) {
    const int p = machine.processors();
    const std::vector<ProcessorOrder> orders = orders_for(p);
    for (const PostalTree& tree : trees_for(p)) {
      machine.run([&](Processor& self) {
        for (int root = 0; root<p; root += p> 8 ? 5 : 1) {
          const auto check = [&](auto... order) {
            const std::vector<std::int64_t> expected = elements(root, root, 9);
            std::vector<std::int64_t> data = self.id() == root ? expected : unset(9);
            broadcast_lambda_tree(self, root, std::as_writable_bytes(std::span(data)), tree,
                                  order...);
            EXPECT_EQ(data, expected) << "root " << root << ", processor " << self.id();
          };
          check();
          for (const ProcessorOrder& order : orders) check(order);
        }
      });
    }
  });
}

TEST(LambdaTree, CostsWhatTheTraceCounts) {
  for (const int p : {1, 2, 5, 16, 33, 100}) {
    for (const PostalTree& tree : trees_for(p)) {
      Machine& machine = tracing_machine_of(p);
      machine.run([&](Processor& self) {
        std::vector<char> data(24);
        broadcast_lambda_tree(self, p / 2, std::as_writable_bytes(std::span(data)), tree);
      });
      const Cost run{machine.trace().rounds(), static_cast<std::int64_t>(machine.trace().volume())};
      EXPECT_EQ(run, broadcast_lambda_tree_cost(tree, 24)) << p;
    }
  }
}

TEST(LambdaTree, RefusesWrongArguments) {
  machine_of(4).run([](Processor& self) {
    std::vector<char> data(3);
    const auto said = [&](int root, int tree, int order) {
      return refusal([&] {
        broadcast_lambda_tree(self, root, std::as_writable_bytes(std::span(data)),
                              PostalTree::halving(tree), ProcessorOrder::natural(order));
      });
    };
    EXPECT_EQ(said(4, 4, 4), "broadcast: root 4 is not allowed; 0 to 3");
    EXPECT_EQ(said(0, 5, 4), "broadcast: tree for 5 processors is not allowed; for 4");
    EXPECT_EQ(said(0, 4, 3), "broadcast: order for 3 processors is not allowed; for 4");
  });
}

TEST(ProcessorOrder, IsAPermutation) {
  const ProcessorOrder order({2, 0, 1});
  EXPECT_EQ(order.processor(0), 2);
  EXPECT_EQ(order.place(2), 0);
  EXPECT_EQ(ProcessorOrder::by_leaf(std::vector<int>{4, 0, 4, 2}).processor(1), 3);
  const ProcessorOrder random = ProcessorOrder::random(100, 1);
  int moved = 0;
  for (int q = 0; q < 100; ++q) {
    EXPECT_EQ(random.place(random.processor(q)), q);
    EXPECT_EQ(random.processor(q), ProcessorOrder::random(100, 1).processor(q));
    moved += random.processor(q) != q;
  }
  EXPECT_GT(moved, 80);
  EXPECT_EQ(refusal([] {
              ProcessorOrder({0, 2, 2});
            }),
            "order: processor 2 at place 2 is not allowed; each of 0 to 2 once");
  EXPECT_EQ(refusal([] {
              ProcessorOrder({0, 3, 1});
            }),
            "order: processor 3 at place 1 is not allowed; each of 0 to 2 once");
  EXPECT_EQ(refusal([] { (void)ProcessorOrder::natural(0); }),
            "order: processors 0 is not allowed; at least 1");
}

}  // namespace
}  // namespace postroom
