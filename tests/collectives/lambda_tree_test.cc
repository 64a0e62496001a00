// Broadcast along trees for the latency: every construction, order and root.
#include <algorithm>
#include <memory>
#include <numeric>
#include <random>

#include "collectives/algorithms/broadcast_lambda_tree.h"
#include "runtime/group.h"
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

std::vector<Group::Members> orders_for(int processors) {
  std::vector<int> order(static_cast<std::size_t>(processors));
  std::iota(order.rbegin(), order.rend(), 0);
  const auto falling = std::make_shared<const std::vector<int>>(order);
  std::ranges::shuffle(order, std::mt19937_64(7));
  return {falling, std::make_shared<const std::vector<int>>(order)};
}

void expect_broadcast_from_roots(Processor& self, const PostalTree& tree) {
  const int p = self.count();
  const int step = p > 8 ? 5 : 1;
  for (int root = 0; root < p; root += step) {
    const std::vector<std::int64_t> expected = elements(root, root, 9);
    std::vector<std::int64_t> data = self.id() == root ? expected : unset(9);
    broadcast_lambda_tree(self, root, std::as_writable_bytes(std::span(data)), tree);
    EXPECT_EQ(data, expected) << "root " << root << ", processor " << self.id();
  }
}

TEST(LambdaTree, GivesEveryProcessorTheListInEveryConstructionAndOrder) {
  for_each_machine([](Machine& machine) {
    const int p = machine.processors();
    const std::vector<Group::Members> orders = orders_for(p);
    for (const PostalTree& tree : trees_for(p)) {
      machine.run([&](Processor& self) {
        expect_broadcast_from_roots(self, tree);
        for (const Group::Members& order : orders) {
          Group group(self, order);
          expect_broadcast_from_roots(group, tree);
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
    const auto said = [&](int root, int tree) {
      return refusal([&] {
        broadcast_lambda_tree(self, root, std::as_writable_bytes(std::span(data)),
                              PostalTree::halving(tree));
      });
    };
    EXPECT_EQ(said(4, 4), "broadcast: root 4 is not allowed; 0 to 3");
    EXPECT_EQ(said(0, 5), "broadcast: tree for 5 processors is not allowed; for 4");
  });
}

}  // namespace
}  // namespace postroom
