// IPS4o, from the folder of its sources: include/ips4o.hpp. In place, not stable.
#include <ips4o.hpp>

#include "benchmarks/sort/cells.h"

namespace postroom::benchmarks {
namespace {

const bool kAdded =
    add_to_all_cells("ips4o", [](auto keys) { ips4o::parallel::sort(keys.begin(), keys.end()); }) &&
    add_to_all_cells("ips4o_one", [](auto keys) { ips4o::sort(keys.begin(), keys.end()); });

}  // namespace
}  // namespace postroom::benchmarks
