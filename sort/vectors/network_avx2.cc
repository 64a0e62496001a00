#include "sort/vectors/network_vectors.h"

#ifdef __x86_64__

#include <immintrin.h>

#include <array>
#include <cstddef>
#include <cstdint>

// All that it includes, before what follows is compiled for other processors.
#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#pragma GCC push_options
#pragma GCC target("avx2")

#include "sort/vectors/network_matrix.h"

namespace postroom::sorting {
namespace {

/// Signed integers of 32 or 64 bits. With kAsNumbers, of 64 bits that are the same in the highest
/// three, which are 001: read as floating-point numbers they have the same order, and these have an
/// instruction for the smaller one, which whole numbers of 64 bits have not. All of them are usual
/// numbers, so no setting of the floating-point unit changes what comes out.
template <class LaneType, bool kAsNumbers = false>
struct Vector {
  using Lane = LaneType;
  static constexpr Lane kLargest = std::numeric_limits<Lane>::max() >> (kAsNumbers ? 1 : 0);
  static constexpr std::size_t kLanes = sizeof(__m256i) / sizeof(Lane);
  static constexpr bool kNarrow = sizeof(Lane) == sizeof(std::int32_t);

  __m256i bits;

  static Vector of(Lane value) {
    if constexpr (kNarrow) return {_mm256_set1_epi32(value)};
    return {_mm256_set1_epi64x(value)};
  }
  /// All bits in the first `count` lanes, none in the others.
  static Vector first(std::size_t count) {
    const __m256i wanted = of(static_cast<Lane>(count)).bits;
    if constexpr (kNarrow) {
      return {_mm256_cmpgt_epi32(wanted, _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))};
    }
    return {_mm256_cmpgt_epi64(wanted, _mm256_setr_epi64x(0, 1, 2, 3))};
  }

