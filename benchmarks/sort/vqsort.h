// Highway's vectorised quicksort as a competitor, of whatever version: the file that includes this
// has included Highway's headers before. One thread, not stable. Of pairs it wants the value first,
// so key and value change places before and after, inside the timed part.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "benchmarks/sort/cells.h"

namespace postroom::benchmarks {

template <class Element>
void swap_fields(std::span<Element> pairs) {
  for (Element& pair : pairs) std::swap(pair.key, pair.value);
}

/// Sorts pairs as elements of Vqsort's own type: a pair with its value in front, or one number, of
/// which the key is the upper half.
template <class Element, class Vqsort, class Sort>
void add_swapped(const std::string& name, Sort sort) {
  static_assert(sizeof(Vqsort) == sizeof(Element) && kArrayAlignment % alignof(Vqsort) == 0);
  add_competitor<Element>(name, [sort](std::span<Element> pairs) {
    swap_fields(pairs);
    sort(reinterpret_cast<Vqsort*>(pairs.data()), pairs.size());
    swap_fields(pairs);
  });
}

/// By the key alone, and by key and value, which may be quicker.
template <Values kValues, class Sort>
void add_swapped_pairs(const std::string& vqsort, Sort sort) {
  using Pair32 = Pair<std::uint32_t, kValues>;
  using Pair64 = Pair<std::uint64_t, kValues>;
  add_swapped<Pair32, hwy::K32V32>(vqsort + "_swapped_one", sort);
  add_swapped<Pair64, hwy::K64V64>(vqsort + "_swapped_one", sort);
  add_swapped<Pair32, std::uint64_t>(vqsort + "_swapped_kv_one", sort);
  add_swapped<Pair64, hwy::uint128_t>(vqsort + "_swapped_kv_one", sort);
}

/// Registers sort(keys, size) in all cells that it can sort. Returns true, to begin a constant
/// with.
template <class Sort>
bool add_vqsort(const std::string& vqsort, Sort sort) {
  add_swapped_pairs<Values::kRising>(vqsort, sort);
  add_swapped_pairs<Values::kAny>(vqsort, sort);
  return add_to_key_cells(vqsort + "_one", [sort](auto keys) { sort(keys.data(), keys.size()); });
}

}  // namespace postroom::benchmarks
