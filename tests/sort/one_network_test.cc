// Records, and keys alone, that one network takes; compared with the standard library. And which
// these are.
#include "sort/engine/one_network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <stdexcept>
#include <vector>

#include "sort/engine/config.h"
#include "sort/engine/layout.h"
#include "sort/keys.h"
#include "sort/vectors/network_sort.h"
#include "tests/sort/keyed_record.h"
#include "tests/sort/pair_rows.h"

namespace postroom::sorting {
namespace {

// What keys may look like: `any` is random.
constexpr std::array<std::uint64_t (*)(std::uint64_t any), 8> kShapes = {
    [](std::uint64_t any) { return any; },
    [](std::uint64_t any) { return any & 1; },
    [](std::uint64_t /*any*/) { return std::uint64_t{0}; },
    [](std::uint64_t any) { return any & 0xf0'0000; },
    // One of them far above others that differ in the lowest bits only.
    [](std::uint64_t any) { return any % 50 == 0 ? ~std::uint64_t{0} : any & 0x7f; },
    // Alike but for the lowest bits, for which there is no room beside the highest one.
    [](std::uint64_t any) { return (any & 0x7f) | any >> 7 << 63; },
    [](std::uint64_t any) { return (any & 0x3) | any >> 9 << 63; },
    [](std::uint64_t any) { return (any & 0xff) << 56; },
};

template <class R>
class OneNetworkOfRecords : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_networks()) GTEST_SKIP() << "no vectors";
  }
};
using Kinds =
    testing::Types<Record<std::uint8_t, 1>, Record<std::uint32_t, 1>, Record<std::int32_t, 2>,
                   Record<std::uint64_t, 2>, Record<std::int64_t, 4>, Record<std::uint32_t, 7>>;
TYPED_TEST_SUITE(OneNetworkOfRecords, Kinds);

TYPED_TEST(OneNetworkOfRecords, AreSortedStably) {
  std::mt19937_64 random(1);
  std::size_t size = 1;
  for (; fits_one_network<RowsOf<TypeParam>>(size, {}); ++size) {
    for (std::size_t s = 0; s < kShapes.size(); ++s) {
      std::vector<TypeParam> records(size);
      for (std::uint32_t i = 0; i < size; ++i) {
        records[i].others.fill(i);
        records[i].key = static_cast<typename TypeParam::Key>(kShapes[s](random()));
      }
      auto expected = records;
      std::ranges::stable_sort(expected, {}, &TypeParam::key);
      sort_by_one_network(rows_of(records), size);
      ASSERT_TRUE(records == expected) << size << ", shape " << s;
    }
  }
  EXPECT_EQ(size - 1, network_vector_bytes() * 2);  // sixteen vectors of words of 8 bytes
}

template <class Key>
class OneNetworkOfKeys : public testing::Test {};
using Keys = testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(OneNetworkOfKeys, Keys);

TYPED_TEST(OneNetworkOfKeys, AreSorted) {
  using Row = Rows<sizeof(TypeParam), WholeKey<TypeParam, false>>;
  if (!has_networks()) GTEST_SKIP() << "no vectors";
  std::mt19937_64 random(1);
  std::size_t size = 1;
  for (; fits_one_network<Row>(size, {}); ++size) {
    for (std::size_t s = 0; s < kShapes.size(); ++s) {
      std::vector<TypeParam> keys(size + 1);  // one behind them, to be left alone
      for (auto& key : keys) key = static_cast<TypeParam>(kShapes[s](random()));
      auto expected = keys;
      std::sort(expected.begin(), expected.end() - 1);
      sort_by_one_network(Row(std::as_writable_bytes(std::span(keys)).data(), {}), size);
      ASSERT_EQ(keys, expected) << size << ", shape " << s;
    }
  }
  EXPECT_EQ(size - 1, network_vector_bytes() * 16 / sizeof(TypeParam));
}

TEST(OneNetwork, OfWhatAConfigurationAllows) {
  using Row = Rows<sizeof(std::uint32_t), WholeKey<std::uint32_t, false>>;
  EXPECT_FALSE(fits_one_network<Row>(10, {.networks = false}));
  EXPECT_FALSE(fits_one_network<Row>(10, {.one_network_records = 9}));
  EXPECT_EQ(fits_one_network<Row>(10, {.one_network_records = 10}), has_networks());
}

TEST(OneNetwork, AKeyThatThrowsLeavesAllAsItWas) {
  if (!has_networks()) GTEST_SKIP() << "no vectors";
  std::vector<Pair> pairs{{3, 0}, {2, 1}, {1, 2}, {0, 3}};
  const auto before = pairs;
  for (std::uint32_t number = 0; number < pairs.size(); ++number) {
    EXPECT_THROW(
        sort_by_one_network(Pairs(bytes_in(pairs), PairKey{.throws_at_number = number}), 4),
        std::runtime_error);
    EXPECT_EQ(pairs, before);
  }
}

}  // namespace
}  // namespace postroom::sorting
