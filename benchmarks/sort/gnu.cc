// libstdc++'s parallel mode, over OpenMP. Its threads spin after their work, to the cost of whoever
// comes next, unless OMP_WAIT_POLICY=passive.
#include <parallel/algorithm>

#include "benchmarks/sort/cells.h"

namespace postroom::benchmarks {
namespace {

const bool kAdded =
    add_to_all_cells("gnu_sort",
                     [](auto keys) { __gnu_parallel::sort(keys.begin(), keys.end()); }) &&
    add_to_all_cells(
        "gnu_stable_sort", [](auto keys) { __gnu_parallel::stable_sort(keys.begin(), keys.end()); },
        Ties::kStable);

}  // namespace
}  // namespace postroom::benchmarks
