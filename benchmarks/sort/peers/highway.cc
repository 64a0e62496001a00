// Highway's vectorised quicksort, from the folder of its sources (1.3 and newer), for the vectors
// of this CPU. One thread, not stable. Of pairs it wants the value first, as
// benchmarks/sort/highway.cc has it.
#define VQSORT_ONLY_STATIC 1
#include <hwy/contrib/sort/vqsort-inl.h>

#include <cstdint>
#include <utility>

#include "benchmarks/sort/cells.h"

namespace postroom::benchmarks {
namespace {

template <class Key>
void vqsort(Key* keys, std::size_t size) {
  hwy::HWY_NAMESPACE::VQSortStatic(keys, size, hwy::SortAscending());
}

template <class Element>
void swap_fields(std::span<Element> pairs) {
  for (Element& pair : pairs) std::swap(pair.key, pair.value);
}

template <class Vqsort, class Element>
void sort_swapped(std::span<Element> pairs) {
  static_assert(sizeof(Vqsort) == sizeof(Element) && kArrayAlignment % alignof(Vqsort) == 0);
  swap_fields(pairs);
  vqsort(reinterpret_cast<Vqsort*>(pairs.data()), pairs.size());
  swap_fields(pairs);
}

template <Values kValues>
bool add_pairs() {
  using Pair32 = Pair<std::uint32_t, kValues>;
  using Pair64 = Pair<std::uint64_t, kValues>;
  add_competitor<Pair32>("new_vqsort_swapped_one", sort_swapped<hwy::K32V32, Pair32>);
  add_competitor<Pair64>("new_vqsort_swapped_one", sort_swapped<hwy::K64V64, Pair64>);
  add_competitor<Pair32>("new_vqsort_swapped_kv_one", sort_swapped<std::uint64_t, Pair32>);
  add_competitor<Pair64>("new_vqsort_swapped_kv_one", sort_swapped<hwy::uint128_t, Pair64>);
  return true;
}

const bool kAdded =
    add_to_key_cells("new_vqsort_one", [](auto keys) { vqsort(keys.data(), keys.size()); }) &&
    add_pairs<Values::kRising>() && add_pairs<Values::kAny>();

}  // namespace
}  // namespace postroom::benchmarks
