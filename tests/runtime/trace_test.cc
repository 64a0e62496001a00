#include "runtime/trace.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/runtime/testing.h"

namespace postroom {
namespace {

TEST(Trace, IsEmptyWhenItWasNotAskedFor) {
  Machine machine({.processors = 2});
  machine.run([](Processor& self) {
    if (self.id() == 0) self.send(1, 1);
    if (self.id() == 1) (void)self.receive<int>(0);
  });
  EXPECT_TRUE(machine.trace().messages().empty());
}

TEST(Trace, CountsTheRoundsOfATree) {
  Machine machine({.processors = 4, .trace = true});
  for (int repeat = 0; repeat < 20; ++repeat) {  // each run leaves a trace of its own
    machine.run([](Processor& self) {
      if (self.id() == 0) {
        self.send(2, std::vector<char>(10));
        self.send(1, std::vector<char>(20));
      } else if (self.id() == 2) {
        std::vector<char> data(10);
        self.receive(0, data);
        self.send(3, std::vector<char>(1000));
      } else {
        std::vector<char> data(self.id() == 1 ? 20 : 1000);
        self.receive(self.id() == 1 ? 0 : 2, data);
      }
    });
    const Trace& trace = machine.trace();
    EXPECT_EQ(trace.messages().size(), 3u);
    EXPECT_EQ(trace.rounds(), 2);
    EXPECT_EQ(trace.volume(), 1010u);
    EXPECT_EQ(trace.total_bytes(), 1030u);
  }
}

TEST(Trace, AnExchangeIsOneRoundHoweverManyMessages) {
  constexpr int p = 5;
  Machine machine({.processors = p, .trace = true});
  machine.run([](Processor& self) {
    std::vector<std::vector<char>> in(p, std::vector<char>(8));
    const std::vector<char> mine(8);
    for (int repeat = 0; repeat < 3; ++repeat) {
      std::vector<Outgoing> outgoing;
      std::vector<Incoming> incoming;
      for (int k = 1; k < p; ++k) {
        outgoing.push_back({(self.id() + k) % p, bytes_of(mine)});
        incoming.push_back({(self.id() + p - k) % p, writable_bytes_of(in[k])});
      }
      self.exchange_bytes(outgoing, incoming);
    }
  });
  EXPECT_EQ(machine.trace().rounds(), 3);
  EXPECT_EQ(machine.trace().volume(), 24u);
}

// Refuses messages of so many bytes.
class Refusing final : public Clock {
 public:
  explicit Refusing(std::size_t bytes) : refused_(bytes) {}
  void start(int) override {}
  Time now(int) override { return 0; }
  Time ticks_per_unit() const override { return 1; }
  Flight sent(int, int, std::size_t bytes) override {
    if (bytes == refused_) throw std::overflow_error("refused");
    return {};
  }
  Time delivered(int, int, std::size_t, Time) override { return 0; }
  std::int64_t advance(int, Time) override { return 0; }

