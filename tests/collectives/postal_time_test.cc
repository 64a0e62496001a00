// Real programs under the virtual clock: they take, to the last digit, the time that the postal
// model says.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "collectives/algorithms/allreduce_postal.h"
#include "collectives/algorithms/broadcast_blocks.h"
#include "collectives/algorithms/broadcast_lambda_tree.h"
#include "collectives/allreduce.h"
#include "collectives/broadcast.h"
#include "collectives/models/combine_schedule.h"
#include "collectives/models/postal_model.h"
#include "collectives/models/postal_tree.h"
#include "collectives/reduce.h"
#include "runtime/group.h"
#include "runtime/machine.h"
#include "runtime/postal_parameters.h"
#include "runtime/virtual_clock.h"
#include "tests/collectives/block_plan_time.h"
#include "tests/collectives/golden.h"

namespace postroom {
namespace {

// A machine under the virtual clock.
class VirtualMachine {
 public:
  VirtualMachine(int processors, PostalParameters parameters)
      : clock_(std::make_shared<VirtualClock>(parameters)),
        machine_({.processors = processors, .clock = clock_}) {}

  /// How long `program` takes.
  Rational time(const Machine::Program& program) {
    machine_.run(program);
    return clock_->finish();
  }
  Rational time_of_broadcast(Algorithm algorithm, int root = 0) {
    return time([&](Processor& self) {
      int value = self.id() == root ? 5 : 0;
      broadcast(self, root, value, algorithm);
      EXPECT_EQ(value, 5);
    });
  }
  Rational time_of_allreduce(Algorithm algorithm) {
    return time([&](Processor& self) {
      EXPECT_EQ(allreduce(self, self.id(), std::plus<>(), algorithm),
                self.count() * (self.count() - 1) / 2);
    });
  }

