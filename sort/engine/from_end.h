// Records as merging takes them when it goes from the end: what comes last comes first.
//
// A row that grows upwards can be merged with what lies behind it only after it has been moved, one
// that grows downwards where it lies (sort/engine/merge_at_home.h). To merge records elsewhere it
// is all the same, so all are merged this way, by the same code (sort/engine/few_rows.h).
//
// Told as sort/engine/merge_two.h wants it: keys are upside down, a place is one step before the
// next, and of two rows the one behind is the first.
#pragma once

#include <cstddef>

namespace postroom::sorting {

template <class Records>
struct FromEnd {
  using Bits = typename Records::Bits;
  static constexpr std::ptrdiff_t kStep = -static_cast<std::ptrdiff_t>(Records::kPlaceStep);

  // Copies: what is taken could change what lies in memory.
  Records from;
  Records to;

  Bits key(std::size_t place) const { return static_cast<Bits>(~from.key_at(place)); }
  void take(std::size_t target, std::size_t place) noexcept { to.take_at(target, from, place); }

  /// Of what ends before record `i`, the first one; of what begins with it, the end.
  static std::size_t before(const Records& records, std::size_t i) noexcept {
    return records.place(0) + i * Records::kPlaceStep - Records::kPlaceStep;
  }
};

}  // namespace postroom::sorting
