// Keys of other types than integers, and the order of floating-point keys; compared with
// std::stable_sort.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "sort/any_sort.h"
#include "sort/datasets.h"
#include "sort/keys.h"
#include "sort/sort.h"
#include "tests/sort/sorting.h"

namespace postroom {
namespace {

// Types that are sorted as integers of their size.
enum class Colour : std::int16_t {};

template <class Key>
class OtherTypes : public testing::Test {};

using OtherKeyTypes = testing::Types<char, char8_t, char16_t, char32_t, wchar_t, long long,
                                     unsigned long long, std::byte, Colour>;
TYPED_TEST_SUITE(OtherTypes, OtherKeyTypes);

TYPED_TEST(OtherTypes, SortLikeTheStandardLibrary) {
  for (const Distribution distribution : {Distribution::uniform, Distribution::few_distinct}) {
    for (const std::size_t size : {0, 1, 10, 3000}) {
      auto keys = keys_of<TypeParam>(distribution, size, size);
      auto expected = keys;
      std::ranges::stable_sort(expected);
      sort(keys);
      EXPECT_TRUE(same_bytes(keys, expected)) << to_string(distribution) << ", n = " << size;
    }
  }
}

// Alone, as a field, and as a part of a key.
template <class Time>
void expect_times_sorted(const std::vector<Time>& sorted) {
  struct Line {
    int number;
    Time when;
  };
  for (const bool descending : {false, true}) {
    const SortOptions options{.descending = descending};
    std::vector<Time> expected = sorted;
    if (descending) std::ranges::reverse(expected);
    std::vector<Time> times = sorted;
    std::ranges::shuffle(times, std::mt19937(5));
    std::vector<Line> lines;
    for (const Time& when : times) lines.push_back({0, when});
    auto others = lines;
    sort(times, options);
    EXPECT_EQ(times, expected);
    sort(lines, &Line::when, options);
    EXPECT_TRUE(std::ranges::equal(lines, expected, {}, &Line::when));
    sort(
        others, [](const Line& line) { return std::pair(line.number, line.when); }, options);
    EXPECT_TRUE(std::ranges::equal(others, expected, {}, &Line::when));
  }
}

TEST(OtherTypes, DurationsAndPointsInTime) {
  using namespace std::chrono_literals;
  expect_times_sorted<std::chrono::nanoseconds>({-5h, -1ns, 0ns, 1ns, 3s});
  expect_times_sorted<std::chrono::duration<double>>({-2.5h, -1ns, 0ns, 0.5s, 3s});
  expect_times_sorted<std::chrono::duration<std::uint16_t>>(
      {std::chrono::duration<std::uint16_t>(0), std::chrono::duration<std::uint16_t>(40'000)});
  using Point = std::chrono::system_clock::time_point;
  expect_times_sorted<Point>({Point(-1s), Point(), Point(1us), Point(24h)});
  static_assert(SortKey<std::chrono::sys_days> && !SortKey<std::chrono::duration<long double>>);
}

TEST(OtherTypes, Bool) {
  std::array<bool, 5> flags{true, false, true, false, false};
  sort(flags);
  EXPECT_EQ(flags, (std::array<bool, 5>{false, false, false, true, true}));
}

TEST(Sort, FloatsInTotalOrder) {
  using Limits = std::numeric_limits<double>;
  const std::vector<double> order{
      -Limits::quiet_NaN(), -Limits::infinity(), -1.0, -0.0, 0.0, Limits::denorm_min(), 1.0,
      Limits::infinity(),   Limits::quiet_NaN()};
  std::vector<double> values(order.rbegin(), order.rend());
  std::swap(values[0], values[4]);
  sort(values);
  EXPECT_TRUE(same_bytes(values, order));
}

// In order, but for what is exchanged; and in reverse.
template <class Key>
void expect_rows_in_total_order() {
  struct Row {
    Key key;
    std::uint32_t number;
  };
  using Limits = std::numeric_limits<Key>;
  for (const bool descending : {false, true}) {
    for (const bool exchanged : {false, true}) {
      std::vector<Row> rows;
      for (const Key key : {-Limits::quiet_NaN(), -Limits::infinity()}) rows.push_back({key, 0});
      for (int i = -3000; i <= 3000; ++i) {
        if (i == 0) rows.push_back({-Key{0}, 0});
        rows.push_back({static_cast<Key>(i / 2), 0});
      }
      for (const Key key : {Limits::infinity(), Limits::quiet_NaN()}) rows.push_back({key, 0});
      if (exchanged) std::swap(rows[2999], rows[3001]);
      for (std::uint32_t i = 0; i < rows.size(); ++i) rows[i].number = i;
      std::vector<Row> expected = rows;
      std::ranges::stable_sort(expected, [&](const Row& a, const Row& b) {
        return descending ? ordered_bits(b.key) < ordered_bits(a.key)
                          : ordered_bits(a.key) < ordered_bits(b.key);
      });
      sort(rows, &Row::key, {.descending = descending});
      for (std::size_t i = 0; i < rows.size(); ++i) {
        ASSERT_EQ(rows[i].number, expected[i].number) << "place " << i << ", " << descending;
      }
    }
  }
}

TEST(Sort, RowsByFloatsInTotalOrder) {
  expect_rows_in_total_order<float>();
  expect_rows_in_total_order<double>();
}

}  // namespace
}  // namespace postroom
