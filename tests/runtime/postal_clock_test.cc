// Real time: what is tested is that nothing comes too early, and that it comes soon where the
// machine is free to be on time. How exact it is, benchmarks measure.
#include "runtime/postal_clock.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "fat_trees/fat_tree.h"
#include "runtime/latency_by_level.h"
#include "tests/runtime/testing.h"

namespace postroom {
namespace {

using namespace std::chrono_literals;

/// A machine under a PostalClock; what it runs is to end within a minute.
Machine machine_under(const std::shared_ptr<PostalClock>& clock, MachineOptions options) {
  options.clock = clock;
  return Machine(options);
}

double units(const PostalClock& clock, Time time) { return clock.units(time).to_double(); }

TEST(PostalClock, AMessageIsThereAfterLambdaAndNotBefore) {
  const auto clock = std::make_shared<PostalClock>(Rational(5, 2), 2ms);
  for (const MachineOptions& way : ways_to_carry(3)) {
    Machine machine = machine_under(clock, way);
    for (const std::size_t bytes : {8u, 8000u}) {
      machine.run([&](Processor& self) {
        std::vector<char> data(bytes);
        if (self.id() == 0) {
          for (const int to : {1, 2}) self.send(to, data);
          EXPECT_LT(units(*clock, self.now()), 5000);
        } else {
          self.receive(0, data);
          EXPECT_GE(units(*clock, self.now()), 2.5 + self.id() - 1);
          EXPECT_LT(units(*clock, self.now()), 5000);
        }
      });
    }
  }
}

TEST(PostalClock, ReadyWaitsForTheArrival) {
  const auto clock = std::make_shared<PostalClock>(3, 2ms);
  for (const MachineOptions& way : ways_to_carry(2)) {
    Machine machine = machine_under(clock, way);
    machine.run([&](Processor& self) {
      if (self.id() == 0) return self.send(1, 7);
      std::vector<int> in(1);
      Pending receiving = self.start_receive(0, in);
      int asked = 0;
      for (; !receiving.ready(); ++asked) self.yield();
      EXPECT_GE(units(*clock, self.now()), 3);
      EXPECT_GT(asked, 0);
      receiving.wait();
      EXPECT_EQ(in[0], 7);
    });
  }
}

TEST(PostalClock, ABorrowWaitsToo) {
  const auto clock = std::make_shared<PostalClock>(2, 1ms);
  Machine machine = machine_under(clock, {.processors = 2});
  const std::vector<int> lent{1, 2, 3};
  machine.run([&](Processor& self) {
    if (self.id() == 0) return self.lend(1, lent).wait();
    const Borrowed borrowed = self.borrow_bytes(0);
    EXPECT_GE(units(*clock, self.now()), 2);
    EXPECT_EQ(borrowed.as<int>()[2], 3);
  });
}

TEST(PostalClock, ComputingLetsTheOthersOfTheThreadRun) {
  constexpr int p = 50;
  const auto clock = std::make_shared<PostalClock>(1, 1ms);
  Machine machine = machine_under(clock, {.processors = p, .threads = 1});
  machine.run([&](Processor& self) {
    self.compute(20);
    EXPECT_GE(units(*clock, self.now()), 20);
    EXPECT_LT(units(*clock, self.now()), 20 * p / 2);  // not one after the other
  });
}

TEST(PostalClock, OfATreeIsNotFasterThanTheModelAndNotMuchSlower) {
  constexpr int p = 34;  // λ = 2: N(8) = 34
  const auto clock = std::make_shared<PostalClock>(2, 1ms);
  for (const int threads : {1, 2}) {
    Machine machine = machine_under(clock, {.processors = p, .threads = threads});
    const std::vector<int> reach{1, 1, 2, 3, 5, 8, 13, 21, 34};
    std::vector<Time> ends(p);
    machine.run([&](Processor& self) {
      int first = 0;
      int t = 8;
      int parent = -1;
      while (first != self.id()) {
        parent = first;
        const int leader = first + reach[t - 1];
        t -= self.id() >= leader ? 2 : 1;
        if (self.id() >= leader) first = leader;
      }
      if (parent >= 0) (void)self.receive<int>(parent);
      for (; t >= 2; --t) self.send(first + reach[t - 1], 1);
      ends[self.id()] = self.now();
    });
    EXPECT_GE(units(*clock, *std::ranges::max_element(ends)), 8);
    EXPECT_LT(units(*clock, *std::ranges::max_element(ends)), 5000);
  }
}

// --- Waiting for time is no deadlock, and hides none.

TEST(PostalClock, WhoWaitsForTimeIsNotBlocked) {
  const auto clock = std::make_shared<PostalClock>(5, 1ms);
  for (const int threads : {1, 2, 6}) {
    Machine machine = machine_under(clock, {.processors = 6, .threads = threads});
    machine.run([&](Processor& self) {  // everybody waits for the one before
      if (self.id() == 0) self.compute(5);
      if (self.id() > 0) (void)self.receive<int>(self.id() - 1);
      if (self.id() < 5) self.send(self.id() + 1, 1);
    });
  }
}

TEST(PostalClock, ADeadlockIsFoundOnceTimeHasPassed) {
  const auto clock = std::make_shared<PostalClock>(1, 1ms);
  for (const int threads : {1, 2, 4}) {
    Machine machine = machine_under(clock, {.processors = 4, .threads = threads});
    const std::string report = thrown<DeadlockError>([&] {
      machine.run([](Processor& self) {
        if (self.id() == 2) self.compute(5);
        (void)self.receive<int>((self.id() + 1) % 4);
      });
    });
    EXPECT_NE(report.find("processor 2 waits for processor 3 in receive"), std::string::npos);
  }
}

TEST(PostalClock, AFailureEndsTheWaitOfTheOthers) {
  const auto clock = std::make_shared<PostalClock>(1, 100s);
  for (const int threads : {1, 2, 4}) {
    Machine machine = machine_under(clock, {.processors = 4, .threads = threads});
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(failure_of(machine, 3,
                         [](Processor& self) {
                           if (self.id() == 3) throw std::runtime_error("no");
                           self.compute(1 + self.id());
                         }),
              "processor 3: no");
    EXPECT_LT(std::chrono::steady_clock::now() - start, 10s);
  }
}

TEST(PostalClock, TracesInUnitsOfTheModel) {
  const auto clock = std::make_shared<PostalClock>(2, 1ms);
  Machine machine = machine_under(clock, {.processors = 2, .trace = true});
  machine.run([](Processor& self) {
    if (self.id() == 0) self.send(1, 1);
    if (self.id() == 1) (void)self.receive<int>(0);
    self.barrier();
  });
  ASSERT_EQ(machine.trace().messages().size(), 1u);  // the barrier is none
  const Trace::Message& message = machine.trace().messages().front();
  EXPECT_EQ(message.arrival - message.start, 2'000'000);
  EXPECT_EQ(message.busy, 1'000'000);
}

TEST(PostalClock, NamesWhatIsNotAllowed) {
  EXPECT_EQ(thrown<std::invalid_argument>([] { PostalClock(Rational(1, 2), 1ms); }),
            "lambda: 1/2 is not allowed; 1 to 1000000000");
  EXPECT_EQ(thrown<std::invalid_argument>([] { PostalClock(Rational(2), 0ns); }),
            "t0: 0 ns is not allowed; 1 to 1000000000000");
  EXPECT_EQ(thrown<std::invalid_argument>([] { PostalClock(PostalParameters{.ports = 0}, 1ms); }),
            "ports: 0 is not allowed; at least 1");
  const Latency lambda = latency_by_level(FatTree::balanced(2), {Rational(1)});
  EXPECT_EQ(thrown<std::invalid_argument>([&] { PostalClock(lambda, 1ms).start(3); }),
            "processors: 3 are not allowed; at most 2, the leaves of the tree of the latency");
}

}  // namespace
}  // namespace postroom
