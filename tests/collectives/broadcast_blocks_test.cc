// Broadcast of several messages in the postal model: exact times against the bounds of the paper.
#include "collectives/algorithms/broadcast_blocks.h"

#include "tests/collectives/testing.h"

namespace postroom {
namespace {

const Rational kLatencies[] = {1, Rational(9, 5), 3, Rational(15, 2), 40};
constexpr int kBlocks[] = {1, 2, 3, 8, 20};

TEST(BlockPlan, TakesNoLongerThanThePaperSaysAndNoLessThanAnythingCan) {
  int met = 0;
  for (const Rational latency : kLatencies) {
    for (const int blocks : kBlocks) {
      for (const int p : {1, 2, 3, 4, 5, 8, 13, 21, 33, 100}) {
        const Rational least = least_blocks_time(latency, blocks, p);
        const auto check = [&](const BlockPlan& plan, Rational most) {
          const Rational time = plan.time(latency);
          EXPECT_LE(time, most) << latency << ", " << blocks << " blocks, " << p;
          EXPECT_GE(time, least) << latency << ", " << blocks << " blocks, " << p;
          met += time == most;
        };
        check(BlockPlan::repeat(latency, blocks, p), repeat_time(latency, blocks, p));
        check(BlockPlan::pack(latency, blocks, p), pack_time(latency, blocks, p));
        check(BlockPlan::pipeline(latency, blocks, p), pipeline_time(latency, blocks, p));
        for (const int d : {1, 2, 3, 200}) {
          check(BlockPlan::d_tree(d, blocks, p), d_tree_time(latency, d, blocks, p));
        }
        const BlockPlan fastest = BlockPlan::fastest(latency, blocks, p);
        EXPECT_LE(fastest.time(latency), pack_time(latency, blocks, p));
        EXPECT_LE(fastest.time(latency), pipeline_time(latency, blocks, p));
        for (const int d : {1, 2, 3, 200}) {
          EXPECT_LE(fastest.time(latency), d_tree_time(latency, d, blocks, p));
        }
      }
    }
  }
  EXPECT_GT(met, 500);  // the bounds of pack and pipeline are met
}

TEST(BlockPlan, OfPackAndPipelineMeetTheBound) {
  for (const Rational latency : kLatencies) {
    for (const int blocks : kBlocks) {
      for (const int p : {2, 5, 33}) {
        EXPECT_EQ(BlockPlan::pack(latency, blocks, p).time(latency), pack_time(latency, blocks, p));
        EXPECT_EQ(BlockPlan::pipeline(latency, blocks, p).time(latency),
                  pipeline_time(latency, blocks, p));
      }
    }
  }
}

TEST(BlockPlan, OfOneBlockIsTheLambdaTree) {
  const Rational latency(9, 5);
  for (const int p : {1, 2, 7, 64}) {
    const Rational least = PostalTree::bottom_up(latency, p).time(latency);
    EXPECT_EQ(BlockPlan::repeat(latency, 1, p).time(latency), least);
    EXPECT_EQ(BlockPlan::pack(latency, 1, p).time(latency), least);
    EXPECT_EQ(BlockPlan::pipeline(latency, 1, p).time(latency), least);
    EXPECT_EQ(least_blocks_time(latency, 1, p), least);
  }
}

TEST(BroadcastBlocks, GivesEveryProcessorTheListOfTheRoot) {
  for_each_machine([](Machine& machine) {
    const int p = machine.processors();
    for (const Rational latency : {Rational(9, 5), Rational(9)}) {
      for (const BlockPlan& plan :
           {BlockPlan::repeat(latency, 5, p), BlockPlan::pack(latency, 5, p),
            BlockPlan::pipeline(latency, 5, p), BlockPlan::d_tree(2, 5, p),
            BlockPlan::fastest(latency, 5, p)}) {
        machine.run([&](Processor& self) {
          for (const std::size_t size : {0, 1, 31, 257}) {
            const int root = p / 2;
            const std::vector<std::int64_t> expected = elements(root, root, size);
            std::vector<std::int64_t> data = self.id() == root ? expected : unset(size);
            broadcast_blocks(self, root, std::as_writable_bytes(std::span(data)), plan);
            EXPECT_EQ(data, expected) << "processor " << self.id();
          }
        });
      }
    }
  });
}

TEST(BroadcastBlocks, RefusesWrongArguments) {
  machine_of(3).run([](Processor& self) {
    std::vector<char> data(3);
    EXPECT_EQ(refusal([&] {
                broadcast_blocks(self, 0, std::as_writable_bytes(std::span(data)),
                                 BlockPlan::d_tree(2, 2, 4));
              }),
              "broadcast: plan for 4 processors is not allowed; for 3");
  });
  EXPECT_EQ(refusal([] { (void)BlockPlan::pipeline(Rational(1, 2), 2, 4); }),
            "postal model: latency 1/2 is not allowed; at least 1");
  EXPECT_EQ(refusal([] { (void)BlockPlan::repeat(2, 0, 4); }),
            "broadcast: blocks 0 is not allowed; 1 to 1000000000");
  EXPECT_EQ(refusal([] { (void)pack_time(2, 2, 0); }),
            "broadcast: processors 0 is not allowed; at least 1");
}

}  // namespace
}  // namespace postroom
