// What sort/vectors/order_avx2.cc and sort/vectors/order_avx512.cc do with their vectors: how the
// keys of rows follow each other (sort/vectors/vector_order.h). Keys are compared as signed, which
// is their order with the top bit turned over.
//
// For the Lanes of sort/vectors/avx2.h or sort/vectors/avx512.h.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "numa/cacheline.h"
#include "sort/keys.h"
#include "sort/vectors/read_ahead.h"
#include "sort/vectors/vector_order.h"

namespace postroom::sorting {
namespace {

// Relations of a key to the one before: some bits of the lane where it holds, else none.

// Of which none holds where no key differs from the first one: of the bits of both as they lie,
// whatever their order.
struct Different {
  static constexpr bool kToFirst = true;
  template <class Vector>
  Vector operator()(Vector before, Vector next) const {
    return before ^ next;
  }
};
struct Fallen {
  static constexpr bool kToFirst = false;
  template <class Vector>
  Vector operator()(Vector before, Vector next) const {
    return before.is_above(next);
  }
};
struct Risen {
  static constexpr bool kToFirst = false;
  template <class Vector>
  Vector operator()(Vector before, Vector next) const {
    return before.is_below(next);
  }
};
struct NotFallen {
  static constexpr bool kToFirst = false;
  template <class Vector>
  Vector operator()(Vector before, Vector next) const {
    return before.is_below(next) | before.is(next);
  }
};

template <template <class> class Lanes, std::size_t kRowBytes, class Bits, bool kFloating>
class RowReader {
 public:
  using Vector = Lanes<Bits>;
  static constexpr std::size_t kTogether = 4 * kCacheLine / Vector::kBytes;
  static constexpr std::size_t kBlock = kTogether * Vector::kBytes / kRowBytes;

  explicit RowReader(const KeyRows<Bits, kFloating>& keys)
      : keys_(keys), flips_(Vector::of(keys.flip ^ kTopBit<Bits>)) {
    std::array<Bits, Vector::kCount> lanes = {};
    for (std::size_t i = keys.offset / sizeof(Bits); i < lanes.size();
         i += kRowBytes / sizeof(Bits)) {
      lanes[i] = static_cast<Bits>(~Bits{0});
    }
    lanes_ = Vector::read(lanes.data());
  }

  /// The first row at or after `i`, or `end`, that is the first in its line.
  std::size_t line_from(std::size_t i, std::size_t end) const noexcept {
    const std::size_t over = reinterpret_cast<std::uintptr_t>(at(i)) % kLine;
    return over == 0 ? i : std::min(end, i + (kLine - over) / kRowBytes);
  }

  /// All that is seen of the rows [begin, end) from those before them.
  Neighbours neighbours(std::size_t begin, std::size_t end) const noexcept {
    constexpr std::size_t kRows = Vector::kBytes / kRowBytes;
    if (end - begin < kRows) return compare_rows_singly<kRowBytes>(keys_, begin, end);
    Vector risen = Vector::of(0);
    Vector fallen = risen;
    Vector alike = risen;
    for (std::size_t i = begin; i < end; i += kRows) {
      const std::size_t from = std::min(i, end - kRows);  // some of the last ones twice
      const Vector before = keys_in(Vector::read(at(from - 1)));
      const Vector next = keys_in(Vector::read(at(from)));
      risen = risen | before.is_below(next);
      fallen = fallen | before.is_above(next);
      alike = alike | before.is(next);
    }
    return {risen.meets(lanes_), fallen.meets(lanes_), alike.meets(lanes_)};
  }

  /// Whether of(before, next) is 0 for all keys from row `begin` on, by strips. If so, moves
  /// `begin` to the few rows that are left.
  template <class Of>
  bool are_none_by_strips(std::size_t& begin, std::size_t end, Of of) const noexcept {
    const std::size_t strip = (end - begin) / kReadStrips / kBlock * kBlock;
    if (strip == 0) return true;
    Vector held[kReadStrips];
    for (std::size_t s = 0; s < kReadStrips; ++s) held[s] = last_before<Of>(begin + s * strip);
    for (std::size_t from = begin; from < begin + strip; from += kBlock) {
      Vector any = Vector::of(0);
#pragma GCC unroll 8
      for (std::size_t s = 0; s < kReadStrips; ++s) {
        const std::byte* rows = at(from + s * strip);
        // Not unrolled: a CPU that looks which instruction reads step by step then fetches ahead of
        // it (10^7 pairs of u32 that are alike 0.28 to 0.39 instead of 0.33 to 0.49 ns on one core;
        // AMD Zen 4. Of u64 0.43 instead of 0.46; Zen 5).
#pragma GCC unroll 1
        for (std::size_t v = 0; v < kTogether; ++v, rows += Vector::kBytes) {
          if (v % kOfLine == 0) read_ahead_of(rows);
          any = any | of_vector(rows, held[s], of);
        }
      }
      if (any.meets(lanes_)) return false;
    }
    begin += kReadStrips * strip;
    return true;
  }

