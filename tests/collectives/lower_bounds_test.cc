// Lower bounds: no algorithm beats them, and some meet them.
#include "collectives/models/lower_bounds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "collectives/allgather.h"
#include "collectives/alltoall.h"
#include "collectives/models/linear_model.h"
#include "tests/collectives/testing.h"

namespace postroom {
namespace {

TEST(LowerBounds, HoldForEveryAlltoall) {
  int met = 0;
  for (int n = 1; n <= 70; ++n) {
    for (int ports = 1; ports <= 4; ++ports) {
      for (int radix = 2; radix <= std::max(2, n); ++radix) {
        for (const std::int64_t block : {0, 1, 7}) {
          const Cost cost = alltoall_cost(n, block, Algorithm::bruck(radix, ports));
          EXPECT_GE(cost.rounds, least_rounds(n, ports));
          EXPECT_GE(cost.bytes, least_bytes(n, block, ports));
          const std::int64_t compound =
              least_alltoall_bytes_in_rounds(n, block, ports, cost.rounds);
          EXPECT_GE(cost.bytes, compound) << n << " " << ports << " " << radix << " " << block;
          met += block > 0 && n > 1 && cost.bytes == compound;
          const bool exactly_least = cost.bytes * ports == block * (n - 1);
          if (exactly_least && block > 0) {
            EXPECT_GE(cost.rounds, least_alltoall_rounds_for_least_bytes(n, ports));
          }
        }
      }
    }
  }
  EXPECT_GT(met, 100);
}

TEST(LowerBounds, HoldForEveryAllgather) {
  for (int n = 1; n <= 70; ++n) {
    for (const std::int64_t block : {0, 1, 7}) {
      for (int ports = 1; ports <= std::max(1, n - 1); ++ports) {
        for (const Algorithm algorithm :
             {Algorithm::circulant(ports), Algorithm::circulant_least_bytes(ports),
              Algorithm::circulant_unrotated(ports)}) {
          const Cost cost = allgather_cost(n, block, algorithm);
          EXPECT_GE(cost.rounds, least_rounds(n, ports));
          EXPECT_GE(cost.bytes, least_bytes(n, block, ports));
        }
      }
      for (const Algorithm algorithm : {Algorithm::ring, Algorithm::gather_broadcast}) {
        EXPECT_GE(allgather_cost(n, block, algorithm).rounds, least_rounds(n, 1));
        EXPECT_GE(allgather_cost(n, block, algorithm).bytes, least_bytes(n, block, 1));
      }
    }
  }
}

// Theorem 2.5, as the paper writes it, and that the algorithm meets it.
TEST(LowerBounds, OfTheFewestRoundsAreMetWhereTheRadixIsTheBase) {
  for (int ports = 1; ports <= 4; ++ports) {
    std::int64_t n = 1;
    for (int rounds = 1; n * (ports + 1) <= 300; ++rounds) {
      n *= ports + 1;
      const auto processors = static_cast<int>(n);
      const std::int64_t bound = least_alltoall_bytes_in_rounds(processors, 5, ports, rounds);
      EXPECT_EQ(bound, 5 * n / (ports + 1) * rounds);
      const Cost cost = alltoall_cost(processors, 5, Algorithm::bruck(ports + 1, ports));
      EXPECT_EQ(cost, (Cost{rounds, bound}));
    }
  }
}

TEST(LowerBounds, FallWithTheRoundsToThatOfTheBytes) {
  for (const int n : {2, 7, 64, 1000}) {
    std::int64_t before = least_alltoall_bytes_in_rounds(n, 3, 1, least_rounds(n, 1));
    for (std::int64_t rounds = least_rounds(n, 1) + 1; rounds < n; ++rounds) {
      const std::int64_t bytes = least_alltoall_bytes_in_rounds(n, 3, 1, rounds);
      EXPECT_LE(bytes, before);
      before = bytes;
    }
    EXPECT_EQ(before, least_bytes(n, 3, 1));
  }
  EXPECT_GT(least_alltoall_bytes_in_rounds(1'000'000'000, 8, 1, 60), 8'000'000'000);
}

TEST(LowerBounds, RefuseWrongArguments) {
  EXPECT_EQ(refusal([] { (void)least_rounds(0, 1); }),
            "lower bound: processors 0 is not allowed; at least 1");
  EXPECT_EQ(refusal([] { (void)least_bytes(4, 8, 0); }),
            "lower bound: ports 0 is not allowed; at least 1");
  EXPECT_EQ(refusal([] { (void)least_bytes(4, -1, 1); }),
            "lower bound: bytes -1 is not allowed; at least 0");
  EXPECT_EQ(refusal([] { (void)least_alltoall_bytes_in_rounds(8, 1, 1, 2); }),
            "lower bound: rounds 2 is not allowed; at least 3");
}

// What they would be lies beyond 64 bits.
TEST(LowerBounds, DoNotWrapAround) {
  constexpr std::int64_t kBillion = 1'000'000'000;
  EXPECT_THROW((void)least_bytes(kBillion, 10 * kBillion, 1), std::overflow_error);
  EXPECT_THROW((void)least_alltoall_bytes_in_rounds(kBillion, kBillion, 1, 30),
               std::overflow_error);
  EXPECT_EQ(least_bytes(kBillion, 9 * kBillion, 1), 9 * kBillion * (kBillion - 1));
}

TEST(LinearModel, WeighsRoundsAndBytes) {
  const LinearModel linear{.start_up = 29, .per_byte = 0.5};
  EXPECT_DOUBLE_EQ(linear.time({3, 100}), 137);
  const FittedModel fitted{linear, 2, 3, 7};
  EXPECT_DOUBLE_EQ(fitted.time({3, 100}), 2 * 87 + 3 * 50 + 7);
  EXPECT_DOUBLE_EQ((FittedModel{.linear = linear}).time({3, 100}), 137);
}

// The larger the blocks, the larger the best radix: Fig. 6 of [I].
TEST(LinearModel, PrefersALargerRadixForLargerBlocks) {
  const LinearModel machine{.start_up = 29, .per_byte = 0.12};
  int before = 2;
  for (const std::int64_t block : {1, 32, 64, 128, 1024, 100'000}) {
    int best = 2;
    for (int radix = 2; radix <= 64; radix *= 2) {
      const auto time = [&](int r) {
        return machine.time(alltoall_cost(64, block, Algorithm::bruck(r)));
      };
      if (time(radix) < time(best)) best = radix;
    }
    EXPECT_GE(best, before);
    before = best;
  }
  EXPECT_EQ(before, 64);
}

}  // namespace
}  // namespace postroom