  static Vector read(const std::byte* from) {
    return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))};
  }
  /// Lanes outside of the mask are 0, and not read.
  static Vector read(const std::byte* from, Vector mask) {
    if constexpr (kNarrow) {
      return {_mm256_maskload_epi32(reinterpret_cast<const int*>(from), mask.bits)};
    }
    return {_mm256_maskload_epi64(reinterpret_cast<const long long*>(from), mask.bits)};
  }
  void write(std::byte* to) const { _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), bits); }
  /// The first `count` lanes, fewer than all.
  void write_first(std::byte* to, std::size_t count) const {
    alignas(__m256i) std::array<std::byte, sizeof(bits)> lanes;
    write(lanes.data());
    std::memcpy(to, lanes.data(), count * sizeof(Lane));
  }

  Vector operator^(Vector other) const { return {_mm256_xor_si256(bits, other.bits)}; }
  Vector operator|(Vector other) const { return {_mm256_or_si256(bits, other.bits)}; }
  Vector operator&(Vector other) const { return {_mm256_and_si256(bits, other.bits)}; }
  bool any() const { return _mm256_testz_si256(bits, bits) == 0; }
  /// This one in the lanes of the mask, the other one elsewhere.
  Vector where(Vector mask, Vector other) const {
    return {_mm256_blendv_epi8(other.bits, bits, mask.bits)};
  }

  /// Puts the smaller one of each pair of lanes into `low`.
  static void order(Vector& low, Vector& high) {
    const __m256i a = low.bits;
    const __m256i b = high.bits;
    if constexpr (kNarrow) {
      low.bits = _mm256_min_epi32(a, b);
      high.bits = _mm256_max_epi32(a, b);
    } else if constexpr (kAsNumbers) {
      const __m256d x = _mm256_castsi256_pd(a);
      const __m256d y = _mm256_castsi256_pd(b);
      low.bits = _mm256_castpd_si256(_mm256_min_pd(x, y));
      high.bits = _mm256_castpd_si256(_mm256_max_pd(x, y));
    } else {
      const __m256i greater = _mm256_cmpgt_epi64(a, b);
      low.bits = _mm256_blendv_epi8(a, b, greater);
      high.bits = _mm256_blendv_epi8(b, a, greater);
    }
  }

  /// The same, and then exchanges the second lanes of each pair of blocks of so many.
  template <std::size_t kBlock>
  static void order_and_mix(Vector& low, Vector& high) {
    order(low, high);
    const Vector smaller = low;
    low = low.template mixed<kBlock>(high);
    high = high.template mixed<kBlock>(smaller);
  }
  /// The smaller lanes of both in the first lanes of each pair of blocks of so many, the larger
  /// ones in the second.
  template <std::size_t kBlock>
  static Vector ordered_and_mixed(Vector a, Vector b) {
    order(a, b);
    return a.template mixed<kBlock>(b);
  }

  /// Lanes exchanged with those at this distance, in pairs of blocks.
  template <std::size_t kDistance>
  Vector crossed() const {
    constexpr std::size_t kBytes = kDistance * sizeof(Lane);
    if constexpr (kBytes == 4) return {_mm256_shuffle_epi32(bits, 0b10'11'00'01)};
    if constexpr (kBytes == 8) return {_mm256_shuffle_epi32(bits, 0b01'00'11'10)};
    if constexpr (kBytes == 16) return {_mm256_permute4x64_epi64(bits, 0b01'00'11'10)};
  }
  /// Each block of so many lanes turned round.
  template <std::size_t kBlock>
  Vector reversed() const {
    if constexpr (kBlock == 2)
      return crossed<1>();
    else
      return crossed<kBlock / 2>().template reversed<kBlock / 2>();
  }
  /// The lanes of both by turns, blocks of so many at a time, within each half of the vectors.
  template <std::size_t kBlock>
  static void zip(Vector& a, Vector& b) {
    const __m256i x = a.bits;
    const __m256i y = b.bits;
    if constexpr (kBlock * sizeof(Lane) == 4) {
      a.bits = _mm256_unpacklo_epi32(x, y);
      b.bits = _mm256_unpackhi_epi32(x, y);
    } else {
      a.bits = _mm256_unpacklo_epi64(x, y);
      b.bits = _mm256_unpackhi_epi64(x, y);
    }
  }
  /// The first halves of both side by side, and the second ones.
  static void turn_pieces(std::array<Vector, 2>& pair) {
    const auto [a, b] = pair;
    pair[0].bits = _mm256_permute2x128_si256(a.bits, b.bits, 0x20);
    pair[1].bits = _mm256_permute2x128_si256(a.bits, b.bits, 0x31);
  }

 private:
  /// This one in the first lanes of each pair of blocks of so many, the other one in the second.
  template <std::size_t kBlock>
  Vector mixed(Vector other) const {
    constexpr std::size_t kBytes = kBlock * sizeof(Lane);
    constexpr int kSecond = kBytes == 4 ? 0b10101010 : kBytes == 8 ? 0b11001100 : 0b11110000;
    return {_mm256_blend_epi32(bits, other.bits, kSecond)};
  }
};

using Integers = Vector<std::int64_t>;
using Numbers = Vector<std::int64_t, true>;

/// The highest three bits.
constexpr auto kTop = static_cast<std::int64_t>(std::uint64_t{7} << 61);
constexpr std::int64_t kTopOfNumbers = std::int64_t{1} << 61;

/// Whether all of some keys have the same highest bits as the first one.
bool have_one_top(const std::byte* from, std::size_t size, std::int64_t first) {
  std::int64_t last = 0;
  std::memcpy(&last, from + (size - 1) * sizeof(last), sizeof(last));
  if (((first ^ last) & kTop) != 0) return false;  // as in most samples
  const Integers firsts = Integers::of(first);
  Integers differing = Integers::of(0);
  std::size_t i = 0;
  for (; i + Integers::kLanes <= size; i += Integers::kLanes) {
    differing = differing | (Integers::read(from + i * sizeof(first)) ^ firsts);
  }
  const Integers rest = Integers::first(size - i);
  const Integers keys = Integers::read(from + i * sizeof(first), rest);
  differing = differing | ((keys ^ firsts) & rest);
  return !(differing & Integers::of(kTop)).any();
}

}  // namespace

void sort_by_avx2(const std::byte* from, std::byte* to, std::size_t size, std::size_t room,
                  std::int32_t flip) noexcept {
  sort_by_matrix<Vector<std::int32_t>, SortedBy::kKey>(from, to, size, room, flip);
}

void sort_by_avx2(const std::byte* from, std::byte* to, std::size_t size, std::size_t room,
                  std::int64_t flip) noexcept {
  if (size == 0) return;
  std::int64_t first = 0;
  std::memcpy(&first, from, sizeof(first));
  if (have_one_top(from, size, first)) {
    const std::int64_t as_number = (first & kTop) ^ (flip & ~kTop) ^ kTopOfNumbers;
    return sort_by_matrix<Numbers, SortedBy::kKey>(from, to, size, room, as_number);
  }
  sort_by_matrix<Integers, SortedBy::kKey>(from, to, size, room, flip);
}

}  // namespace postroom::sorting

#pragma GCC pop_options

#endif
