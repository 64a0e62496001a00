// Few bare keys sorted by some networks of vectors (sort/vectors/network_sort.h), without tables.
//
// They are moved to both sides of the median of a sample (sort/vectors/vector_sides.h) until a
// network takes them. Where a median has told hardly any apart, the highest bit that varies tells
// the next ones.
//
// Cost, one core (AMD Zen 5, AVX-512), whole sorts, by sort/engine/finish.h / so: 130 u64 3.3 / 2.4
// ns a key, 200 2.4 / 1.8, 500 2.3 / 2.0; 300 u32 1.65 / 1.35; 200 pairs of u64 by their words
// (sort/engine/by_words.h) 4.3 / 3.5. Memory: none. Nothing here throws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "sort/engine/config.h"
#include "sort/engine/count.h"
#include "sort/engine/digit.h"
#include "sort/engine/median_sample.h"
#include "sort/engine/part.h"
#include "sort/engine/spread.h"
#include "sort/vectors/network_sort.h"
#include "sort/vectors/vector_sides.h"

namespace postroom::sorting {

/// Up to so many keys networks are sooner reached by sides than by a digit (AMD Zen 5: 1,000 u32
/// 1.1 ns and 1.5).
template <class Bits>
inline constexpr std::size_t kMostForFewNetworks = sizeof(Bits) == sizeof(std::uint32_t) ? 2048
                                                                                         : 512;

/// Whether so many records of this kind are sorted so.
template <class Records>
bool goes_to_few_networks(std::size_t size, const SortConfig& config) noexcept {
  return takes_sides_soon<Records>(config) && size <= kMostForFewNetworks<typename Records::Bits>;
}

template <class Records>
class FewNetworks {
 public:
  /// `home` and `away` hold all keys that parts may name. Precondition: takes_sides_soon().
  FewNetworks(const Records& home, const Records& away) noexcept : home_(home), away_(away) {}

  /// Sorts the part and brings it home.
  void sort(Part part) noexcept { sort(part, part.end, false); }

 private:
  using Bits = typename Records::Bits;

  // [part.end, limit) is nobody else's.
  void sort(Part part, std::size_t limit, bool by_bit) noexcept {
    while (part.size() > most_) {
      Records& from = part.away ? away_ : home_;
      Records& to = part.away ? home_ : away_;
      const Pivot<Bits> pivot =
          by_bit ? border(from, part) : MedianSample<Bits>(from, part).pivot();
      const Sides sides = to.take_sides(from, part.begin, part.end, pivot);
      Part low{part.begin, part.begin + sides.below, !part.away};
      Part high{part.end - sides.above, part.end, part.away};
      home_.fill(low.end, high.begin, pivot.key);
      if (low.size() > high.size()) std::swap(low, high);
      by_bit = high.size() > part.size() / 8 * 7;
      sort(low, limit, false);
      part = high;
    }
    if (part.size() > 0) home_.take_sorted(part.away ? away_ : home_, part.begin, part.end, limit);
  }

  // The least key that has the highest bit that varies, whether there is one or not.
  static Pivot<Bits> border(const Records& records, const Part& part) noexcept {
    const auto common = common_bits(records, part.begin, part.end);
    const int width = width_of(common.varying());
    if (width == 0) return {common.any_one};
    const auto below = static_cast<Bits>(low_bits(width - 1));
    return {static_cast<Bits>(common.any_one & ~below), Equals::kAbove};
  }

  Records home_;
  Records away_;
  std::size_t most_ = most_in_network<Bits>(network_vector_bytes());
};

}  // namespace postroom::sorting
