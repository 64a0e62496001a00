#include "runtime/trace.h"

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

// A clock of the test: every message takes three ticks, a processor's time is the latest that it
// has seen.
class ThreeTicks final : public Clock {
 public:
  void start(int processors) override { times_.resize(static_cast<std::size_t>(processors)); }
  Time now(int processor) override { return times_[processor]; }
  Time ticks_per_unit() const override { return 1; }
  Time sent(int source, int, std::size_t) override { return times_[source] + 3; }
  Time delivered(int, int target, std::size_t, Time arrival) override {
    return times_[target] = std::max(times_[target], arrival);
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
