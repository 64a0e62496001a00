// Bare keys sorted by vectors.
#include "sort/vector_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sort/datasets.h"
#include "sort/keys.h"

namespace postroom::sorting {
namespace {

template <class T>
std::byte* bytes_in(std::vector<T>& keys) {
  return std::as_writable_bytes(std::span(keys)).data();
}

template <class Key>
void expect_sorted_by_vectors() {
  for (const bool descending : {false, true}) {
    for (const std::size_t size : {0, 1, 9, 300, 5000}) {
      std::vector<Key> keys(size);
      fill(keys, Distribution::kUniform, /*seed=*/size);
      for (std::size_t i = 0; i < size; i += 2) keys[i] = static_cast<Key>(-keys[i]);
      std::vector<Key> expected = keys;
      std::ranges::sort(expected);
      if (descending) std::ranges::reverse(expected);
      sort_by_vectors(bytes_in(keys), size,
                      flip_mask<std::uint32_t>(is_signed_key<Key>(), descending));
      EXPECT_EQ(keys, expected) << "n = " << size << (descending ? ", descending" : "");
    }
  }
}

TEST(VectorSort, SortsSignedOrNotUpAndDown) {
  expect_sorted_by_vectors<std::uint32_t>();
  expect_sorted_by_vectors<std::int32_t>();
}

TEST(VectorSort, WantsAlignedKeys) {
  std::vector<std::uint32_t> keys(2);
  EXPECT_TRUE(fits_vectors(bytes_in(keys)));
  EXPECT_FALSE(fits_vectors(bytes_in(keys) + 1));
}

TEST(VectorSort, LoadsTheLibraryWhenMuchHasBeenSortedWithout) {
  EXPECT_FALSE(is_library_due(std::size_t{1} << 20));
  EXPECT_TRUE(is_library_due(1));
}

}  // namespace
}  // namespace postroom::sorting
