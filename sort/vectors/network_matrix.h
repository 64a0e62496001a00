// Keys in a matrix of vectors, sorted by a network (sort/vectors/network_sort.h): first each column
// by itself, then columns are merged two by two, and in the end the matrix is read column by
// column.
//
// For any vector of 16 bytes and more whose operations are those of sort/vectors/network_avx2.cc,
// and words for those of sort/vectors/network_avx512.cc; to be included where the functions of
// <immintrin.h> that those need may be used.
#pragma once

#include <immintrin.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace postroom::sorting {

// --- The network for a column.

struct ColumnPair {
  std::size_t low;
  std::size_t high;
};

struct Network {
  std::array<ColumnPair, 64> comparators{};
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

// What the loops below are: unrolled, with a constant for an index.
template <std::size_t kCount, class Use>
void for_each_index(Use use) {
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (use(std::integral_constant<std::size_t, i>()), ...);
  }
  (std::make_index_sequence<kCount>());
}

// --- The matrix.

/// Keys; the bits of floating-point numbers; or words, by one of their halves.
enum class SortedBy { kKey, kFolded, kUpperHalf, kLowerHalf };

/// In here numbers are folded (sort/keys.h), and of words by their lower half that is the upper
/// one.
template <class V, std::size_t kRows, SortedBy kBy>
class Matrix {
 public:
  using Lane = typename V::Lane;
  static constexpr std::size_t kKeys = kRows * V::kLanes;

  /// `size` keys, in any order, and the largest there is in all other places. Precondition: more
  /// than half of the places are taken, unless there are two rows.
  Matrix(const std::byte* from, std::size_t size, V flip) {
    const V largest = V::of(V::kLargest);
    for_each_index<kRows>([&](auto i) {
      if (i < kFullRows || first_of(i + 1) <= size) {
        rows_[i] = as_ordered(V::read(from + first_of(i) * sizeof(Lane))) ^ flip;
      } else {
        const std::size_t begin = std::min(size, first_of(i));
        const auto there = V::first(size - begin);
        const V keys = as_ordered(V::read(from + begin * sizeof(Lane), there)) ^ flip;
        rows_[i] = keys.where(there, largest);
      }
    });
  }

  void sort() {
    for_each_index<kColumnNetwork<kRows>.count>([&](auto i) {
      constexpr ColumnPair kPlaces = kColumnNetwork<kRows>.comparators[i];
      V::order(rows_[kPlaces.low], rows_[kPlaces.high]);
    });
    merge_columns<2>();
    transpose();
  }

  // --- Words, by their upper halves.

  /// One of them, everywhere.
  V first() const { return rows_[0].first_everywhere(); }

  /// Whether the first `size` words differ in so few bits of their upper halves, the lowest ones,
  /// that a number fits beside these. Before sort().
  bool has_room_for_numbers(V first, std::size_t size) const {
    V differing = V::of(0);
    for_each_index<kRows>([&](auto i) {
      V differs = rows_[i] ^ first;
      if constexpr (i >= kFullRows) {
        differs = differs.where(V::first(std::max(size, first_of(i)) - first_of(i)), V::of(0));
      }
      differing = differing | differs;
    });
    return !V::any(differing & V::of(kAll << (kLaneBits - kNumberBits)));
  }

  /// Puts the number of each word below its upper half, whose highest bits go for it: then no two
  /// are alike, and there is but one order, a stable one. What fills up the matrix stays behind.
  /// Precondition: has_room_for_numbers().
  void put_numbers() {
    V number = V::numbers().template raised<kHalfBits>() ^ V::of(kTopBit);
    const V next = V::of(Lane{V::kLanes} << kHalfBits);
    for_each_index<kRows>([&](auto i) {
      const V key =
          rows_[i].template raised<kNumberBits>() & V::of(kAll << (kHalfBits + kNumberBits));
      rows_[i] = (key ^ number) | (rows_[i] & V::of(kLower));
      number = number + next;
    });
  }

  /// The words as they were. `first` is first() before.
  void take_numbers(V first) {
    constexpr Lane kKept = (Lane{1} << (kLaneBits - kNumberBits)) - 1 - kLower;
    const V above = (first & V::of(kAll << (kLaneBits - kNumberBits))) |
                    V::of(Lane{1} << (kLaneBits - 1 - kNumberBits));
    for_each_index<kRows>([&](auto i) {
      const V key = rows_[i].template lowered<kNumberBits>() & V::of(kKept);
      rows_[i] = (key ^ above) | (rows_[i] & V::of(kLower));
    });
  }

  /// Puts numbers in the place of lower halves, for where there is no room beside these.
  void put_numbers_instead() {
    V number = V::numbers();
    const V next = V::of(Lane{V::kLanes});
    for_each_index<kRows>([&](auto i) {
      rows_[i] = (rows_[i] & V::of(~kLower)) | number;
      number = number + next;
    });
  }

  /// The words as they were, from where they came from.
  void gather_words(const std::byte* from, std::size_t size, V flip) {
    for_each_index<kRows>([&](auto i) {
      const auto there = V::first(std::max(size, first_of(i)) - first_of(i));
      rows_[i] = as_ordered(V::gathered(from, rows_[i] & V::of(kKeys - 1), there)) ^ flip;
    });
  }

