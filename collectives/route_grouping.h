// Elements by target: how many there are for each, and every element to the place of its target, in
// nearly the same time whatever the order of the targets.
//
// A counter for each target is loaded right after it was stored, if the same target comes again.
// The CPU expects that, and lets a load wait for all stores before it whose address it does not
// know; those of elements have addresses that were just loaded. So the places of several elements
// are looked up before the first of them is written. With 8 targets (AMD Zen 3, 32-bit elements) an
// element takes 0.96 ns where all have one target and 1.2 where they come in no order; one at a
// time 0.8 to 1.5 and 3.0; sixteen at a time 2.6 and 1.3; from four parts of the list, with tables
// of their own, 1.5 and 2.9, counting included.
//
// Where a good part have the same target but not all, and come in no order, the guess of which
// store a load follows is wrong again and again: 1.2 to 1.7 ns where ordered ones take 0.36. Tried
// and lost: eight places at once, each with its rank among the eight by compares of vectors, 0.8
// whatever the order (the whole of two_transpose at h = 4 n/p: 7.9 ms shuffled and 6.5 in order,
// with ranks 7.6 and 7.7); the places of the most frequent target in a register, 1.8.
//
// Counting goes to eight tables in turn: 0.21 to 0.24 ns whatever the order; to four 0.20 to 0.35,
// to one 0.25 to 0.86.
//
// Used by one processor. Precondition: all targets are in 0 … processors-1.
//
//   const RouteCounts counts = count_targets(targets, self.count());
//   place_by_target(elements, targets, places);   // places[j]: where those for target j begin
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "collectives/route_relation.h"

namespace postroom {

/// How many there are for each target.
RouteCounts count_targets(std::span<const int> targets, int processors);

/// elements[k] goes to the next place for targets[k], the first of which is next[targets[k]]; there
/// is room for all.
template <Routable T>
void place_by_target(std::span<const T> elements, std::span<const int> targets,
                     std::vector<T*> next) {
  constexpr std::size_t kTogether = 8;
  std::size_t k = 0;
  for (; k + kTogether <= elements.size(); k += kTogether) {
    std::array<T*, kTogether> places;
    for (std::size_t i = 0; i < kTogether; ++i) {
      places[i] = next[static_cast<std::size_t>(targets[k + i])]++;
    }
    for (std::size_t i = 0; i < kTogether; ++i) *places[i] = elements[k + i];
  }
  for (; k < elements.size(); ++k) *next[static_cast<std::size_t>(targets[k])]++ = elements[k];
}

}  // namespace postroom
