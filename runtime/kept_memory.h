// Memory that a processor keeps from one call of a collective to the next.
//
// For calls that need so much that every one would get it afresh from the system and pay for the
// first touch of its pages: as much again as a routing of 16 MiB takes with pages of 4 KiB. What a
// processor keeps lies near it, because it touched it first, and goes when its machine ends.
//
// Source: our own. Cost: take and keep look at kPieces pieces; a new one is a system call
// (numa/memory.h). Used by its processor. Bounded: kPieces pieces of `most` bytes together, each of
// half of that at most; a machine's processors together keep at most kKeptBytesOfMachine.
// Errors: std::bad_alloc.
//
//   PlacedBuffer buffer = self.kept_memory()->take(bytes);   // what is in it is anything
//   if (buffer.data() == nullptr) …                          // it is to come from elsewhere
//   self.kept_memory()->keep(buffer);                        // empty from here on
#pragma once

#include <array>
#include <cstddef>

#include "numa/memory.h"

namespace postroom {

inline constexpr std::size_t kKeptBytesOfMachine = std::size_t{256} << 20;

class KeptMemory {
 public:
  static constexpr std::size_t kPieces = 8;

  explicit KeptMemory(std::size_t most) noexcept : most_(most) {}

  /// Of at least `bytes`, more than none: the smallest that is kept, or else a new one. Empty where
  /// that would be too large to be kept, and while kPieces are taken.
  PlacedBuffer take(std::size_t bytes);
  /// Keeps what was taken, instead of smaller ones where need be; else it is freed. Not empty.
  void keep(PlacedBuffer& buffer) noexcept;
  /// That are kept and not taken.
  std::size_t bytes() const noexcept;

 private:
  std::size_t most_;
  std::size_t taken_ = 0;
  std::array<PlacedBuffer, kPieces> kept_;
};

}  // namespace postroom
