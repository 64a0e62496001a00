// The standard library: one thread, and its parallel algorithms (in libstdc++ over oneTBB).
#include <algorithm>
#include <execution>

#include "benchmarks/sort/cells.h"

namespace postroom::benchmarks {
namespace {

const bool kAdded =
    add_to_all_cells("std_sort", [](auto keys) { std::sort(keys.begin(), keys.end()); }) &&
    add_to_all_cells(
        "std_stable_sort", [](auto keys) { std::stable_sort(keys.begin(), keys.end()); },
        Ties::kStable) &&
    add_to_all_cells("std_sort_par",
                     [](auto keys) { std::sort(std::execution::par, keys.begin(), keys.end()); }) &&
    add_to_all_cells(
        "std_stable_sort_par",
        [](auto keys) { std::stable_sort(std::execution::par, keys.begin(), keys.end()); },
        Ties::kStable);

}  // namespace
}  // namespace postroom::benchmarks
