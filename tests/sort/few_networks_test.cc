// Bare keys sorted by some networks; compared with the standard library. And which these are.
#include "sort/engine/few_networks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "sort/datasets.h"
#include "sort/engine/config.h"
#include "sort/engine/layout.h"
#include "sort/engine/part.h"
#include "sort/keys.h"
#include "tests/sort/sorting.h"

namespace postroom::sorting {
namespace {

template <class K>
using Keys = Rows<sizeof(K), WholeKey<K, false>>;

template <class K>
Keys<K> keys_at(std::vector<K>& keys) {
  return {std::as_writable_bytes(std::span(keys)).data(), WholeKey<K, false>{}};
}

// Sorts a part, on either side, and looks at what is beside it, too.
template <class K>
void expect_sorted(std::vector<K> keys, const std::string& what) {
  constexpr std::size_t kBefore = 3;
  constexpr std::size_t kBehind = 5;
  auto expected = keys;
  std::ranges::sort(expected);
  for (const bool away : {false, true}) {
    std::vector<K> home(kBefore + keys.size() + kBehind, K{7});
    auto room = home;
    std::ranges::copy(keys, (away ? room : home).begin() + kBefore);
    FewNetworks(keys_at(home), keys_at(room)).sort({kBefore, kBefore + keys.size(), away});
    const auto begin = home.begin() + kBefore;
    const auto end = home.end() - kBehind;
    ASSERT_TRUE(std::ranges::equal(std::span(begin, end), expected)) << what;
    ASSERT_EQ(std::count(home.begin(), begin, K{7}), kBefore) << what;
    ASSERT_EQ(std::count(end, home.end(), K{7}), kBehind) << what;
  }
}

template <class K>
class FewNetworksOf : public testing::Test {
 protected:
  void SetUp() override {
    if (!takes_sides_soon<Keys<K>>({})) GTEST_SKIP() << "no vectors";
  }
};
using Kinds = testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(FewNetworksOf, Kinds);

TYPED_TEST(FewNetworksOf, AreInOrder) {
  for (const Distribution distribution : kDistributions) {
    for (const std::size_t size :
         {1, 2, 63, 64, 65, 127, 128, 129, 256, 257, 300, 511, 512, 2047, 2048}) {
      expect_sorted(keys_of<TypeParam>(distribution, size, /*seed=*/size),
                    to_string(distribution) + ", n = " + std::to_string(size));
    }
  }
}

// A sample sees one of two keys, and nearly all the rest is on one side of both.
TYPED_TEST(FewNetworksOf, WhatASampleDoesNotSeeIsInOrder) {
  constexpr std::size_t kSize = 2048;
  std::mt19937_64 random(1);
  std::vector<TypeParam> keys(kSize);
  for (auto& key : keys) key = static_cast<TypeParam>(100 + random() % 1000);
  const Part all{0, kSize, false};
  for (std::uint32_t i = 0; i < 32; ++i) {
    keys[all.begin + anywhere_in_piece(i, kSize / 32)] = static_cast<TypeParam>(i % 2);
  }
  expect_sorted(keys, "low sample");
  for (auto& key : keys) key = static_cast<TypeParam>(~key);
  expect_sorted(keys, "high sample");
}

TEST(FewNetworks, AreOfFewKeysOnly) {
  using Words = Keys<std::uint64_t>;
  EXPECT_EQ(goes_to_few_networks<Words>(512, {}), takes_sides_soon<Words>({}));
  EXPECT_FALSE(goes_to_few_networks<Words>(513, {}));
  EXPECT_FALSE(goes_to_few_networks<Words>(512, {.networks = false}));
}

}  // namespace
}  // namespace postroom::sorting