  void write(std::byte* to, std::size_t size, std::size_t room, V flip) {
    if (room < kKeys) {
      for_each_index<kRows>([&](auto i) {
        const V keys = as_ordered(rows_[i] ^ flip);
        std::byte* const place = to + i * sizeof(V);
        if (i < kFullRows || first_of(i + 1) <= size) {
          keys.write(place);
        } else if (first_of(i) < size) {
          keys.write_first(place, size - first_of(i));
        }
      });
      return;
    }
    // Whole rows, what is behind the keys as it was: which takes no branch.
    for_each_index<kRows>([&](auto i) {
      std::byte* const place = to + i * sizeof(V);
      V keys = as_ordered(rows_[i] ^ flip);
      if constexpr (i >= kFullRows) {
        const auto there = V::first(std::max(size, first_of(i)) - first_of(i));
        keys = keys.where(there, V::read(place));
      }
      keys.write(place);
    });
  }

 private:
  static constexpr std::size_t kFullRows = kRows > 2 ? kRows / 2 : 0;
  static constexpr int kLaneBits = std::numeric_limits<std::make_unsigned_t<Lane>>::digits;
  static constexpr int kHalfBits = kLaneBits / 2;
  static constexpr int kNumberBits = std::countr_zero(kKeys);
  static constexpr Lane kAll = -1;
  static constexpr Lane kLower = (Lane{1} << kHalfBits) - 1;
  static constexpr Lane kTopBit = std::numeric_limits<Lane>::min();

  // Its own inverse.
  static V as_ordered(V keys) {
    if constexpr (kBy == SortedBy::kLowerHalf) return keys.turned();
    if constexpr (kBy == SortedBy::kFolded) return keys.folded();
    return keys;
  }

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
        V::template order_and_mix<kColumns / 2>(low, high);
        rows_[i] = low;
        rows_[kRows - 1 - i] = high.template reversed<kColumns>();
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
        const V crossed = rows_[i].template crossed<kDistance>();
        rows_[i] = V::template ordered_and_mixed<kDistance>(rows_[i], crossed);
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
    for_each_index<kRows / 2>([&](auto i) { V::template zip<1>(rows_[2 * i], rows_[2 * i + 1]); });
    if constexpr (V::kNarrow && kRows > 2) {
      for_each_index<kRows / 4>([&](auto i) {
        V* const row = &rows_[4 * i];
        V::template zip<2>(row[0], row[2]);
        V::template zip<2>(row[1], row[3]);
        std::swap(row[1], row[2]);
      });
    }
    // Now a piece of a vector, 16 bytes, is one of a column, or with two rows of two columns. In a
    // place of each vector there are pieces of the same columns, to be put side by side.
    constexpr std::size_t kPieceRows = std::min(kRows, sizeof(__m128i) / sizeof(Lane));
    constexpr std::size_t kPieces = kRows / kPieceRows;  // of a column
    constexpr std::size_t kPlaces = sizeof(V) / sizeof(__m128i);
    const std::array<V, kRows> zipped = rows_;
    const auto piece = [&](std::size_t place) {
      return zipped[place % kPieces * kPieceRows + place / kPieces];
    };
    if constexpr (kRows < kPlaces) {
      V::zip_pieces(zipped, rows_);
    } else {
      for_each_index<kRows / kPlaces>([&](auto i) {
        std::array<V, kPlaces> side_by_side;
        for_each_index<kPlaces>([&](auto j) { side_by_side[j] = piece(kPlaces * i + j); });
        V::turn_pieces(side_by_side);
        for_each_index<kPlaces>([&](auto j) { rows_[kRows / kPlaces * j + i] = side_by_side[j]; });
      });
    }
  }

  std::array<V, kRows> rows_;
};

template <class V, SortedBy kBy, std::size_t kRows>
[[gnu::flatten, gnu::noinline]] void sort_matrix(const std::byte* from, std::byte* to,
                                                 std::size_t size, std::size_t room,
                                                 typename V::Lane flip) {
  const auto flips = V::of(flip);
  Matrix<V, kRows, kBy> matrix(from, size, flips);
  if constexpr (kBy == SortedBy::kKey || kBy == SortedBy::kFolded) {
    matrix.sort();
  } else {
    const V first = matrix.first();
    const bool numbered = matrix.has_room_for_numbers(first, size);
    if (numbered) {
      matrix.put_numbers();
    } else {
      matrix.put_numbers_instead();
    }
    matrix.sort();
    if (numbered) {
      matrix.take_numbers(first);
    } else {
      matrix.gather_words(from, size, flips);
    }
  }
  matrix.write(to, size, room, flips);
}

/// Sorts up to sixteen vectors of keys, as sort_by_network() does, by key ^ flip as signed lanes;
/// or as sort_floats_by_network() and sort_words_by_network() do.
template <class V, SortedBy kBy>
void sort_by_matrix(const std::byte* from, std::byte* to, std::size_t size, std::size_t room,
                    typename V::Lane flip) {
  constexpr std::size_t kLanes = V::kLanes;
  if (size <= 2 * kLanes) return sort_matrix<V, kBy, 2>(from, to, size, room, flip);
  if (size <= 4 * kLanes) return sort_matrix<V, kBy, 4>(from, to, size, room, flip);
  if (size <= 8 * kLanes) return sort_matrix<V, kBy, 8>(from, to, size, room, flip);
  return sort_matrix<V, kBy, 16>(from, to, size, room, flip);
}

}  // namespace postroom::sorting
