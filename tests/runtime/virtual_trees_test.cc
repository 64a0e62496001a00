// Virtual time of trees and of the combine: what the postal model says, exactly.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "tests/runtime/virtual_times.h"

namespace postroom {
namespace {

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

}  // namespace
}  // namespace postroom
