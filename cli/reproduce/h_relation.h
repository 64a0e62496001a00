// The h-relations on which [H] measures its router.
//
// Source: [H], Eq. (7): of n elements v_i go to processor i, so that processor 0 receives h of them
// and the others less and less.
//
//   equation_7_targets(8, 64, 32);   // 32 times 0, 21 times 1, …
#pragma once

#include <cstddef>
#include <vector>

namespace postroom::cli {

/// The targets of all n elements, the fullest processor first. For h = n/p as many go to each.
/// Precondition: n/p <= h <= n.
std::vector<int> equation_7_targets(int processors, std::size_t n, std::size_t h);

/// Dealt cyclically, as the paper does: result[i] is where processor i sends its elements.
std::vector<std::vector<int>> dealt_cyclically(const std::vector<int>& targets, int processors);

}  // namespace postroom::cli
