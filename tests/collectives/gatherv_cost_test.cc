// Costs and times of gatherv and scatterv are those of their messages; and which algorithm
// automatic stands for.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <random>
#include <tuple>

#include "collectives/gatherv.h"
#include "collectives/scatterv.h"
#include "runtime/virtual_clock.h"
#include "tests/collectives/testing.h"
#include "tests/collectives/uneven_blocks.h"

namespace postroom {
namespace {

/// Source, target, bytes.
using Messages = std::vector<std::tuple<int, int, std::size_t>>;

Messages traced(int processors, const Machine::Program& program) {
  tracing_machine_of(processors).run(program);
  Messages messages;
  for (const Trace::Message& message : tracing_machine_of(processors).trace().messages()) {
    messages.emplace_back(message.source, message.target, message.bytes);
  }
  std::ranges::sort(messages);
  return messages;
}

/// The algorithms of scatterv that send messages, all of which gatherv has, too.
std::vector<Algorithm> algorithms_with_messages() {
  std::vector<Algorithm> algorithms;
  for (const Algorithm algorithm : scatterv_algorithms()) {
    if (algorithm != Algorithm::slots && algorithm != Algorithm::turns) {
      algorithms.push_back(algorithm);
    }
  }
  return algorithms;
}

// The trace of a gatherv may count fewer rounds than one port takes (collectives/models/cost.h). So
// its cost is compared with that of a scatterv, which sends the same messages backwards.
TEST(GathervCost, IsScattervBackwardsAndCostsWhatTheTraceCounts) {
  constexpr unsigned kSeed = 1995;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  std::mt19937 random(kSeed);
  for (const int p : kCounts) {
    for (int times = 0; times < 4; ++times) {
      const Counts counts = random_counts(p, random);
      const int root = static_cast<int>(random() % static_cast<unsigned>(p));
      for (const Algorithm algorithm : algorithms_with_messages()) {
        SCOPED_TRACE(to_string(algorithm) + ", p = " + std::to_string(p) + ", root " +
                     std::to_string(root));
        Messages gathered = traced(p, [&](Processor& self) {
          List all(self.id() == root ? blocks_of_all(counts).size() : 0);
          gatherv(self, root, List(own(self, counts)), all, counts, algorithm);
        });
        for (auto& [source, target, bytes] : gathered) std::swap(source, target);
        std::ranges::sort(gathered);
        const List all = blocks_of_all(counts);
        EXPECT_EQ(traced(p,
                         [&](Processor& self) {
                           scatterv(self, root, all, counts, List(own(self, counts)), algorithm);
                         }),
                  gathered);
        const Trace& trace = tracing_machine_of(p).trace();
        const Cost run{trace.rounds(), static_cast<std::int64_t>(trace.volume())};
        EXPECT_EQ(scatterv_cost(root, counts, kElementBytes, algorithm), run);
        EXPECT_EQ(gatherv_cost(root, counts, kElementBytes, algorithm), run);
      }
    }
  }
}

TEST(GathervCost, AndScattervOfUnknownSizesAskForThemFirst) {
  constexpr int p = 13;
  constexpr int root = 4;
  const Counts counts = uneven_counts(p, 40, 1);
  const Counts ones(p, 1);
  const List all = blocks_of_all(counts);
  const auto both = [](Messages a, const Messages& b) {
    a.insert(a.end(), b.begin(), b.end());
    std::ranges::sort(a);
    return a;
  };
  for (const Algorithm algorithm : algorithms_with_messages()) {
    SCOPED_TRACE(to_string(algorithm));
    const auto gather_of = [&](const Counts& sizes) {
      return traced(p, [&](Processor& self) {
        List target(self.id() == root ? blocks_of_all(sizes).size() : 0);
        gatherv(self, root, List(own(self, sizes)), target, sizes, algorithm);
      });
    };
    const auto scatter_of = [&](const Counts& sizes) {
      return traced(p, [&](Processor& self) {
        scatterv(self, root, blocks_of_all(sizes), sizes, List(own(self, sizes)), algorithm);
      });
    };
    EXPECT_EQ(traced(p,
                     [&](Processor& self) {
                       (void)gatherv(self, root, List(own(self, counts)), algorithm);
                     }),
              both(gather_of(ones), gather_of(counts)));
    EXPECT_EQ(
        traced(p, [&](Processor& self) { (void)scatterv(self, root, all, counts, algorithm); }),
        both(scatter_of(ones), scatter_of(counts)));
  }
}

TEST(GathervCost, BySlotsAndTurnsThereAreNoMessagesAndNoModelPredictsThem) {
  const Counts counts{3, 0, 5};
  EXPECT_EQ(gatherv_cost(1, counts, kElementBytes, Algorithm::turns), Cost());
  EXPECT_EQ(scatterv_cost(1, counts, kElementBytes, Algorithm::turns), Cost());
  EXPECT_EQ(scatterv_cost(1, counts, kElementBytes, Algorithm::slots), Cost());
  const TimeModel model = TimeModel::postal(2, 1);
  EXPECT_EQ(gatherv_time(1, counts, kElementBytes, Algorithm::turns, model), kNotPredicted);
  EXPECT_EQ(scatterv_time(1, counts, kElementBytes, Algorithm::turns, model), kNotPredicted);
  EXPECT_EQ(scatterv_time(1, counts, kElementBytes, Algorithm::slots, model), kNotPredicted);
}

TEST(GathervCost, CostsByATreeWhatTheHeaderSays) {
  constexpr std::int64_t kLength = sizeof(std::uint64_t);
  for (const int p : kCounts) {
    const Counts equal(static_cast<std::size_t>(p), 5);
    EXPECT_EQ(gatherv_cost(0, equal, 3, Algorithm::binomial),
              (Cost{doubling_rounds(p), (15 + kLength) * (p - 1)}));
    Counts one_has_all(static_cast<std::size_t>(p));
    one_has_all.back() = 100;
    const Cost cost = gatherv_cost(0, one_has_all, 1, Algorithm::binomial);
    EXPECT_EQ(cost.rounds, doubling_rounds(p));
    EXPECT_LE(cost.bytes, 100 * doubling_rounds(p) + kLength * (p - 1));
  }
  // To the one that is farthest from the root.
  Counts last_has_all(8);
  last_has_all.back() = 100;
  EXPECT_EQ(scatterv_cost(0, last_has_all, 1, Algorithm::binomial), (Cost{3, 300 + 8 * 7}));
}

TEST(GathervCost, AndScattervTakeThePredictedTime) {
  constexpr unsigned kSeed = 1994;
  constexpr double kT0 = 200'000;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  std::mt19937 random(kSeed);
  for (const int p : {1, 2, 3, 5, 8, 13, 33}) {
    for (const Rational lambda : {Rational(1), Rational(9, 5), Rational(3)}) {
      for (const auto& [unit_bytes, ports] :
           {std::pair(0, 1), std::pair(16, 1), std::pair(16, 2)}) {
        const auto units = static_cast<std::size_t>(unit_bytes);
        const auto clock = std::make_shared<VirtualClock>(
            PostalParameters{.lambda = lambda, .ports = ports, .unit_bytes = units});
        Machine machine({.processors = p, .clock = clock});
        const TimeModel model = TimeModel::postal(lambda, kT0, units, ports);
        const Counts counts = random_counts(p, random);
        const int root = static_cast<int>(random() % static_cast<unsigned>(p));
        const List all = blocks_of_all(counts);
        std::vector<Algorithm> algorithms{Algorithm::automatic};
        std::ranges::copy(algorithms_with_messages(), std::back_inserter(algorithms));
        for (const Algorithm algorithm : algorithms) {
          SCOPED_TRACE(to_string(algorithm) + ", p = " + std::to_string(p) + ", root " +
                       std::to_string(root) + ", lambda " + to_string(lambda) + ", units of " +
                       std::to_string(unit_bytes) + ", ports " + std::to_string(ports));
          const auto expect_time = [&](double predicted, const Machine::Program& program) {
            machine.run(program);
            const double seen = clock->finish().to_double();
            EXPECT_NEAR(predicted / kT0, seen, 1e-5 * (1 + seen));
          };
          expect_time(gatherv_time(root, counts, kElementBytes, algorithm, model),
                      [&](Processor& self) {
                        List target(self.id() == root ? all.size() : 0);
                        gatherv(self, root, List(own(self, counts)), target, counts, algorithm);
                      });
          expect_time(scatterv_time(root, counts, kElementBytes, algorithm, model),
                      [&](Processor& self) {
                        scatterv(self, root, all, counts, List(own(self, counts)), algorithm);
                      });
        }
      }
    }
  }
}

TEST(GathervCost, AndScattervAreLinearOnTheWallClockOrBySlots) {
  for (const int p : {1, 2, 8, 33}) {
    for (Machine* machine : {&machine_of(p), &one_thread_machine_of(p), &tracing_machine_of(p)}) {
      machine->run([](Processor& self) {
        EXPECT_EQ(choose_gatherv(self), Algorithm::linear);
        const bool by_slots = self.takes_turns() && self.hand_limits().out > 0;
        EXPECT_EQ(choose_scatterv(self),
                  by_slots && self.count() >= 16 ? Algorithm::slots : Algorithm::linear);
      });
    }
  }
}

TEST(GathervCost, AndScattervTakeLeastInAModel) {
  for (const auto& [lambda, p, best] : {std::tuple(Rational(1), 2, Algorithm::linear),
                                        std::tuple(Rational(1), 64, Algorithm::binomial),
                                        std::tuple(Rational(100), 16, Algorithm::linear),
                                        std::tuple(Rational(100), 10'000, Algorithm::binomial)}) {
    const TimeModel model = TimeModel::postal(lambda, 1);
    EXPECT_EQ(choose_gatherv(p, model), best) << lambda << ", p = " << p;
    EXPECT_EQ(choose_scatterv(p, model), best) << lambda << ", p = " << p;
    if (p > 64) continue;
    Machine machine({.processors = p, .clock = std::make_shared<VirtualClock>(lambda)});
    machine.run([best = best](Processor& self) {
      EXPECT_EQ(choose_gatherv(self), best);
      EXPECT_EQ(choose_scatterv(self), best);
    });
  }
}

}  // namespace
}  // namespace postroom