 private:
  std::size_t refused_;
};

TEST(Trace, CountsRoundsBehindAnExchangeThatTheClockHasRefused) {
  for (const std::size_t refused : {10, 5000}) {
    Machine machine({.processors = 2, .clock = std::make_shared<Refusing>(refused), .trace = true});
    machine.run([&](Processor& self) {
      const std::vector<char> data(refused);
      std::vector<char> other(refused);
      if (self.id() == 0) {
        EXPECT_THROW(self.exchange(1, data, 1, other), std::overflow_error);
        EXPECT_THROW(self.start_send(1, data).wait(), std::overflow_error);
      }
      for (int i = 0; i < 3; ++i) {
        if (self.id() == 0) self.send(1, 1);
        if (self.id() == 1) (void)self.receive<int>(0);
      }
    });
    const std::vector<Trace::Message>& messages = machine.trace().messages();
    ASSERT_EQ(messages.size(), 3u);
    EXPECT_EQ(messages[1].round, messages[0].round + 1);
    EXPECT_EQ(messages[2].round, messages[1].round + 1);
  }
}

TEST(Trace, KnowsWhoSentWhatFromWhere) {
  Machine machine({.processors = 2, .trace = true});
  machine.run([](Processor& self) {
    if (self.id() == 0) self.send(1, 1);
    if (self.id() == 1) (void)self.receive<int>(0);
  });
  const Trace::Message& message = machine.trace().messages().at(0);
  EXPECT_EQ(message.source, 0);
  EXPECT_EQ(message.target, 1);
  EXPECT_EQ(message.bytes, 4u);
  EXPECT_EQ(message.round, 1);
  EXPECT_GE(message.arrival, message.start);
  EXPECT_EQ(message.where.line(), __LINE__ - 9u);
}

TEST(Trace, ABarrierIsADisseminationOfEmptyMessages) {
  Machine machine({.processors = 6, .trace = true});
  machine.run([](Processor& self) { self.barrier(); });
  EXPECT_EQ(machine.trace().rounds(), 3);
  EXPECT_EQ(machine.trace().volume(), 0u);
  EXPECT_EQ(machine.trace().messages().size(), 18u);
}

void send_one(Processor& self) {
  if (self.id() == 0) self.send(1, 1);
  if (self.id() == 1) (void)self.receive<int>(0);
}

TEST(Trace, KnowsWhatAMessageWasPartOf) {
  Machine machine({.processors = 2, .threads = 1, .trace = true});
  machine.run([](Processor& self) {
    send_one(self);
    const Operation outer(self, "outer");
    send_one(self);
    {
      const Operation inner(self, "inner");
      send_one(self);
    }
    send_one(self);
  });
  std::vector<std::string> names;
  for (const Trace::Message& message : machine.trace().messages()) {
    names.push_back(operation_of(message));
  }
  EXPECT_EQ(names, (std::vector<std::string>{"send_one", "outer", "inner", "outer"}));
}

TEST(Trace, AnOperationEndsWithTheException) {
  Machine machine({.processors = 2, .threads = 1, .trace = true});
  machine.run([](Processor& self) {
    try {
      const Operation operation(self, "that fails");
      throw std::runtime_error("caught");
    } catch (const std::runtime_error&) {
      send_one(self);
    }
  });
  EXPECT_EQ(operation_of(machine.trace().messages().at(0)), "send_one");
}

TEST(Trace, KnowsWhichOfTwoChannelsAMessageWasReceivedIn) {
  Machine machine({.processors = 2, .trace = true});
  Time between = 0;
  machine.run([&](Processor& self) {
    if (self.id() == 0) {
      self.send(1, 1);
      const Operation operation(self, "the other");
      self.send(1, 2);
      return;
    }
    {
      const Operation operation(self, "the other");
      EXPECT_EQ(self.receive<int>(0), 2);
    }
    between = self.now();
    EXPECT_EQ(self.receive<int>(0), 1);
  });
  const std::vector<Trace::Message>& messages = machine.trace().messages();
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_GE(messages[0].arrival, between);
  EXPECT_LE(messages[1].arrival, between);
}

// Under the wall clock that is when it was received, not when it could have been.
TEST(Trace, KnowsWhenEachMessageWasReceived) {
  Machine machine({.processors = 3, .threads = 1, .trace = true});
  std::vector<Time> before(3);
  std::vector<Time> after(3);
  machine.run([&](Processor& self) {
    if (self.id() != 0) {
      for (int i = 0; i < 4; ++i) self.send(0, i);
      return;
    }
    for (const int from : {2, 1, 1, 2, 2, 1, 2, 1}) {
      EXPECT_GE(self.receive<int>(from), 0);
      if (before[from] == 0) before[from] = self.now();  // after the first of that source
      after[from] = self.now();
    }
  });
  const std::vector<Trace::Message>& messages = machine.trace().messages();
  ASSERT_EQ(messages.size(), 8u);
  for (int source = 1; source <= 2; ++source) {
    const Trace::Message* own = &messages[static_cast<std::size_t>(4 * (source - 1))];
    EXPECT_LE(own[0].arrival, before[source]);
    EXPECT_GE(own[1].arrival, before[source]);
    EXPECT_GE(own[2].arrival, own[1].arrival);
    EXPECT_LE(own[3].arrival, after[source]);
    EXPECT_GE(own[3].arrival, own[2].arrival);
  }
  EXPECT_LT(messages[4].arrival, messages[0].arrival);  // processor 2's first came before 1's
}

// A clock of the test: every message takes three ticks, a processor's time is the latest that it
// has seen.
class ThreeTicks final : public Clock {
 public:
  void start(int processors) override { times_.resize(static_cast<std::size_t>(processors)); }
  Time now(int processor) override { return times_[processor]; }
  Time ticks_per_unit() const override { return 1; }
  Flight sent(int source, int, std::size_t) override {
    return {times_[source], times_[source] + 3, 0};
  }
  Time delivered(int, int, std::size_t, Time arrival) override { return arrival; }
  std::int64_t advance(int processor, Time time) override {
    times_[processor] = std::max(times_[processor], time);
    return 0;
  }

 private:
  std::vector<Time> times_;
};

TEST(Clock, OfTheUserGivesTheTimesThatProgramsSee) {
  Machine machine({.processors = 5, .clock = std::make_shared<ThreeTicks>(), .trace = true});
  std::vector<Time> ends(5);
  machine.run([&](Processor& self) {
    if (self.id() > 0) (void)self.receive<int>(self.id() - 1);
    if (self.id() + 1 < self.count()) self.send(self.id() + 1, 1);
    ends[self.id()] = self.now();
  });
  EXPECT_EQ(ends, (std::vector<Time>{0, 3, 6, 9, 12}));
  EXPECT_EQ(machine.trace().messages().back().arrival, 12);
}

}  // namespace
}  // namespace postroom
