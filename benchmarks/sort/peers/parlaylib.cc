// ParlayLib's integer sort, from the folder of its sources: include/parlay/primitives.h. Stable.
#include <parlay/primitives.h>

#include "benchmarks/sort/cells.h"

namespace postroom::benchmarks {
namespace {

template <class Element>
void integer_sort(std::span<Element> elements) {
  if constexpr (IsPair<Element>) {
    parlay::stable_integer_sort_inplace(elements, [](const Element& e) { return e.key; });
  } else {
    parlay::stable_integer_sort_inplace(elements, [](Element key) { return key; });
  }
}

const bool kAdded = add_to_cells_by_integers(
    "parlaylib_stable", [](auto keys) { integer_sort(keys); }, Ties::kStable);

}  // namespace
}  // namespace postroom::benchmarks
