// Highway's vectorised quicksort: one thread, not stable. Of pairs it wants the value first, so
// key and value change places before and after, inside the timed part. With vectors no wider than
// Postroom's.

// Its headers refuse some of the CPUs that this may be compiled for, as which its library never
// was.
#define HWY_BASELINE_TARGETS HWY_SCALAR
#include <hwy/contrib/sort/vqsort.h>
#include <hwy/targets.h>

#include <cstdint>
#include <utility>

#include "benchmarks/sort/cells.h"
#include "numa/vectors.h"

namespace postroom::benchmarks {
namespace {

template <class Element>
void swap_fields(std::span<Element> pairs) {
  for (Element& pair : pairs) std::swap(pair.key, pair.value);
}

// Sorts pairs as elements of Vqsort's own type: a pair with its value in front, or one number, of
// which the key is the upper half.
template <class Vqsort, class Element>
void sort_swapped(std::span<Element> pairs) {
  static_assert(sizeof(Vqsort) == sizeof(Element) && kArrayAlignment % alignof(Vqsort) == 0);
  swap_fields(pairs);
  hwy::Sorter()(reinterpret_cast<Vqsort*>(pairs.data()), pairs.size(), hwy::SortAscending());
  swap_fields(pairs);
}

// By the key alone, and by key and value, which may be quicker.
template <Values kValues>
bool add_pairs() {
  using Pair32 = Pair<std::uint32_t, kValues>;
  using Pair64 = Pair<std::uint64_t, kValues>;
  add_competitor<Pair32>("vqsort_swapped_one", sort_swapped<hwy::K32V32, Pair32>);
  add_competitor<Pair64>("vqsort_swapped_one", sort_swapped<hwy::K64V64, Pair64>);
  add_competitor<Pair32>("vqsort_swapped_kv_one", sort_swapped<std::uint64_t, Pair32>);
  add_competitor<Pair64>("vqsort_swapped_kv_one", sort_swapped<hwy::uint128_t, Pair64>);
  return true;
}

bool keep_from_wider_vectors() {
  if (!uses_avx512()) hwy::DisableTargets(HWY_AVX3 | HWY_AVX3_DL);
  if (!uses_avx2()) hwy::DisableTargets(HWY_AVX3 | HWY_AVX3_DL | HWY_AVX2);
  return true;
}

const bool kAdded =
    keep_from_wider_vectors() &&
    add_to_key_cells(
        "vqsort_one",
        [](auto keys) { hwy::Sorter()(keys.data(), keys.size(), hwy::SortAscending()); }) &&
    add_pairs<Values::kRising>() && add_pairs<Values::kAny>();

}  // namespace
}  // namespace postroom::benchmarks
