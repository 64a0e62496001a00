#include "sort/vector_order.h"

#include <algorithm>
#include <cstring>

#include "numa/vectors.h"
#include "sort/read_ahead.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace postroom::sorting {
namespace {

template <std::size_t kRowBytes, class Bits, bool kFloating>
void compare_one_by_one(const KeyRows<Bits, kFloating>& keys, std::size_t begin, std::size_t end,
                        Neighbours& seen) noexcept {
  for (std::size_t i = begin; i < end; ++i) {
    const Bits before = keys.template key<kRowBytes>(i - 1);
    const Bits key = keys.template key<kRowBytes>(i);
    seen.rise |= before < key;
    seen.fall |= key < before;
    seen.alike |= key == before;
  }
}

#ifdef __x86_64__

#pragma GCC push_options
#pragma GCC target("avx512f")
// What the headers of GCC 12 leave undefined in their registers is never read; and vectors go from
// function to function within this file only.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

template <class Bits>
struct Words;

template <>
struct Words<std::uint32_t> {
  using Mask = __mmask16;
  static __m512i of(std::uint32_t word) { return _mm512_set1_epi32(static_cast<int>(word)); }
  static __m512i least(__m512i a, __m512i b) { return _mm512_min_epu32(a, b); }
  static __m512i most(__m512i a, __m512i b) { return _mm512_max_epu32(a, b); }
  static __m512i alike(__m512i a, __m512i b) {
    return _mm512_maskz_set1_epi32(_mm512_cmpeq_epi32_mask(a, b), 1);
  }
  static bool any(Mask mask, __m512i a) { return _mm512_mask_test_epi32_mask(mask, a, a) != 0; }
  // As fold_negative.
  static __m512i folded(__m512i a) {
    return _mm512_xor_si512(a, _mm512_srli_epi32(_mm512_srai_epi32(a, 31), 1));
  }
};

template <>
struct Words<std::uint64_t> {
  using Mask = __mmask8;
  static __m512i of(std::uint64_t word) { return _mm512_set1_epi64(static_cast<long long>(word)); }
  static __m512i least(__m512i a, __m512i b) { return _mm512_min_epu64(a, b); }
  static __m512i most(__m512i a, __m512i b) { return _mm512_max_epu64(a, b); }
  static __m512i alike(__m512i a, __m512i b) {
    return _mm512_maskz_set1_epi64(_mm512_cmpeq_epi64_mask(a, b), 1);
  }
  static bool any(Mask mask, __m512i a) { return _mm512_mask_test_epi64_mask(mask, a, a) != 0; }
  static __m512i folded(__m512i a) {
    return _mm512_xor_si512(a, _mm512_srli_epi64(_mm512_srai_epi64(a, 63), 1));
  }
};

template <std::size_t kRowBytes, class Bits, bool kFloating>
class RowReader {
 public:
  static constexpr std::size_t kVectorBytes = sizeof(__m512i);
  static constexpr std::size_t kTogether = 4;
  static constexpr std::size_t kBlock = kTogether * kVectorBytes / kRowBytes;

  explicit RowReader(const KeyRows<Bits, kFloating>& keys) : keys_(keys) {
    for (std::size_t bit = keys.offset / sizeof(Bits); bit < 8 * sizeof(Mask);
         bit += kRowBytes / sizeof(Bits)) {
      lanes_ = static_cast<Mask>(lanes_ | Mask{1} << bit);
    }
  }

  /// The first row at or after `i`, or `end`, that is the first in its line.
  std::size_t line_from(std::size_t i, std::size_t end) const noexcept {
    const std::size_t over = reinterpret_cast<std::uintptr_t>(at(i)) % kVectorBytes;
    return over == 0 ? i : std::min(end, i + (kVectorBytes - over) / kRowBytes);
  }

