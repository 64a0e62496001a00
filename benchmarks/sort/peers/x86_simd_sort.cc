// x86-simd-sort, from the folder of its sources: src/x86simdsort-static-incl.h. One thread, keys
// alone, not stable.
#include <x86simdsort-static-incl.h>

#include "benchmarks/sort/cells.h"

namespace postroom::benchmarks {
namespace {

const bool kAdded = add_to_key_cells(
    "x86_simd_sort_one", [](auto keys) { x86simdsortStatic::qsort(keys.data(), keys.size()); });

}  // namespace
}  // namespace postroom::benchmarks
