#include "runtime/light_machine.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/errors.h"
#include "runtime/machine.h"

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
      Pending small = self.lend(1, std::array{1, 2});
      lent.wait();
      small.wait();
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

TEST(LightMachine, ProgramsThatItCannotCarryAreNamed) {
  expect_part(failure(2,
                      [](Processor& self) {
                        int in = 0;
                        self.exchange(1 - self.id(), std::array{1}, 1 - self.id(),
                                      std::span(&in, 1));
                      }),
              "nothing");
  expect_part(failure(2,
                      [](Processor& self) {
                        (void)self.receive<int>(1 - self.id());
                        self.send(1 - self.id(), 1);
                      }),
              "it waits for this processor in turn; such a program needs a Machine");
  expect_part(failure(3, [](Processor& self) { self.barrier(); }), "a Machine");
  expect_part(failure(5000,
                      [](Processor& self) {
                        if (self.id() + 1 < self.count()) (void)self.receive<int>(self.id() + 1);
                        if (self.id() > 0) self.send(self.id() - 1, 1);
                      }),
              "500 processors wait in a chain");
}

TEST(LightMachine, WrongProgramsAreNamed) {
  expect_part(failure(2,
                      [](Processor& self) {
                        if (self.id() == 1) (void)self.receive<int>(0);
                      }),
              "waits in receive at");
  expect_part(failure(2,
                      [](Processor& self) {
                        if (self.id() == 0) self.send(1, 1);
                      }),
              "1 messages were never received: from 0 to 1");
  expect_part(failure(2,
                      [](Processor& self) {
                        if (self.id() == 0) self.send(1, 1);
                        if (self.id() == 1) (void)self.receive<double>(0);
                      }),
              "processor 1: receive from processor 0: the message has 4 bytes");
  expect_part(failure(2, [](Processor& self) { self.send(2, 1); }),
              "send target: 2 is not a processor; 0 to 1 are");
  expect_part(failure(3,
                      [](Processor& self) {
                        if (self.id() == 2) throw std::runtime_error("own");
                        if (self.id() == 0) (void)self.receive<int>(2);
                      }),
              "processor 2: own");
  EXPECT_THROW(LightMachine(0, std::make_shared<VirtualClock>(Rational(1))), std::invalid_argument);
}

}  // namespace
}  // namespace postroom
