// sort() and stable_sort() as the standard library's users write them, next to the standard
// library's own.
#include "sort/std_shaped.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <vector>

#include "sort/is_sorted.h"
#include "sort/merge.h"

namespace postroom {
namespace {

// -0 comes before +0 here, and is equal to it for std::sort: so they tell who has sorted.
const std::vector<double> kZeros{0.0, -0.0};

bool rises(const std::vector<double>& zeros) {
  return std::signbit(zeros[0]) && !std::signbit(zeros[1]);
}
bool falls(const std::vector<double>& zeros) {
  return !std::signbit(zeros[0]) && std::signbit(zeros[1]);
}

TEST(StdShaped, UnqualifiedCallsAreOurs) {
  using postroom::sort;
  using postroom::stable_sort;
  std::vector<double> zeros = kZeros;
  sort(zeros.begin(), zeros.end());
  EXPECT_TRUE(rises(zeros));
  sort(zeros.begin(), zeros.end(), std::greater<>());
  EXPECT_TRUE(falls(zeros));
  stable_sort(zeros.begin(), zeros.end());
  EXPECT_TRUE(rises(zeros));
  stable_sort(zeros.begin(), zeros.end(), std::ranges::greater());
  EXPECT_TRUE(falls(zeros));
  double* const first = zeros.data();
  sort(first, first + 2);
  EXPECT_TRUE(rises(zeros));
}

TEST(StdShaped, OptionsStandLast) {
  const SortOptions falling{.descending = true};
  std::vector<int> keys{3, 1, 2};
  const std::vector<int> up{1, 2, 3};
  const std::vector<int> down{3, 2, 1};
  postroom::sort(keys.begin(), keys.end(), {.processors = 1});
  EXPECT_EQ(keys, up);
  postroom::sort(keys.begin(), keys.end(), falling);
  EXPECT_EQ(keys, down);
  postroom::sort(keys, std::greater(), {.descending = true});
  EXPECT_EQ(keys, up);
  postroom::stable_sort(keys, {.descending = true});
  EXPECT_EQ(keys, down);
  postroom::stable_sort(keys, falling);
  EXPECT_EQ(keys, down);
  postroom::stable_sort(keys, {});
  EXPECT_EQ(keys, up);
  postroom::stable_sort(keys.begin(), keys.end(), {.descending = true});
  EXPECT_EQ(keys, down);
  postroom::sort(keys.begin(), keys.end(), {});
  EXPECT_EQ(keys, up);
}

template <class R>
concept SortedByLess = requires(R& range) {
  postroom::sort(range, std::less<>());
};
template <class R>
concept SortedByIterators = requires(R& range) {
  postroom::sort(range.begin(), range.end());
};
template <class A, class B, class Target>
concept Merged = requires(const A& a, const B& b, Target& target) {
  postroom::merge(a, b, target);
};

TEST(StdShaped, WhatCannotBeIsNoCandidate) {
  EXPECT_TRUE(SortedByLess<std::vector<int>>);
  EXPECT_FALSE(SortedByLess<const std::vector<int>>);
  EXPECT_TRUE(SortedByIterators<std::vector<int>>);
  EXPECT_FALSE(SortedByIterators<const std::vector<int>>);
  using Ints = std::vector<int>;
  EXPECT_TRUE((Merged<Ints, Ints, Ints>));
  EXPECT_FALSE((Merged<Ints, Ints, std::vector<long>>));
  EXPECT_FALSE((Merged<Ints, std::vector<long>, Ints>));
}

// More than the sort of rows would take, which such elements are never given to.
TEST(StdShaped, RowsOfOveralignedElementsAreMerged) {
  struct alignas(128) Wide {
    int key;
  };
  const std::vector<Wide> a{{1}, {4}};
  const std::vector<Wide> b{{2}, {3}};
  const std::vector<Wide> c{{0}, {5}};
  std::vector<Wide> all(6);
  merge(std::vector<std::span<const Wide>>{a, b, c}, all, &Wide::key);
  EXPECT_TRUE(is_sorted(all, &Wide::key));
}

}  // namespace
}  // namespace postroom
