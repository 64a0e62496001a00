// What the functions beside sort() have in common: no iterators into what is gone, and calls that
// belong to the standard library are left to it.
#include <gtest/gtest.h>

#include <algorithm>
#include <concepts>
#include <functional>
#include <iterator>
#include <ranges>
#include <span>
#include <vector>

#include "sort/is_sorted.h"
#include "sort/merge.h"
#include "sort/select.h"
#include "sort/unique.h"

namespace postroom {
namespace {

// Iterators into what is gone are none, as in the standard library.
TEST(BesideSort, NothingDanglesOfARangeThatIsGone) {
  using Keys = std::vector<int>;
  static_assert(std::same_as<decltype(is_sorted_until(Keys{2, 1})), std::ranges::dangling>);
  static_assert(
      std::same_as<decltype(sort_unique(Keys{2, 1}, SortOptions())), std::ranges::dangling>);
  Keys keys{2, 1, 2};
  static_assert(std::same_as<decltype(sort_unique(keys)), std::ranges::subrange<Keys::iterator>>);
  EXPECT_EQ(is_sorted_until(std::span(keys)) - std::span(keys).begin(), 1);
  (void)sort_unique(std::span(keys));
  EXPECT_EQ(keys[0], 1);
  EXPECT_EQ(keys[1], 2);
}

// What is refused with a line of ours must not take calls that belong to others.
TEST(BesideSort, RefusalsLeaveIteratorsToTheStandardLibrary) {
  std::vector<int> keys{3, 1, 2};
  nth_element(keys.begin(), keys.begin() + 1, keys.end(), std::greater<>());
  EXPECT_EQ(keys[1], 2);
  const std::vector<int> up{1, 2};
  const std::vector<int> down{2, 1};
  EXPECT_TRUE(is_sorted(up.begin(), up.end()));
  EXPECT_EQ(is_sorted_until(down.begin(), down.end()), down.begin() + 1);
  std::vector<int> merged;
  merge(up.begin(), up.end(), up.begin(), up.end(), std::back_inserter(merged));
  EXPECT_EQ(merged, (std::vector{1, 1, 2, 2}));
}

}  // namespace
}  // namespace postroom
