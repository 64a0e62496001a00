// Every type of key, all distributions, lengths 0 to 300 and many; compared with std::stable_sort.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

#include "sort/datasets.h"
#include "tests/sort/front_door.h"

namespace postroom {
namespace {

template <class Key>
class SortTypes : public testing::Test {};

using KeyTypes =
    testing::Types<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, std::int8_t,
                   std::int16_t, std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(SortTypes, KeyTypes);

TYPED_TEST(SortTypes, Lengths0To300) {
  for (std::size_t size = 0; size <= 300; ++size) {
    expect_all_sorted<TypeParam>(kDistributions[size % kDistributions.size()], size, {});
  }
}

TYPED_TEST(SortTypes, EveryDistributionBothWays) {
  for (const Distribution distribution : kDistributions) {
    for (const bool descending : {false, true}) {
      expect_all_sorted<TypeParam>(distribution, 3000, {.descending = descending});
    }
  }
}

TYPED_TEST(SortTypes, ManyRecordsOnTwoProcessors) {
  for (const Distribution distribution :
       {Distribution::uniform, Distribution::S, Distribution::reverse}) {
    expect_all_sorted<TypeParam>(distribution, 70'001, {.processors = 2});
  }
}

}  // namespace
}  // namespace postroom