  /// Whether of(before, next) is 0 for all keys from row `begin` on, by strips. If so, moves
  /// `begin` to the few rows that are left.
  template <class Of>
  bool are_none_by_strips(std::size_t& begin, std::size_t end, Of of) const noexcept {
    const std::size_t strip = (end - begin) / kReadStrips / kBlock * kBlock;
    if (strip == 0) return true;
    const __m512i flips = W::of(keys_.flip);
    __m512i held[kReadStrips];
    for (std::size_t s = 0; s < kReadStrips; ++s) {
      held[s] = keys_in(row_everywhere(begin + s * strip - 1), flips);
    }
    for (std::size_t from = begin; from < begin + strip; from += kBlock) {
      __m512i any = _mm512_setzero_si512();
#pragma GCC unroll 8
      for (std::size_t s = 0; s < kReadStrips; ++s) {
        const std::byte* rows = at(from + s * strip);
        // Not unrolled: a CPU that looks which instruction reads step by step then fetches ahead of
        // it (10^7 pairs of u32 that are alike 0.28 to 0.39 instead of 0.33 to 0.49 ns on one core;
        // AMD Zen 4. Of u64 0.43 instead of 0.46; Zen 5).
#pragma GCC unroll 1
        for (std::size_t v = 0; v < kTogether; ++v, rows += kVectorBytes) {
          any = _mm512_or_si512(any, of_vector(rows, flips, held[s], of));
        }
      }
      if (W::any(lanes_, any)) return false;
    }
    begin += kReadStrips * strip;
    return true;
  }

  /// Reads on from row `i` by blocks, none of them beyond `end`, while of(before, next) is 0 for
  /// all keys. Returns where the block begins of which that is not so.
  template <class Of>
  std::size_t read_while_none(std::size_t i, std::size_t end, Of of) const noexcept {
    const __m512i flips = W::of(keys_.flip);
    __m512i held = keys_in(row_everywhere(i - 1), flips);
    for (; i + kBlock <= end; i += kBlock) {
      const std::byte* const rows = at(i);
      __m512i any = _mm512_setzero_si512();
#pragma GCC unroll 4
      for (std::size_t v = 0; v < kTogether; ++v) {
        any = _mm512_or_si512(any, of_vector(rows + v * kVectorBytes, flips, held, of));
      }
      if (W::any(lanes_, any)) break;
    }
    return i;
  }

 private:
  using W = Words<Bits>;
  using Mask = typename W::Mask;

  const std::byte* at(std::size_t i) const noexcept { return keys_.rows + i * kRowBytes; }

  // As they are ordered.
  static __m512i keys_in(__m512i words, __m512i flips) noexcept {
    return _mm512_xor_si512(kFloating ? W::folded(words) : words, flips);
  }

  // The row before each of `next`; of `held` only the last one counts.
  static __m512i rows_before(__m512i next, __m512i held) noexcept {
    if constexpr (kRowBytes == 4) return _mm512_alignr_epi32(next, held, 15);
    return _mm512_alignr_epi64(next, held, (kVectorBytes - kRowBytes) / 8);
  }

  // What of(before, next) is for the rows at `rows`. `held` is the vector before them, and becomes
  // them.
  template <class Of>
  static __m512i of_vector(const std::byte* rows, __m512i flips, __m512i& held, Of of) noexcept {
    read_ahead_of(rows);
    const __m512i next = keys_in(_mm512_loadu_si512(rows), flips);
    const __m512i before = rows_before(next, held);
    held = next;
    return of(before, next);
  }

  __m512i row_everywhere(std::size_t i) const noexcept {
    if constexpr (kRowBytes == 4) {
      int row;
      std::memcpy(&row, at(i), sizeof(row));
      return _mm512_set1_epi32(row);
    } else if constexpr (kRowBytes == 8) {
      long long row;
      std::memcpy(&row, at(i), sizeof(row));
      return _mm512_set1_epi64(row);
    } else {
      __m128i row;
      std::memcpy(&row, at(i), sizeof(row));
      return _mm512_broadcast_i32x4(row);
    }
  }

