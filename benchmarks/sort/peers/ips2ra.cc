// IPS2Ra, from the folder of its sources: include/ips2ra.hpp. A radix sort in place, not stable.
#include <ips2ra.hpp>

#include "benchmarks/sort/cells.h"

namespace postroom::benchmarks {
namespace {

template <class Element>
auto key_of(const Element& element) {
  if constexpr (IsPair<Element>) {
    return element.key;
  } else {
    return element;
  }
}

const auto kKey = [](const auto& element) { return key_of(element); };

const bool kAdded =
    add_to_cells_by_integers(
        "ips2ra", [](auto keys) { ips2ra::parallel::sort(keys.begin(), keys.end(), kKey); }) &&
    add_to_cells_by_integers("ips2ra_one",
                             [](auto keys) { ips2ra::sort(keys.begin(), keys.end(), kKey); });

}  // namespace
}  // namespace postroom::benchmarks
