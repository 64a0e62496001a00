// Boost.Sort: its parallel sorts, and those on one thread.
#include <boost/sort/sort.hpp>
#include <boost/sort/spreadsort/float_sort.hpp>
#include <boost/sort/spreadsort/integer_sort.hpp>
#include <type_traits>

#include "benchmarks/sort/cells.h"

namespace postroom::benchmarks {
namespace {

template <class Element>
void spreadsort(std::span<Element> elements) {
  if constexpr (IsPair<Element>) {
    boost::sort::spreadsort::integer_sort(
        elements.begin(), elements.end(),
        [](const Element& element, unsigned shift) { return element.key >> shift; });
  } else if constexpr (std::is_floating_point_v<Element>) {
    boost::sort::spreadsort::float_sort(elements.begin(), elements.end());
  } else {
    boost::sort::spreadsort::integer_sort(elements.begin(), elements.end());
  }
}

const auto kSpreadsort = [](auto keys) { spreadsort(keys); };

const bool kAdded =
    add_to_all_cells(
        "boost_block_indirect",
        [](auto keys) { boost::sort::block_indirect_sort(keys.begin(), keys.end()); }) &&
    add_to_all_cells(
        "boost_stable_parallel",
        [](auto keys) { boost::sort::parallel_stable_sort(keys.begin(), keys.end()); },
        Ties::kStable) &&
    add_to_all_cells(
        "boost_sample_sort", [](auto keys) { boost::sort::sample_sort(keys.begin(), keys.end()); },
        Ties::kStable) &&
    add_to_key_cells("boost_spreadsort_one", kSpreadsort) &&
    add_to_pair_cells("boost_spreadsort_one", kSpreadsort) &&
    add_to_all_cells(
        "boost_pdqsort_one",
        [](auto keys) { boost::sort::pdqsort_branchless(keys.begin(), keys.end()); }) &&
    add_to_all_cells(
        "boost_spinsort_one", [](auto keys) { boost::sort::spinsort(keys.begin(), keys.end()); },
        Ties::kStable) &&
    add_to_all_cells(
        "boost_flat_stable_one",
        [](auto keys) { boost::sort::flat_stable_sort(keys.begin(), keys.end()); }, Ties::kStable);

}  // namespace
}  // namespace postroom::benchmarks
