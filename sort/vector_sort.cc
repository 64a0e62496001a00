#include "sort/vector_sort.h"

#include <hwy/contrib/sort/traits-inl.h>
#include <hwy/contrib/sort/vqsort-inl.h>
#include <hwy/highway.h>

#include <cstring>

#include "sort/keys.h"

// The one function that vqsort-inl.h leaves to the library libhwy_contrib: the seed of the choice
// of pivots. The library is not linked, because what it needs measures a clock for 4 ms as soon as
// a program starts. A fixed seed sorts the same keys in the same time each time.
void hwy::Sorter::Fill24Bytes(const void* /*heap*/, std::size_t /*size*/, void* bytes) {
  constexpr std::uint64_t kSeed[] = {0x9e37'79b9'7f4a'7c15, 0xbf58'476d'1ce4'e5b9,
                                     0x94d0'49bb'1331'11eb};
  static_assert(sizeof(kSeed) == 24);
  std::memcpy(bytes, kSeed, sizeof(kSeed));
}

namespace postroom::sorting {
namespace {

namespace vectors = hwy::HWY_NAMESPACE;

template <class Key, template <class> class Order>
void sort_as(std::byte* keys, std::size_t size) noexcept {
  using Traits = vectors::detail::SharedTraits<vectors::detail::TraitsLane<Order<Key>>>;
  Key* const no_memory = nullptr;  // vectors of a fixed size need none
  vectors::Sort(vectors::SortTag<Key>(), Traits(), reinterpret_cast<Key*>(keys), size, no_memory);
}

template <class Key>
void sort_as(std::byte* keys, std::size_t size, bool descending) noexcept {
  descending ? sort_as<Key, vectors::detail::OrderDescending>(keys, size)
             : sort_as<Key, vectors::detail::OrderAscending>(keys, size);
}

}  // namespace

bool fits_vectors(const std::byte* keys) noexcept {
  constexpr bool kAreThere = VQSORT_ENABLED != 0 && HWY_HAVE_SCALABLE == 0;
  return kAreThere && reinterpret_cast<std::uintptr_t>(keys) % alignof(std::uint32_t) == 0;
}

void sort_by_vectors(std::byte* keys, std::size_t size, std::uint32_t flip) noexcept {
  const bool is_signed =
      flip == flip_mask<std::uint32_t>(true, false) || flip == flip_mask<std::uint32_t>(true, true);
  const bool descending = flip == flip_mask<std::uint32_t>(is_signed, true);
  is_signed ? sort_as<std::int32_t>(keys, size, descending)
            : sort_as<std::uint32_t>(keys, size, descending);
}

}  // namespace postroom::sorting
