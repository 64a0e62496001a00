// Highway's vectorised quicksort: one thread, keys alone, not stable.
#include <hwy/contrib/sort/vqsort.h>

#include "benchmarks/sort/cells.h"

namespace postroom::benchmarks {
namespace {

const bool kAdded = add_to_key_cells(
    "vqsort_one", [](auto keys) { hwy::Sorter()(keys.data(), keys.size(), hwy::SortAscending()); });

}  // namespace
}  // namespace postroom::benchmarks
