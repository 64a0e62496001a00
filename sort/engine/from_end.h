// Records as merging takes them when it goes from the end: what comes last comes first.
//
// A row is merged where it lies from the end, into the places of the row behind it, which has moved
// aside (sort/engine/merge_at_home.h). To merge to other memory either direction will do, so that
// is done from the end, too, by the same code (sort/engine/few_rows.h).
//
// Told as sort/engine/merge_two.h wants it: all bits of keys are flipped, the next place is the one
// before in memory, and of two rows the one behind is the first.
//
// Cost and errors: those of a key, and of a move, of the records. Source: our own.
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
