#include "runtime/virtual_clock.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/runtime/testing.h"

namespace postroom {
namespace {

using Times = std::vector<Rational>;

/// The time of each processor at the end of `program`, under the clock that `parameters` describe.
Times times_of(int p, PostalParameters parameters, const Machine::Program& program,
               int threads = 1) {
  const auto clock = std::make_shared<VirtualClock>(parameters);
  Machine machine({.processors = p, .threads = threads, .clock = clock});
  machine.run(program);
  Times times;
  for (int id = 0; id < p; ++id) times.push_back(clock->time(id));
  return times;
}
Rational latest(const Times& times) { return *std::ranges::max_element(times); }

/// A hundred and more: whole ones, fractions, denominators up to 1000.
std::vector<Rational> lambdas() {
  std::vector<Rational> list;
  for (int whole = 1; whole <= 20; ++whole) list.emplace_back(whole);
  for (int below = 2; below <= 9; ++below) {
    for (int above = below + 1; above <= 4 * below; above += 3) list.emplace_back(above, below);
  }
  for (int above = 1001; above <= 2000; above += 37) list.emplace_back(above, 1000);
  for (int above = 1999; above <= 5000; above += 289) list.emplace_back(above, 997);
  return list;
}

// --- The model's own examples.
// -------------------------------------------------------------------------

TEST(VirtualClock, OfAStarSendsOneMessageInAUnit) {
  for (const Rational& lambda : {Rational(1), Rational(9, 5), Rational(7)}) {
    const Times times = times_of(6, {.lambda = lambda}, [](Processor& self) {
      for (int to = 1; self.id() == 0 && to < self.count(); ++to) self.send(to, to);
      if (self.id() == 0) return;
      EXPECT_EQ(self.receive<int>(0), self.id());
    });
    EXPECT_EQ(times, (Times{0, lambda, lambda + 1, lambda + 2, lambda + 3, lambda + 4}));
  }
}

TEST(VirtualClock, OfAChainAddsTheLatencies) {
  const Rational lambda(1293, 1000);
  const Times times = times_of(9, {.lambda = lambda}, [](Processor& self) {
    if (self.id() > 0) (void)self.receive<int>(self.id() - 1);
    if (self.id() + 1 < self.count()) self.send(self.id() + 1, 1);
  });
  for (int id = 0; id < 9; ++id) EXPECT_EQ(times[id], id * lambda);
}

TEST(VirtualClock, OfAPingPongIsTwoLatenciesARound) {
  const Times times = times_of(2, {.lambda = Rational(5, 2)}, [](Processor& self) {
    for (int round = 0; round < 10; ++round) {
      if (self.id() == 0) self.send(1, round);
      (void)self.receive<int>(1 - self.id());
      if (self.id() == 1) self.send(0, round);
    }
  });
  EXPECT_EQ(times, (Times{50, Rational(95, 2)}));
}

TEST(VirtualClock, OfAGatherReceivesOneMessageInAUnit) {
  const Times times = times_of(6, {.lambda = 3}, [](Processor& self) {
    if (self.id() != 0) return self.send(0, self.id());
    for (int from = 1; from < self.count(); ++from) {
      (void)self.receive<int>(from);
      EXPECT_EQ(self.now(), (3 + from - 1) * 3);  // λ = 3: three ticks in a unit
    }
  });
  EXPECT_EQ(times, (Times{7, 0, 0, 0, 0, 0}));
}

// Experiments 1 and 2 of [P], section 2.2.
TEST(VirtualClock, GivesTheTimesOfThePapersExperiments) {
  for (const Rational& lambda : {Rational(1), Rational(9, 5), Rational(4), Rational(13, 3)}) {
    for (int k = 1; k <= 7; ++k) {
      const Times first = times_of(k + 1, {.lambda = lambda}, [k](Processor& self) {
        for (int to = 1; self.id() == 0 && to <= k; ++to) self.send(to, 1);
        if (self.id() == 0) (void)self.receive<int>(k);
        if (self.id() != 0) (void)self.receive<int>(0);
        if (self.id() == k) self.send(0, 1);
      });
      EXPECT_EQ(first[0], k - 1 + 2 * lambda);
      const Times second = times_of(k + 1, {.lambda = lambda}, [k](Processor& self) {
        for (int to = 1; self.id() == 0 && to <= k; ++to) self.send(to, 1);
        if (self.id() == 0) (void)self.receive<int>(k);
        if (self.id() != 0) (void)self.receive<int>(0);
        for (int to = k - 1; self.id() == k && to >= 0; --to) self.send(to, 1);
        if (self.id() != 0 && self.id() != k) (void)self.receive<int>(k);
      });
      EXPECT_EQ(second[0], 2 * (k - 1 + lambda));
    }
  }
}

// --- Trees.
// --------------------------------------------------------------------------------------------

struct Tree {
  std::vector<int> parent;
  std::vector<std::vector<int>> children;  // in the order in which they are sent to
};

/// Splits [first, last): `kept(n)` of n stay with the first, which sends to the first of the rest.
template <class Kept>
void split(Tree& tree, int first, int last, const Kept& kept) {
  while (last - first > 1) {
    const int leader = first + kept(last - first);
    tree.parent[leader] = first;
    tree.children[first].push_back(leader);
    split(tree, leader, last, kept);
    last = leader;
  }
}
template <class Kept>
Tree tree_of(int p, const Kept& kept) {
  Tree tree{std::vector<int>(p, -1), std::vector<std::vector<int>>(p)};
  split(tree, 0, p, kept);
  return tree;
}
Rational broadcast_time(const Tree& tree, const Rational& lambda) {
  const auto p = static_cast<int>(tree.parent.size());
  return latest(times_of(p, {.lambda = lambda}, [&](Processor& self) {
    const int item = tree.parent[self.id()] < 0 ? 42 : self.receive<int>(tree.parent[self.id()]);
    EXPECT_EQ(item, 42);
    for (const int child : tree.children[self.id()]) self.send(child, item);
  }));
}

/// N_λ on the grid of λ's denominator, by its recursion, until it reaches `most`.
std::vector<std::int64_t> reach_of(const Rational& lambda, std::int64_t most) {
  std::vector<std::int64_t> reach;
  for (std::int64_t t = 0; reach.empty() || reach.back() < most; ++t) {
    reach.push_back(t < lambda.numerator()
                        ? 1
                        : reach[t - lambda.denominator()] + reach[t - lambda.numerator()]);
  }
  return reach;
}
std::int64_t least_time(const std::vector<std::int64_t>& reach, std::int64_t n) {
  return std::ranges::lower_bound(reach, n) - reach.begin();
}

TEST(VirtualClock, OfALambdaTreeIsTheOptimumExactly) {
  const std::vector<Rational> all = lambdas();
  ASSERT_GE(all.size(), 100u);
  int p = 2;
  for (const Rational& lambda : all) {
    const std::vector<std::int64_t> reach = reach_of(lambda, 70);
    for (int repeat = 0; repeat < 3; ++repeat) {
      p = p * 7 % 67;  // 1 … 66, in no order
      const Tree tree = tree_of(p, [&](int n) {
        const std::int64_t t = least_time(reach, n);
        return static_cast<int>(std::min<std::int64_t>(n - 1, reach[t - lambda.denominator()]));
      });
      EXPECT_EQ(broadcast_time(tree, lambda), Rational(least_time(reach, p), lambda.denominator()))
          << "lambda " << lambda << ", p = " << p;
    }
  }
}

Rational binomial_time(int n, const Rational& lambda) {
  if (n == 1) return 0;
  const int kept = (n + 1) / 2;
  return std::max(1 + binomial_time(kept, lambda), lambda + binomial_time(n - kept, lambda));
}

TEST(VirtualClock, OfABinomialTreeIsItsRecurrence) {
  for (const Rational& lambda : {Rational(1), Rational(9, 5), Rational(1293, 1000), Rational(6)}) {
    for (const int p : {1, 2, 3, 7, 16, 33, 64, 100}) {
      const Tree tree = tree_of(p, [](int n) { return (n + 1) / 2; });
      EXPECT_EQ(broadcast_time(tree, lambda), binomial_time(p, lambda)) << lambda << ", p = " << p;
    }
  }
  const Tree binomial = tree_of(64, [](int n) { return n / 2; });
  EXPECT_EQ(broadcast_time(binomial, Rational(9, 5)), Rational(54, 5));
}

// --- Both directions, several ports, long messages.
// ------------------------------------------------

// [P], section 3.1: in round r ≤ t-λ+1 everybody sends, in round r ≥ λ everybody receives.
TEST(VirtualClock, OfTheCombineIsTheRounds) {
  for (int lambda = 1; lambda <= 6; ++lambda) {
    for (int t = lambda; t <= lambda + 6; ++t) {
      const std::vector<std::int64_t> reach = reach_of(lambda, 1 << 20);
      const auto n = static_cast<int>(reach[t]);
      std::vector<int> sums(n);
      const Times times = times_of(n, {.lambda = lambda}, [&](Processor& self) {
        int sum = 1;
        for (int r = 1; r <= t; ++r) {
          if (r <= t - lambda + 1) {
            self.send(static_cast<int>((self.id() + reach[r + lambda - 2]) % n), sum);
          }
          if (r < lambda) continue;
          sum += self.receive<int>(static_cast<int>((self.id() + n - reach[r - 1]) % n));
        }
        sums[self.id()] = sum;
      });
      EXPECT_EQ(times, Times(n, t)) << "lambda " << lambda << ", n = " << n;
      EXPECT_EQ(sums, std::vector<int>(n, n));
    }
  }
}

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
// --------------------------------------------------------------------------------------

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

// --- Computing and barriers.
// ---------------------------------------------------------------------------

TEST(VirtualClock, ComputesWhileThePortsSend) {
  const Times times = times_of(2, {.lambda = 2}, [](Processor& self) {
    for (int i = 0; i < 3; ++i) {
      if (self.id() == 0) self.send(1, i);
      self.compute(Rational(1, 2));
      if (self.id() == 1) (void)self.receive<int>(0);
    }
  });
  EXPECT_EQ(times, (Times{Rational(3, 2), 4}));
}

TEST(VirtualClock, ComputesOnItsGridAlone) {
  const auto compute = [](const Rational& units, Time ticks_per_unit) {
    Machine machine({.processors = 1,
                     .clock = std::make_shared<VirtualClock>(
                         PostalParameters{.lambda = Rational(5, 2)}, ticks_per_unit)});
    machine.run([&](Processor& self) { self.compute(units); });
  };
  compute(Rational(5, 4), 0);  // λ/⌊λ⌋
  compute(Rational(1, 3), 6);
  compute(0, 0);
  EXPECT_NE(text_of<ProcessorError>([&] {
              compute(Rational(1, 3), 0);
            }).find("compute: 1/3 is not on the clock's grid of 4 ticks in a unit"),
            std::string::npos);
  EXPECT_NE(text_of<ProcessorError>([&] {
              compute(Rational(-1, 2), 0);
            }).find("compute: -1/2 is not allowed; at least 0"),
            std::string::npos);
}

TEST(VirtualClock, ABarrierTakesAllToTheLatestTimeAtNoCost) {
  const auto program = [](Processor& self) {
    Time expected = 0;  // in ticks of 1/5
    for (int turn = 0; turn < 5; ++turn) {
      const int late = turn * 3 % self.count();
      const int next = (late + 1) % self.count();
      if (self.id() == late) self.compute(7);
      if (self.id() == late && late != next) self.send(next, 1);
      self.barrier();
      EXPECT_EQ(self.now(), expected += 35);
      if (self.id() == next && late != next) (void)self.receive<int>(late);
      self.barrier();
      EXPECT_EQ(self.now(), expected += late != next ? 9 : 0);
    }
  };
  for (const int p : {1, 2, 3, 5, 8, 13}) {
    for (const int threads : {1, std::min(p, 2)}) {
      const Rational end = 5 * (7 + (p > 1 ? Rational(9, 5) : Rational(0)));
      EXPECT_EQ(times_of(p, {.lambda = Rational(9, 5)}, program, threads), Times(p, end));
    }
  }
}

// --- λ of the pair.
// ---------------------------------------------------------------------------------

Rational near_or_far(int source, int target) {
  return source / 2 == target / 2 ? Rational(3, 2) : Rational(10, 3);
}

TEST(VirtualClock, TakesAnotherLambdaForEachPair) {
  const auto star = [](Processor& self) {
    for (int to = 1; self.id() == 0 && to < self.count(); ++to) self.send(to, to);
    if (self.id() != 0) (void)self.receive<int>(0);
  };
  EXPECT_EQ(times_of(4, {.lambda = near_or_far}, star),
            (Times{0, Rational(3, 2), Rational(13, 3), Rational(16, 3)}));
}

TEST(VirtualClock, RefusesALambdaOfAPairBeforeAnythingIsSent) {
  const auto machine = [](Rational far, Time ticks) {
    Machine made({.processors = 4,
                  .threads = 1,
                  .clock = std::make_shared<VirtualClock>(
                      PostalParameters{.lambda = Latency([far](int source, int target) {
                                         return source == 1 && target == 2 ? far : Rational(2);
                                       })},
                      ticks)});
    made.run([](Processor& self) {
      if (self.id() == 1) self.send(2, 1);
      if (self.id() == 2) (void)self.receive<int>(1);
    });
  };
  EXPECT_EQ(text_of<std::invalid_argument>([&] { machine(Rational(1, 2), 0); }),
            "lambda from processor 1 to processor 2: 1/2 is not allowed; 1 to 1000000000");
  EXPECT_EQ(text_of<ProcessorError>([&] { machine(Rational(1, 2), 1); }),
            "processor 1: lambda from processor 1 to processor 2: 1/2 is not allowed; 1 to "
            "1000000000");
  EXPECT_EQ(text_of<ProcessorError>([&] { machine(Rational(7, 3), 2); }),
            "processor 1: lambda: 7/3 is not on the clock's grid of 2 ticks in a unit; a whole "
            "number of ticks is (ticks_per_unit: a multiple of 3)");
}

// --- Wrong arguments.
// ------------------------------------------------------------------------------

std::string refusal(const std::function<void()>& make) {
  return text_of<std::invalid_argument>(make);
}

TEST(VirtualClock, NamesWhatIsNotAllowed) {
  EXPECT_EQ(refusal([] { VirtualClock(Rational(4, 5)); }),
            "lambda: 4/5 is not allowed; 1 to 1000000000");
  EXPECT_EQ(refusal([] { VirtualClock(Rational(0)); }),
            "lambda: 0 is not allowed; 1 to 1000000000");
  EXPECT_EQ(refusal([] { VirtualClock(Rational::parse("0/0")); }),
            "0/0 is not a number; the denominator is at least 1");
  EXPECT_EQ(refusal([] { VirtualClock(2'000'000'000); }),
            "lambda: 2000000000 is not allowed; 1 to 1000000000");
  EXPECT_EQ(refusal([] { VirtualClock(Rational(2'000'000'001, 2'000'000'000)); }),
            "lambda: 2000000001/2000000000 is not allowed; its denominator is at most 1000000000");
  EXPECT_EQ(refusal([] { VirtualClock(Latency::OfPair()); }),
            "lambda: an empty function is not allowed; give one of the pair");
  EXPECT_EQ(refusal([] { VirtualClock(Rational(2), 0); }), "ports: 0 is not allowed; at least 1");
  EXPECT_EQ(refusal([] { VirtualClock(PostalParameters{}, -1); }),
            "ticks_per_unit: -1 is not allowed; 1 to 1000000000");
  EXPECT_EQ(refusal([] { VirtualClock(PostalParameters{.lambda = Rational(9, 5)}, 4); }),
            "lambda: 9/5 is not on the clock's grid of 4 ticks in a unit; a whole number of ticks "
            "is (ticks_per_unit: a multiple of 5)");
}

TEST(VirtualClock, SaysWhenTimesDoNotFit) {
  Machine machine({.processors = 2,
                   .threads = 1,
                   .clock = std::make_shared<VirtualClock>(
                       PostalParameters{.lambda = 1'000'000'000}, 1'000'000'000)});
  EXPECT_NE(text_of<ProcessorError>([&] {
              machine.run([](Processor& self) {
                for (int i = 0; i < 20; ++i) {
                  if (self.id() == i % 2) self.send(1 - self.id(), 1);
                  if (self.id() != i % 2) (void)self.receive<int>(1 - self.id());
                }
              });
            }).find("does not fit 64 bits"),
            std::string::npos);
}

// --- Runs.
// ----------------------------------------------------------------------------------------------

TEST(VirtualClock, BeginsEachRunAtZero) {
  const auto clock = std::make_shared<VirtualClock>(Rational(9, 5));
  Machine machine({.processors = 5, .clock = clock});
  const auto ring = [](Processor& self) {
    self.send((self.id() + 1) % 5, 1);
    (void)self.receive<int>((self.id() + 4) % 5);
    if (self.id() == 3 && self.count() == 5) self.compute(1);
  };
  for (int repeat = 0; repeat < 3; ++repeat) {
    machine.run(ring);
    EXPECT_EQ(clock->finish(), Rational(14, 5));
    EXPECT_EQ(clock->time(0), Rational(9, 5));
    EXPECT_THROW(machine.run([&](Processor& self) {
      if (self.id() == 2) throw std::runtime_error("a run that fails half-way");
      ring(self);
    }),
                 ProcessorError);
  }
}

}  // namespace
}  // namespace postroom
