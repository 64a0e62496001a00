// How the two-transpose router deals elements to bins, and how large a bin can get.
//
// Source: [H], section 3, step 1 and the proof of its correctness. Source i puts its k-th element
// for target j (k from 0) into bin (i + j + k) mod p. Nothing here sends a message: it is the rule
// alone, so that its bounds can be tested without a machine.
//
// Bounds: if a source deals h elements, no bin gets more than h/p + (p-1)/2 of them; if a target
// gets h elements, no processor holds more than h/p + (p-1)/2 of them between the two transposes.
// Here we differ from the paper: it states h/p + p/2, and its proof gives more. A bin with q
// elements beyond the full rounds needs 1 + 2 + … + q elements, so for h < p(p-1)/2 the bound is
// the largest q with q(q+1)/2 ≤ h. largest_bin() is that exact value: some relation reaches it for
// every h and p.
//
// Elements with the same target that lie side by side are dealt in whole rounds, so nothing is
// looked up for each of them, and it takes the same time whatever the targets are.
//
// Cost: one pass over the elements.
//
//   deal_round(elements, count, bins);       // bins[t]: where those for the t-th bin in turn go
//   pick_up_round(bins, count, elements);    // the way back
#pragma once

#include <cstddef>
#include <span>

namespace postroom {

/// The most elements that one of `bins` bins can get of `elements` that are dealt. `bins` ≥ 1.
std::size_t largest_bin(std::size_t elements, int bins) noexcept;

/// The most elements in a bin of the first transpose, when no processor sends more than `h1`.
inline std::size_t first_bin_bound(std::size_t h1, int processors) noexcept {
  return largest_bin(h1, processors);
}
/// The most elements in a bin of the second transpose, when no processor receives more than `h2`.
/// The same number for another reason: for each target, the p sources start at p different bins.
inline std::size_t second_bin_bound(std::size_t h2, int processors) noexcept {
  return largest_bin(h2, processors);
}

/// The bin of the first element of `source` for `target`; the next one goes to the bin after it.
inline int first_bin_of(int source, int target, int bins) noexcept {
  return (source + target) % bins;
}
/// Of `elements` dealt in turn, how many come to the bin that is `turn` bins after the first.
inline std::size_t dealt_share(std::size_t elements, std::size_t turn, std::size_t bins) noexcept {
  return (elements + bins - 1 - turn) / bins;
}

inline constexpr std::size_t kRowsTogether = 4;

/// `move(turn, row, k)` for each k < elements: the one that is `row`-th of all in the `turn`-th
/// bin. Several rows at once, so that a bin is looked up once for them.
template <class Move>
void for_each_dealt(std::size_t elements, std::size_t bins, const Move& move) {
  const std::size_t rows = elements / bins;
  std::size_t row = 0;
  for (; row + kRowsTogether <= rows; row += kRowsTogether) {
    for (std::size_t turn = 0; turn < bins; ++turn) {
      for (std::size_t i = 0; i < kRowsTogether; ++i) move(turn, row + i, (row + i) * bins + turn);
    }
  }
  for (std::size_t k = row * bins; k < elements; ++k) move(k % bins, k / bins, k);
}

/// from[k] goes to the next place of bin k mod bins.size().
template <class T>
void deal_round(const T* from, std::size_t elements, std::span<T* const> bins) {
  for_each_dealt(elements, bins.size(), [&](std::size_t turn, std::size_t row, std::size_t k) {
    bins[turn][row] = from[k];
  });
}
/// to[k] comes from bin k mod bins.size(), where `first_row` have been taken already.
template <class T>
void pick_up_round(std::span<const T* const> bins, std::size_t first_row, std::size_t elements,
                   T* to) {
  for_each_dealt(elements, bins.size(), [&](std::size_t turn, std::size_t row, std::size_t k) {
    to[k] = bins[turn][first_row + row];
  });
}

}  // namespace postroom