  /// Reads on from row `i` by blocks, none of them beyond `end`, while of(before, next) is 0 for
  /// all keys. Returns where the block begins of which that is not so.
  template <class Of>
  std::size_t read_while_none(std::size_t i, std::size_t end, Of of) const noexcept {
    Vector held = last_before<Of>(i);
    for (; i + kBlock <= end; i += kBlock) {
      const std::byte* rows = at(i);
      Vector any = Vector::of(0);
#pragma GCC unroll 8
      for (std::size_t v = 0; v < kTogether; ++v, rows += Vector::kBytes) {
        if (v % kOfLine == 0) read_ahead_of(rows);
        any = any | of_vector(rows, held, of);
      }
      if (any.meets(lanes_)) break;
    }
    return i;
  }

 private:
  static constexpr std::size_t kLine = kCacheLine;
  static constexpr std::size_t kOfLine = kLine / Vector::kBytes;

  const std::byte* at(std::size_t i) const noexcept { return keys_.rows + i * kRowBytes; }

  // As they are ordered.
  Vector keys_in(Vector words) const noexcept {
    if constexpr (kFloating) words = words ^ words.signs().template down<1>();  // fold_negative
    return words ^ flips_;
  }

  // A vector of which the last row is the one before row `i`, as Of wants it.
  template <class Of>
  Vector last_before(std::size_t i) const noexcept {
    const Vector rows = Vector::template repeat<kRowBytes>(at(i - 1));
    return Of::kToFirst ? rows : keys_in(rows);
  }

  // What of(before, next) is for the rows at `rows`. `held` is the vector before them, and becomes
  // them; or has the first key everywhere.
  template <class Of>
  Vector of_vector(const std::byte* rows, Vector& held, Of of) const noexcept {
    if constexpr (Of::kToFirst) return of(held, Vector::read(rows));
    const Vector next = keys_in(Vector::read(rows));
    // Not by std::exchange: what is compiled for other processors may not hand over vectors.
    const Vector before = next.template one_row_later<kRowBytes>(held);
    held = next;
    return of(before, next);
  }

  KeyRows<Bits, kFloating> keys_;
  Vector flips_;
  Vector lanes_;  // those of keys
};

template <template <class> class Lanes, std::size_t kRowBytes, class Bits, bool kFloating>
[[gnu::flatten]] Neighbours compare_by_lanes(const KeyRows<Bits, kFloating>& keys,
                                             std::size_t begin, std::size_t end,
                                             Reading reading) noexcept {
  const RowReader<Lanes, kRowBytes, Bits, kFloating> reader(keys);
  // To stop early would save nothing.
  if (end - begin <= 4 * reader.kBlock) return reader.neighbours(begin, end);
  Neighbours seen;
  // Each line is read once, then.
  std::size_t i = reader.line_from(begin, end);
  seen.add(reader.neighbours(begin, i));
  // Each relation may break off once.
  int tries_by_strips = reading == Reading::kByStrips ? 4 : 0;
  const auto read_on = [&](auto relation) {
    if (tries_by_strips > 0) tries_by_strips -= !reader.are_none_by_strips(i, end, relation);
    i = reader.read_while_none(i, end, relation);
  };
  while (i < end && !(seen.rise && seen.fall)) {
    if (seen.rise) {
      read_on(Fallen());
    } else if (!seen.fall) {
      const std::size_t from = i;
      read_on(Different());
      seen.alike |= i > from;
    } else if (seen.alike) {
      read_on(Risen());
    } else {
      read_on(NotFallen());
    }
    const std::size_t stop = std::min(end, i + reader.kBlock);
    seen.add(reader.neighbours(i, stop));
    i = stop;
  }
  return seen;
}

}  // namespace
}  // namespace postroom::sorting
