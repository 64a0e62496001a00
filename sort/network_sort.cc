#include "sort/network_sort.h"

#ifdef __x86_64__

#include <immintrin.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace postroom::sorting {
namespace {

// --- The network for a column.

struct Comparator {
  std::size_t low;
  std::size_t high;
};

struct Network {
  std::array<Comparator, 64> comparators{};
  std::size_t count = 0;
};

// Batcher's odd-even merge sort of `rows` places, a power of two up to 16.
constexpr Network odd_even_merge_sort(std::size_t rows) {
  Network network;
  for (std::size_t half = 1; half < rows; half *= 2) {
    for (std::size_t distance = half; distance >= 1; distance /= 2) {
      for (std::size_t low = distance % half; low + distance < rows; ++low) {
        const std::size_t high = low + distance;
        const bool second_of_pair = (low - distance % half) / distance % 2 == 1;
        const bool in_one_merge = low / (2 * half) == high / (2 * half);
        if (!second_of_pair && in_one_merge) network.comparators[network.count++] = {low, high};
      }
    }
  }
  return network;
}

template <std::size_t kRows>
constexpr Network kColumnNetwork = odd_even_merge_sort(kRows);

// --- Vectors.

#pragma GCC push_options
#pragma GCC target("avx2")

// What the loops below are: unrolled, with a constant for an index.
template <std::size_t kCount, class Use>
void for_each_index(Use use) {
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (use(std::integral_constant<std::size_t, i>()), ...);
  }
  (std::make_index_sequence<kCount>());
}

/// Signed integers of 32 or 64 bits.
template <class Lane>
struct Vector {
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

  Vector operator^(Vector other) const { return {_mm256_xor_si256(bits, other.bits)}; }
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
    } else {
      const __m256i greater = _mm256_cmpgt_epi64(a, b);
      low.bits = _mm256_blendv_epi8(a, b, greater);
      high.bits = _mm256_blendv_epi8(b, a, greater);
    }
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
  /// This one in the first lanes of each pair of blocks of so many, the other one in the second.
  template <std::size_t kBlock>
  Vector mixed(Vector other) const {
    constexpr std::size_t kBytes = kBlock * sizeof(Lane);
    constexpr int kSecond = kBytes == 4 ? 0b10101010 : kBytes == 8 ? 0b11001100 : 0b11110000;
    return {_mm256_blend_epi32(bits, other.bits, kSecond)};
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
  /// The first halves of both, or the second ones.
  template <bool kFirst>
  static Vector halves(Vector a, Vector b) {
    return {_mm256_permute2x128_si256(a.bits, b.bits, kFirst ? 0x20 : 0x31)};
  }
};

// --- The matrix.

template <class Lane, std::size_t kRows>
class Matrix {
 public:
  using V = Vector<Lane>;
  static constexpr std::size_t kKeys = kRows * V::kLanes;

  /// `size` keys, in any order, and the largest there is in all other places. Precondition: more
  /// than half of the places are taken, unless there are two rows.
  Matrix(const std::byte* from, std::size_t size, V flip) {
    const V largest = V::of(std::numeric_limits<Lane>::max());
    for_each_index<kRows>([&](auto i) {
      if (i < kFullRows || first_of(i + 1) <= size) {
        rows_[i] = V::read(from + first_of(i) * sizeof(Lane)) ^ flip;
      } else {
        const std::size_t begin = std::min(size, first_of(i));
        const V there = V::first(size - begin);
        const V keys = V::read(from + begin * sizeof(Lane), there) ^ flip;
        rows_[i] = keys.where(there, largest);
      }
    });
  }

  void sort() {
    for_each_index<kColumnNetwork<kRows>.count>([&](auto i) {
      constexpr Comparator kPlaces = kColumnNetwork<kRows>.comparators[i];
      V::order(rows_[kPlaces.low], rows_[kPlaces.high]);
    });
    merge_columns<2>();
    transpose();
  }

  void write(std::byte* to, std::size_t size, std::size_t room, V flip) {
    if (room < kKeys) {
      alignas(V) std::array<std::byte, sizeof(rows_)> sorted;
      for_each_index<kRows>(
          [&](auto i) { (rows_[i] ^ flip).write(sorted.data() + i * sizeof(V)); });
      if (size > 0) std::memcpy(to, sorted.data(), size * sizeof(Lane));
      return;
    }
    // Whole rows, what is behind the keys as it was: which takes no branch.
    for_each_index<kRows>([&](auto i) {
      std::byte* const place = to + i * sizeof(V);
      V keys = rows_[i] ^ flip;
      if constexpr (i >= kFullRows) {
        const V there = V::first(std::max(size, first_of(i)) - first_of(i));
        keys = keys.where(there, V::read(place));
      }
      keys.write(place);
    });
  }

 private:
  static constexpr std::size_t kFullRows = kRows > 2 ? kRows / 2 : 0;

  static constexpr std::size_t first_of(std::size_t row) { return row * V::kLanes; }