  KeyRows<Bits, kFloating> keys_;
  Mask lanes_ = 0;
};

template <std::size_t kRowBytes, class Bits, bool kFloating>
[[gnu::flatten]] Neighbours compare_by_vectors(const KeyRows<Bits, kFloating>& keys,
                                               std::size_t begin, std::size_t end,
                                               Reading reading) noexcept {
  using W = Words<Bits>;
  const RowReader<kRowBytes, Bits, kFloating> reader(keys);
  const auto different = [](__m512i a, __m512i b) { return _mm512_xor_si512(a, b); };
  const auto fallen = [](__m512i a, __m512i b) { return _mm512_xor_si512(W::most(a, b), b); };
  const auto risen = [](__m512i a, __m512i b) { return _mm512_xor_si512(W::least(a, b), b); };
  const auto not_fallen = [&](__m512i a, __m512i b) {
    return _mm512_or_si512(risen(a, b), W::alike(a, b));
  };
  Neighbours seen;
  // Each line is read once, then.
  std::size_t i = reader.line_from(begin, end);
  compare_one_by_one<kRowBytes>(keys, begin, i, seen);
  // Each relation may break off once.
  int tries_by_strips = reading == Reading::kByStrips ? 4 : 0;
  const auto read_on = [&](auto relation) {
    if (tries_by_strips > 0) tries_by_strips -= !reader.are_none_by_strips(i, end, relation);
    i = reader.read_while_none(i, end, relation);
  };
  while (i < end && !(seen.rise && seen.fall)) {
    if (seen.rise) {
      read_on(fallen);
    } else if (!seen.fall) {
      const std::size_t from = i;
      read_on(different);
      seen.alike |= i > from;
    } else if (seen.alike) {
      read_on(risen);
    } else {
      read_on(not_fallen);
    }
    const std::size_t stop = std::min(end, i + reader.kBlock);
    compare_one_by_one<kRowBytes>(keys, i, stop, seen);
    i = stop;
  }
  return seen;
}

#pragma GCC diagnostic pop
#pragma GCC pop_options

#endif

}  // namespace

#ifdef __x86_64__

bool can_compare_rows(std::size_t offset, std::size_t key_bytes) noexcept {
  return uses_avx512() && offset % key_bytes == 0;
}

template <std::size_t kRowBytes, class Bits, bool kFloating>
Neighbours compare_rows(const KeyRows<Bits, kFloating>& keys, std::size_t begin, std::size_t end,
                        Reading reading) noexcept {
  return compare_by_vectors<kRowBytes>(keys, begin, end, reading);
}

#else

bool can_compare_rows(std::size_t /*offset*/, std::size_t /*key_bytes*/) noexcept { return false; }

template <std::size_t kRowBytes, class Bits, bool kFloating>
Neighbours compare_rows(const KeyRows<Bits, kFloating>& keys, std::size_t begin, std::size_t end,
                        Reading /*reading*/) noexcept {
  return compare_rows_singly<kRowBytes>(keys, begin, end);
}

#endif

template <std::size_t kRowBytes, class Bits, bool kFloating>
Neighbours compare_rows_singly(const KeyRows<Bits, kFloating>& keys, std::size_t begin,
                               std::size_t end) noexcept {
  Neighbours seen;
  compare_one_by_one<kRowBytes>(keys, begin, end, seen);
  return seen;
}

#define POSTROOM_ROWS_OF(ROW_BYTES, ...)                                                       \
  template Neighbours compare_rows<ROW_BYTES>(const KeyRows<__VA_ARGS__>&, std::size_t,        \
                                              std::size_t, Reading) noexcept;                  \
  template Neighbours compare_rows_singly<ROW_BYTES>(const KeyRows<__VA_ARGS__>&, std::size_t, \
                                                     std::size_t) noexcept;

POSTROOM_ROWS_OF(4, std::uint32_t)
POSTROOM_ROWS_OF(4, std::uint32_t, true)
POSTROOM_ROWS_OF(8, std::uint64_t)
POSTROOM_ROWS_OF(8, std::uint64_t, true)
POSTROOM_ROWS_OF(8, std::uint32_t)
POSTROOM_ROWS_OF(16, std::uint32_t)
POSTROOM_ROWS_OF(16, std::uint64_t)
POSTROOM_ROWS_OF(8, std::uint32_t, true)
POSTROOM_ROWS_OF(16, std::uint32_t, true)
POSTROOM_ROWS_OF(16, std::uint64_t, true)

}  // namespace postroom::sorting
