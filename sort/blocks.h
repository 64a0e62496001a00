// The block distribution: n elements in a row, cut into one block for each of p processors.
//
// Sizes differ by at most one, the larger blocks first; where p divides n this is the n/p of [H].
// (Blocks of ⌈n/p⌉ with a short last one would save a comparison in owner(), but leave processors
// without work: n = 9, p = 8 makes 2 2 2 2 1 0 0 0.)
//
// Plain arithmetic: no messages, no memory. Cost: owner() one division, all else none.
//
//   const BlockDistribution blocks(keys.size(), self.count());
//   std::span own = keys.subspan(blocks.first(self.id()), blocks.size(self.id()));
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace postroom {

class BlockDistribution {
 public:
  /// Throws std::invalid_argument when `processors` < 1.
  BlockDistribution(std::uint64_t elements, int processors)
      : elements_(elements), processors_(processors), small_(quotient(elements, processors)) {
    larger_ = static_cast<int>(elements % static_cast<std::uint64_t>(processors));
    in_larger_ = static_cast<std::uint64_t>(larger_) * (small_ + 1);
  }

  std::uint64_t elements() const noexcept { return elements_; }
  int processors() const noexcept { return processors_; }
  /// The size of the largest block: ⌈n/p⌉.
  std::uint64_t largest() const noexcept { return small_ + (larger_ > 0); }

  /// The rank of the first element of a block; n for `processor` = p.
  std::uint64_t first(int processor) const noexcept {
    const auto larger = static_cast<std::uint64_t>(processor < larger_ ? processor : larger_);
    return static_cast<std::uint64_t>(processor) * small_ + larger;
  }
  std::uint64_t size(int processor) const noexcept { return small_ + (processor < larger_); }

  /// Whose block holds the element of this rank. Precondition: rank < n.
  int owner(std::uint64_t rank) const noexcept {
    if (rank < in_larger_) return static_cast<int>(rank / (small_ + 1));
    return larger_ + static_cast<int>((rank - in_larger_) / small_);
  }
  /// Where in its block that element is.
  std::uint64_t position(std::uint64_t rank) const noexcept { return rank - first(owner(rank)); }

 private:
  static std::uint64_t quotient(std::uint64_t elements, int processors) {
    if (processors < 1) {
      throw std::invalid_argument("processors: " + std::to_string(processors) +
                                  " is not allowed; at least 1");
    }
    return elements / static_cast<std::uint64_t>(processors);
  }

  std::uint64_t elements_;
  int processors_;
  std::uint64_t small_;      // the size of the smaller blocks
  int larger_;               // so many blocks have one element more
  std::uint64_t in_larger_;  // so many elements are in those
};

}  // namespace postroom
