// Programs that are wrong, each ended within a second and named; and exceptions at every step.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

#include "tests/runtime/testing.h"

namespace postroom {
namespace {

using Clock = std::chrono::steady_clock;

// Runs what must end soon.
template <class Body>
void within_a_second(Body body) {
  const auto start = Clock::now();
  body();
  EXPECT_LT(std::chrono::duration<double>(Clock::now() - start).count(), 1.0);
}

void expect_deadlock(int processors, const Machine::Program& program,
                     const std::vector<std::string>& words) {
  for (const MachineOptions& way : ways_to_carry(processors)) {
    Machine machine(way);
    within_a_second([&] {
      const std::string text = thrown<DeadlockError>([&] { machine.run(program); });
      for (const std::string& word : words)
        EXPECT_NE(text.find(word), std::string::npos) << word << " in " << text;
    });
    int sum = 0;
    machine.run([&](Processor& self) {  // and the machine can be used again
      if (self.id() == 0) {
        for (int i = 1; i < self.count(); ++i) sum += self.receive<int>(i);
      } else {
        self.send(0, 1);
      }
    });
    EXPECT_EQ(sum, processors - 1);
  }
}

void expect_failure(int processors, int culprit, const Machine::Program& program,
                    const std::string& words) {
  for (const MachineOptions& way : ways_to_carry(processors)) {
    Machine machine(way);
    within_a_second([&] {
      const std::string text = failure_of(machine, culprit, program);
      EXPECT_NE(text.find(words), std::string::npos) << text;
    });
  }
}

std::string here(int line) { return "wrong_programs_test.cc:" + std::to_string(line); }

TEST(WrongProgram, NobodySends) {
  expect_deadlock(
      2,
      [](Processor& self) {
        if (self.id() == 1) (void)self.receive<int>(0);
      },
      {"processor 1 waits for processor 0, which has ended, in receive at", here(__LINE__ - 2)});
}

TEST(WrongProgram, BothReceiveFirst) {
  expect_deadlock(2,
                  [](Processor& self) {
                    (void)self.receive<int>(1 - self.id());
                    self.send(1 - self.id(), 1);
                  },
                  {"processor 0 waits for processor 1 in receive",
                   "processor 1 waits for processor 0 in receive", here(__LINE__ - 4)});
}

TEST(WrongProgram, BothSendLargeMessagesFirst) {
  expect_deadlock(
      2,
      [](Processor& self) {
        std::vector<int> data(1000);
        self.send(1 - self.id(), data);
        self.receive(1 - self.id(), data);
      },
      {"processor 0 waits for processor 1 in send", "processor 1 waits for processor 0 in send"});
}

TEST(WrongProgram, ACycleOfReceives) {
  expect_deadlock(5,
                  [](Processor& self) { (void)self.receive<int>((self.id() + 1) % self.count()); },
                  {"processor 4 waits for processor 0 in receive",
                   "processor 0 waits for processor 1 in receive"});
}

TEST(WrongProgram, ACycleIsFoundWhileAnotherProcessorIsBusy) {
  Machine machine({.processors = 3, .threads = 3});
  std::atomic<bool> found{false};
  const auto start = Clock::now();
  EXPECT_THROW(machine.run([&](Processor& self) {
    if (self.id() == 2) {
      // Busy until the others have been stopped, which is seen from their exceptions.
      while (!found && Clock::now() - start < std::chrono::seconds(5)) std::this_thread::yield();
      return;
    }
    try {
      (void)self.receive<int>(1 - self.id());
    } catch (const Stopped&) {
      found = true;
      throw;
    }
  }),
               DeadlockError);
  EXPECT_TRUE(found);
}

TEST(WrongProgram, OneIsMissingFromTheBarrier) {
  expect_deadlock(3,
                  [](Processor& self) {
                    if (self.id() != 2) self.barrier();
                  },
                  {"waits for processor 2, which has ended, in barrier"});
}

TEST(WrongProgram, OneOfAThreadIsMissingFromTheBarrier) {
  for (int missing = 0; missing < 7; ++missing) {
    expect_deadlock(
        7,
        [&](Processor& self) {
          self.barrier();
          if (self.id() != missing) self.barrier();
        },
        {"waits for processor " + std::to_string(missing) + ", which has ended, in barrier",
         here(__LINE__ - 3)});
  }
}

TEST(WrongProgram, OneWaitsForAMessageFromWhoIsInTheBarrier) {
  expect_deadlock(5,
                  [](Processor& self) {
                    if (self.id() == 3) (void)self.receive<int>(0);
                    self.barrier();
                  },
                  {"processor 3 waits for processor 0 in receive", "in barrier"});
}

TEST(WrongProgram, OneFailsWhileTheOthersAreInTheBarrier) {
  for (const int culprit : {0, 3, 6}) {
    expect_failure(
        7, culprit,
        [culprit](Processor& self) {
          self.barrier();
          if (self.id() == culprit) throw std::runtime_error("on purpose");
          self.barrier();
        },
        "on purpose");
  }
}

TEST(WrongProgram, ALargeMessageToItself) {
  expect_deadlock(1,
                  [](Processor& self) {
                    const std::vector<int> data(1000);
                    self.send(0, data);
                  },
                  {"processor 0 waits for processor 0 in send"});
}

TEST(WrongProgram, ALoanThatIsNeverTaken) {
  expect_deadlock(2,
                  [](Processor& self) {
                    const std::vector<int> data(1000);
                    if (self.id() == 0) self.lend(1, data).wait();
                  },
                  {"processor 0 waits for processor 1, which has ended, in wait of lend"});
}

TEST(WrongProgram, AReceiveThatIsNeverDone) {
  Machine machine({.processors = 3});
  within_a_second([&] {
    const std::string text = thrown<UnreceivedError>([&] {
      machine.run([](Processor& self) {
        if (self.id() == 1) {
          self.send(2, 1L);
          self.send(2, 2L);
        }
      });
    });
    EXPECT_NE(text.find("2 messages were never received"), std::string::npos) << text;
    EXPECT_NE(text.find("2 from processor 1 to processor 2, the first of 8 bytes"),
              std::string::npos)
        << text;
  });
  machine.run([](Processor& self) { self.barrier(); });
}

TEST(WrongProgram, OneReceiveThatIsNeverDone) {
  Machine machine({.processors = 2});
  const std::string text = thrown<UnreceivedError>([&] {
    machine.run([](Processor& self) {
      if (self.id() == 1) self.send(0, 1L);
    });
  });
  EXPECT_TRUE(text.starts_with("1 message was never received:")) << text;
}

TEST(WrongProgram, TheSizesDiffer) {
  expect_failure(
      2, 1,
      [](Processor& self) {
        if (self.id() == 0) self.send(1, 1);
        if (self.id() == 1) (void)self.receive<double>(0);
      },
      "receive from processor 0: the message has 4 bytes, but 8 are needed");
}

TEST(WrongProgram, TheSizesOfLargeMessagesDiffer) {
  expect_failure(
      2, 1,
      [](Processor& self) {
        std::vector<char> data(1000 + self.id());
        if (self.id() == 0) self.send(1, data);
        if (self.id() == 1) self.receive(0, data);
      },
      "the message has 1000 bytes, but 1001 are needed");
}

TEST(WrongProgram, TheSizeDiffersFromWhatIsToBeRead) {
  for (const std::size_t bytes : {40, 1000, 5000}) {
    expect_failure(
        2, 1,
        [&](Processor& self) {
          const std::vector<char> data(bytes);
          if (self.id() == 0) self.send(1, data);
          if (self.id() == 1) self.read(0, bytes + 1, [](ConstBytes) { FAIL(); });
        },
        "read from processor 0: the message has " + std::to_string(bytes) + " bytes, but " +
            std::to_string(bytes + 1) + " are needed");
  }
}

TEST(WrongProgram, ARankThatIsNone) {
  for (const int rank : {-1, 3, 1'000'000}) {
    expect_failure(
        3, 2,
        [&](Processor& self) {
          if (self.id() == 2) self.send(rank, 1);
        },
        "send target: " + std::to_string(rank) + " is not a processor; 0 to 2 are");
  }
}

TEST(WrongProgram, SomethingThatIsNoException) {
  expect_failure(
      2, 0,
      [](Processor& self) {
        if (self.id() == 0) throw 5;
        (void)self.receive<int>(0);
      },
      "processor 0: threw something that is not a std::exception");
}

TEST(WrongProgram, TheCauseCanBeHad) {
  Machine machine({.processors = 2});
  try {
    machine.run([](Processor& self) {
      if (self.id() == 1) (void)std::vector<int>().at(3);
      (void)self.receive<int>(1);
    });
    FAIL();
  } catch (const ProcessorError& error) {
    EXPECT_EQ(error.processor(), 1);
    EXPECT_NE(error.caused_by<std::out_of_range>(), nullptr);
    EXPECT_EQ(error.caused_by<std::bad_alloc>(), nullptr);
  }
}

TEST(WrongProgram, AnExceptionIsCaughtButLeavesALoanBehind) {
  std::atomic<bool> caught{false};
  expect_failure(
      2, 0,
      [&](Processor& self) {
        while (self.id() == 1 && !caught) self.yield();
        if (self.id() == 1) return;
        try {
          const std::vector<int> data(1000);
          const Pending loan = self.lend(1, data);
          caught = true;  // now the other one ends, and will not take the loan any more
          throw std::runtime_error("oops");
        } catch (const std::runtime_error&) {
        }
      },
      "an exception left a message unfinished: wait of lend at");
}

// After 63 calls the last list of processor 1 does not fit on its page, so that it waits on the
// next one, where it does not meet the mark of its root.
TEST(WrongProgram, ARootOfTheSameThreadMakesAnotherCallOnAnotherPage) {
  constexpr std::uint32_t kBytes = 1024;
  constexpr std::uint32_t kMoreBytes = 4096;
  for (const int threads : {1, 2}) {
    Machine machine({.processors = 4, .threads = threads});
    within_a_second([&] {
      const auto program = [&](Processor& self) {
        std::vector<std::byte> list(kMoreBytes);
        const auto broadcast = [&](std::uint32_t bytes) {
          const RootedCall call{RootedCall::Kind::kBroadcast, 0, bytes};
          self.hand_out(call, ConstBytes(list).first(bytes), bytes, 0, Bytes(list).first(bytes),
                        Where::current());
        };
        ASSERT_LT(kMoreBytes, self.hand_limits().out);
        for (int call = 0; call < 63; ++call) broadcast(kBytes);
        if (self.id() == 1) {
          self.send(0, 1);
          return broadcast(kMoreBytes);
        }
        if (self.id() == 0) (void)self.receive<int>(1);  // who waits for this one by now
        const RootedCall gather{RootedCall::Kind::kGather, 1, 8};
        self.hand_in(gather, ConstBytes(list).first(8), {}, {}, Where::current());
      };
      EXPECT_THROW(machine.run(program), DisagreementError);
    });
    machine.run([](Processor& self) { self.barrier(); });
  }
}

// Exceptions while others read the thrower's memory: the sanitizers see a reader that is left
// behind.
TEST(WrongProgram, AnExceptionAtEveryStepOfARunOfMessages) {
  constexpr int kSteps = 6;
  for (const int p : {2, 3, 5, 8, 17}) {
    for (const MachineOptions& way : ways_to_carry(p)) {
      Machine machine(way);
      for (int culprit = 0; culprit < p; ++culprit) {
        for (int step = 0; step < kSteps; ++step) {
          within_a_second([&] {
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

// Everybody's loan is destroyed, and waits to be given back, before what it has borrowed.
TEST(WrongProgram, ACircleOfLoansThatAreDestroyedBeforeWhatIsBorrowed) {
  for (const int p : {2, 3, 5}) {
    for (const MachineOptions& way : ways_to_carry(p)) {
      Machine machine(way);
      within_a_second([&] {
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
TEST(WrongProgram, AReceiveThatWasStartedGoesOnAfterTheStop) {
  constexpr std::size_t kSize = 50'000;
  for (const MachineOptions& way : ways_to_carry(3)) {
    Machine machine(way);
    for (int round = 0; round < 10; ++round) {
      bool came = false;
      within_a_second([&] {
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
TEST(WrongProgram, AReceiveThatWasGivenUpStandsBeforeAnother) {
  for (const MachineOptions& way : ways_to_carry(2)) {
    Machine machine(way);
    std::vector<int> given_up(3);
    within_a_second([&] {
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

TEST(WrongProgram, AProcessorThatOnlyYieldsIsStoppedToo) {
  for (const MachineOptions& way : ways_to_carry(3)) {
    Machine machine(way);
    within_a_second([&] {
      EXPECT_EQ(failure_of(machine, 2,
                           [](Processor& self) {
                             if (self.id() == 2) throw std::runtime_error("enough");
                             for (;;) self.yield();
                           }),
                "processor 2: enough");
    });
  }
}

TEST(WrongProgram, AProcessorThatOnlyAsksWhetherAMessageIsThereIsStoppedToo) {
  for (const MachineOptions& way : ways_to_carry(3)) {
    Machine machine(way);
    within_a_second([&] {
      EXPECT_EQ(failure_of(machine, 2,
                           [](Processor& self) {
                             if (self.id() == 2) throw std::runtime_error("enough");
                             std::vector<int> in(3);
                             Pending receiving = self.start_receive(2, in);
                             while (!receiving.ready()) {
                             }
                           }),
                "processor 2: enough");
    });
  }
}

// What a program keeps when it ends is given back: its lender goes on, or is unwound.
TEST(WrongProgram, ABorrowedThatOutlivesItsProgramIsGivenBack) {
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
      within_a_second([&] {
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
TEST(WrongProgram, ABorrowedOfAFailedRunIsGivenBackInTheNextOne) {
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

}  // namespace
}  // namespace postroom
