// DovetailSort, from the folder of its sources: include/parlay/integer_sort.h. Stable.
#include <parlay/integer_sort.h>

#include "benchmarks/sort/cells.h"

namespace postroom::benchmarks {
namespace {

template <class Element>
void integer_sort(std::span<Element> elements) {
  const auto all = parlay::make_slice(elements.data(), elements.data() + elements.size());
  if constexpr (IsPair<Element>) {
    parlay::integer_sort_inplace2(all, [](const Element& e) { return e.key; });
  } else {
    parlay::integer_sort_inplace2(all, [](Element key) { return key; });
  }
}

const bool kAdded = add_to_cells_by_integers(
    "dovetailsort_stable", [](auto keys) { integer_sort(keys); }, Ties::kStable);

}  // namespace
}  // namespace postroom::benchmarks
