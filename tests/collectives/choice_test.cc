// Algorithm::automatic: in a model nothing that there is takes less, all processors agree, and on
// the wall clock nothing has changed.
#include "collectives/choice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "collectives/allgather.h"
#include "collectives/allgatherv.h"
#include "collectives/allreduce.h"
#include "collectives/alltoall.h"
#include "collectives/barrier.h"
#include "collectives/broadcast.h"
#include "collectives/chosen_algorithm.h"
#include "collectives/gather.h"
#include "collectives/models/postal_model.h"
#include "collectives/models/time_model.h"
#include "collectives/models/variants.h"
#include "collectives/parts/operator.h"
#include "collectives/reduce_scatter.h"
#include "runtime/group.h"
#include "runtime/light_machine.h"
#include "runtime/machine.h"
#include "runtime/postal_parameters.h"
#include "runtime/processor.h"
#include "runtime/rational.h"
#include "runtime/virtual_clock.h"

namespace postroom {
namespace {

constexpr double kT0 = 1e6;

TEST(Choice, OfABroadcastIsTheTreeForTheLatency) {
  for (const Rational lambda : {Rational(1), Rational(9, 5), Rational(5, 2), Rational(7)}) {
    for (const int p : {2, 5, 64, 1000}) {
      SCOPED_TRACE("lambda " + to_string(lambda) + ", p = " + std::to_string(p));
      const TimeModel model = TimeModel::postal(lambda, kT0);
      const double least = PostalModel(lambda).time(p).to_double() * kT0;
      EXPECT_NEAR(broadcast_time(p, 100, Algorithm::automatic, model), least, 1e-5 * least);
    }
  }
}

TEST(Choice, TakesTheRadixAndPortsThatPay) {
  const TimeModel start_ups{.latency_ns = 1000, .busy_ns = 1000, .per_byte_ns = 1};
  EXPECT_EQ(choose_alltoall(64, 1, start_ups), Algorithm::bruck(2));
  const Algorithm large = choose_alltoall(64, 1 << 20, start_ups);
  EXPECT_DOUBLE_EQ(alltoall_time(64, 1 << 20, large, start_ups),
                   alltoall_time(64, 1 << 20, Algorithm::shared, start_ups));
  const TimeModel ports = TimeModel::postal(2, kT0, 0, 3);
  EXPECT_EQ(choose_allgather(64, 8, ports), Algorithm::circulant(3));
}

TEST(Choice, CutsLongListsIntoBlocks) {
  const TimeModel model = TimeModel::postal(2, kT0, 1024);
  const Algorithm choice = choose_broadcast(16, 1 << 20, model);
  EXPECT_GT(choice.blocks, 8) << choice;
  EXPECT_LT(broadcast_time(16, 1 << 20, choice, model),
            broadcast_time(16, 1 << 20, Algorithm::binomial, model) / 2);
}

TEST(Choice, AMessageOfHoweverLargeAUnitIsOneUnit) {
  const TimeModel model = TimeModel::postal(2, kT0, SIZE_MAX);
  EXPECT_EQ(model.busy(1 << 20), kT0);
  const TimeModel of_messages = TimeModel::postal(2, kT0);
  EXPECT_EQ(choose_broadcast(64, 1 << 20, model), choose_broadcast(64, 1 << 20, of_messages));
}

// Calls collectives in a model, of one size and of several.
struct AtTheEnd {
  static void choose(std::size_t more) {
    LightMachine machine(3, std::make_shared<VirtualClock>(Rational(2)));
    machine.run([&](Processor& self) {
      const std::vector<std::size_t> counts{1, 2, more};
      const std::vector<int> own(counts[static_cast<std::size_t>(self.id())], self.id());
      std::vector<int> all(3 + more);
      allgatherv(self, own, all, counts);
      if (all.back() != 2 || allgather(self, self.id()).back() != 2) std::_Exit(1);
    });
  }
  ~AtTheEnd() { choose(40); }
};

TEST(Choice, WhatADestructorOfAStaticObjectCallsFindsNoMemoryThatIsGone) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        static const AtTheEnd at_the_end;
        AtTheEnd::choose(30);
        std::exit(3);
      },
      ::testing::ExitedWithCode(3), "");
}

