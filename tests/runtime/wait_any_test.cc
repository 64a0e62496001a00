// Waiting for whichever of several comes first.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <queue>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/light_machine.h"
#include "runtime/machine.h"
#include "runtime/postal_clock.h"
#include "runtime/virtual_clock.h"
#include "tests/runtime/testing.h"

namespace postroom {
namespace {

/// On every kind of machine.
void on_all_machines(int processors, const Machine::Program& program) {
  for (const MachineOptions& way : ways_to_carry(processors)) Machine(way).run(program);
  const auto clock = std::make_shared<VirtualClock>(Rational(5, 2));
  Machine({.processors = processors, .clock = clock}).run(program);
  LightMachine(processors, clock).run(program);
  const auto postal = std::make_shared<PostalClock>(PostalParameters{.lambda = Rational(3)},
                                                    std::chrono::microseconds(20));
  Machine({.processors = processors, .clock = postal}).run(program);
}

// --- A master and its workers.

constexpr int kEnd = -1;

void work(Processor& self) {
  for (;;) {
    const int task = self.receive<int>(0);
    if (task == kEnd) return;
    self.compute(Rational(self.id()));  // in virtual time
    self.send(0, task * task);
  }
}

/// Hands out tasks 0 to tasks - 1, each to whoever is free first. Who did each.
std::vector<int> lead(Processor& self, int tasks) {
  const int workers = self.count() - 1;
  std::vector<int> results(workers);
  std::vector<int> done_by(tasks, 0);
  std::vector<int> at(workers);  // which task
  std::vector<Pending> pending(workers);
  int next = 0;
  const auto give = [&](int worker) {
    if (next == tasks) return self.send(worker + 1, kEnd);
    at[worker] = next++;
    self.send(worker + 1, at[worker]);
    pending[worker] = self.start_receive(worker + 1, results[worker]);
  };
  for (int worker = 0; worker < workers; ++worker) give(worker);
  while (const std::optional<std::size_t> worker = wait_any(pending)) {
    EXPECT_EQ(results[*worker], at[*worker] * at[*worker]);
    EXPECT_EQ(std::exchange(done_by[at[*worker]], static_cast<int>(*worker) + 1), 0);
    give(static_cast<int>(*worker));
  }
  EXPECT_EQ(std::ranges::count(done_by, 0), 0);
  return done_by;
}

TEST(WaitAny, AMasterTakesResultsAsTheyCome) {
  for (const int processors : {2, 3, 5, 9}) {
    on_all_machines(processors, [](Processor& self) {
      if (self.id() == 0) {
        (void)lead(self, 50);
      } else {
        work(self);
      }
    });
  }
}

/// Who does each task when every worker gets the next one as soon as the master has its result:
/// the model by hand, with a message of λ = 2 and one unit of a port for each.
std::pair<std::vector<int>, Rational> schedule(int workers, int tasks) {
  constexpr int kLambda = 2;
  struct Result {
    int there;
    int worker;
    int task;
    bool operator>(const Result& other) const {
      return std::pair(there, worker) > std::pair(other.there, other.worker);
    }
  };
  std::vector<int> done_by(tasks);
  std::priority_queue<Result, std::vector<Result>, std::greater<>> results;
  int out_is_free = 0;  // the master's ports
  int in_is_free = 0;
  int latest = 0;
  int next = 0;
  const auto give = [&](int worker, int now) {
    const int start = std::max(now, out_is_free);
    out_is_free = start + 1;
    const int begin = start + kLambda;
    latest = std::max(latest, begin);
    if (next == tasks) return;
    results.push({begin + worker + kLambda, worker, next++});
  };
  for (int worker = 1; worker <= workers; ++worker) give(worker, 0);
  while (!results.empty()) {
    const Result result = results.top();
    results.pop();
    done_by[result.task] = result.worker;
    const int there = std::max(result.there - 1, in_is_free) + 1;
    in_is_free = there;
    give(result.worker, there);
  }
  return {done_by, Rational(latest)};
}

TEST(WaitAny, TakesWhatIsThereFirstInTheModel) {
  for (const int workers : {1, 2, 3, 7}) {
    for (const int tasks : {1, 5, 40}) {
      const auto [expected, time] = schedule(workers, tasks);
      const auto clock = std::make_shared<VirtualClock>(Rational(2));
      LightMachine machine(workers + 1, clock);
      std::vector<int> done_by;
      machine.run([&, tasks = tasks](Processor& self) {
        if (self.id() != 0) return work(self);
        done_by = lead(self, tasks);
      });
      EXPECT_EQ(done_by, expected) << workers << " workers, " << tasks << " tasks";
      EXPECT_EQ(clock->finish(), time) << workers << " workers, " << tasks << " tasks";
    }
  }
}

// Processor 0 hears from 2 at time 20 and from 1 at 15, who waits for any, too, and is told at 10.
// Nobody else can go on when both wait; if it were the turn of 0, it would take 20 first.
TEST(WaitAny, OfTwoWhoWaitTheOneWithTheEarlierTimeGoesOn) {
  const auto clock = std::make_shared<VirtualClock>(Rational(5));
  LightMachine machine(4, clock);
  std::vector<int> order;
  machine.run([&](Processor& self) {
    std::vector<int> in(2);
    std::vector<Pending> pending(2);
    switch (self.id()) {
      case 0:
        pending[0] = self.start_receive(2, in[0]);
        pending[1] = self.start_receive(1, in[1]);
        while (const auto i = wait_any(pending)) order.push_back(in[*i]);
        break;
      case 1:
        pending[0] = self.start_receive(3, in[0]);
        pending[1] = self.start_receive(2, in[1]);
        EXPECT_EQ(wait_any(pending), 0);  // at 10
        self.send(0, 15);
        EXPECT_EQ(wait_any(pending), 1);  // at 21
        break;
      case 2:
        self.compute(Rational(15));
        self.send(0, 20);
        self.send(1, 21);
        break;
      default:
        self.compute(Rational(5));
        self.send(1, 10);
    }
  });
  EXPECT_EQ(order, (std::vector{15, 20}));
  EXPECT_EQ(clock->finish(), Rational(21));
}

// --- One alone.

TEST(WaitAny, OfNothingSaysSo) {
  on_all_machines(2, [](Processor& self) {
    std::vector<Pending> none;
    EXPECT_EQ(wait_any(none), std::nullopt);
    none.resize(3);
    EXPECT_EQ(wait_any(none), std::nullopt);
    wait_all(none);
    int in = 0;
    none[1] = self.start_receive(self.id(), in);
    self.send(self.id(), 7);
    EXPECT_EQ(wait_any(none), 1);
    EXPECT_EQ(in, 7);
    EXPECT_EQ(wait_any(none), std::nullopt);
  });
}

TEST(WaitAny, NeedsOnlyOneToCome) {
  constexpr int p = 5;
  for (const std::size_t count : {1, 100, 30'000}) {
    on_all_machines(p, [count](Processor& self) {
      if (self.id() != 0) {
        if (self.id() != 3) (void)self.receive<int>(0);
        // Long enough for all threads to sleep, which is no deadlock.
        if (self.id() == 3) std::this_thread::sleep_for(std::chrono::milliseconds(20));
        return self.send(0, std::vector<int>(count, self.id()));
      }
      std::vector<std::vector<int>> in(p, std::vector<int>(count));
      std::vector<Pending> pending(p);
      for (int i = 1; i < p; ++i) pending[i] = self.start_receive(i, in[i]);
      ASSERT_EQ(wait_any(pending), 3);
      ASSERT_EQ(in[3], std::vector<int>(count, 3));
      for (const int next : {4, 1, 2}) {
        self.send(next, next);
        ASSERT_EQ(wait_any(pending), next);
        ASSERT_EQ(in[next], std::vector<int>(count, next));
      }
      ASSERT_EQ(wait_any(pending), std::nullopt);
    });
  }
}

// Sends that wait for their receivers, and loans; not on a LightMachine, where a send is done.
TEST(WaitAny, MayBeForSendsAndLoans) {
  constexpr int p = 4;
  for (const MachineOptions& way : ways_to_carry(p)) {
    Machine(way).run([](Processor& self) {
      const std::vector<int> large(30'000, 5);
      if (self.id() != 0) {
        std::vector<int> in(large.size());
        if (self.id() != 2) (void)self.receive<int>(0);
        if (self.id() == 1) {
          (void)self.borrow_bytes(0);
        } else {
          self.receive(0, in);
          ASSERT_EQ(in, large);
        }
        return;
      }
      int in = 0;
      std::vector<Pending> pending(p);
      pending[2] = self.start_send(2, large);
      pending[0] = self.start_receive(0, in);
      ASSERT_EQ(wait_any(pending), 2);
      for (const int next : {3, 1}) {
        self.send(next, 1);
        pending[next] = next == 1 ? self.lend(next, large) : self.start_send(next, large);
        ASSERT_EQ(wait_any(pending), next);
      }
      self.send(0, 9);
      wait_all(pending);
      ASSERT_EQ(in, 9);
    });
  }
}

// What was started before from the same source is filled first, and what else was started goes on.
TEST(WaitAny, KeepsTheOrderOfASource) {
  on_all_machines(3, [](Processor& self) {
    if (self.id() == 1) {
      for (int i = 0; i < 4; ++i) self.send(0, i);
      return;
    }
    if (self.id() == 2) return self.send(0, std::vector<int>(30'000, 2));
    std::vector<int> large(30'000);
    std::vector<int> in(4);
    Pending other = self.start_receive(2, large);
    std::vector<Pending> pending(4);
    for (const int place : {2, 0, 3, 1}) pending[place] = self.start_receive(1, in[place]);
    std::vector<bool> done(4);
    while (const auto i = wait_any(pending)) done[*i] = true;
    EXPECT_EQ(in, (std::vector{1, 3, 0, 2}));
    EXPECT_EQ(done, std::vector<bool>(4, true));
    other.wait();
    EXPECT_EQ(large, std::vector<int>(30'000, 2));
  });
}

TEST(WaitAny, PassesNobodyOver) {
  constexpr int kMessages = 200;
  for (const MachineOptions& way : ways_to_carry(3)) {
    Machine(way).run([](Processor& self) {
      if (self.id() != 0) {
        for (int i = 0; i < kMessages; ++i) self.send(0, i);
      }
      self.barrier();
      if (self.id() != 0) return;
      std::vector<int> in(2);
      std::vector<int> taken(2);
      std::vector<Pending> pending(2);
      for (int i = 0; i < 2; ++i) pending[i] = self.start_receive(i + 1, in[i]);
      int first_half[2] = {0, 0};
      while (const auto i = wait_any(pending)) {
        EXPECT_EQ(in[*i], taken[*i]);
        if (taken[0] + taken[1] < kMessages) ++first_half[*i];
        if (++taken[*i] < kMessages) {
          pending[*i] = self.start_receive(static_cast<int>(*i) + 1, in[*i]);
        }
      }
      EXPECT_EQ(taken, (std::vector{kMessages, kMessages}));
      EXPECT_GE(std::min(first_half[0], first_half[1]), kMessages / 4);
    });
  }
}

// --- What goes wrong.

TEST(WaitAny, RefusesWhatTwoProcessorsHaveStarted) {
  Machine outer({.processors = 1});
  outer.run([](Processor& self) {
    int value = 0;
    std::vector<Pending> pending(2);
    pending[0] = self.start_receive(0, value);
    Machine inner({.processors = 2, .threads = 1});
    inner.run([&](Processor& other) {
      if (other.id() != 1) return;
      int value_there = 0;
      pending[1] = other.start_receive(1, value_there);
      EXPECT_NE(refusal([&] {
                  (void)wait_any(pending);
                }).find("wait_any: what processors 0 and 1 have started is not allowed"),
                std::string::npos);
      other.send(1, 1);
      pending[1].wait();
    });
    self.send(0, 1);
    EXPECT_EQ(wait_any(pending), 0);
  });
}

void expect_deadlock(const Machine::Program& program, const std::string& line) {
  for (const MachineOptions& way : ways_to_carry(4)) {
    Machine machine(way);
    const std::string text = thrown<DeadlockError>([&] { machine.run(program); });
    EXPECT_NE(text.find(line), std::string::npos) << text;
  }
  LightMachine light(4, std::make_shared<VirtualClock>(Rational(2)));
  const std::string text = thrown<DeadlockError>([&] { light.run(program); });
  EXPECT_NE(text.find(line), std::string::npos) << text;
}

Machine::Program waits_for_all_others(const std::function<void(Processor&)>& others) {
  return [others](Processor& self) {
    if (self.id() != 0) return others(self);
    std::vector<int> in(self.count());
    std::vector<Pending> pending(self.count());
    for (int i = 1; i < self.count(); ++i) pending[i] = self.start_receive(i, in[i]);
    while (wait_any(pending)) {
    }
  };
}

TEST(WaitAny, ForThoseWhoNeverSendIsADeadlock) {
  const std::string line = "processor 0 waits for any of processors 1, 2, 3 in wait_any at ";
  // They have ended.
  expect_deadlock(waits_for_all_others([](Processor&) {}), line);
  // They wait for each other, and for processor 0.
  expect_deadlock(waits_for_all_others([](Processor& self) {
                    (void)self.receive<int>(self.id() == 1 ? 0 : self.id() - 1);
                  }),
                  line);
  // One sends, and then nobody.
  expect_deadlock(waits_for_all_others([](Processor& self) {
                    if (self.id() == 2) self.send(0, 1);
                  }),
                  "processor 0 waits for any of processors 1, 3 in wait_any at ");
  // All wait for any.
  expect_deadlock(
      [](Processor& self) {
        int in[2] = {0, 0};
        std::vector<Pending> pending(2);
        for (int i = 0; i < 2; ++i) {
          pending[i] = self.start_receive((self.id() + 1 + i) % self.count(), in[i]);
        }
        (void)wait_any(pending);
      },
      "processor 3 waits for any of processors 0, 1 in wait_any at ");
}

TEST(WaitAny, WhileOneComputesIsNone) {
  for (const MachineOptions& way : ways_to_carry(4)) {
    Machine(way).run(waits_for_all_others([](Processor& self) {
      using namespace std::chrono_literals;
      if (self.id() == 1) (void)self.receive<int>(2);
      if (self.id() == 2) (void)self.receive<int>(3);
      if (self.id() == 3) std::this_thread::sleep_for(30ms);  // long enough for all to sleep
      if (self.id() > 1) self.send(self.id() - 1, 1);
      self.send(0, self.id());
    }));
  }
}

TEST(WaitAny, EndsWithTheMachine) {
  for (const MachineOptions& way : ways_to_carry(4)) {
    Machine machine(way);
    EXPECT_EQ(failure_of(machine, 3, waits_for_all_others([](Processor& self) {
                           if (self.id() == 3) throw std::runtime_error("planned");
                           (void)self.receive<int>(3);
                         })),
              "processor 3: planned");
  }
}

TEST(WaitAny, AMessageOfAnotherSizeIsAnError) {
  const auto program = [](Processor& self) {
    if (self.id() == 1) return self.send(0, 1.0);
    int in = 0;
    std::vector<Pending> pending(1);
    pending[0] = self.start_receive(1, in);
    (void)wait_any(pending);
  };
  for (const MachineOptions& way : ways_to_carry(2)) {
    Machine machine(way);
    EXPECT_NE(failure_of(machine, 0, program).find("8 bytes, but 4 are needed"), std::string::npos);
  }
}

}  // namespace
}  // namespace postroom
