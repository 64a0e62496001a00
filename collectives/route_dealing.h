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
// Cost: next_bin() is one table look-up; a Dealer holds p numbers.
//
//   Dealer dealer(self.id(), self.count());
//   const int bin = dealer.next_bin(target);
#pragma once

#include <cstddef>
#include <vector>

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

/// Deals the elements of one source.
class Dealer {
 public:
  /// Precondition: 0 ≤ source < bins.
  Dealer(int source, int bins);

  /// The bin of the next element for `target`, 0 ≤ target < bins.
  int next_bin(int target) noexcept {
    int& next = next_[static_cast<std::size_t>(target)];
    const int bin = next;
    // Not a branch: with targets in no order it would be guessed wrong now and then.
    next = (bin + 1) & -static_cast<int>(bin + 1 != bins_);
    return bin;
  }

 private:
  int bins_;
  std::vector<int> next_;  // by target
};

}  // namespace postroom
