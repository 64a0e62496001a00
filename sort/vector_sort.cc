#include "sort/vector_sort.h"

#include <hwy/contrib/sort/vqsort.h>

#include "sort/keys.h"

namespace postroom::sorting {
namespace {

template <class Key>
void sort_as(std::byte* keys, std::size_t size, bool descending) noexcept {
  static thread_local const hwy::Sorter sorter;
  auto* const first = reinterpret_cast<Key*>(keys);
  descending ? sorter(first, size, hwy::SortDescending())
             : sorter(first, size, hwy::SortAscending());
}

}  // namespace

void sort_by_vectors(std::byte* keys, std::size_t size, std::uint32_t flip) noexcept {
  const bool is_signed =
      flip == flip_mask<std::uint32_t>(true, false) || flip == flip_mask<std::uint32_t>(true, true);
  const bool descending = flip == flip_mask<std::uint32_t>(is_signed, true);
  is_signed ? sort_as<std::int32_t>(keys, size, descending)
            : sort_as<std::uint32_t>(keys, size, descending);
}

}  // namespace postroom::sorting
