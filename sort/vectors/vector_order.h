// How the keys of rows follow each other, by vectors: records of 8 or 16 bytes, each with a key
// somewhere in it, or bare keys of 4 or 8 bytes.
//
// All words of a vector are compared with those of the rows before; what that says of words that
// are no keys is masked out. In cache a row of 8 bytes takes 0.05 ns and one of 16 takes 0.1 (AMD
// Zen 5, AVX-512; with AVX2 0.08 and 0.15); one by one, 0.27. Outside of it memory decides, whoever
// compares (sort/vectors/read_ahead.h).
//
// Source: our own. Nothing here throws. No memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "sort/keys.h"
#include "sort/vectors/read_ahead.h"

namespace postroom::sorting {

/// What there is among the keys of rows, each compared with the one before.
struct Neighbours {
  bool rise = false;
  bool fall = false;
  bool alike = false;

  void add(const Neighbours& other) noexcept {
    rise |= other.rise;
    fall |= other.fall;
    alike |= other.alike;
  }
};

/// Rows side by side, the key of each so many bytes behind its begin. Keys are in the order of
/// key ^ flip (flip_mask, sort/keys.h); floating-point ones are folded first (fold_negative).
template <class Bits, bool kFloating = false>
struct KeyRows {
  const std::byte* rows;
  std::size_t offset;
  Bits flip;

  /// Of row `i`, as they are ordered.
  template <std::size_t kRowBytes>
  Bits key(std::size_t i) const noexcept {
    Bits key;
    std::memcpy(&key, rows + i * kRowBytes + offset, sizeof(Bits));
    if constexpr (kFloating) key = fold_negative(key);
    return static_cast<Bits>(key ^ flip);
  }
};

/// Whether there are vectors for keys of this type in rows of so many bytes.
template <class Bits>
constexpr bool has_row_vectors(std::size_t row_bytes) noexcept {
  return (row_bytes == 4 || row_bytes == 8 || row_bytes == 16) &&
         sizeof(Bits) >= sizeof(std::uint32_t) && sizeof(Bits) <= row_bytes;
}

/// Whether this processor has them, and the keys lie where they look.
bool can_compare_rows(std::size_t offset, std::size_t key_bytes) noexcept;

/// Compares each row of [begin, end) with the one before, until some rise and some fall. `alike` is
/// told where none rise. Where `reading` is by strips, it is so as far as one relation holds.
/// Preconditions: begin >= 1, has_row_vectors, can_compare_rows.
template <std::size_t kRowBytes, class Bits, bool kFloating>
Neighbours compare_rows(const KeyRows<Bits, kFloating>& keys, std::size_t begin, std::size_t end,
                        Reading reading) noexcept;

/// The same by vectors of one kind, which the processor has. (On x86 alone.)
template <std::size_t kRowBytes, class Bits, bool kFloating>
Neighbours compare_rows_by_avx2(const KeyRows<Bits, kFloating>& keys, std::size_t begin,
                                std::size_t end, Reading reading) noexcept;
template <std::size_t kRowBytes, class Bits, bool kFloating>
Neighbours compare_rows_by_avx512(const KeyRows<Bits, kFloating>& keys, std::size_t begin,
                                  std::size_t end, Reading reading) noexcept;

/// The same without vectors, wherever the keys lie; `alike` is always told.
template <std::size_t kRowBytes, class Bits, bool kFloating>
Neighbours compare_rows_singly(const KeyRows<Bits, kFloating>& keys, std::size_t begin,
                               std::size_t end) noexcept;

}  // namespace postroom::sorting
