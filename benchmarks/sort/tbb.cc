// oneTBB: a parallel quicksort, not stable.
#include <oneapi/tbb/parallel_sort.h>

#include "benchmarks/sort/cells.h"

namespace postroom::benchmarks {
namespace {

const bool kAdded = add_to_all_cells(
    "tbb_parallel_sort", [](auto keys) { oneapi::tbb::parallel_sort(keys.begin(), keys.end()); });

}  // namespace
}  // namespace postroom::benchmarks
