// Postroom: with as many processors as the box gives, and with one.
#include <span>

#include "benchmarks/sort/cells.h"
#include "sort/sort.h"

namespace postroom::benchmarks {
namespace {

template <class Element>
void sort_cell(std::span<Element> elements, const SortOptions& options) {
  if constexpr (IsPair<Element>) {
    sort(elements, &Element::key, options);
  } else {
    sort(elements, options);
  }
}

const bool kAdded =
    add_to_all_cells("postroom", [](auto elements) { sort_cell(elements, {}); }) &&
    add_to_all_cells("postroom_one", [](auto elements) { sort_cell(elements, {.processors = 1}); });

}  // namespace
}  // namespace postroom::benchmarks
