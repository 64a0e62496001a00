// Elements to the places of a few targets, by vectors of AVX-512: nearly the same time whatever the
// targets.
//
// Nothing is looked up and nothing is guessed for an element; route_vectors.cc says how it is done,
// and what was slower.
//
// Source: our own. Used by one processor. Cost (AMD Zen 5, 8 targets, elements of 32 bits): 0.28 ns
// an element where targets are in order, 0.33 to 0.38 where they are in none. Memory: 9 KiB of
// stack.
//
//   std::vector<TargetRoom> rooms = …;   // of each target
//   const std::size_t placed = place_by_vectors(elements, sizeof(int), targets, rooms);
#pragma once

#include <cstddef>
#include <span>

namespace postroom {

/// Where the elements for a target go: `next` is the place of the next one.
struct TargetRoom {
  std::byte* next;
  std::byte* end;
};

/// The most targets, times the bytes of an element: eight targets where these have 32 bits,
/// four where they have 64. With twice as many it is not worth it: with eight of 64 bits an element
/// takes 0.5 to 0.6 ns, with sixteen of 32 bits 0.6 to 3.4.
inline constexpr std::size_t kMostTargetBytes = 32;

/// Places the first of `elements`, each of `element_bytes` bytes, and returns how many; the rest is
/// the caller's. The k-th goes to rooms[targets[k]].next, which moves on. What lies in a room
/// behind its `next` may have been overwritten.
///
/// Whole blocks of 1 KiB are placed; none where elements are not of 4 or 8 bytes, or this CPU has
/// no AVX-512. Preconditions: as many elements as targets; rooms.size() * element_bytes ≤
/// kMostTargetBytes; all targets are below rooms.size(); there is room for all.
std::size_t place_by_vectors(const std::byte* elements, std::size_t element_bytes,
                             std::span<const int> targets, std::span<TargetRoom> rooms) noexcept;

}  // namespace postroom
