// How far apart data must lie so that two processors do not disturb each other.
//
// Fixed numbers, so that layouts are the same on every box and can be checked with static_assert.
// kNoSharing is two lines because x86 prefetches lines in pairs: a write to one line of a pair
// slows down the reader of the other.
//
//   struct Slot { alignas(kNoSharing) std::atomic<int> written_by_one; };
#pragma once

#include <cstddef>

#include "numa/language.h"

namespace postroom {

/// The bytes that travel between cores together.
inline constexpr std::size_t kCacheLine = 64;
/// The alignment of data that different processors write.
inline constexpr std::size_t kNoSharing = 2 * kCacheLine;

}  // namespace postroom