  // Merges columns until `kColumns` side by side are in order, from the first one on, and goes on
  // to twice as many.
  template <std::size_t kColumns>
  void merge_columns() {
    if constexpr (kColumns <= V::kLanes) {
      // The second half is read backwards; then the smaller key of each pair goes to the first.
      for_each_index<kRows / 2>([&](auto i) {
        V low = rows_[i];
        V high = rows_[kRows - 1 - i].template reversed<kColumns>();
        V::order(low, high);
        rows_[i] = low.template mixed<kColumns / 2>(high);
        rows_[kRows - 1 - i] = high.template mixed<kColumns / 2>(low).template reversed<kColumns>();
      });
      halve_lanes<kColumns / 4>();
      halve_rows<kRows / 2>();
      merge_columns<kColumns * 2>();
    }
  }

  // The steps of a bitonic merge, first at distances of whole columns, then within columns.
  template <std::size_t kDistance>
  void halve_lanes() {
    if constexpr (kDistance > 0) {
      for_each_index<kRows>([&](auto i) {
        V low = rows_[i];
        V high = low.template crossed<kDistance>();
        V::order(low, high);
        rows_[i] = low.template mixed<kDistance>(high);
      });
      halve_lanes<kDistance / 2>();
    }
  }
  template <std::size_t kDistance>
  void halve_rows() {
    if constexpr (kDistance > 0) {
      for_each_index<kRows>([&](auto i) {
        if constexpr ((i & kDistance) == 0) V::order(rows_[i], rows_[i + kDistance]);
      });
      halve_rows<kDistance / 2>();
    }
  }

  // Puts the columns one behind the other.
  void transpose() {
    constexpr std::size_t kLanesOfHalf = V::kLanes / 2;
    for_each_index<kRows / 2>([&](auto i) { V::template zip<1>(rows_[2 * i], rows_[2 * i + 1]); });
    if constexpr (V::kNarrow && kRows > 2) {
      for_each_index<kRows / 4>([&](auto i) {
        V* const row = &rows_[4 * i];
        V::template zip<2>(row[0], row[2]);
        V::template zip<2>(row[1], row[3]);
        std::swap(row[1], row[2]);
      });
    }
    // Now a half of a vector is a piece of one column, or with two rows of two columns.
    constexpr std::size_t kPieceRows = std::min(kRows, kLanesOfHalf);
    constexpr std::size_t kPieces = kRows / kPieceRows;  // of a column
    const std::array<V, kRows> zipped = rows_;
    for_each_index<kRows>([&](auto i) {
      constexpr std::size_t kPlace = 2 * i % kRows;
      const auto piece = [&](std::size_t place) {
        return zipped[place % kPieces * kPieceRows + place / kPieces];
      };
      rows_[i] = V::template halves<2 * i / kRows == 0>(piece(kPlace), piece(kPlace + 1));
    });
  }

  std::array<V, kRows> rows_;
};

template <class Lane, std::size_t kRows>
[[gnu::flatten, gnu::noinline]] void sort_matrix(const std::byte* from, std::byte* to,
                                                 std::size_t size, std::size_t room, Lane flip) {
  const auto flips = Vector<Lane>::of(flip);
  Matrix<Lane, kRows> matrix(from, size, flips);
  matrix.sort();
  matrix.write(to, size, room, flips);
}

template <class Lane, class Bits>
void sort_by_lanes(const std::byte* from, std::byte* to, std::size_t size, std::size_t room,
                   Bits flip) {
  // Lanes are signed.
  const auto flips = static_cast<Lane>(flip ^ static_cast<Bits>(std::numeric_limits<Lane>::min()));
  constexpr std::size_t kLanes = Vector<Lane>::kLanes;
  if (size <= 2 * kLanes) return sort_matrix<Lane, 2>(from, to, size, room, flips);
  if (size <= 4 * kLanes) return sort_matrix<Lane, 4>(from, to, size, room, flips);
  if (size <= 8 * kLanes) return sort_matrix<Lane, 8>(from, to, size, room, flips);
  sort_matrix<Lane, 16>(from, to, size, room, flips);
}

#pragma GCC pop_options

}  // namespace

bool has_networks() noexcept { return __builtin_cpu_supports("avx2") != 0; }

void sort_by_network(const std::byte* from, std::byte* to, std::size_t size, std::size_t room,
                     std::uint32_t flip) noexcept {
  sort_by_lanes<std::int32_t>(from, to, size, room, flip);
}

void sort_by_network(const std::byte* from, std::byte* to, std::size_t size, std::size_t room,
                     std::uint64_t flip) noexcept {
  sort_by_lanes<std::int64_t>(from, to, size, room, flip);
}

}  // namespace postroom::sorting

#else

namespace postroom::sorting {

bool has_networks() noexcept { return false; }

void sort_by_network(const std::byte*, std::byte*, std::size_t, std::size_t,
                     std::uint32_t) noexcept {}
void sort_by_network(const std::byte*, std::byte*, std::size_t, std::size_t,
                     std::uint64_t) noexcept {}

}  // namespace postroom::sorting

#endif
