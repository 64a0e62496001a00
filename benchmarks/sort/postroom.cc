// Postroom: with as many processors as the box gives, with one, and without memory of former calls.
#include <cstdint>
#include <span>
#include <vector>

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

// Threads are started once for a program, as oneTBB's are by filling the first array.
bool start_threads() {
  std::vector<std::uint64_t> keys(1'000'000);
  fill(keys, Distribution::uniform);
  sort(keys);
  return true;
}

const bool kAdded =
    start_threads() &&
    add_to_all_cells(
        "postroom", [](auto elements) { sort_cell(elements, {}); }, Ties::kStable) &&
    add_to_all_cells(
        "postroom_one", [](auto elements) { sort_cell(elements, {.processors = 1}); },
        Ties::kStable) &&
    // What it needs of memory the system has to find, as for others that allocate.
    add_to_all_cells(
        "postroom_fresh",
        [](auto elements) {
          free_kept_scratch();
          sort_cell(elements, {});
        },
        Ties::kStable);

}  // namespace
}  // namespace postroom::benchmarks
