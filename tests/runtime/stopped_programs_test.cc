// Programs that an exception stops: at every step, and with all that they have begun, lent or kept.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/runtime/testing.h"

namespace postroom {
namespace {

// Exceptions while others read the thrower's memory: the sanitizers see a reader that is left
// behind.
TEST(StoppedProgram, AnExceptionAtEveryStepOfARunOfMessages) {
  constexpr int kSteps = 6;
  for (const int p : {2, 3, 5, 8, 17}) {
    for (const MachineOptions& way : ways_to_carry(p)) {
      Machine machine(way);
      const int some = p > 8 ? p / 2 : 1;
      for (int culprit = 0; culprit < p; culprit += some) {
        for (int step = 0; step < kSteps; ++step) {
          ends_soon([&] {
            const std::string text = failure_of(machine, culprit, [&](Processor& self) {
              int at = 0;
              const auto next_step = [&] {
                if (self.id() == culprit && at++ == step) throw std::runtime_error("planted");
              };
              const int next = (self.id() + 1) % p;
              const int last = (self.id() + p - 1) % p;
              std::vector<int> out(2000);
              std::vector<int> in(2000);
              next_step();
              Pending sending = self.start_send(next, out);
              next_step();
              self.receive(last, in);
              next_step();
              sending.wait();
              Pending loan = self.lend(next, out);
              next_step();
              const Borrowed borrowed = self.borrow_bytes(last);
              next_step();
              long sum = 0;
              for (const int value : borrowed.as<int>()) sum += value;
              EXPECT_EQ(sum, 0);
              self.barrier();
              next_step();
              self.barrier();
            });
            EXPECT_EQ(text, "processor " + std::to_string(culprit) + ": planted");
          });
        }
      }
      machine.run([](Processor& self) { self.barrier(); });
    }
  }
}

// 0 has messages to take at any time, and 2 soon; 1 fails when they are at it.
TEST(StoppedProgram, WhoNeverWaitsIsStoppedToo) {
  using Clock = std::chrono::steady_clock;
  Machine machine({.processors = 3, .threads = 2});  // 0 and 1; 2
  int more = 0;                                      // rounds of 0 afterwards
  ends_soon([&] {
    const std::string text = failure_of(machine, 1, [&](Processor& self) {
      int value = 0;
      if (self.id() == 1) {
        self.receive(0, value);
        self.send(0, value);
        throw std::runtime_error("planted");
      }
      const int other = 2 - self.id();
      for (int i = 0; self.id() == 0 && i < 64; ++i) self.send(other, i);
      for (int i = 0;; ++i) {
        self.receive(other, value);
        const auto end = Clock::now() + std::chrono::microseconds(1);
        while (self.id() == 0 && Clock::now() < end) continue;
        self.send(other, value);
        if (self.id() == 0 && i > 1000) ++more;
        if (self.id() == 0 && i == 1000) {
          self.send(1, 1);
          self.receive(1, value);
        }
      }
    });
    EXPECT_EQ(text, "processor 1: planted");
    EXPECT_LE(more, 1);
  });
}

// Everybody's loan is destroyed, and waits to be given back, before what it has borrowed.
TEST(StoppedProgram, ACircleOfLoansThatAreDestroyedBeforeWhatIsBorrowed) {
  for (const int p : {2, 3, 5}) {
    for (const MachineOptions& way : ways_to_carry(p)) {
      Machine machine(way);
      ends_soon([&] {
        const std::string text = failure_of(machine, 1, [&](Processor& self) {
          const std::vector<int> mine(2000, self.id());
          std::vector<Borrowed> borrowed(3);
          Pending lent = self.lend((self.id() + 1) % p, mine);
          borrowed[1] = self.borrow_bytes((self.id() + p - 1) % p);
          self.barrier();
          if (self.id() == 1) throw std::runtime_error("planted");
          self.barrier();
        });
        EXPECT_EQ(text, "processor 1: planted");
      });
      machine.run([](Processor& self) { self.barrier(); });
    }
  }
}

// Who was stopped takes no message any more, though it is there: its sender's memory may be gone.
TEST(StoppedProgram, AReceiveThatWasStartedGoesOnAfterTheStop) {
  constexpr std::size_t kSize = 50'000;
  for (const MachineOptions& way : ways_to_carry(3)) {
    Machine machine(way);
    for (int round = 0; round < 10; ++round) {
      bool came = false;
      ends_soon([&] {
        const std::string text = failure_of(machine, 2, [&](Processor& self) {
          if (self.id() == 2) {
            self.barrier();
            throw std::runtime_error("planted");
          }
          if (self.id() == 1) {
            const std::vector<int> data(kSize, 7);
            const Pending sending = self.start_send(0, data);
            self.barrier();
            (void)self.receive<int>(2);
          }
          std::vector<int> data(kSize);
          Pending receiving = self.start_receive(1, data);
          self.barrier();
          try {
            (void)self.receive<int>(2);
          } catch (...) {
          }
          EXPECT_FALSE(receiving.ready());
          receiving.wait();
          came = true;
        });
        EXPECT_EQ(text, "processor 2: planted");
      });
      EXPECT_FALSE(came);
    }
  }
}

// The first receive is given up, with its buffer; the second one does not fill it.
TEST(StoppedProgram, AReceiveThatWasGivenUpStandsBeforeAnother) {
  for (const MachineOptions& way : ways_to_carry(2)) {
    Machine machine(way);
    std::vector<int> given_up(3);
    ends_soon([&] {
      const std::string text = failure_of(machine, 0, [&](Processor& self) {
        if (self.id() == 1) {
          self.send(0, std::vector<int>(3, 7));
          self.send(0, std::vector<int>(3, 8));
          return;
        }
        std::vector<int> data(3);
        Pending second;
        try {
          const Pending first = self.start_receive(1, given_up);
          second = self.start_receive(1, data);
          throw std::runtime_error("oops");
        } catch (const std::runtime_error&) {
        }
        second.wait();
        ADD_FAILURE() << "not stopped";
      });
      EXPECT_NE(text.find("an exception left a message unfinished"), std::string::npos) << text;
    });
    EXPECT_EQ(given_up, std::vector<int>(3));
  }
}

// Two processors run `program`, and the third one throws.
void expect_stopped(const Machine::Program& program) {
  for (const MachineOptions& way : ways_to_carry(3)) {
    Machine machine(way);
    ends_soon([&] {
      EXPECT_EQ(failure_of(machine, 2,
                           [&](Processor& self) {
                             if (self.id() == 2) throw std::runtime_error("enough");
                             program(self);
                           }),
                "processor 2: enough");
    });
  }
}

TEST(StoppedProgram, AProcessorThatOnlyYieldsIsStoppedToo) {
  expect_stopped([](Processor& self) {
    for (;;) self.yield();
  });
}

TEST(StoppedProgram, AProcessorThatOnlyAsksWhetherAMessageIsThereIsStoppedToo) {
  expect_stopped([](Processor& self) {
    std::vector<int> in(3);
    Pending receiving = self.start_receive(2, in);
    while (!receiving.ready()) {
    }
  });
}

// What a program keeps when it ends is given back: its lender goes on, or is unwound.
TEST(StoppedProgram, ABorrowedThatOutlivesItsProgramIsGivenBack) {
  for (const MachineOptions& way : ways_to_carry(2)) {
    for (const bool throws : {false, true}) {
      Machine machine(way);
      std::vector<Borrowed> kept;
      const auto program = [&](Processor& self) {
        const std::vector<int> data(2000, 5);
        if (self.id() == 1) return kept.push_back(self.borrow_bytes(0));
        Pending lent = self.lend(1, data);
        if (throws) throw std::runtime_error("enough");
        lent.wait();
      };
      ends_soon([&] {
        if (throws) {
          EXPECT_NE(failure_of(machine, 0, program), "");
        } else {
          machine.run(program);
        }
      });
      kept.clear();
    }
  }
}

// What is kept of a failed run gives nothing back in a later one.
TEST(StoppedProgram, ABorrowedOfAFailedRunIsGivenBackInTheNextOne) {
  for (const MachineOptions& way : ways_to_carry(2)) {
    Machine machine(way);
    std::vector<Borrowed> kept;
    for (int failed = 0; failed < 2; ++failed) {
      failure_of(machine, 1, [&](Processor& self) {
        const std::vector<int> data(2000, 5);
        if (self.id() == 0) return self.lend(1, data).wait();
        kept.push_back(self.borrow_bytes(0));
        throw std::runtime_error("planted");
      });
    }
    machine.run([&](Processor& self) {
      const std::vector<int> data(2000, 7);
      if (self.id() == 1) {
        const Borrowed borrowed = self.borrow_bytes(0);
        kept.clear();
        self.send(0, 1);
        (void)self.receive<int>(0);
        return;
      }
      Pending lent = self.lend(1, data);
      (void)self.receive<int>(1);
      EXPECT_FALSE(lent.ready());
      self.send(1, 1);
      lent.wait();
    });
  }
}

// Handles that are kept beyond a failed run, and even beyond the machine, have nothing to do any
// more.
TEST(StoppedProgram, WhatIsKeptOfAFailedRunIsEmpty) {
  for (const MachineOptions& way : ways_to_carry(2)) {
    for (const bool machine_is_there : {true, false}) {
      const std::vector<int> data(2000, 5);
      std::vector<int> in(3, 1);
      std::vector<Pending> started;
      std::vector<Borrowed> borrowed;
      auto machine = std::make_unique<Machine>(way);
      ends_soon([&] {
        const std::string text = failure_of(*machine, 0, [&](Processor& self) {
          if (self.id() == 1) {
            const std::vector<int> lent(2000, 6);
            self.lend(0, lent).wait();
            (void)self.receive<int>(0);
            return;
          }
          for (int i = 0; i < 20; ++i) started.push_back(self.lend(1, data));
          borrowed.push_back(self.borrow_bytes(1));
          for (int i = 0; i < 20; ++i) started.push_back(self.start_receive(1, in));
          throw std::runtime_error("planted");
        });
        EXPECT_EQ(text, "processor 0: planted");
      });
      if (machine_is_there) {
        machine->run([&](Processor& self) {
          if (self.id() == 1) return self.send(0, std::vector<int>(3, 8));
          std::vector<int> next(3);
          Pending other = self.start_receive(1, next);
          for (Pending& pending : started) {
            EXPECT_TRUE(pending.ready());
            pending.wait();
          }
          started.clear();
          borrowed.clear();
          other.wait();
          EXPECT_EQ(next, std::vector<int>(3, 8));
        });
      }
      machine.reset();
      for (const Borrowed& each : borrowed) EXPECT_TRUE(each.bytes().empty());
      for (Pending& pending : started) pending.wait();
      EXPECT_EQ(in, std::vector<int>(3, 1));
    }
  }
}

// A program ends only when what it has started is done, wherever it keeps that.
TEST(StoppedProgram, APendingThatOutlivesItsProgramIsWaitedForAtItsEnd) {
  for (const MachineOptions& way : ways_to_carry(2)) {
    std::vector<int> in(3);
    std::vector<int> out(2000, 9);
    std::vector<int> read(2000);
    std::vector<Pending> kept;
    {
      Machine machine(way);
      machine.run([&](Processor& self) {
        if (self.id() == 0) {
          Pending first = self.start_receive(1, in);
          kept.push_back(self.lend(1, out));
          kept.push_back(std::move(first));
          return;
        }
        for (int i = 0; i < 100; ++i) self.yield();
        self.send(0, std::vector<int>(3, 4));
        self.receive(0, read);
      });
    }
    EXPECT_EQ(in, std::vector<int>(3, 4));
    EXPECT_EQ(read, out);
    for (Pending& pending : kept) {
      EXPECT_TRUE(pending.ready());
      pending.wait();
    }
  }
}

// When its program ends, a send that nobody takes, after a receive that fails.
TEST(StoppedProgram, ASendThatNobodyTakesBehindAStartedReceiveOfAnotherSize) {
  for (const MachineOptions& way : ways_to_carry(3)) {
    Machine machine(way);
    ends_soon([&] {
      const std::string text = failure_of(machine, 0, [&](Processor& self) {
        std::vector<char> large(5000);
        char one = 0;
        if (self.id() == 1) self.send(0, std::vector<char>(2));
        if (self.id() != 0) return;
        const Pending send = self.start_send(2, large);  // ends second
        const Pending receive = self.start_receive(1, one);
      });
      EXPECT_NE(text.find("the message has 2 bytes, but 1 are needed"), std::string::npos) << text;
    });
    machine.run([](Processor& self) { self.barrier(); });
  }
}

// The same where another processor fails, and a message for a started receive is there.
TEST(StoppedProgram, ASendThatNobodyTakesWhileAMessageIsThere) {
  for (const MachineOptions& way : ways_to_carry(3)) {
    Machine machine(way);
    ends_soon([&] {
      std::atomic<bool> failed = false;
      const std::string text = failure_of(machine, 2, [&](Processor& self) {
        std::vector<char> large(5000);
        std::vector<char> two(2);
        char one = 0;
        if (self.id() == 1) {
          self.send(0, two);
          self.send(2, one);
        }
        if (self.id() == 2) {
          self.receive(1, one);
          failed = true;
          throw std::runtime_error("planted");
        }
        if (self.id() != 0) return;
        const Pending first = self.start_receive(1, two);
        const Pending send = self.start_send(2, large);                 // ends second
        const Pending last = self.start_receive(2, one);                // ends first
        while (!failed && way.threads == 3) std::this_thread::yield();  // computes
      });
      EXPECT_EQ(text, "processor 2: planted");
    });
    machine.run([](Processor& self) { self.barrier(); });
  }
}

TEST(StoppedProgram, AReceiveThatOutlivesItsProgramAndNeverComesIsADeadlock) {
  for (const MachineOptions& way : ways_to_carry(2)) {
    Machine machine(way);
    std::vector<int> in(3);
    Pending kept;
    ends_soon([&] {
      const std::string text = thrown<DeadlockError>([&] {
        machine.run([&](Processor& self) {
          if (self.id() == 0) kept = self.start_receive(1, in);
        });
      });
      EXPECT_NE(text.find("in wait of start_receive at"), std::string::npos) << text;
    });
    EXPECT_TRUE(kept.ready());
    machine.run([](Processor& self) {  // nothing goes to where the old receive would have put it
      if (self.id() == 1) return self.send(0, 7);
      EXPECT_EQ(self.receive<int>(1), 7);
    });
    EXPECT_EQ(in, std::vector<int>(3));
  }
}

}  // namespace
}  // namespace postroom
