// What comes for receives that were started is taken while their processor waits for something
// else, whatever that is: programs of MPI rely on it. Where it was not, these would all end in a
// DeadlockError with lists that a send waits for.
#include <chrono>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/postal_clock.h"
#include "runtime/virtual_clock.h"
#include "tests/runtime/message_lists.h"
#include "tests/runtime/testing.h"

namespace postroom {
namespace {

using List = std::vector<int>;

/// Of how many elements: a cell, more than that, more than is copied into a mailbox, and so much
/// that a sender copies with its receiver.
constexpr std::size_t kSizes[] = {1, 100, 300, 12'500};

/// Runs the program with every size, in every way to carry p processors, on the wall clock and in
/// virtual time.
template <class Program>
void for_all_ways(int p, Program program) {
  for (const std::size_t size : kSizes) {
    for (const bool in_model : {false, true}) {
      for (MachineOptions way : ways_to_carry(p)) {
        if (in_model) way.clock = std::make_shared<VirtualClock>(Rational(5, 2));
        Machine machine(way);
        for (int run = 0; run < 3; ++run) {
          machine.run([&](Processor& self) { program(self, size); });
        }
      }
    }
  }
}

int next_of(const Processor& self) { return (self.id() + 1) % self.count(); }
int previous_of(const Processor& self) { return (self.id() + self.count() - 1) % self.count(); }

TEST(StartedReceives, AreFilledWhileASendWaits) {
  for (const int p : {1, 2, 3, 7}) {  // alone: of a message to itself
    for_all_ways(p, [](Processor& self, std::size_t size) {
      List in(size);
      Pending receive = self.start_receive(previous_of(self), in);
      self.send(next_of(self), counting(size, self.id()));
      receive.wait();
      EXPECT_EQ(in, counting(size, previous_of(self)));
    });
  }
}

TEST(StartedReceives, AreFilledWhileAStartedSendOrALoanIsWaitedFor) {
  for_all_ways(3, [](Processor& self, std::size_t size) {
    List sent(size), lent(size);
    const List out = counting(size, self.id());
    Pending first = self.start_receive(previous_of(self), sent);
    Pending second = self.start_receive(previous_of(self), lent);
    Pending send = self.start_send(next_of(self), out);
    Pending loan = self.lend(next_of(self), out);
    loan.wait();
    send.wait();
    second.wait();
    EXPECT_EQ(lent, counting(size, previous_of(self)));
    first.wait();
    EXPECT_EQ(sent, counting(size, previous_of(self)));
  });
}

TEST(StartedReceives, AreFilledWhileABarrierWaits) {
  for_all_ways(3, [](Processor& self, std::size_t size) {
    if (self.id() == 0) {
      std::vector<List> in(3, List(size));
      std::vector<Pending> receives;
      for (int source = 1; source < 3; ++source) {
        receives.push_back(self.start_receive(source, in[static_cast<std::size_t>(source)]));
      }
      self.barrier();
      for (int source = 1; source < 3; ++source) {
        receives[static_cast<std::size_t>(source) - 1].wait();
        EXPECT_EQ(in[static_cast<std::size_t>(source)], counting(size, source));
      }
    } else {
      self.send(0, counting(size, self.id()));
      self.barrier();
    }
  });
}

// Processor 1 comes to its message to 2 only when 0 has taken two of its own.
TEST(StartedReceives, AreFilledWhileAMessageOfAnotherIsWaitedFor) {
  for_all_ways(3, [](Processor& self, std::size_t size) {
    if (self.id() == 0) {
      List first(size), second(size);
      Pending one = self.start_receive(1, first);
      Pending other = self.start_receive(1, second);
      int token = 0;
      self.receive(2, token);
      EXPECT_EQ(token, 7);
      other.wait();
      EXPECT_EQ(second, counting(size, 2));
      one.wait();
      EXPECT_EQ(first, counting(size, 1));
    } else if (self.id() == 1) {
      self.send(0, counting(size, 1));
      self.send(0, counting(size, 2));
      self.send(2, 7);
    } else {
      int token = 0;
      self.receive(1, token);
      self.send(0, token);
    }
  });
}

TEST(StartedReceives, AreFilledInTheOrderInWhichTheyWereStarted) {
  for_all_ways(2, [](Processor& self, std::size_t size) {
    constexpr int kMany = 20;
    const int other = 1 - self.id();
    std::vector<List> in(kMany, List(size));
    std::vector<Pending> receives;
    for (List& list : in) receives.push_back(self.start_receive(other, list));
    for (int i = 0; i < kMany; ++i) self.send(other, counting(size, i));
    List last(size);
    self.exchange(other, counting(size, kMany), other, last);
    EXPECT_EQ(last, counting(size, kMany));
    for (int i = kMany - 1; i >= 0; --i) {
      receives[static_cast<std::size_t>(i)].wait();
      EXPECT_EQ(in[static_cast<std::size_t>(i)], counting(size, i));
    }
  });
}

TEST(StartedReceives, AreFilledWhileAProgramAsksWhetherItsSendIsDone) {
  for_all_ways(3, [](Processor& self, std::size_t size) {
    List in(size);
    const List out = counting(size, self.id());
    Pending receive = self.start_receive(previous_of(self), in);
    Pending send = self.start_send(next_of(self), out);
    while (!send.ready()) {
    }
    while (!receive.ready()) {
    }
    EXPECT_EQ(in, counting(size, previous_of(self)));
  });
}

TEST(StartedReceives, AreFilledAmongMany) {
  for_all_ways(8, [](Processor& self, std::size_t size) {
    const auto p = static_cast<std::size_t>(self.count());
    std::vector<List> in(p, List(size));
    std::vector<Pending> receives;
    for (std::size_t i = 0; i < p; ++i) {
      receives.push_back(self.start_receive(static_cast<int>(i), in[i]));
    }
    for (int i = 0; i < self.count(); ++i) {
      self.send((self.id() + i) % self.count(), counting(size, self.id()));
    }
    for (std::size_t i = 0; i < p; ++i) {
      receives[i].wait();
      EXPECT_EQ(in[i], counting(size, static_cast<int>(i)));
    }
  });
}

// A message is taken when it comes, and the clock hears of it when the program comes to it.
TEST(StartedReceives, TakeTheTimeThatTheyTookWhenOthersWaitedForThem) {
  const auto times = [](MachineOptions way) {
    const auto clock = std::make_shared<VirtualClock>(Rational(5, 2));
    way.clock = clock;
    Machine machine(way);
    machine.run([](Processor& self) {
      const List out(300);
      std::vector<List> in(4, List(300));
      std::vector<Pending> receives;
      for (int i = 0; i < 4; ++i) receives.push_back(self.start_receive(i, in[i]));
      self.compute(self.id());
      for (int i = 0; i < 4; ++i) self.send((self.id() + i) % 4, out);
      self.barrier();
      for (int i = 3; i >= 0; --i) receives[static_cast<std::size_t>(i)].wait();
    });
    std::vector<Rational> all;
    for (int id = 0; id < 4; ++id) all.push_back(clock->time(id));
    return all;
  };
  const std::vector<Rational> expected = times({.processors = 4, .threads = 1});
  for (const MachineOptions& way : ways_to_carry(4)) EXPECT_EQ(times(way), expected);
}

// What is wrong with one is found while the processor waits elsewhere.
TEST(StartedReceives, OfAnotherSizeAreReported) {
  for (const MachineOptions& way : ways_to_carry(2)) {
    Machine machine(way);
    const std::string text = failure_of(machine, 0, [](Processor& self) {
      List in(400);
      if (self.id() == 0) {
        Pending receive = self.start_receive(1, in);
        self.barrier();
        receive.wait();
      } else {
        self.send(0, counting(500, 0));
        self.barrier();
      }
    });
    EXPECT_NE(text.find("wait of start_receive from processor 1"), std::string::npos) << text;
    EXPECT_NE(text.find("2000 bytes"), std::string::npos) << text;
    machine.run([](Processor& self) { self.barrier(); });  // and the next run is as any other
  }
}

// Nobody in the circle is helped by what might still come from outside.
TEST(StartedReceives, HideNoDeadlock) {
  for (const MachineOptions& way : ways_to_carry(3)) {
    Machine machine(way);
    EXPECT_THROW(machine.run([](Processor& self) {
      List in(300);
      const List out(300);
      if (self.id() == 2) return self.receive(0, in);
      Pending receive = self.start_receive(2, in);
      self.send(1 - self.id(), out);
      receive.wait();
    }),
                 DeadlockError);
  }
}

TEST(StartedReceives, EndWithAProgramThatThrows) {
  for (const MachineOptions& way : ways_to_carry(3)) {
    Machine machine(way);
    const std::string text = failure_of(machine, 2, [](Processor& self) {
      List in(300);
      if (self.id() == 2) throw std::runtime_error("no more");
      Pending receive = self.start_receive(2, in);
      self.barrier();
    });
    EXPECT_NE(text.find("no more"), std::string::npos) << text;
    machine.run([](Processor& self) { self.barrier(); });
  }
}

// The sender posts from another thread to one who sleeps for something else.
TEST(StartedReceives, WakeWhoSleeps) {
  for_all_ways(2, [](Processor& self, std::size_t size) {
    List in(size);
    if (self.id() == 0) {
      Pending receive = self.start_receive(1, in);
      self.barrier();
      receive.wait();
      EXPECT_EQ(in, counting(size, 3));
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      self.send(0, counting(size, 3));
      self.barrier();
    }
  });
}

// However many are started at a time, each takes no longer.
TEST(StartedReceives, ManyFromOneSource) {
  constexpr int kMany = 100'000;
  constexpr int kAtOnce = 1000;
  for (const MachineOptions& way : ways_to_carry(2)) {
    Machine machine(way);
    machine.run([](Processor& self) {
      if (self.id() == 0) {
        for (int i = 0; i < kMany + kAtOnce; ++i) self.send(1, i);
        return;
      }
      List in(kMany + kAtOnce);
      std::vector<Pending> receiving;
      for (int i = 0; i < kMany; ++i) {
        receiving.push_back(self.start_receive(0, in[static_cast<std::size_t>(i)]));
      }
      // Some are filled, and others are started behind those that are left.
      receiving[kMany / 2].wait();
      for (int i = kMany; i < kMany + kAtOnce; ++i) {
        receiving.push_back(self.start_receive(0, in[static_cast<std::size_t>(i)]));
      }
      wait_all(receiving);
      EXPECT_EQ(in, counting(kMany + kAtOnce, 0));
    });
  }
}

TEST(StartedReceives, AreFilledUnderAClockOfRealTime) {
  for (MachineOptions way : ways_to_carry(3)) {
    way.clock = std::make_shared<PostalClock>(Rational(2), std::chrono::microseconds(20));
    Machine machine(way);
    machine.run([](Processor& self) {
      List in(300);
      Pending receive = self.start_receive(previous_of(self), in);
      self.send(next_of(self), counting(300, self.id()));
      self.barrier();
      receive.wait();
      EXPECT_EQ(in, counting(300, previous_of(self)));
    });
  }
}

}  // namespace
}  // namespace postroom
