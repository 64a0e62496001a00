#include "collectives/route/route_dealing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <vector>

namespace postroom {
namespace {

/// counts[i][j]: how many elements source i has for target j.
using Counts = std::vector<std::vector<std::size_t>>;

struct Dealt {
  std::size_t h1 = 0;  // most elements at a source
  std::size_t h2 = 0;  // most elements at a target
  std::size_t first_bin = 0;
  std::size_t second_bin = 0;
};

Dealt deal(const Counts& counts) {
  const int p = static_cast<int>(counts.size());
  Dealt dealt;
  std::vector<std::size_t> received(counts.size());
  Counts second(counts.size(), std::vector<std::size_t>(counts.size()));  // [bin][target]
  for (int i = 0; i < p; ++i) {
    std::vector<std::size_t> bins(counts.size());
    std::size_t sent = 0;
    for (int j = 0; j < p; ++j) {
      for (int turn = 0; turn < p; ++turn) {
        const int bin = (first_bin_of(i, j, p) + turn) % p;
        const std::size_t share = dealt_share(counts[i][j], turn, p);
        bins[bin] += share;
        second[bin][j] += share;
      }
      sent += counts[i][j];
      received[j] += counts[i][j];
    }
    dealt.h1 = std::max(dealt.h1, sent);
    dealt.first_bin = std::max(dealt.first_bin, *std::ranges::max_element(bins));
  }
  dealt.h2 = *std::ranges::max_element(received);
  for (const auto& row : second) {
    dealt.second_bin = std::max(dealt.second_bin, *std::ranges::max_element(row));
  }
  return dealt;
}

Counts empty_counts(int p) { return Counts(p, std::vector<std::size_t>(p)); }

TEST(RouteDealing, BeginsAtTheSumOfSourceAndTarget) {
  EXPECT_EQ(first_bin_of(0, 0, 1), 0);
  EXPECT_EQ(first_bin_of(2, 3, 8), 5);
  EXPECT_EQ(first_bin_of(6, 7, 8), 5);
}

// The k-th element goes to bin k mod p, as the k/p-th there; dealing and picking up agree on it.
TEST(RouteDealing, GoesRound) {
  for (const std::size_t p : {1, 2, 3, 4, 5, 7, 8, 13, 16, 33}) {
    for (std::size_t elements = 1; elements <= 6 * p + 1; ++elements) {
      std::vector<int> from(elements);
      std::iota(from.begin(), from.end(), 1);
      std::vector<std::vector<int>> bins;
      std::vector<int*> places;
      std::vector<const int*> filled;
      for (std::size_t turn = 0; turn < std::min(p, elements); ++turn) {
        bins.emplace_back(dealt_share(elements, turn, p));
      }
      for (auto& bin : bins) {
        places.push_back(bin.data());
        filled.push_back(bin.data());
      }
      deal_round<int>(from.data(), elements, places);
      for (std::size_t k = 0; k < elements; ++k) {
        ASSERT_EQ(bins[k % p][k / p], from[k]) << k << " of " << elements << ", p=" << p;
      }
      for (std::size_t row = 0; row * p < elements; ++row) {
        std::vector<int> back(elements - row * p);
        pick_up_round<int>(filled, row, back.size(), back.data());
        ASSERT_TRUE(std::ranges::equal(back, std::span(from).subspan(row * p)));
      }
    }
  }
}

TEST(RouteDealing, BoundIsThePapersFromTheTriangleOn) {
  for (int p = 1; p <= 40; ++p) {
    const std::size_t triangle = static_cast<std::size_t>(p) * (p - 1) / 2;
    for (std::size_t h = 0; h <= triangle + 5 * p; ++h) {
      const std::size_t papers = (2 * h + static_cast<std::size_t>(p) * (p - 1)) / (2 * p);
      if (h >= triangle) {
        ASSERT_EQ(largest_bin(h, p), papers) << "h=" << h << " p=" << p;
      } else {
        ASSERT_LE(largest_bin(h, p), papers) << "h=" << h << " p=" << p;
      }
    }
  }
}

TEST(RouteDealing, BoundsHoldOnRandomRelations) {
  constexpr int kCases = 10'000;
  const std::uint64_t seed = 20'240'611;
  SCOPED_TRACE(::testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  int met_first = 0;
  int met_second = 0;
  for (int c = 0; c < kCases; ++c) {
    const int p = 1 + static_cast<int>(random() % 12);
    // Many elements for few pairs, few for many, and everything between.
    const std::uint64_t most = 1 + random() % (1 + random() % 20);
    const std::uint64_t one_in = 1 + random() % 4;
    Counts counts = empty_counts(p);
    for (auto& row : counts) {
      for (auto& count : row) count = random() % one_in == 0 ? random() % (most + 1) : 0;
    }
    const Dealt dealt = deal(counts);
    ASSERT_LE(dealt.first_bin, first_bin_bound(dealt.h1, p)) << "case " << c;
    ASSERT_LE(dealt.second_bin, second_bin_bound(dealt.h2, p)) << "case " << c;
    met_first += dealt.first_bin == first_bin_bound(dealt.h1, p);
    met_second += dealt.second_bin == second_bin_bound(dealt.h2, p);
  }
  EXPECT_GT(met_first, 0);
  EXPECT_GT(met_second, 0);
}

// p = 8: processor 0 holds for each destination j ≠ 0 as many elements as end exactly at bin 7.
TEST(RouteDealing, TightCaseMeetsTheBoundExactly) {
  Counts counts = empty_counts(8);
  for (int j = 1; j < 8; ++j) counts[0][j] = (15 - j) % 8 + 1;
  const Dealt dealt = deal(counts);
  EXPECT_EQ(dealt.h1, 28u);
  EXPECT_EQ(dealt.first_bin, 7u);
  EXPECT_EQ(first_bin_bound(28, 8), 7u);  // 28/8 + 7/2

  // Turned round: for one destination, each source i ≠ 0 plays the part of j above.
  Counts turned = empty_counts(8);
  for (int i = 1; i < 8; ++i) turned[i][0] = (15 - i) % 8 + 1;
  const Dealt second = deal(turned);
  EXPECT_EQ(second.h2, 28u);
  EXPECT_EQ(second.second_bin, 7u);
  EXPECT_EQ(second_bin_bound(28, 8), 7u);
}

// Runs of 1, 2, … elements that end at bin p-1, then full rounds: the bound is reached for all h.
TEST(RouteDealing, EveryBoundIsReached) {
  for (int p = 1; p <= 9; ++p) {
    for (std::size_t h = 0; h <= 100; ++h) {
      Counts by_target = empty_counts(p);  // one source
      Counts by_source = empty_counts(p);  // one target
      std::size_t left = h;
      for (int run = 1; run < p && static_cast<std::size_t>(run) <= left; ++run) {
        by_target[0][p - run] = run;
        by_source[p - run][0] = run;
        left -= run;
      }
      const std::size_t in_rounds = left / p * p;
      by_target[0][0] += in_rounds;
      by_source[0][0] += in_rounds;
      // What fills no round must not grow the fullest bin, so it starts behind it.
      by_target[0][0] += left % p;
      by_source[0][0] += left % p;
      ASSERT_EQ(deal(by_target).h1, h);
      ASSERT_EQ(deal(by_target).first_bin, largest_bin(h, p)) << "h=" << h << " p=" << p;
      ASSERT_EQ(deal(by_source).second_bin, largest_bin(h, p)) << "h=" << h << " p=" << p;
    }
  }
}

}  // namespace
}  // namespace postroom
