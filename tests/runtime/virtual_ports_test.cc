// Virtual time of ports: several of them, long messages, and whose turn it is.
#include <vector>

#include "tests/runtime/virtual_times.h"

namespace postroom {
namespace {

// --- Several ports, long messages.

TEST(VirtualClock, OfRoundsOfKMessagesIsOneLatencyARound) {
  constexpr int p = 7;
  for (int k = 1; k < p; ++k) {
    const Times times = times_of(p, {.lambda = Rational(7, 3), .ports = k}, [k](Processor& self) {
      std::vector<int> in(k);
      for (int round = 0; round < 5; ++round) {
        std::vector<Outgoing> outgoing;
        std::vector<Incoming> incoming;
        const int mine = self.id();
        for (int j = 0; j < k; ++j) {
          outgoing.push_back({(self.id() + j + 1) % p, bytes_of(std::span(&mine, 1))});
          std::span<int> place(&in[j], 1);
          incoming.push_back({(self.id() + p - j - 1) % p, writable_bytes_of(place)});
        }
        self.exchange_bytes(outgoing, incoming);
        for (int j = 0; j < k; ++j) EXPECT_EQ(in[j], (self.id() + p - j - 1) % p);
      }
    });
    EXPECT_EQ(times, Times(p, 5 * Rational(7, 3))) << k << " ports";
  }
}

TEST(VirtualClock, SendsSoManyAtATimeAsThereArePorts) {
  const Times times = times_of(8, {.lambda = 2, .ports = 3}, [](Processor& self) {
    for (int to = 1; self.id() == 0 && to < self.count(); ++to) self.send(to, to);
    if (self.id() != 0) (void)self.receive<int>(0);
  });
  EXPECT_EQ(times, (Times{0, 2, 2, 2, 3, 3, 3, 4}));
}

TEST(VirtualClock, CountsUnitsOfLongMessages) {
  const PostalParameters parameters{.lambda = Rational(5, 2), .unit_bytes = 100};
  const std::vector<std::size_t> sizes{0, 1, 100, 101, 1000};
  Times arrivals;
  (void)times_of(2, parameters, [&](Processor& self) {
    for (const std::size_t size : sizes) {
      std::vector<char> data(size);
      if (self.id() == 0) self.send(1, data);
      if (self.id() == 0) continue;
      self.receive(0, data);
      arrivals.push_back(Rational(self.now(), 4));
    }
  });
  // 1, 1, 1, 2 and 10 units leave from 0, 1, 2, 3 and 5 on; the last one is there λ after it left.
  EXPECT_EQ(arrivals, (Times{Rational(5, 2), Rational(7, 2), Rational(9, 2), Rational(13, 2),
                             Rational(33, 2)}));
}

TEST(VirtualClock, DoesNotMindHowAMessageTravels) {
  enum class Way { kSend, kStart, kLend, kExchange };
  Times expected;
  for (const std::size_t bytes : {4u, 4000u}) {
    for (const Way way : {Way::kSend, Way::kStart, Way::kLend, Way::kExchange}) {
      const Times times = times_of(3, {.lambda = Rational(9, 5)}, [&](Processor& self) {
        std::vector<char> data(bytes);
        const int to = (self.id() + 1) % 3;
        const int from = (self.id() + 2) % 3;
        self.compute(self.id());
        for (int round = 0; round < 4; ++round) {
          if (way == Way::kExchange) {
            std::vector<char> in(bytes);
            self.exchange(to, data, from, in);
            continue;
          }
          Pending sending = way == Way::kLend ? self.lend(to, data) : self.start_send(to, data);
          if (way == Way::kSend && self.id() != 0) sending.wait();
          std::vector<char> in(bytes);
          if (way == Way::kLend) {
            (void)self.borrow_bytes(from);
          } else {
            Pending receiving = self.start_receive(from, in);
            receiving.wait();
          }
          sending.wait();
        }
      });
      if (expected.empty()) expected = times;
      EXPECT_EQ(times, expected);
    }
  }
  EXPECT_EQ(latest(expected), 2 + 4 * Rational(9, 5));
}

TEST(VirtualClock, AMessageToOneselfTakesNoTime) {
  const Times times = times_of(2, {.lambda = 3}, [](Processor& self) {
    int in = 0;
    std::span<int> place(&in, 1);
    const std::vector<int> out{7};
    self.exchange(self.id(), out, self.id(), place);
    EXPECT_EQ(in, 7);
  });
  EXPECT_EQ(times, (Times{0, 0}));
}

// --- The in-port.

TEST(VirtualClock, ReceivesWhileTheProgramIsBusyOrAsksForAnother) {
  Times seen;
  (void)times_of(4, {.lambda = 2}, [&](Processor& self) {
    if (self.id() == 1) self.compute(4);
    if (self.id() != 0) return self.send(0, 1);
    (void)self.receive<int>(1);  // sent at 4, there at 6
    seen.push_back(Rational(self.now(), 2));
    (void)self.receive<int>(2);  // was there at 2
    seen.push_back(Rational(self.now(), 2));
    (void)self.receive<int>(3);  // had to wait for that one, and was there at 3
    seen.push_back(Rational(self.now(), 2));
  });
  EXPECT_EQ(seen, (Times{6, 6, 6}));
}

TEST(VirtualClock, LetsMessagesThatCollideQueueInTheOrderOfTheirReceives) {
  Times seen;
  (void)times_of(4, {.lambda = 2}, [&](Processor& self) {
    if (self.id() != 0) self.compute(Rational(self.id(), 2));
    if (self.id() != 0) return self.send(0, 1);
    for (const int from : {3, 1, 2}) {  // there at 7/2, 5/2 and 3
      (void)self.receive<int>(from);
      seen.push_back(Rational(self.now(), 2));
    }
  });
  EXPECT_EQ(seen, (Times{Rational(7, 2), Rational(7, 2), Rational(9, 2)}));
}

}  // namespace
}  // namespace postroom
