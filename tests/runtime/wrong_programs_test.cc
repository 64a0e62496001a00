// Programs that are wrong, each ended within a second and named.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/runtime/testing.h"

namespace postroom {
namespace {

void expect_deadlock(int processors, const Machine::Program& program,
                     const std::vector<std::string>& words) {
  for (const MachineOptions& way : ways_to_carry(processors)) {
    Machine machine(way);
    ends_soon([&] {
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
    ends_soon([&] {
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
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THROW(machine.run([&](Processor& self) {
    if (self.id() == 2) {
      // Busy until the others have been stopped, which is seen from their exceptions.
      while (!found && std::chrono::steady_clock::now() - start < std::chrono::seconds(5))
        std::this_thread::yield();
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

TEST(WrongProgram, ABarrierAmongOthersThanProcessorsIsRefusedByAll) {
  for (const bool trace : {false, true}) {
    Machine machine({.processors = 4, .trace = trace});
    machine.run([](Processor& self) {
      const std::vector<int> members{0, 1, 2, 3, 9};
      const std::string text = refusal([&] { self.barrier_among(members, self.id()); });
      EXPECT_TRUE(text.starts_with("barrier member: 9 is not a processor; 0 to 3 are (")) << text;
    });
  }
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
  ends_soon([&] {
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
    ends_soon([&] {
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

}  // namespace
}  // namespace postroom
