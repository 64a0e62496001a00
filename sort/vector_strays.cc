#include "sort/vector_strays.h"

#include <bit>
#include <cstring>

#include "numa/vectors.h"
#include "sort/read_ahead.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace postroom::sorting {
namespace {

template <std::size_t kRowBytes, class Bits>
std::size_t first_fall_singly(const KeyRows<Bits>& keys, std::size_t begin,
                              std::size_t end) noexcept {
  while (begin < end &&
         keys.template key<kRowBytes>(begin - 1) <= keys.template key<kRowBytes>(begin)) {
    ++begin;
  }
  return begin;
}

template <std::size_t kRowBytes, class Bits>
std::size_t raise_above_singly(std::byte* rows, const KeyRows<Bits>& keys, std::size_t end,
                               std::size_t to, Bits key) noexcept {
  std::size_t count = 0;
  while (count < end && key < keys.template key<kRowBytes>(end - count - 1)) {
    ++count;
    std::memcpy(rows + (to - count) * kRowBytes, rows + (end - count) * kRowBytes, kRowBytes);
  }
  return count;
}

#ifdef __x86_64__

#pragma GCC push_options
#pragma GCC target("avx512f,popcnt,bmi")
// What the headers of GCC 12 leave undefined in their registers is never read.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

// Rows in vectors of 64 bytes; a mask has a bit for each word as large as a key.
template <std::size_t kRowBytes, class Bits>
class RowVectors {
 public:
  static constexpr std::size_t kRows = kRowsOfVector<kRowBytes>;

  explicit RowVectors(const KeyRows<Bits>& keys)
      : keys_(keys),
        flips_(everywhere(keys.flip)),
        lanes_(kFirstOfRow << (keys.offset / sizeof(Bits))) {}

  std::size_t first_fall(std::size_t begin, std::size_t end) const noexcept {
    __m512i held = keys_of(row_everywhere(begin - 1));
    for (; begin + kRows <= end; begin += kRows) {
      read_ahead_of(at(begin));
      const __m512i next = keys_of(_mm512_loadu_si512(at(begin)));
      const __m512i before = _mm512_alignr_epi32(next, held, 16 - kRowBytes / 4);
      const unsigned fallen = below(next, before);
      if (fallen != 0) {
        return begin +
               static_cast<std::size_t>(std::countr_zero(fallen)) * sizeof(Bits) / kRowBytes;
      }
      held = next;
    }
    return first_fall_singly<kRowBytes>(keys_, begin, end);
  }

  std::size_t raise_above(std::byte* rows, std::size_t end, std::size_t to,
                          Bits key) const noexcept {
    const __m512i limit = everywhere(key);
    std::size_t count = 0;
    for (; count + kRows <= end; count += kRows) {
      const __m512i moved = _mm512_loadu_si512(at(end - count - kRows));
      const unsigned above = below(limit, keys_of(moved));
      _mm512_storeu_si512(rows + (to - count - kRows) * kRowBytes, moved);
      if (above != lanes_) return count + static_cast<std::size_t>(std::popcount(above));
    }
    return count + raise_above_singly<kRowBytes>(rows, keys_, end - count, to - count, key);
  }

 private:
  static constexpr unsigned kFirstOfRow = [] {
    unsigned lanes = 0;
    for (std::size_t byte = 0; byte < 64; byte += kRowBytes) lanes |= 1U << (byte / sizeof(Bits));
    return lanes;
  }();

  static __m512i everywhere(Bits word) noexcept {
    if constexpr (sizeof(Bits) == 4) return _mm512_set1_epi32(static_cast<int>(word));
    return _mm512_set1_epi64(static_cast<long long>(word));
  }

  const std::byte* at(std::size_t i) const noexcept { return keys_.rows + i * kRowBytes; }

  __m512i row_everywhere(std::size_t i) const noexcept {
    if constexpr (kRowBytes == 16) {
      __m128i row;
      std::memcpy(&row, at(i), sizeof(row));
      return _mm512_broadcast_i32x4(row);
    } else {
      std::conditional_t<kRowBytes == 4, std::uint32_t, std::uint64_t> row;
      std::memcpy(&row, at(i), sizeof(row));
      return RowVectors<kRowBytes, decltype(row)>::everywhere(row);
    }
  }

  __m512i keys_of(__m512i rows) const noexcept { return _mm512_xor_si512(rows, flips_); }

  unsigned below(__m512i a, __m512i b) const noexcept {
    if constexpr (sizeof(Bits) == 4) return _mm512_cmplt_epu32_mask(a, b) & lanes_;
    return _mm512_cmplt_epu64_mask(a, b) & lanes_;
  }

  template <std::size_t, class>
  friend class RowVectors;

  const KeyRows<Bits>& keys_;
  __m512i flips_;
  unsigned lanes_;
};

template <std::size_t kRowBytes, class Bits>
[[gnu::flatten]] std::size_t first_fall_by_vectors(const KeyRows<Bits>& keys, std::size_t begin,
                                                   std::size_t end) noexcept {
  return RowVectors<kRowBytes, Bits>(keys).first_fall(begin, end);
}

template <std::size_t kRowBytes, class Bits>
[[gnu::flatten]] std::size_t raise_above_by_vectors(std::byte* rows, const KeyRows<Bits>& keys,
                                                    std::size_t end, std::size_t to,
                                                    Bits key) noexcept {
  return RowVectors<kRowBytes, Bits>(keys).raise_above(rows, end, to, key);
}

#pragma GCC diagnostic pop
#pragma GCC pop_options

#else

template <std::size_t kRowBytes, class Bits>
std::size_t first_fall_by_vectors(const KeyRows<Bits>& keys, std::size_t begin,
                                  std::size_t end) noexcept {
  return first_fall_singly<kRowBytes>(keys, begin, end);
}

template <std::size_t kRowBytes, class Bits>
std::size_t raise_above_by_vectors(std::byte* rows, const KeyRows<Bits>& keys, std::size_t end,
                                   std::size_t to, Bits key) noexcept {
  return raise_above_singly<kRowBytes>(rows, keys, end, to, key);
}

#endif

}  // namespace

bool can_find_falls(std::size_t offset, std::size_t key_bytes) noexcept {
  return uses_avx512() && offset % key_bytes == 0;
}

template <std::size_t kRowBytes, class Bits>
std::size_t first_fall(const KeyRows<Bits>& keys, std::size_t begin, std::size_t end) noexcept {
  return first_fall_by_vectors<kRowBytes>(keys, begin, end);
}

template <std::size_t kRowBytes, class Bits>
std::size_t raise_above(std::byte* rows, const KeyRows<Bits>& keys, std::size_t end, std::size_t to,
                        Bits key) noexcept {
  return raise_above_by_vectors<kRowBytes>(rows, keys, end, to, key);
}

#define POSTROOM_STRAYS_OF(ROW_BYTES, BITS)                                                  \
  template std::size_t first_fall<ROW_BYTES>(const KeyRows<BITS>&, std::size_t,              \
                                             std::size_t) noexcept;                          \
  template std::size_t raise_above<ROW_BYTES>(std::byte*, const KeyRows<BITS>&, std::size_t, \
                                              std::size_t, BITS) noexcept;

POSTROOM_STRAYS_OF(4, std::uint32_t)
POSTROOM_STRAYS_OF(8, std::uint64_t)
POSTROOM_STRAYS_OF(8, std::uint32_t)
POSTROOM_STRAYS_OF(16, std::uint32_t)
POSTROOM_STRAYS_OF(16, std::uint64_t)

}  // namespace postroom::sorting
