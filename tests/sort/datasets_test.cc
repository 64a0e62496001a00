#include "sort/datasets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <list>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "numa/rounding.h"
#include "tests/thrown.h"

namespace postroom {
namespace {

template <class T>
std::vector<T> make(Distribution distribution, std::size_t n, std::uint64_t seed = 1) {
  std::vector<T> keys(n);
  fill(keys, distribution, seed);
  return keys;
}

double mean(const std::vector<std::uint32_t>& keys) {
  return std::accumulate(keys.begin(), keys.end(), 0.0) / static_cast<double>(keys.size());
}

TEST(Datasets, NamesDiffer) {
  std::set<std::string> names;
  for (const Distribution distribution : kDistributions) names.insert(to_string(distribution));
  EXPECT_EQ(names.size(), kDistributions.size());
  EXPECT_EQ(to_string(Distribution::N), "N");
  EXPECT_EQ(to_string(Distribution::organ_pipe), "organ_pipe");
}

template <class T>
class DatasetsOf : public ::testing::Test {};
using KeyTypes = ::testing::Types<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t,
                                  std::int8_t, std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(DatasetsOf, KeyTypes);

TYPED_TEST(DatasetsOf, AreTheSameInPiecesOfAnyNumberAndOrder) {
  constexpr std::uint64_t n = 1009;
  for (const Distribution distribution : kDistributions) {
    const DataSet set{distribution, n, /*seed=*/5, /*dealt_over=*/7};
    std::vector<TypeParam> whole(n);
    fill(whole, set);
    for (const std::uint64_t pieces : {1, 2, 3, 4, 5, 7, 8, 13, 16, 33}) {
      std::vector<TypeParam> cut(n);
      for (std::uint64_t i = pieces; i-- > 0;) {  // the last piece first
        const std::uint64_t first = n * i / pieces;
        const std::uint64_t last = n * (i + 1) / pieces;
        fill(std::span(cut).subspan(first, last - first), set, first);
      }
      ASSERT_EQ(cut, whole) << to_string(distribution) << " in " << pieces;
    }
  }
}

TYPED_TEST(DatasetsOf, OrdersAreWhatTheyAreCalled) {
  for (const std::size_t n : {0, 1, 2, 3, 64, 65, 127, 128, 1000, 4096}) {
    EXPECT_TRUE(std::ranges::is_sorted(make<TypeParam>(Distribution::sorted, n)));
    auto reverse = make<TypeParam>(Distribution::reverse, n);
    EXPECT_TRUE(std::ranges::is_sorted(reverse, std::greater()));
    std::ranges::reverse(reverse);
    EXPECT_EQ(reverse, make<TypeParam>(Distribution::sorted, n));

    const auto equal = make<TypeParam>(Distribution::equal, n);
    EXPECT_TRUE(std::ranges::all_of(equal, [&](TypeParam key) { return key == equal[0]; }));

    const auto pipe = make<TypeParam>(Distribution::organ_pipe, n);
    const std::size_t half = (n + 1) / 2;
    EXPECT_TRUE(std::is_sorted(pipe.begin(), pipe.begin() + half));
    EXPECT_TRUE(std::is_sorted(pipe.begin() + n / 2, pipe.end(), std::greater()));

    const auto saw = make<TypeParam>(Distribution::sawtooth, n);
    const std::size_t tooth = ceil_divide<std::size_t>(n, 64);
    for (std::size_t i = 0; i < n; i += tooth) {
      const std::size_t end = std::min(n, i + tooth);
      EXPECT_TRUE(std::is_sorted(saw.begin() + i, saw.begin() + end));
      EXPECT_EQ(saw[i], saw[0]);
    }

    const auto appended = make<TypeParam>(Distribution::appended, n);
    EXPECT_TRUE(std::is_sorted(appended.begin(), appended.end() - n / 10));
    const bool is_short = n < 1000;
    EXPECT_TRUE(is_short || !std::is_sorted(appended.end() - n / 10, appended.end()));
  }
}

TYPED_TEST(DatasetsOf, OnlyUniformHasNegativeNumbers) {
  for (const Distribution distribution : kDistributions) {
    const auto keys = make<TypeParam>(distribution, 2000);
    const bool negative =
        std::ranges::any_of(keys, [](TypeParam key) { return key < TypeParam{}; });
    EXPECT_EQ(negative, distribution == Distribution::uniform && std::is_signed_v<TypeParam>)
        << to_string(distribution);
  }
}

TEST(Datasets, SortedSpreadsOverTheTypeWithoutRepeats) {
  const auto keys = make<std::uint32_t>(Distribution::sorted, 1000);
  EXPECT_EQ(std::ranges::adjacent_find(keys), keys.end());
  EXPECT_EQ(keys.front(), 0u);
  EXPECT_GT(keys.back(), 0xfffff000u);
  // More elements than keys: each key about as often.
  const auto bytes = make<std::uint8_t>(Distribution::sorted, 1000);
  EXPECT_EQ(bytes.back(), 249);
  EXPECT_EQ(std::ranges::count(bytes, 17), 4);
  EXPECT_EQ(make<std::uint8_t>(Distribution::sorted, 256).back(), 255);
  EXPECT_EQ(make<std::uint64_t>(Distribution::sorted, 2).back(),
            std::numeric_limits<std::uint64_t>::max());
}

TEST(Datasets, SeedsDiffer) {
  for (const Distribution distribution :
       {Distribution::R, Distribution::S, Distribution::uniform, Distribution::equal,
        Distribution::zipf, Distribution::nearly_sorted, Distribution::few_distinct,
        Distribution::high_bits_equal}) {
    EXPECT_NE(make<std::uint32_t>(distribution, 200, 1), make<std::uint32_t>(distribution, 200, 2))
        << to_string(distribution);
  }
}

// Each bit is set half of the time and does not follow the bit of the element before.
TEST(Datasets, UniformBitsAreBalanced) {
  constexpr int n = 1 << 16;
  for (const std::uint64_t seed : {0, 1, 2}) {
    const auto keys = make<std::uint64_t>(Distribution::uniform, n, seed);
    for (int bit = 0; bit < 64; ++bit) {
      int ones = 0;
      int changes = 0;
      for (int i = 1; i < n; ++i) {
        ones += static_cast<int>(keys[i] >> bit & 1);
        changes += static_cast<int>((keys[i] ^ keys[i - 1]) >> bit & 1);
      }
      EXPECT_NEAR(ones, n / 2, 5 * 128) << "bit " << bit << " seed " << seed;  // 5 sigma
      EXPECT_NEAR(changes, n / 2, 5 * 128) << "bit " << bit << " seed " << seed;
    }
  }
}

TEST(Datasets, RHas31RandomBits) {
  const auto keys = make<std::uint32_t>(Distribution::R, 1 << 16);
  std::uint32_t any = 0;
  for (const std::uint32_t key : keys) any |= key;
  EXPECT_EQ(any, 0x7fff'ffffu);
  EXPECT_NEAR(mean(keys), 0x1p30, 0x1p30 / 50);
  const auto wide = make<std::uint64_t>(Distribution::R, 1 << 16);
  EXPECT_TRUE(std::ranges::equal(keys, wide));
}

TEST(Datasets, SHasSixBitsOfEntropy) {
  constexpr int n = 1 << 18;
  const auto keys = make<std::uint32_t>(Distribution::S, n);
  double entropy = 0;
  for (int bit = 0; bit < 32; ++bit) {
    const auto ones =
        std::ranges::count_if(keys, [&](std::uint32_t key) { return key >> bit & 1; });
    const double q = static_cast<double>(ones) / n;
    if (bit < 31) {
      EXPECT_NEAR(q, 1.0 / 32, 0.003) << "bit " << bit;
    }
    if (q > 0) entropy -= q * std::log2(q) + (1 - q) * std::log2(1 - q);
  }
  EXPECT_NEAR(entropy, 6.2, 0.1);
}

TEST(Datasets, CIsAllNumbersDealtInTurn) {
  std::vector<std::uint32_t> keys(10);
  fill(keys, DataSet{Distribution::C, 10, 1, /*dealt_over=*/4});
  EXPECT_EQ(keys, (std::vector<std::uint32_t>{0, 4, 8, 1, 5, 9, 2, 6, 3, 7}));
  for (const int p : {1, 2, 3, 16, 33, 2000}) {
    std::vector<std::uint64_t> many(1001);
    fill(many, DataSet{Distribution::C, many.size(), 1, p});
    std::ranges::sort(many);
    for (std::uint64_t i = 0; i < many.size(); ++i) ASSERT_EQ(many[i], i) << "p=" << p;
  }
}

TEST(Datasets, NFollowsTheRecurrence) {
  const auto keys = make<std::uint32_t>(Distribution::N, 5000);
  std::uint64_t x = 314'159'265;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    std::uint64_t sum = 0;
    for (int draw = 0; draw < 4; ++draw) {
      x = x * 1'220'703'125 % (std::uint64_t{1} << 46);
      sum += x;
    }
    const double key = std::floor(static_cast<double>(sum) / 4 * 0x1p-46 * 0x1p19);
    ASSERT_EQ(keys[i], static_cast<std::uint32_t>(key)) << i;
  }
}

TEST(Datasets, NJumpsAheadAnyDistance) {
  datasets::NasSequence stepped;
  datasets::NasSequence jumped;
  for (std::uint64_t k = 1; k <= 3000; ++k) {
    jumped.seek(k - 1);
    ASSERT_EQ(jumped.next(), stepped.next()) << k;
  }
  // The sequence runs through the 2^44 numbers that are 1 modulo 4 like its start.
  jumped.seek(std::uint64_t{1} << 44);
  stepped.seek(0);
  EXPECT_EQ(jumped.next(), stepped.next());
  jumped.seek(std::uint64_t{1} << 43);
  stepped.seek(0);
  EXPECT_NE(jumped.next(), stepped.next());
}

// The benchmark's own check: the ranks of five keys of class A in its first iteration, which sets
// keys 1 and 11 to 1 and 2^19-1 before.
TEST(Datasets, NHasTheRanksPublishedForClassA) {
  auto keys = make<std::uint32_t>(Distribution::N, 1 << 23);
  EXPECT_NEAR(mean(keys), 0x1p18, 100);  // sigma of the mean: 2^19 / sqrt(12·4·2^23) = 26
  keys[1] = 1;
  keys[11] = (1 << 19) - 1;
  const std::map<std::size_t, std::int64_t> ranks{{2'112'377, 104},
                                                  {662'041, 17'523},
                                                  {5'336'171, 123'928},
                                                  {3'642'833, 8'288'932},
                                                  {4'250'760, 8'388'264}};
  for (const auto& [index, rank] : ranks) {
    const std::uint32_t key = keys[index];
    EXPECT_EQ(std::ranges::count_if(keys, [&](std::uint32_t other) { return other < key; }), rank)
        << "key " << index;
  }
}

TEST(Datasets, ZipfHasAFewHeavyKeys) {
  constexpr int n = 200'000;
  std::map<std::uint32_t, int> counts;
  for (const std::uint32_t key : make<std::uint32_t>(Distribution::zipf, n)) ++counts[key];
  std::vector<int> sizes;
  for (const auto& [key, count] : counts) sizes.push_back(count);
  std::ranges::sort(sizes, std::greater());
  // The k-th value has a share of log2((k+1)/k) / 20.
  for (int k = 1; k <= 8; ++k) {
    EXPECT_NEAR(sizes[k - 1], n * std::log2((k + 1.0) / k) / 20, n / 200.0) << k;
  }
  EXPECT_GT(sizes.size(), 10'000u);
}

TEST(Datasets, FewDistinctHas64Values) {
  const auto keys = make<std::uint64_t>(Distribution::few_distinct, 10'000);
  EXPECT_EQ(std::set<std::uint64_t>(keys.begin(), keys.end()).size(), 64u);
}

TEST(Datasets, HighBitsEqualVariesTheLowerHalfOnly) {
  const auto keys = make<std::uint64_t>(Distribution::high_bits_equal, 1000);
  std::uint64_t varying = 0;
  for (const std::uint64_t key : keys) varying |= key ^ keys[0];
  EXPECT_EQ(varying, 0xffff'ffffu);
  EXPECT_NE(keys[0] >> 32, 0u);
}

TEST(Datasets, NearlySortedHasOneStrayIn64) {
  const auto keys = make<std::uint32_t>(Distribution::nearly_sorted, 64'000);
  const auto sorted = make<std::uint32_t>(Distribution::sorted, 64'000);
  int strays = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) strays += keys[i] != sorted[i];
  EXPECT_NEAR(strays, 1000, 5 * 32);
}

struct Wrapped {
  explicit Wrapped(std::uint64_t key = 0) : value(key) {}
  std::uint64_t value;
};

TEST(Datasets, FillsWhateverConverts) {
  std::list<Wrapped> keys(100);
  fill(keys, Distribution::uniform, 3);
  const auto numbers = make<std::uint64_t>(Distribution::uniform, 100, 3);
  EXPECT_TRUE(std::ranges::equal(keys, numbers, {}, &Wrapped::value));
}

TEST(Datasets, IndicesOutsideOfTheSetAreRefused) {
  std::vector<std::uint32_t> keys(8);
  const DataSet set{Distribution::sorted, 10, 1};
  fill(keys, set, 2);
  EXPECT_EQ(refusal([&] { fill(keys, set, 3); }),
            "first_index: 8 elements from 3 on are not in a data set of 10");
  EXPECT_THROW(fill(keys, set, std::numeric_limits<std::uint64_t>::max()), std::invalid_argument);
  EXPECT_THROW(fill(keys, DataSet{Distribution::C, 10, 1, 0}), std::invalid_argument);
}

}  // namespace
}  // namespace postroom