TEST(Choice, IsNeverSlowerThanAnyVariant) {
  for (const TimeModel& model :
       {TimeModel::postal(Rational(9, 5), kT0), TimeModel::postal(3, kT0, 64, 2),
        TimeModel{.latency_ns = 5000, .busy_ns = 1000, .per_byte_ns = 2}}) {
    for (const std::int64_t bytes : {8, 512, 16384}) {
      for (const int p : {3, 8, 13}) {
        const double chosen = alltoall_time(p, bytes, Algorithm::automatic, model);
        for (const Algorithm& listed : alltoall_algorithms()) {
          for (const Algorithm& variant : variants_of(listed, p, bytes, model)) {
            EXPECT_LE(chosen, alltoall_time(p, bytes, variant, model) * 1.00001)
                << variant << ", p = " << p << ", " << bytes << " bytes";
          }
        }
      }
    }
  }
}

TEST(Choice, ForAnOperatorThatCommutesIsNeverSlowerThanAnyVariant) {
  bool out_of_order = false;
  for (const TimeModel& model :
       {TimeModel::postal(2, kT0), TimeModel::postal(Rational(9, 5), kT0),
        TimeModel::postal(3, kT0, 64),
        TimeModel{.latency_ns = 5000, .busy_ns = 1000, .per_byte_ns = 2}}) {
    for (const std::int64_t bytes : {8, 512, 16384}) {
      for (const int p : {2, 3, 8, 13}) {
        const Algorithm choice = choose_commuting_allreduce(p, bytes, model);
        out_of_order = out_of_order || !allreduce_keeps_order(choice);
        const double chosen = allreduce_time(p, bytes, choice, model);
        for (const Algorithm& listed : allreduce_algorithms()) {
          for (const Algorithm& variant : variants_of(listed, p, bytes, model)) {
            EXPECT_LE(chosen, allreduce_time(p, bytes, variant, model) * 1.00001)
                << variant << ", p = " << p << ", " << bytes << " bytes";
          }
        }
        EXPECT_TRUE(allreduce_keeps_order(choose_allreduce(p, bytes, model)));
      }
    }
  }
  EXPECT_TRUE(out_of_order);
}

// When a call of all processors has ended.
Rational finish_of(int processors, const PostalParameters& model,
                   const std::function<void(Processor&)>& call) {
  const auto clock = std::make_shared<VirtualClock>(model);
  Machine machine({.processors = processors, .clock = clock});
  machine.run(call);
  return clock->finish();
}

TEST(Choice, TakesTheGlobalCombineWhereTheOperatorCommutes) {
  constexpr int kProcessors = 13;
  const auto less = [](int a, int b) { return std::min(a, b); };
  const auto finish_with = [&](auto op, int expected) {
    return finish_of(kProcessors, {.lambda = 3}, [&](Processor& self) {
      EXPECT_EQ(allreduce(self, self.id() + 1, op), expected);
    });
  };
  const Rational least = PostalModel(3).time(kProcessors);
  EXPECT_EQ(finish_with(std::plus<>(), kProcessors * (kProcessors + 1) / 2), least);
  EXPECT_EQ(finish_with(commuting(less), 1), least);
  EXPECT_GT(finish_with(less, 1), least);
}

TEST(Choice, OfAReduceScatterKnowsWhetherTheOperatorCommutes) {
  constexpr int kProcessors = 9;
  const std::vector<std::size_t> counts(kProcessors, 8);
  const auto add = [](int a, int b) { return a + b; };
  const auto finish_with = [&](auto op) {
    return finish_of(kProcessors, {.lambda = 1}, [&](Processor& self) {
      std::vector<int> mine(8);
      reduce_scatter(self, std::vector<int>(8 * kProcessors, self.id()), mine, counts, op);
      EXPECT_EQ(mine, std::vector<int>(8, kProcessors * (kProcessors - 1) / 2));
    });
  };
  // Whatever its size, a message is a unit of time: so ceil(log2 9) rounds.
  EXPECT_EQ(finish_with(std::plus<>()), 4);
  EXPECT_EQ(finish_with(commuting(add)), 4);
  EXPECT_GT(finish_with(add), 4);
}

