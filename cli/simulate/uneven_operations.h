// The operations whose blocks differ in size.
//
// Sizes are given by one number m, as of the others, and p processors:
//
//   reduce_scatter, allgatherv   block j has m / 4, the last one all the rest of p m
//   scatterv, gatherv            the same; the root is processor 0
//   alltoallv                    everybody sends so much to processor j
//   route                        everybody has p m for all, processor 0 gets twice as much as on
//                                average, the others less and less, the last next to nothing: Eq.
//                                (7) of [H] with h = 2 n/p; elements for different targets take
//                                turns
//
// Elements are words of 8 bytes where m is made of whole ones, otherwise bytes. Costs and times are
// for at most 4,096 processors, whose blocks are counted one by one; std::invalid_argument for
// more.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cli/simulate/simulated_operation.h"

namespace postroom::cli {

/// 8 or 1.
std::size_t uneven_element_bytes(std::size_t block_bytes);

/// reduce_scatter, scatterv, gatherv, allgatherv, alltoallv, route.
std::span<const SimulatedOperation> uneven_operations();

/// Of all but route, in elements, by processor.
std::vector<std::size_t> skewed_counts(int processors, std::size_t block_bytes);
/// Of route.
std::vector<std::size_t> falling_counts(int processors, std::size_t block_bytes);

}  // namespace postroom::cli
