// Elements to the places of a few targets, by vectors: nearly the same time whatever the targets.
//
// Of sixteen elements of 32 bits (eight of 64) those for a target are pushed together, in their
// order, and all of the vector is written to its next places; what is behind them is overwritten
// by the next ones. Nothing is looked up and nothing is guessed. Where a vector might reach into
// the places of the next target, the last ones for a target are kept aside until the end.
//
// Source: our own.
// Used by one processor. Cost (AMD Zen 5, 8 targets, 32 bits): 0.28 ns an element in order, 0.33 to
// 0.38 in none; 9 KiB of stack. Tried and lost: only what is there is written, by masks (0.35 to
// 0.41, and 11 where a page behind is not there yet); rows in the cache, copied from there (0.33
// and 0.55); one target after the other (0.3 to 0.9: stores into one line follow each other too
// soon); `vpcompress` to memory (0.45, and Zen 4 is slow at it); AVX2 with orders of lanes in a
// table (0.4 to 0.5); ranks that `vpconflict` finds (0.4 to 0.6).
#pragma once

#include <cstddef>
#include <span>

namespace postroom {

/// Where the elements for a target go.
struct TargetRoom {
  std::byte* next;
  std::byte* end;
};

/// More targets, times the bytes of an element, go without: with eight of 64 bits an element takes
/// 0.5 to 0.6 ns, with sixteen of 32 bits 0.6 to 3.4.
inline constexpr std::size_t kMostTargetBytes = 32;

/// Places the first of `elements`, each of `element_bytes`, whole blocks of them; returns how many.
/// The k-th goes to rooms[targets[k]].next, which moves on. None where they are not of 32 or 64
/// bits or this CPU has not the vectors (AVX-512). Preconditions: rooms.size() * element_bytes ≤
/// kMostTargetBytes; all targets are below rooms.size(); there is room for all.
std::size_t place_by_vectors(const std::byte* elements, std::size_t element_bytes,
                             std::span<const int> targets, std::span<TargetRoom> rooms) noexcept;

}  // namespace postroom
