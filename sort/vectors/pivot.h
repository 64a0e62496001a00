// The key that others are moved to both sides of, and where its equals go.
#pragma once

#include <cstdint>

namespace postroom::sorting {

/// Where keys go that are equal to a pivot: to neither side, since they need not be sorted any
/// more; or with those above it, which takes a vector one comparison and one order less.
enum class Equals : std::uint8_t { kOut, kAbove };

template <class Bits>
struct Pivot {
  Bits key;
  Equals equals = Equals::kOut;
};

}  // namespace postroom::sorting