TEST(Choice, DoesWithoutReplaysThatTakeLong) {
  EXPECT_FALSE(replays_too_long(64, Algorithm::block_circulant(512)));
  EXPECT_TRUE(replays_too_long(1000, Algorithm::block_circulant(9)));
  EXPECT_FALSE(replays_too_long(100'000, Algorithm::block_circulant(1)));
  EXPECT_FALSE(replays_too_long(100'000, Algorithm::ring));
  std::vector<std::size_t> counts(400, 10);
  counts.front() = 100'000;  // worth many pieces
  const TimeModel model = TimeModel::postal(2, kT0, 8);
  for (const Algorithm& chosen :
       {choose_allgatherv(counts, 8, model), choose_commuting_reduce_scatter(counts, 8, model)}) {
    EXPECT_FALSE(replays_too_long(400, chosen)) << chosen;
    EXPECT_GT(chosen.blocks, 1);
  }
}

TEST(Choice, KnowsWhichOperatorsCommute) {
  const std::plus<> plus;
  const std::minus<> minus;
  const auto chosen = commuting(minus);
  EXPECT_TRUE(Operator::of<int>(plus).commutes());
  EXPECT_TRUE(Operator::of<std::uint8_t>(plus).commutes());
  EXPECT_FALSE(Operator::of<double>(plus).commutes());
  EXPECT_FALSE(Operator::of<int>(minus).commutes());
  EXPECT_TRUE(Operator::of<int>(chosen).commutes());
  EXPECT_TRUE((kCommutes<std::bit_xor<int>, int>));
  EXPECT_TRUE((kCommutes<Maximum, int> && kCommutes<Minimum, char>));
  EXPECT_FALSE((kCommutes<Maximum, double>)) << "not with NaN";
  EXPECT_FALSE((kCommutes<std::bit_xor<int>, long>));
}

TEST(Choice, TriesEachVariantOnce) {
  for (const int p : {2, 3, 4, 5, 8, 9, 16, 64}) {
    for (const int ports : {1, 2, 3}) {
      const TimeModel model = TimeModel::postal(2, kT0, 0, ports);
      for (const Algorithm& listed : {Algorithm::bruck(2), Algorithm::bruck_unrotated(2)}) {
        const std::vector<Algorithm> variants = variants_of(listed, p, 4, model);
        for (std::size_t i = 0; i < variants.size(); ++i) {
          EXPECT_EQ(std::count(variants.begin(), variants.end(), variants[i]), 1)
              << variants[i] << ", p = " << p << ", ports " << ports;
        }
      }
    }
  }
}

TEST(Choice, IsWhatRuns) {
  const Rational lambda(9, 5);
  const auto clock = std::make_shared<VirtualClock>(lambda);
  Machine machine({.processors = 64, .clock = clock});
  std::vector<int> value(1);
  machine.run([&](Processor& self) {
    int token = self.id() == 3 ? 7 : 0;
    broadcast(self, 3, token);
    EXPECT_EQ(token, 7);
  });
  EXPECT_EQ(clock->finish(), PostalModel(lambda).time(64));
}

TEST(Choice, IsRememberedForEachModelAndSize) {
  for (int again = 0; again < 2; ++again) {
    for (const int lambda : {1, 4}) {
      for (const std::size_t bytes : {std::size_t{1}, std::size_t{100}, std::size_t{4096}}) {
        const auto clock =
            std::make_shared<VirtualClock>(PostalParameters{.lambda = lambda, .unit_bytes = 64});
        Machine machine({.processors = 13, .clock = clock});
        machine.run([&](Processor& self) {
          const std::vector<char> mine(bytes, static_cast<char>(self.id()));
          std::vector<char> all(bytes * 13);
          allgather(self, mine, all);
          EXPECT_EQ(all.back(), 12);
        });
        const TimeModel model = TimeModel::postal(lambda, kT0, 64);
        const double predicted =
            allgather_time(13, static_cast<std::int64_t>(bytes), Algorithm::automatic, model);
        EXPECT_NEAR(clock->finish().to_double(), predicted / kT0, 1e-5 * predicted / kT0);
      }
    }
  }
}

// A function need not say what the latency of a processor to itself is.
TEST(Choice, AsksNothingOfOneProcessor) {
  const Latency distance(
      [](int source, int target) { return Rational(std::abs(source - target)); });
  for (const int p : {1, 3}) {
    Machine machine({.processors = p, .clock = std::make_shared<VirtualClock>(distance)});
    machine.run([](Processor& self) {
      Group alone(self, {self.id()});
      int token = self.id();
      broadcast(alone, 0, token);
      EXPECT_EQ(gather(alone, 0, token), std::vector<int>{self.id()});
      broadcast(self, 0, token);
      EXPECT_EQ(token, 0);
    });
  }
}

TEST(Choice, OnTheWallClockIsBySize) {
  for (const std::int64_t bytes : {1, 1000, 100'000}) {
    EXPECT_EQ(chosen_algorithm("broadcast", 8, bytes), choose_broadcast(8, bytes));
    EXPECT_EQ(chosen_algorithm("gather", 8, bytes), choose_gather(8, bytes));
    EXPECT_EQ(chosen_algorithm("alltoall", 8, bytes), choose_alltoall(8, bytes));
  }
  EXPECT_EQ(chosen_algorithm("scan", 8, 8), Algorithm::hillis_steele);
  EXPECT_EQ(chosen_algorithm("barrier", 8, 0), Algorithm::machine);
}

// Where processors have nothing but messages, a barrier takes the time of some.
TEST(Choice, ABarrierOfAModelSendsMessages) {
  const TimeModel model = TimeModel::postal(5, kT0);
  EXPECT_EQ(chosen_algorithm("barrier", 8, 0, model), Algorithm::dissemination);
  EXPECT_DOUBLE_EQ(barrier_time(8, Algorithm::automatic, model), 15 * kT0);
  const auto clock = std::make_shared<VirtualClock>(PostalParameters{.lambda = 5});
  Machine machine({.processors = 8, .clock = clock});
  machine.run([](Processor& self) {
    EXPECT_EQ(chosen_algorithm("barrier", self, 0), Algorithm::dissemination);
    barrier(self);
  });
  EXPECT_EQ(clock->finish(), 15);
}

TEST(Choice, RefusesWhatThereIsNot) {
  try {
    chosen_algorithm("sort", 8, 8);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "operation: \"sort\" is not allowed; broadcast, reduce, allreduce, scan, scatter, "
                 "gather, allgather, alltoall, barrier");
  }
  EXPECT_THROW(chosen_algorithm("scan", 0, 8), std::invalid_argument);
  EXPECT_THROW(TimeModel::postal(Rational(1, 2), kT0), std::invalid_argument);
  EXPECT_THROW(TimeModel::postal(2, -1), std::invalid_argument);
  EXPECT_THROW(TimeModel::postal(2, kT0, 0, 0), std::invalid_argument);
  const TimeModel early{.latency_ns = 1, .busy_ns = 2};
  EXPECT_THROW(broadcast_time(4, 1, Algorithm::binomial, early), std::invalid_argument);
}

TEST(Latency, OfAMessageIsItsOwn) {
  EXPECT_EQ(latency_of_message(1, TimeModel::postal(Rational(9, 5), kT0)), Rational(9, 5));
  // Four units: (λ + 3) / 4.
  EXPECT_EQ(latency_of_message(32, TimeModel::postal(2, kT0, 8)), Rational(5, 4));
}

}  // namespace
}  // namespace postroom
