#include "runtime/virtual_clock.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "fat_trees/fat_tree.h"
#include "runtime/latency_by_level.h"
#include "runtime/light_machine.h"
#include "tests/runtime/virtual_times.h"

namespace postroom {
namespace {

// --- The model's own examples.

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

// --- Computing and barriers.

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
  EXPECT_NE(thrown<ProcessorError>([&] {
              compute(Rational(1, 3), 0);
            }).find("compute: 1/3 is not on the clock's grid of 4 ticks in a unit"),
            std::string::npos);
  EXPECT_NE(thrown<ProcessorError>([&] {
              compute(Rational(-1, 2), 0);
            }).find("compute: -1/2 is not allowed; at least 0"),
            std::string::npos);
}

TEST(VirtualClock, HasTimesOfTheProcessorsOfItsMachineAlone) {
  const auto clock = std::make_shared<VirtualClock>(Rational(2));
  EXPECT_THROW((void)clock->time(0), std::invalid_argument);
  const Machine machine({.processors = 3, .clock = clock});
  EXPECT_EQ(clock->time(2), Rational(0));
  EXPECT_EQ(refusal([&] { (void)clock->time(3); }), "3 is not a processor; 0 to 2 are");
  EXPECT_THROW((void)clock->time(-1), std::invalid_argument);
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
  EXPECT_EQ(thrown<std::invalid_argument>([&] { machine(Rational(1, 2), 0); }),
            "lambda from processor 1 to processor 2: 1/2 is not allowed; 1 to 1000000000");
  EXPECT_EQ(thrown<ProcessorError>([&] { machine(Rational(1, 2), 1); }),
            "processor 1: lambda from processor 1 to processor 2: 1/2 is not allowed; 1 to "
            "1000000000");
  EXPECT_EQ(thrown<ProcessorError>([&] { machine(Rational(7, 3), 2); }),
            "processor 1: lambda: 7/3 is not on the clock's grid of 2 ticks in a unit; a whole "
            "number of ticks is (ticks_per_unit: a multiple of 3)");
}

// Each machine has pairs of its own.
TEST(VirtualClock, ChoosesItsGridForEachMachine) {
  const auto clock = std::make_shared<VirtualClock>(Latency([](int source, int target) {
    return source < 4 && target < 4 ? Rational(1) : Rational(3, 2);
  }));
  for (const int p : {4, 8, 2}) {
    Machine machine({.processors = p, .clock = clock});
    machine.run([&](Processor& self) {
      if (self.id() == 0) self.send(p - 1, 1);
      if (self.id() == p - 1) (void)self.receive<int>(0);
    });
    EXPECT_EQ(clock->finish(), p == 8 ? Rational(3, 2) : Rational(1));
  }
}

// --- Wrong arguments.

// Every pair would be 10^10 questions.
TEST(VirtualClock, ChoosesItsGridByLevelsWhereTheyAreKnown) {
  constexpr int kProcessors = 100'000;
  const FatTree tree = FatTree::balanced(kProcessors);
  std::vector<Rational> by_level(static_cast<std::size_t>(tree.levels()), Rational(5, 3));
  by_level.back() = Rational(7, 4);
  VirtualClock clock(latency_by_level(tree, by_level));
  clock.start(kProcessors);
  EXPECT_EQ(clock.ticks_per_unit(), 12);
}

TEST(VirtualClock, RefusesMoreProcessorsThanTheLatencyKnows) {
  VirtualClock clock(
      latency_by_level(FatTree::balanced(8), {Rational(1), Rational(2), Rational(3)}));
  clock.start(5);
  clock.start(8);
  try {
    clock.start(9);
    ADD_FAILURE() << "9 processors were accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "processors: 9 are not allowed; at most 8, the leaves of the tree of the latency");
  }
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
  EXPECT_NE(thrown<ProcessorError>([&] {
              machine.run([](Processor& self) {
                for (int i = 0; i < 20; ++i) {
                  if (self.id() == i % 2) self.send(1 - self.id(), 1);
                  if (self.id() != i % 2) (void)self.receive<int>(1 - self.id());
                }
              });
            }).find("does not fit 64 bits"),
            std::string::npos);
}

// The largest λ that there is leaves room for a tree of a thousand and more.
TEST(VirtualClock, TakesTheLargestLambda) {
  const auto clock = std::make_shared<VirtualClock>(Latency::kMost);
  EXPECT_EQ(clock->ticks_per_unit(), 1);
  Machine machine({.processors = 2, .threads = 1, .clock = clock});
  machine.run([](Processor& self) {
    for (int i = 0; i < 20; ++i) {
      if (self.id() == i % 2) self.send(1 - self.id(), 1);
      if (self.id() != i % 2) (void)self.receive<int>(1 - self.id());
    }
  });
  EXPECT_EQ(clock->finish(), 20 * Latency::kMost);
  EXPECT_EQ(VirtualClock(Rational(5, 2)).ticks_per_unit(), 4);
  EXPECT_EQ(VirtualClock(7).ticks_per_unit(), 7);
}

// --- Runs.

TEST(VirtualClock, ServesMachinesByTurns) {
  const auto clock = std::make_shared<VirtualClock>(3);
  Machine large({.processors = 9, .clock = clock});
  Machine small({.processors = 2, .clock = clock});
  const auto to_the_last = [](Processor& self) {
    const int last = self.count() - 1;
    if (self.id() == 0) self.send(last, 1);
    if (self.id() == last) (void)self.receive<int>(0);
  };
  for (int repeat = 0; repeat < 2; ++repeat) {
    large.run(to_the_last);
    EXPECT_EQ(clock->time(8), Rational(3));
    small.run(to_the_last);
    EXPECT_EQ(clock->time(1), Rational(3));
    EXPECT_EQ(clock->finish(), Rational(3));
  }
}

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

TEST(VirtualClock, ServesOneMachineAtATime) {
  const auto clock = std::make_shared<VirtualClock>(Rational(2));
  Machine machine({.processors = 2, .clock = clock});
  Machine another({.processors = 3, .clock = clock});
  const std::string what = "a clock serves one machine at a time, and this one's is at work";
  machine.run([&](Processor& self) {
    if (self.id() == 1) return;
    EXPECT_EQ(thrown<std::logic_error>([&] { another.run([](Processor&) {}); }), what);
    EXPECT_EQ(thrown<std::logic_error>([&] { Machine({.processors = 3, .clock = clock}); }), what);
    EXPECT_EQ(thrown<std::logic_error>([&] { LightMachine(2, clock); }), what);
  });
  // Afterwards it is free, for another one, too, and where a run has failed.
  EXPECT_THROW(machine.run([](Processor&) { throw 1; }), std::exception);
  another.run([](Processor& self) { self.barrier(); });
  LightMachine(2, clock).run([](Processor& self) { self.barrier(); });
}

}  // namespace
}  // namespace postroom
