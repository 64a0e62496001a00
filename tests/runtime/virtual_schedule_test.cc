// Virtual time depends on the program alone: the same for all ways to carry the processors, all
// orders in which they take turns, however many of them share a core; and it works at scale.
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "runtime/light_machine.h"
#include "runtime/virtual_clock.h"
#include "tests/runtime/testing.h"

namespace postroom {
namespace {

/// Something that one processor or a pair does; everybody goes through the list in its order.
struct Event {
  enum class Kind { kMessage, kStarted, kLoan, kExchange, kCompute, kBarrier };
  Kind kind;
  int a;
  int b;  // another one than a
  std::size_t bytes;
};

std::vector<Event> random_events(int p, int count, unsigned seed) {
  std::mt19937 draw(seed);
  const auto below = [&](int n) { return static_cast<int>(draw() % static_cast<unsigned>(n)); };
  std::vector<Event> events;
  for (int i = 0; i < count; ++i) {
    const int a = below(p);
    const int kind = below(100);
    events.push_back({kind < 1 ? Event::Kind::kBarrier : static_cast<Event::Kind>(kind % 5), a,
                      (a + 1 + below(p - 1)) % p,
                      static_cast<std::size_t>(below(2) == 0 ? below(49) : below(2000))});
  }
  return events;
}

void take_part(Processor& self, const Event& event, std::vector<Pending>& pending,
               std::vector<std::vector<char>>& kept) {
  const bool sends = self.id() == event.a;
  const int other = sends ? event.b : event.a;
  const auto buffer = [&]() -> std::vector<char>& { return kept.emplace_back(event.bytes); };
  if (event.kind == Event::Kind::kBarrier) return self.barrier();
  if (!sends && self.id() != event.b) return;
  switch (event.kind) {
    case Event::Kind::kMessage:
      if (sends) self.send(other, buffer());
      if (!sends) self.receive(other, buffer());
      break;
    case Event::Kind::kStarted:
      if (sends) pending.push_back(self.start_send(other, buffer()));
      if (!sends) {
        Pending receive = self.start_receive(other, buffer());
        if (event.bytes % 2 == 0) receive.wait();
        pending.push_back(std::move(receive));
      }
      break;
    case Event::Kind::kLoan:
      if (sends) pending.push_back(self.lend(other, buffer()));
      if (!sends) self.borrow_bytes(other).give_back();
      break;
    case Event::Kind::kExchange: {
      const std::vector<char>& out = buffer();
      std::vector<char> in(event.bytes);
      self.exchange(other, out, other, in);
      break;
    }
    default:
      if (sends) self.compute(Rational(static_cast<int>(event.bytes) % 7, 5));
  }
}

struct Outcome {
  std::vector<Rational> times;
  std::vector<Time> arrivals;
  std::vector<int> rounds;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

void take_part_in_all(Processor& self, const std::vector<Event>& events) {
  std::vector<std::vector<char>> kept;
  kept.reserve(events.size());
  std::vector<Pending> pending;
  for (const Event& event : events) take_part(self, event, pending, kept);
  for (Pending& each : pending) each.wait();
}

PostalParameters parameters() { return {.lambda = Rational(9, 5), .ports = 2, .unit_bytes = 512}; }

Outcome outcome(MachineOptions options, const std::vector<Event>& events) {
  const auto clock = std::make_shared<VirtualClock>(parameters());
  options.clock = clock;
  options.trace = true;
  Machine machine(options);
  machine.run([&](Processor& self) { take_part_in_all(self, events); });
  Outcome result;
  for (int id = 0; id < machine.processors(); ++id) result.times.push_back(clock->time(id));
  for (const Trace::Message& message : machine.trace().messages()) {
    result.arrivals.push_back(message.arrival);
    result.rounds.push_back(message.round);
  }
  return result;
}

TEST(VirtualSchedule, MakesNoDifferenceHoweverProcessorsAreCarried) {
  for (const int p : {2, 3, 7, 16}) {
    const unsigned seed = 4u + static_cast<unsigned>(p);
    const std::vector<Event> events = random_events(p, 400, seed);
    const Outcome expected = outcome({.processors = p, .threads = 1}, events);
    EXPECT_GT(expected.times[0], 0);
    for (const MachineOptions& way : ways_to_carry(p)) {
      EXPECT_EQ(outcome(way, events), expected) << "p = " << p << ", seed " << seed;
    }
  }
}

TEST(VirtualSchedule, MakesNoDifferenceInAHundredOrdersOnOneAndTwoThreads) {
  constexpr int p = 33;
  constexpr unsigned kSeed = 11;
  const std::vector<Event> events = random_events(p, 500, kSeed);
  const Outcome expected = outcome({.processors = p, .threads = 1}, events);
  for (std::uint64_t order = 1; order <= 50; ++order) {
    for (const int threads : {1, 2}) {
      const MachineOptions way{.processors = p, .threads = threads, .schedule_seed = order};
      ASSERT_EQ(outcome(way, events), expected) << "order " << order << ", seed " << kSeed;
    }
  }
}

TEST(VirtualSchedule, MakesNoDifferenceOnALightMachine) {
  for (const int p : {2, 3, 7, 16, 33}) {
    const unsigned seed = 90u + static_cast<unsigned>(p);
    const std::vector<Event> events = random_events(p, 400, seed);
    const std::vector<Rational> expected = outcome({.processors = p, .threads = 1}, events).times;
    for (const Payload payload : {Payload::copy, Payload::none}) {
      const auto clock = std::make_shared<VirtualClock>(parameters());
      LightMachine machine(p, clock, payload);
      machine.run([&](Processor& self) { take_part_in_all(self, events); });
      for (int id = 0; id < p; ++id) {
        EXPECT_EQ(clock->time(id), expected[id]) << "p = " << p << ", seed " << seed;
      }
    }
  }
}

// λ = 2 and p a Fibonacci number: N_2(t) processors are reached at t, in the order of their times.
TEST(VirtualSchedule, HoldsForTenThousandProcessorsOnTwoThreads) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  constexpr int p = 987;  // one knows 8,128 contexts at most, the other adds a stack to each
  constexpr int kTime = 15;
#else
  constexpr int p = 10'946;
  constexpr int kTime = 20;
#endif
  const auto clock = std::make_shared<VirtualClock>(2);
  Machine machine({.processors = p, .threads = 2, .clock = clock});
  std::vector<int> reach{1, 1};
  while (reach.back() < p) reach.push_back(reach.back() + reach[reach.size() - 2]);
  ASSERT_EQ(reach[kTime], p);
  for (int repeat = 0; repeat < 3; ++repeat) {
    machine.run([&](Processor& self) {
      int first = 0;
      int t = kTime;  // the processors [first, first + reach[t]) are left to the one at `first`
      if (self.id() != 0) {
        int parent = 0;
        while (first != self.id()) {
          parent = first;
          const int leader = first + reach[t - 1];
          if (self.id() >= leader) {
            first = leader;
            t -= 2;
          } else {
            --t;
          }
        }
        EXPECT_EQ(self.receive<int>(parent), 42);
      }
      for (; t >= 2; --t) self.send(first + reach[t - 1], 42);
    });
    EXPECT_EQ(clock->finish(), kTime);
    machine.run([&](Processor& self) {
      self.compute(self.id());
      self.barrier();
      EXPECT_EQ(self.now(), 2 * (p - 1));
    });
  }
}

}  // namespace
}  // namespace postroom
