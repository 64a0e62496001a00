// Broadcast of several messages in the postal model: exact times against the bounds of the paper.
#include "collectives/algorithms/broadcast_blocks.h"

#include <algorithm>

#include "collectives/models/postal_model.h"
#include "runtime/rational.h"
#include "tests/collectives/block_plan_time.h"
#include "tests/collectives/testing.h"

namespace postroom {
namespace {

const Rational kLatencies[] = {1, Rational(9, 5), 3, Rational(15, 2), 40};
constexpr int kBlocks[] = {1, 2, 3, 8, 20};

// The bounds of the paper on the times of the plans, as in the table of the header.

Rational most_of_repeat(Rational latency, int blocks, int p) {
  if (p == 1) return 0;
  return blocks * PostalModel(latency).time(p) - (blocks - 1) * (latency - 1);
}

Rational most_of_pack(Rational latency, int blocks, int p) {
  return blocks * PostalModel(1 + (latency - 1) / blocks).time(p);
}

Rational most_of_pipeline(Rational latency, int blocks, int p) {
  if (p == 1) return 0;
  const bool few = blocks <= latency;
  const Rational unit = few ? blocks : latency;
  return unit * PostalModel(few ? latency / blocks : blocks / latency).time(p) + unit - 1;
}

Rational most_of_d_tree(Rational latency, int children, int blocks, int p) {
  if (p == 1) return 0;
  const int d = std::min(children, p - 1);
  int height = 0;
  for (int count = 1, level = d; count < p; count += level, level *= d) ++height;
  return d * (blocks - 1) + height * (d - 1 + latency);
}

TEST(BlockPlan, TakesNoLongerThanThePaperSaysAndNoLessThanAnythingCan) {
  int met = 0;
  for (const Rational latency : kLatencies) {
    for (const int blocks : kBlocks) {
      for (const int p : {1, 2, 3, 4, 5, 8, 13, 21, 33, 100}) {
        const Rational least = p == 1 ? 0 : blocks - 1 + PostalModel(latency).time(p);
        const auto check = [&](const BlockPlan& plan, Rational most) {
          const Rational time = time_of(plan, blocks, latency);
          EXPECT_LE(time, most) << latency << ", " << blocks << " blocks, " << p;
          EXPECT_GE(time, least) << latency << ", " << blocks << " blocks, " << p;
          met += time == most;
        };
        check(BlockPlan::repeat(latency, blocks, p), most_of_repeat(latency, blocks, p));
        check(BlockPlan::pack(latency, blocks, p), most_of_pack(latency, blocks, p));
        check(BlockPlan::pipeline(latency, blocks, p), most_of_pipeline(latency, blocks, p));
        for (const int d : {1, 2, 3, 200}) {
          check(BlockPlan::d_tree(d, blocks, p), most_of_d_tree(latency, d, blocks, p));
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
        EXPECT_EQ(time_of(BlockPlan::pack(latency, blocks, p), blocks, latency),
                  most_of_pack(latency, blocks, p));
        EXPECT_EQ(time_of(BlockPlan::pipeline(latency, blocks, p), blocks, latency),
                  most_of_pipeline(latency, blocks, p));
      }
    }
  }
}

TEST(BlockPlan, OfOneBlockIsTheLambdaTree) {
  const Rational latency(9, 5);
  for (const int p : {1, 2, 7, 64}) {
    const Rational least = PostalTree::bottom_up(latency, p).time(latency);
    EXPECT_EQ(time_of(BlockPlan::repeat(latency, 1, p), 1, latency), least);
    EXPECT_EQ(time_of(BlockPlan::pack(latency, 1, p), 1, latency), least);
    EXPECT_EQ(time_of(BlockPlan::pipeline(latency, 1, p), 1, latency), least);
  }
}

TEST(BroadcastBlocks, GivesEveryProcessorTheListOfTheRoot) {
  for_each_machine([](Machine& machine) {
    const int p = machine.processors();
    for (const Rational latency : {Rational(9, 5), Rational(9)}) {
      for (const BlockPlan& plan :
           {BlockPlan::repeat(latency, 5, p), BlockPlan::pack(latency, 5, p),
            BlockPlan::pipeline(latency, 5, p), BlockPlan::d_tree(2, 5, p)}) {
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
  EXPECT_EQ(refusal([] { (void)BlockPlan::pack(2, 2, 0); }),
            "broadcast: processors 0 is not allowed; at least 1");
}

}  // namespace
}  // namespace postroom