 private:
  std::shared_ptr<VirtualClock> clock_;
  Machine machine_;
};

/// More than a hundred: whole ones, and fractions with denominators up to 1,000.
std::vector<Rational> many_latencies() {
  std::vector<Rational> list;
  for (int whole = 1; whole <= 20; ++whole) list.push_back(whole);
  for (int i = 1; i <= 90; ++i) {
    const int denominator = 2 + i * 11;
    list.push_back(Rational(denominator + i * i * 37 % (4 * denominator), denominator));
  }
  return list;
}

/// From 1 to 300, one after another, each far from the one before.
int next_count(int processors) { return (processors + 106) % 300 + 1; }

TEST(PostalTime, OfBroadcastsIsWhatTheModelSays) {
  const std::vector<Rational> latencies = many_latencies();
  ASSERT_GE(latencies.size(), 110u);
  int p = 1;
  for (const Rational latency : latencies) {
    SCOPED_TRACE("lambda " + to_string(latency) + ", p = " + std::to_string(p));
    VirtualMachine machine(p, {.lambda = latency});
    EXPECT_EQ(machine.time_of_broadcast(Algorithm::lambda_tree(latency), p / 3),
              PostalModel(latency).time(p));
    EXPECT_EQ(machine.time_of_broadcast(Algorithm::binomial, p / 2), binomial_time(p, latency));
    p = next_count(p);
  }
}

TEST(PostalTime, OfEveryConstructionIsOptimal) {
  for (const Rational latency : {Rational(1), Rational(3), Rational(9, 5), Rational(1293, 1000)}) {
    for (const int p : {2, 7, 64, 150}) {
      VirtualMachine machine(p, {.lambda = latency});
      std::vector<int> order(static_cast<std::size_t>(p));
      std::iota(order.begin(), order.end(), 0);
      std::ranges::shuffle(order, std::mt19937_64(3));
      for (const PostalTree& tree :
           {PostalTree::greedy(latency, p), PostalTree::bottom_up(latency, p),
            PostalTree::alpha_table(latency, p)}) {
        const Rational time = machine.time([&](Processor& self) {
          Group group(self, order);
          std::vector<char> data(100);
          broadcast_lambda_tree(group, p - 1, std::as_writable_bytes(std::span(data)), tree);
        });
        EXPECT_EQ(time, PostalModel(latency).time(p)) << latency << ", p = " << p;
      }
    }
  }
}

TEST(PostalTime, OfReducesIsThatOfTheBroadcast) {
  int p = 1;
  for (const Rational latency :
       {Rational(1), Rational(2), Rational(9, 5), Rational(22, 7), Rational(501, 500)}) {
    for (int times = 0; times < 4; ++times) {
      p = next_count(p);
      VirtualMachine machine(p, {.lambda = latency});
      const Algorithm algorithm = Algorithm::lambda_tree(latency);
      const Rational time = machine.time(
          [&](Processor& self) { (void)reduce(self, p / 2, self.id(), std::plus<>(), algorithm); });
      EXPECT_EQ(time, PostalModel(latency).time(p)) << latency << ", p = " << p;
      EXPECT_EQ(machine.time_of_allreduce(algorithm), 2 * PostalModel(latency).time(p));
    }
  }
}

TEST(PostalTime, OfTheCombineIsThatOfItsSchedule) {
  int p = 1;
  for (const Rational latency : many_latencies()) {
    p = next_count(p);
    SCOPED_TRACE("lambda " + to_string(latency) + ", p = " + std::to_string(p));
    VirtualMachine machine(p, {.lambda = latency});
    const Rational time = machine.time_of_allreduce(Algorithm::postal_combine(latency));
    EXPECT_EQ(time, CombineSchedule::fastest(latency, p).time(latency));
    if (latency.is_whole()) {
      EXPECT_EQ(time, PostalModel(latency).time(p));
    }
    if (p > 60) continue;
    for (const CombineSchedule& schedule :
         {CombineSchedule::delay_send(latency, p), CombineSchedule::delay_receive(latency, p)}) {
      const Rational run = machine.time([&](Processor& self) {
        std::vector<int> list(700, self.id());  // large enough to be read in the sender's memory
        const std::plus<> plus;
        allreduce_postal(self, bytes_of(list), writable_bytes_of(list), Operator::of<int>(plus),
                         schedule);
      });
      EXPECT_EQ(run, schedule.time(latency));
    }
  }
}

TEST(PostalTime, OfSeveralBlocksIsThatOfThePlan) {
  constexpr int kBlockBytes = 8;
  for (const Rational latency : {Rational(1), Rational(9, 5), Rational(15, 2), Rational(40)}) {
    for (const int blocks : {1, 3, 8}) {
      for (const int p : {1, 2, 5, 21, 64}) {
        VirtualMachine machine(p, {.lambda = latency, .unit_bytes = kBlockBytes});
        for (const BlockPlan& plan :
             {BlockPlan::repeat(latency, blocks, p), BlockPlan::pack(latency, blocks, p),
              BlockPlan::pipeline(latency, blocks, p), BlockPlan::d_tree(3, blocks, p)}) {
          const Rational time = machine.time([&](Processor& self) {
            std::vector<char> data(static_cast<std::size_t>(kBlockBytes * blocks));
            broadcast_blocks(self, 0, std::as_writable_bytes(std::span(data)), plan);
          });
          EXPECT_EQ(time, time_of(plan, blocks, latency))
              << latency << ", " << blocks << " blocks, " << p;
        }
      }
    }
  }
}

// 16 times as many processors as threads, again and again: the schedule of the threads leaves no
// trace in the times.
TEST(PostalTime, DoesNotDependOnTheThreads) {
  const Rational latency(9, 5);
  const auto clock = std::make_shared<VirtualClock>(latency);
  Machine machine({.processors = 64, .threads = 4, .clock = clock});
  for (int times = 0; times < 100; ++times) {
    machine.run([&](Processor& self) {
      int value = 0;
      broadcast(self, 0, value, Algorithm::lambda_tree(latency));
    });
    ASSERT_EQ(clock->finish(), Rational(46, 5));
    machine.run([&](Processor& self) {
      (void)allreduce(self, 1, std::plus<>(), Algorithm::postal_combine(latency));
    });
    ASSERT_EQ(clock->finish(), CombineSchedule::fastest(latency, 64).time(latency));
  }
}

TEST(Golden, PostalBroadcastsAsTheyRun) {
  for (const std::vector<std::string>& row : golden_rows("postal_broadcast.csv")) {
    const Rational latency = Rational::parse(row[0]);
    const int p = std::stoi(row[1]);
    if (p > 100) continue;
    VirtualMachine machine(p, {.lambda = latency});
    EXPECT_EQ(machine.time_of_broadcast(Algorithm::lambda_tree(latency)), Rational::parse(row[2]));
    EXPECT_EQ(machine.time_of_broadcast(Algorithm::binomial), Rational::parse(row[5]));
  }
}

TEST(Golden, CombinesAsTheyRun) {
  for (const std::vector<std::string>& row : golden_rows("combine_rounds.csv")) {
    const Rational latency = Rational::parse(row[0]);
    const int p = std::stoi(row[1]);
    if (p > 100) continue;
    VirtualMachine machine(p, {.lambda = latency});
    EXPECT_EQ(machine.time_of_allreduce(Algorithm::postal_combine(latency)),
              Rational::parse(row[2]));
  }
}

}  // namespace
}  // namespace postroom
