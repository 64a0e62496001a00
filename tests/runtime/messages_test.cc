#include <array>
#include <random>
#include <span>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "tests/runtime/message_lists.h"
#include "tests/runtime/testing.h"

namespace postroom {
namespace {

TEST(Messages, ArriveWholeAtEverySize) {
  for (const MachineOptions& way : ways_to_carry(2)) {
    Machine machine(way);
    for (const std::size_t n : kMessageSizes) {
      std::vector<int> got(n);
      machine.run([&](Processor& self) {
        if (self.id() == 0) self.send(1, counting(n, 7));
        if (self.id() == 1) self.receive(0, got);
      });
      EXPECT_EQ(got, counting(n, 7));
    }
  }
}

TEST(Messages, OfATypeWithoutADefaultConstructor) {
  struct Pair {
    Pair(int a, double b) : first(a), second(b) {}
    int first;
    double second;
  };
  Machine machine({.processors = 2});
  machine.run([](Processor& self) {
    if (self.id() == 0) return self.send(1, Pair(3, 0.5));
    const auto pair = self.receive<Pair>(0);
    EXPECT_EQ(pair.first, 3);
    EXPECT_EQ(pair.second, 0.5);
  });
}

TEST(Messages, OfAValueAreListsOfOne) {
  for (const MachineOptions& way : ways_to_carry(2)) {
    Machine(way).run([](Processor& self) {
      const int other = 1 - self.id();
      const int mine = 10 + self.id();
      int got = 0;
      self.exchange(other, mine, other, got);
      EXPECT_EQ(got, 10 + other);
      std::vector<int> list(1);
      self.exchange(other, 5, other, list);
      EXPECT_EQ(list.front(), 5);

      int later = 0;
      Pending in = self.start_receive(other, later);
      Pending out = self.start_send(other, mine);
      in.wait();
      out.wait();
      EXPECT_EQ(later, 10 + other);

      if (self.id() == 0) {
        self.send(1, mine);
        self.lend(1, mine).wait();
      } else {
        self.receive(0, got);
        EXPECT_EQ(got, 10);
        const Borrowed lent = self.borrow_bytes(0);
        EXPECT_EQ(lent.as<int>()[0], 10);
      }
    });
  }
}

template <class D>
concept CanBeStarted = requires(Processor& self, D&& data) {
  self.start_send(1, std::forward<D>(data));
  self.lend(1, std::forward<D>(data));
};
template <class D>
concept CanBeFilledLater = requires(Processor& self, D&& data) {
  self.start_receive(1, std::forward<D>(data));
};

TEST(Messages, OfTemporariesCannotBeStarted) {
  static_assert(CanBeStarted<std::vector<int>&> && CanBeStarted<const std::vector<int>&>);
  static_assert(CanBeStarted<std::span<const int>> && CanBeStarted<const int&>);
  static_assert(!CanBeStarted<std::vector<int>> && !CanBeStarted<const std::vector<int>>);
  static_assert(!CanBeStarted<std::array<int, 3>> && !CanBeStarted<int>);
  static_assert(CanBeFilledLater<std::vector<int>&> && CanBeFilledLater<std::span<int>>);
  static_assert(CanBeFilledLater<int&>);
  static_assert(!CanBeFilledLater<std::vector<int>> && !CanBeFilledLater<int>);
  static_assert(!CanBeFilledLater<const int&> && !CanBeFilledLater<const std::vector<int>&>);
}

TEST(Messages, OfAPairArriveInTheOrderOfTheirSending) {
  for (const MachineOptions& way : ways_to_carry(2)) {
    Machine machine(way);
    constexpr int kMessages = 5000;
    machine.run([&](Processor& self) {
      std::mt19937 random(1);
      for (int i = 0; i < kMessages; ++i) {
        const std::size_t n = random() % 30;  // small and large ones mixed
        if (self.id() == 0) self.send(1, counting(n, i));
        if (self.id() == 1) {
          std::vector<int> got(n);
          self.receive(0, got);
          ASSERT_EQ(got, counting(n, i));
        }
      }
    });
  }
}

TEST(Messages, SmallOnesPileUpWithoutBlockingTheSender) {
  for (const MachineOptions& way : ways_to_carry(2)) {
    Machine machine(way);
    constexpr int kMessages = 50'000;  // far more than the first ring holds
    long sum = 0;
    machine.run([&](Processor& self) {
      for (int i = 0; i < kMessages; ++i) {
        if (self.id() == 0) self.send(1, i);
      }
      self.barrier();
      for (int i = 0; i < kMessages; ++i) {
        if (self.id() == 1) sum += self.receive<int>(0);
      }
    });
    EXPECT_EQ(sum, long{kMessages} * (kMessages - 1) / 2);
  }
}

// More than the mailbox has notes for; the others stay where they are.
TEST(Messages, OfMiddleSizeAreUnderWayAtTheSameTime) {
  for (const MachineOptions& way : ways_to_carry(2)) {
    Machine machine(way);
    constexpr int kMessages = 30;
    machine.run([&](Processor& self) {
      for (int repeat = 0; repeat < 3; ++repeat) {
        std::vector<std::vector<int>> lists;
        for (int i = 0; i < kMessages; ++i) lists.push_back(counting(20 + 8 * i, i));
        std::vector<Pending> sends;
        if (self.id() == 0) {
          for (const auto& list : lists) sends.push_back(self.start_send(1, list));
        }
        self.barrier();
        for (Pending& send : sends) send.wait();
        for (int i = 0; self.id() == 1 && i < kMessages; ++i) {
          std::vector<int> got(lists[i].size());
          self.receive(0, got);
          EXPECT_EQ(got, lists[i]);
        }
      }
    });
  }
}

TEST(Messages, ASenderFarAheadWaitsForItsReceiver) {
  for (const MachineOptions& way : ways_to_carry(2)) {
    Machine machine(way);
    constexpr int kMessages = 300'000;
    machine.run([&](Processor& self) {
      for (int i = 0; i < kMessages; ++i) {
        if (self.id() == 0) self.send(1, i);
        if (self.id() == 1) {
          ASSERT_EQ(self.receive<int>(0), i);
        }
      }
    });
  }
}

TEST(Messages, ToOneselfWorkWhenStarted) {
  Machine machine({.processors = 1});
  machine.run([](Processor& self) {
    self.send(0, 5);
    EXPECT_EQ(self.receive<int>(0), 5);
    const std::vector<int> out = counting(1000, 3);
    std::vector<int> in(1000);
    Pending sending = self.start_send(0, out);
    self.receive(0, in);
    sending.wait();
    EXPECT_EQ(in, out);
    std::vector<int> again(1000);
    self.exchange(0, out, 0, again);
    EXPECT_EQ(again, out);
  });
}

TEST(Messages, StartedReceivesFillInTheOrderOfTheirStart) {
  for (const MachineOptions& way : ways_to_carry(2)) {
    Machine machine(way);
    machine.run([](Processor& self) {
      if (self.id() == 0) {
        for (int i = 0; i < 4; ++i) self.send(1, i);
        return;
      }
      int a = 0;
      int b = 0;
      int c = 0;
      Pending first = self.start_receive(0, std::span(&a, 1));
      Pending second = self.start_receive(0, std::span(&b, 1));
      Pending third = self.start_receive(0, std::span(&c, 1));
      third.wait();
      EXPECT_EQ(self.receive<int>(0), 3);
      first.wait();
      second.wait();
      EXPECT_EQ(a, 0);
      EXPECT_EQ(b, 1);
      EXPECT_EQ(c, 2);
    });
  }
}

TEST(Messages, WhoAsksAgainAndAgainWhetherItIsReadyLetsOthersRun) {
  for (const MachineOptions& way : ways_to_carry(3)) {
    Machine machine(way);
    machine.run([](Processor& self) {
      const std::vector<int> out = counting(1000, self.id());
      std::vector<int> in(1000);
      Pending receiving = self.start_receive((self.id() + 2) % 3, in);
      if (self.id() == 0) {
        while (!receiving.ready()) {
        }
      }
      Pending sending = self.start_send((self.id() + 1) % 3, out);
      while (!receiving.ready() || !sending.ready()) {
      }
      receiving.wait();
      sending.wait();
      EXPECT_EQ(in, counting(1000, (self.id() + 2) % 3));
    });
  }
}

TEST(Messages, WhoAsksGivesItsCoreToThreadsThatHaveNone) {
  const auto threads = static_cast<int>(4 * std::thread::hardware_concurrency() + 1);
  Machine machine({.processors = threads, .threads = threads});
  ends_soon([&] {
    machine.run([&](Processor& self) {
      for (int hop = 0; hop < 300; ++hop) {  // from one to the next, around the ring
        if (hop % self.count() == self.id()) self.send((self.id() + 1) % self.count(), hop);
        if (hop % self.count() != (self.id() + self.count() - 1) % self.count()) continue;
        std::vector<int> in(1);
        Pending receiving = self.start_receive(hop % self.count(), in);
        while (!receiving.ready()) {
        }
        receiving.wait();
        EXPECT_EQ(in.front(), hop);
      }
    });
  });
}

// As the README says it: who sends little goes on, who sends more than a mailbox takes waits.
TEST(Messages, UpTo48BytesAreSentAtOnceMoreThan1024AreNot) {
  for (const MachineOptions& way : ways_to_carry(2)) {
    Machine machine(way);
    machine.run([](Processor& self) {
      std::array<std::byte, 48> small{};
      std::array<std::byte, 1025> large{};
      if (self.id() == 0) {
        Pending first = self.start_send(1, small);
        EXPECT_TRUE(first.ready());
        self.send(1, small);
        Pending second = self.start_send(1, large);
        EXPECT_FALSE(second.ready());
        self.barrier();
        second.wait();
      } else {
        self.barrier();
        self.receive(0, small);
        self.receive(0, small);
        self.receive(0, large);
      }
    });
  }
}

TEST(Messages, ReadyTellsWithoutWaiting) {
  for (const MachineOptions& way : ways_to_carry(2)) {
    Machine machine(way);
    machine.run([](Processor& self) {
      const std::vector<int> out = counting(1000, 0);
      std::vector<int> in(1000);
      if (self.id() == 0) {
        Pending sending = self.start_send(1, out);
        EXPECT_FALSE(sending.ready());
        self.barrier();
        self.barrier();
        EXPECT_TRUE(sending.ready());
      } else {
        self.barrier();
        Pending receiving = self.start_receive(0, in);
        EXPECT_TRUE(receiving.ready());
        self.barrier();
        EXPECT_EQ(in, out);
      }
    });
  }
}

TEST(Messages, APendingThatIsDroppedIsWaitedFor) {
  for (const MachineOptions& way : ways_to_carry(2)) {
    Machine machine(way);
    std::vector<int> in(500);
    machine.run([&](Processor& self) {
      if (self.id() == 0) {
        const std::vector<int> out = counting(500, 9);
        const Pending dropped = self.start_send(1, out);
      } else {
        const Pending dropped = self.start_receive(0, in);
      }
    });
    EXPECT_EQ(in, counting(500, 9));
  }
}

// Who cleans up while an exception is on its way may use a machine as ever.
TEST(Messages, APendingThatIsDroppedWhileAnotherExceptionIsOnItsWay) {
  for (const MachineOptions& way : ways_to_carry(3)) {
    Machine machine(way);
    int rounds = 0;
    struct CleanUp {
      Machine& machine;
      int& rounds;
      ~CleanUp() {
        machine.run([this](Processor& self) {
          const std::vector<int> mine(2000, self.id());
          std::vector<int> theirs(2000);
          {
            const Pending sending = self.start_send((self.id() + 1) % 3, mine);
            const Pending receiving = self.start_receive((self.id() + 2) % 3, theirs);
          }
          EXPECT_EQ(theirs.back(), (self.id() + 2) % 3);
          if (self.id() == 0) ++rounds;
        });
      }
    };
    try {
      const CleanUp clean_up{machine, rounds};
      throw std::runtime_error("on its way");
    } catch (const std::runtime_error&) {
    }
    EXPECT_EQ(rounds, 1);
  }
}

TEST(Messages, ExchangeShiftsAroundTheRing) {
  for (const int p : kCounts) {
    for (const MachineOptions& way : ways_to_carry(p)) {
      Machine machine(way);
      for (const std::size_t n : {std::size_t{1}, std::size_t{500}}) {
        machine.run([&](Processor& self) {
          std::vector<int> mine = counting(n, self.id());
          std::vector<int> got(n);
          for (int step = 0; step < p; ++step) {
            self.exchange((self.id() + 1) % p, mine, (self.id() + p - 1) % p, got);
            mine.swap(got);
          }
          EXPECT_EQ(mine, counting(n, self.id()));
        });
      }
    }
  }
}

TEST(Messages, AnExchangeNeedsSeparateMemory) {
  Machine machine({.processors = 2});
  machine.run([](Processor& self) {
    const int other = 1 - self.id();
    std::vector<int> list(100, self.id());
    const auto half = std::span(list).first(50);
    const std::string text = refusal([&] { self.exchange(other, list, other, list); });
    EXPECT_EQ(text.substr(0, text.find(" (")),
              "exchange: out and in overlap, which is not allowed; separate memory");
    EXPECT_NE(refusal([&] { self.exchange(other, std::span(list).last(51), other, half); }), "");
    EXPECT_NE(refusal([&] { self.exchange(other, half, other, list); }), "");
    EXPECT_NE(refusal([&] { self.exchange(other, list[7], other, list); }), "");
    self.exchange(other, std::span(list).last(50), other, half);
    EXPECT_EQ(list[0], other);
    EXPECT_EQ(list[99], self.id());
    self.exchange(other, half.first(0), other, half.first(0));
  });
}

/// Whose address nobody gets by asking for it.
struct Hidden {
  int number = 0;
  Hidden* operator&() { return nullptr; }              // NOLINT(google-runtime-operator)
  const Hidden* operator&() const { return nullptr; }  // NOLINT(google-runtime-operator)
};

TEST(Messages, AddressesOfValuesAreNotAskedOfThem) {
  Machine machine({.processors = 2});
  machine.run([](Processor& self) {
    Hidden mine{self.id()};
    Hidden other;
    self.exchange(1 - self.id(), mine, 1 - self.id(), other);
    EXPECT_EQ(other.number, 1 - self.id());
    if (self.id() == 0) self.send(1, mine);
    if (self.id() == 1) self.receive(0, mine);
    EXPECT_EQ(mine.number, 0);
  });
}

TEST(Messages, ExchangeTakesSeveralMessagesEachWay) {
  constexpr int p = 5;
  Machine machine({.processors = p});
  machine.run([](Processor& self) {
    const std::vector<int> mine = counting(100, 1000 * self.id());
    std::vector<std::vector<int>> got(p, std::vector<int>(100));
    std::vector<Outgoing> out;
    std::vector<Incoming> in;
    for (int other = 0; other < p; ++other) {
      if (other == self.id()) continue;
      out.push_back({other, bytes_of(mine)});
      in.push_back({other, writable_bytes_of(got[other])});
    }
    self.exchange_bytes(out, in);
    for (int other = 0; other < p; ++other) {
      if (other == self.id()) continue;
      EXPECT_EQ(got[other], counting(100, 1000 * other));
    }
  });
}

TEST(Messages, EverybodyToEverybodyAtRandomSizes) {
  for (const int p : kCounts) {
    for (const MachineOptions& way : ways_to_carry(p)) {
      Machine machine(way);
      machine.run([&](Processor& self) {
        std::mt19937 sizes(12345);  // the same on all
        for (int round = 0; round < 10; ++round) {
          std::vector<std::size_t> n(static_cast<std::size_t>(p) * p);
          for (std::size_t& size : n) size = sizes() % 40;
          std::vector<std::vector<int>> out(p);
          std::vector<Pending> sending;
          for (int to = 0; to < p; ++to) {
            out[to] = counting(n[self.id() * p + to], self.id() * 100 + to);
            sending.push_back(self.start_send(to, out[to]));
          }
          for (int from = 0; from < p; ++from) {
            std::vector<int> in(n[from * p + self.id()]);
            self.receive(from, in);
            ASSERT_EQ(in, counting(in.size(), from * 100 + self.id()));
          }
          for (Pending& pending : sending) pending.wait();
        }
      });
    }
  }
}

TEST(Messages, NowDoesNotGoBack) {
  for (const MachineOptions& way : ways_to_carry(2)) {
    Machine machine(way);
    machine.run([](Processor& self) {
      Time last = self.now();
      for (int i = 0; i < 1000; ++i) {
        const Time now = self.now();
        ASSERT_GE(now, last);
        last = now;
      }
    });
  }
}

}  // namespace
}  // namespace postroom
