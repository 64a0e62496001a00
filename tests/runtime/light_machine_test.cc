#include "runtime/light_machine.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/errors.h"
#include "runtime/group.h"
#include "runtime/machine.h"
#include "tests/thrown.h"

namespace postroom {
namespace {

/// Down a binary tree from processor 0.
void pass_down(Processor& self) {
  const int left = 2 * self.id() + 1;
  int value = self.id() == 0 ? 7 : self.receive<int>((self.id() - 1) / 2);
  for (const int child : {left, left + 1}) {
    if (child < self.count()) self.send(child, value + 1);
  }
  self.compute(Rational(1, 2));
}

Rational time_on_threads(int processors, const Rational& lambda, const Machine::Program& program) {
  const auto clock = std::make_shared<VirtualClock>(PostalParameters{.lambda = lambda}, 10);
  Machine machine({.processors = processors, .clock = clock});
  machine.run(program);
  return clock->finish();
}

Rational time_when_light(int processors, const Rational& lambda,
                         const LightMachine::Program& program) {
  const auto clock = std::make_shared<VirtualClock>(PostalParameters{.lambda = lambda}, 10);
  LightMachine machine(processors, clock);
  machine.run(program);
  machine.run(program);  // a second run begins anew
  return clock->finish();
}

TEST(LightMachine, GivesTheTimesOfTheMachine) {
  for (const Rational& lambda : {Rational(1), Rational(9, 5), Rational(5)}) {
    for (const int processors : {1, 2, 3, 17, 200}) {
      EXPECT_EQ(time_when_light(processors, lambda, pass_down),
                time_on_threads(processors, lambda, pass_down))
          << processors << " processors, lambda " << lambda;
    }
  }
}

/// Up the same tree: processor 0, which runs first, waits for all the others.
void sum_up(Processor& self) {
  int sum = self.id();
  for (const int child : {2 * self.id() + 1, 2 * self.id() + 2}) {
    if (child < self.count()) sum += self.receive<int>(child);
  }
  if (self.id() != 0) {
    self.send((self.id() - 1) / 2, sum);
  } else {
    EXPECT_EQ(sum, self.count() * (self.count() - 1) / 2);
  }
}

TEST(LightMachine, RunsTheSenderOfAMessageThatIsNotThere) {
  EXPECT_EQ(time_when_light(1000, 2, sum_up), time_on_threads(1000, 2, sum_up));
}

TEST(LightMachine, ManyProcessors) {
  const auto clock = std::make_shared<VirtualClock>(Rational(3, 2));
  LightMachine machine(100'000, clock);
  int ran = 0;
  machine.run([&](Processor& self) {
    ++ran;
    pass_down(self);
  });
  EXPECT_EQ(ran, 100'000);
}

TEST(LightMachine, EveryKindOfMessage) {
  const auto clock = std::make_shared<VirtualClock>(Rational(1));
  LightMachine machine(2, clock);
  machine.run([](Processor& self) {
    std::array<int, 100> list{};
    if (self.id() == 0) {
      list.fill(5);
      Pending sent = self.start_send(1, list);
      sent.wait();
      Pending lent = self.lend(1, list);
      const std::array few{1, 2};
      Pending small = self.lend(1, few);
      lent.wait();
      small.wait();
      self.send(1, list);
      self.send(1, list);
      const Outgoing out{1, bytes_of(list)};
      self.exchange_bytes({&out, 1}, {});
    } else {
      std::array<int, 100> later{};
      Pending first = self.start_receive(0, later);
      EXPECT_TRUE(first.ready());
      first.wait();
      EXPECT_EQ(later[99], 5);
      Borrowed borrowed = self.borrow_bytes(0);
      Borrowed moved = std::move(borrowed);
      EXPECT_EQ(moved.as<int>()[99], 5);
      const Borrowed small = self.borrow_bytes(0);
      EXPECT_EQ(small.bytes().size(), 8u);
      self.read(0, sizeof(list), [](ConstBytes message) {
        EXPECT_EQ(reinterpret_cast<const int*>(message.data())[99], 5);
      });
      Pending started = self.start_receive(0, later);
      self.receive(0, list);  // fills the one that was started first
      started.wait();
      EXPECT_EQ(list[0], 5);
    }
  });
}

std::string failure(int processors, const LightMachine::Program& program) {
  LightMachine machine(processors, std::make_shared<VirtualClock>(Rational(1)));
  try {
    machine.run(program);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing";
}

void expect_part(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

// --- Programs in which processors wait for each other in turn.

/// Exchanges with everybody, a barrier in between; also where messages have no bytes.
template <Payload kPayload>
void talk_to_all(Processor& self) {
  ASSERT_FALSE(self.shares_memory());
  const int p = self.count();
  for (int step = 1; step < p; ++step) {
    const int to = (self.id() + step) % p;
    const int from = (self.id() + p - step) % p;
    int in = -1;
    self.exchange(to, std::array{self.id()}, from, std::span(&in, 1));
    EXPECT_EQ(in, kPayload == Payload::none ? -1 : from);
    if (step == p / 2) {
      if (self.id() == 3) self.compute(Rational(7, 2));
      self.barrier();
    }
  }
}

TEST(LightMachine, CarriesExchangesAndBarriers) {
  for (const Rational& lambda : {Rational(1), Rational(9, 5), Rational(5)}) {
    for (const int processors : {1, 2, 3, 16, 101}) {
      EXPECT_EQ(time_when_light(processors, lambda, talk_to_all<Payload::copy>),
                time_on_threads(processors, lambda, talk_to_all<Payload::copy>))
          << processors << " processors, lambda " << lambda;
    }
  }
}

TEST(LightMachine, MessagesWithoutBytesTakeTheSameTime) {
  const auto clock = std::make_shared<VirtualClock>(PostalParameters{.lambda = 2}, 10);
  LightMachine machine(101, clock, Payload::none);
  machine.run(talk_to_all<Payload::none>);
  EXPECT_EQ(clock->finish(), time_on_threads(101, 2, talk_to_all<Payload::copy>));
  machine.run([](Processor& self) {
    if (self.id() == 0) self.send(1, std::array{5, 6});
    if (self.id() == 0) self.send(1, std::array{5, 6});
    if (self.id() != 1) return;
    std::array kept{1, 2};
    self.receive(0, kept);
    EXPECT_EQ(kept, (std::array{1, 2}));
    const Borrowed borrowed = self.borrow_bytes(0);
    EXPECT_EQ(borrowed.as<int>()[1], 0);
    EXPECT_EQ(borrowed.bytes().size(), 8u);
  });
}

TEST(LightMachine, GroupsHaveBarriersOfTheirOwn) {
  const auto program = [](Processor& self) {
    if (self.id() % 3 == 0) return;
    Group group(self, {8, 1, 5, 2, 4, 7});
    if (group.id() == 2) group.compute(6);
    group.barrier();
    EXPECT_EQ(group.now(), 6 * 10);
  };
  EXPECT_EQ(time_when_light(9, 2, program), time_on_threads(9, 2, program));
}

TEST(LightMachine, ALongChainOfProcessorsThatWait) {
  const auto chain = [](Processor& self) {
    const int sum = self.id() + 1 < self.count() ? self.receive<int>(self.id() + 1) : 0;
    if (self.id() > 0) self.send(self.id() - 1, sum + 1);
    EXPECT_TRUE(self.id() != 0 || sum == self.count() - 1);
  };
  EXPECT_EQ(time_when_light(2000, 3, chain), 1999 * Rational(3));
}

TEST(LightMachine, WhoAsksWhetherAMessageIsThereLetsOthersRun) {
  for (const bool yields : {true, false}) {
    LightMachine machine(2, std::make_shared<VirtualClock>(Rational(3)));
    machine.run([&](Processor& self) {
      if (self.id() == 1) return self.send(0, 7);
      int in = 0;
      Pending pending = self.start_receive(1, std::span(&in, 1));
      while (!pending.ready()) {
        if (yields) self.yield();
      }
      EXPECT_EQ(in, 7);
      EXPECT_EQ(self.now(), 9);
    });
  }
}

TEST(LightMachine, AReceiveThatIsNotWaitedForIsFilledWhereItEnds) {
  LightMachine machine(2, std::make_shared<VirtualClock>(Rational(2)));
  machine.run([](Processor& self) {
    int in = 0;
    if (self.id() == 0) {
      const Pending pending = self.start_receive(1, std::span(&in, 1));
    }
    EXPECT_EQ(in, self.id() == 0 ? 7 : 0);
    if (self.id() == 1) self.send(0, 7);
  });
}

// --- Failures.

TEST(LightMachine, ProcessorsThatWaitInACircleAreNamed) {
  const std::string text = failure(3, [](Processor& self) {
    (void)self.receive<int>((self.id() + 1) % 3);
    self.send((self.id() + 2) % 3, 1);
  });
  expect_part(text, "deadlock: no message can come any more");
  expect_part(text, "processor 2 waits for processor 0 in receive at");
  expect_part(failure(3,
                      [](Processor& self) {
                        if (self.id() != 1) self.barrier();
                      }),
              "waits for processor 1, which has ended, in barrier at");
}

struct Counted {
  explicit Counted(int& alive) : alive_(alive) { ++alive_; }
  ~Counted() { --alive_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  int& alive_;
};

TEST(LightMachine, AFailureUnwindsAllAndTheMachineCanBeUsedAgain) {
  const auto clock = std::make_shared<VirtualClock>(Rational(2));
  LightMachine machine(50, clock);
  int alive = 0;
  for (int repeat = 0; repeat < 2; ++repeat) {
    EXPECT_THROW(machine.run([&](Processor& self) {
      const Counted counted(alive);
      int in = 0;
      const Pending pending = self.start_receive((self.id() + 1) % 50, std::span(&in, 1));
      if (self.id() == 49) throw std::runtime_error("half-way");
      (void)self.receive<int>((self.id() + 2) % 50);
    }),
                 ProcessorError);
    EXPECT_EQ(alive, 0);
    machine.run(talk_to_all<Payload::copy>);
  }
}

// What a program has started ends with it, wherever that is kept.
TEST(LightMachine, APendingThatOutlivesItsProgramIsEmpty) {
  for (const bool fails : {false, true}) {
    std::vector<int> in(2);
    std::vector<Pending> kept;
    {
      LightMachine machine(2, std::make_shared<VirtualClock>(Rational(2)));
      const auto program = [&](Processor& self) {
        if (self.id() == 0) {
          for (int& value : in) kept.push_back(self.start_receive(1, std::span(&value, 1)));
          if (fails) throw std::runtime_error("half-way");
          return;
        }
        for (const int value : {3, 4}) self.send(0, value);
      };
      if (fails) {
        EXPECT_THROW(machine.run(program), ProcessorError);
      } else {
        machine.run(program);
      }
    }
    EXPECT_EQ(in, fails ? std::vector<int>(2) : (std::vector<int>{3, 4}));
    for (Pending& pending : kept) {
      EXPECT_TRUE(pending.ready());
      pending.wait();
    }
  }
}

/// What cannot be received stays where it is, on a machine of either kind.
void take_again_what_has_another_size(Processor& self) {
  if (self.id() == 0) {
    for (int i = 0; i < 4; ++i) self.send(1, std::int64_t{i});
    return;
  }
  int small = 0;
  EXPECT_THROW(self.receive(0, small), SizeMismatchError);
  {
    const Borrowed message = self.borrow_bytes(0);
    EXPECT_EQ(message.as<std::int64_t>()[0], 0);
  }
  EXPECT_THROW(self.read(0, sizeof(small), [](ConstBytes) {}), SizeMismatchError);
  EXPECT_EQ(self.receive<std::int64_t>(0), 1);
  Pending pending = self.start_receive(0, small);
  EXPECT_THROW(pending.wait(), SizeMismatchError);
  EXPECT_THROW(pending.wait(), SizeMismatchError);
  EXPECT_THROW((void)self.receive<std::int64_t>(0), SizeMismatchError);  // behind that one
  throw std::runtime_error("enough");
}

TEST(LightMachine, AMessageOfAnotherSizeStaysWhereItIs) {
  const auto reason_of = [](auto& machine) {
    try {
      machine.run(take_again_what_has_another_size);
    } catch (const ProcessorError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  Machine machine({.processors = 2});
  EXPECT_NE(reason_of(machine).find("enough"), std::string::npos);
  LightMachine light_machine(2, std::make_shared<VirtualClock>(2));
  EXPECT_NE(reason_of(light_machine).find("enough"), std::string::npos);
}

TEST(LightMachine, DoesNotRunInsideItself) {
  LightMachine machine(2, std::make_shared<VirtualClock>(Rational(2)));
  const auto nested = [&](Processor&) { machine.run([](Processor&) {}); };
  EXPECT_THROW(machine.run(nested), ProcessorError);
  machine.run([](Processor&) {});
}

TEST(LightMachine, RefusesAnEmptyProgram) {
  LightMachine machine(2, std::make_shared<VirtualClock>(Rational(2)));
  EXPECT_EQ(thrown<std::invalid_argument>([&] { machine.run(nullptr); }),
            "program: an empty one is not allowed");
}

TEST(LightMachine, WrongProgramsAreNamed) {
  expect_part(failure(2,
                      [](Processor& self) {
                        if (self.id() == 1) (void)self.receive<int>(0);
                      }),
              "processor 1 waits for processor 0, which has ended, in receive at");
  expect_part(failure(2,
                      [](Processor& self) {
                        if (self.id() == 0) self.send(1, 1);
                      }),
              "1 from processor 0 to processor 1, the first of 4 bytes");
  expect_part(failure(2,
                      [](Processor& self) {
                        if (self.id() == 0) self.send(1, 1);
                        if (self.id() == 1) (void)self.receive<double>(0);
                      }),
              "processor 1: receive from processor 0: the message has 4 bytes");
  expect_part(failure(2,
                      [](Processor& self) {
                        if (self.id() == 0) self.send(1, 1);
                        if (self.id() == 1) self.read(0, 8, [](ConstBytes) {});
                      }),
              "processor 1: read from processor 0: the message has 4 bytes, but 8 are needed");
  expect_part(failure(2, [](Processor& self) { (void)self.lend_both_bytes(1, {}, {}); }),
              "lend_both: these processors share no memory");
  expect_part(failure(2, [](Processor& self) { self.send(2, 1); }),
              "send target: 2 is not a processor; 0 to 1 are");
  expect_part(failure(3,
                      [](Processor& self) {
                        if (self.id() == 2) throw std::runtime_error("own");
                        if (self.id() == 0) (void)self.receive<int>(2);
                      }),
              "processor 2: own");
  EXPECT_THROW(LightMachine(0, std::make_shared<VirtualClock>(Rational(1))), std::invalid_argument);
  EXPECT_THROW(LightMachine(4, nullptr), std::invalid_argument);
}

}  // namespace
}  // namespace postroom
