#include "collectives/broadcast.h"

#include "tests/collectives/testing.h"

namespace postroom {
namespace {

void check_all_roots_and_sizes(Machine& machine, Algorithm algorithm) {
  SCOPED_TRACE(to_string(algorithm));
  machine.run([&](Processor& self) {
    for (int root = 0; root < self.count(); ++root) {
      for (const std::size_t size : sizes_for(self.count())) {
        const std::vector<std::int64_t> expected = elements(root, root, size);
        std::vector<std::int64_t> data = self.id() == root ? expected : unset(size);
        if (!runs(algorithm, [&] { broadcast(self, root, data, algorithm); })) continue;
        EXPECT_EQ(data, expected) << "root " << root << ", processor " << self.id();
      }
    }
  });
}

TEST(Broadcast, GivesEveryProcessorTheListOfTheRoot) {
  for_each_machine(broadcast_algorithms(), check_all_roots_and_sizes);
}

TEST(Broadcast, TakesSingleValuesSpansAndArrays) {
  machine_of(5).run([](Processor& self) {
    double value = self.id() == 3 ? 2.5 : 0;
    broadcast(self, 3, value);
    EXPECT_EQ(value, 2.5);

    int array[4] = {};
    if (self.id() == 1) std::iota(array, array + 4, 7);
    broadcast(self, 1, std::span(array).subspan(1, 2));
    EXPECT_EQ(array[2], 9);
    EXPECT_EQ(array[3], self.id() == 1 ? 10 : 0);
  });
}

TEST(Broadcast, TakesALargeList) {
  machine_of(3).run([](Processor& self) {
    std::vector<std::int64_t> data = unset(300'000);
    if (self.id() == 2) data = elements(2, 2, data.size());
    broadcast(self, 2, data);
    EXPECT_EQ(data, elements(2, 2, data.size()));
  });
}

TEST(Broadcast, RefusesWrongArguments) {
  const std::string has =
      "automatic, binomial, linear, lambda_tree, scatter_allgather, block_circulant, repeat, pack, "
      "pipeline, d_tree, flooding, level_tree, slots, turns, teams";
  machine_of(4).run(
      [&](Processor& self) {  // a message sent all the same would end in an UnreceivedError
        std::vector<int> data(3);
        for (const int root : {-1, 4, 99}) {
          EXPECT_EQ(refusal([&] { broadcast(self, root, data); }),
                    "broadcast: root " + std::to_string(root) + " is not allowed; 0 to 3");
        }
        EXPECT_EQ(refusal([&] { broadcast(self, 0, data, Algorithm::bruck(4)); }),
                  "broadcast: bruck(radix=4) is not allowed; " + has);
        EXPECT_EQ(
            refusal([&] { broadcast(self, 0, data, Algorithm::lambda_tree(Rational(9, 10))); }),
            "postal model: latency 9/10 is not allowed; at least 1");
        for (const Algorithm algorithm :
             {Algorithm::block_circulant(0), Algorithm::repeat(0), Algorithm::pack(0),
              Algorithm::pipeline(0), Algorithm::d_tree(2, 0)}) {
          EXPECT_EQ(refusal([&] { broadcast(self, 0, data, algorithm); }),
                    "broadcast: blocks 0 is not allowed; 1 to 1000000000");
        }
        EXPECT_EQ(refusal([&] { broadcast(self, 0, data, Algorithm::d_tree(0, 2)); }),
                  "broadcast: children 0 is not allowed; at least 1");
      });
  EXPECT_EQ(refusal([] { (void)broadcast_cost(4, 8, Algorithm::ring); }),
            "broadcast: ring is not allowed; " + has);
}

}  // namespace
}  // namespace postroom
