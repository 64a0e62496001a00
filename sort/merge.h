// Merging: rows that are in order already become one.
//
//   merge(a, b, target);
//   merge(std::vector<std::span<const int>>{a, b, c}, target, {.descending = true});
//   merge(mondays, tuesdays, target, &Event::time);
//
// Stable: among equal keys, elements of earlier rows come first. How it is done:
//
//   two rows             each processor makes its share of the target, in pieces, four places at a
//                        time (sort/engine/merge_two.h)
//   more                 some elements of each row, sorted, cut all rows into pieces that fit a
//                        cache together, and those are merged by twos
//   regular turns        where a look says that a CPU can guess which row is next, a piece is
//                        merged by fours, and long turns are copied (sort/engine/merge_guessed.h)
//   more, of more than   by a loser tree (sort/loser_tree.h), which moves each element once
//   64 bytes
//   very many            of smaller ones: they are sorted anew; with 8 bytes an element from 1,025
//                        rows on, with 16 from 513
//
// Cost: 1.2 ns a u64 for two rows, 5 for sixteen (AMD Zen 4, one core, 10^6). Memory: none for two
// rows. For more, twice a piece, 512 KiB or more, for each processor, and a note of 16 or 24 bytes
// for some of the elements: of r rows of 8 bytes an element, for one in 16384/r, but for no more
// than one in 16; and as much again while the notes are sorted. That of a sort where all is sorted
// anew. Empty rows do not count.
//
// Of the options scratch and progress count for nothing. Rows that are not in order leave a target
// that is not, but a permutation of them. Errors: std::invalid_argument when the target has not as
// many elements as all rows together, or overlaps one; std::bad_alloc; what a projection throws.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "sort/engine/merge_guessed.h"
#include "sort/engine/merge_two.h"
#include "sort/engine/team.h"
#include "sort/key_access.h"
#include "sort/loser_tree.h"
#include "sort/options.h"
#include "sort/shares.h"
#include "sort/sort.h"

namespace postroom {
namespace sorting {

/// Merges rows of elements that are moved as bytes.
template <class T, class KeyOf>
class RowMerge {
 public:
  using Bits = typename KeyOf::Bits;
  using Rows = std::vector<std::span<const T>>;
  using Places = std::vector<std::size_t>;  // in each row

  RowMerge(const Rows& rows, std::span<T> target, const KeyOf& key, const SortOptions& options)
      : rows_(rows), target_(target), key_(key) {
    if (rows.size() <= 2) return;
    // So that no piece has more than kPiece elements, but where many rows of large ones are.
    step_ = std::max<std::size_t>(kPiece / (2 * rows.size()), kLeastStep);
    std::size_t notes = 0;
    for (const std::span<const T> row : rows) notes += row.size() / step_;
    cuts_.reserve(notes);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      for (std::size_t i = step_; i <= rows[row].size(); i += step_) {
        cuts_.push_back({key(rows[row][i - 1]), static_cast<std::uint32_t>(row), i});
      }
    }
    SortOptions of_cuts = options;
    of_cuts.scratch = {};
    of_cuts.progress = nullptr;
    of_cuts.descending = false;  // keys say so already
    postroom::sort(cuts_, &Cut::key, of_cuts);
    for (std::size_t i = 0; (i + 1) * rows.size() <= cuts_.size(); ++i) {
      cuts_[i] = cuts_[(i + 1) * rows.size() - 1];
    }
    cuts_.resize(cuts_.size() / rows.size());
  }

  /// How many pieces there are; of at most two rows, as many as elements.
  std::size_t pieces() const noexcept {
    return rows_.size() <= 2 ? target_.size() : cuts_.size() + 1;
  }

  /// Where in each row a piece begins. Not before `from`.
  Places begin_of(std::size_t piece, const Places& from) const {
    if (piece == 0) return Places(rows_.size(), 0);
    if (piece == pieces()) return ends();
    if (rows_.size() <= 2) return cut_two(piece);
    const Cut& cut = cuts_[piece - 1];
    Places places(rows_.size());
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      // Of equal ones those of earlier rows come first.
      places[row] =
          row < cut.row   ? first_not(row, from[row], [&](Bits key) { return key <= cut.key; })
          : row > cut.row ? first_not(row, from[row], [&](Bits key) { return key < cut.key; })
                          : std::max(from[row], cut.end);
    }
    return places;
  }

  /// Of more rows pieces would hold next to nothing of each: they had better be sorted. None of
  /// large elements, which are not moved by twos.
  static constexpr std::size_t most_rows() { return kPiece / (2 * kLeastStep); }
  // Larger elements had better be moved once. By a loser tree a u64 takes 11 ns of two rows and 28
  // of sixteen (Zen 4, one core, 10^6).
  static constexpr bool kMovesByTwos = sizeof(T) <= 64;

  /// Merges pieces, which lie between these places, to where they belong.
  void merge(Range pieces, const Places& begin, const Places& end) const {
    if (rows_.size() <= 2) return merge_up_to_two(begin, end);
    if constexpr (!kMovesByTwos) {
      merge_by_tree(begin, end);
    } else {
      Buffer one;
      Buffer other;
      Places from = begin;
      for (std::size_t piece = pieces.begin; piece < pieces.end; ++piece) {
        Places to = end;
        if (piece + 1 < pieces.end) {
          to = begin_of(piece + 1, from);
          // Rows that are not in order.
          for (std::size_t row = 0; row < to.size(); ++row) to[row] = std::min(to[row], end[row]);
        }
        const std::size_t size = sum_of(to) - sum_of(from);
        merge_piece(from, to, one.room(size), other.room(size));
        from = std::move(to);
      }
    }
  }

 private:
  static constexpr std::size_t kPiece =
      std::max<std::size_t>((std::size_t{1} << 18) / sizeof(T), 1024);

  static constexpr std::size_t kLeastStep = 16;

  // One of some elements: all up to it are in the pieces before.
  struct Cut {
    Bits key;
    std::uint32_t row;
    std::size_t end;  // behind it
  };

  // Room for elements, which are moved as bytes.
  class Buffer {
   public:
    std::byte* room(std::size_t elements) {
      if (elements > elements_) {
        // Not held twice.
        bytes_.reset();
        bytes_ = std::make_unique_for_overwrite<std::byte[]>(elements * sizeof(T) + alignof(T));
        elements_ = elements;
      }
      const auto at = reinterpret_cast<std::uintptr_t>(bytes_.get());
      return bytes_.get() + (alignof(T) - at % alignof(T)) % alignof(T);
    }

   private:
    std::unique_ptr<std::byte[]> bytes_;
    std::size_t elements_ = 0;
  };

  // Elements side by side, as addresses.
  struct Piece {
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  static std::size_t address(const void* at) noexcept {
    return reinterpret_cast<std::uintptr_t>(at);
  }
  static std::byte* at(std::size_t address) noexcept {
    return reinterpret_cast<std::byte*>(address);  // NOLINT(performance-no-int-to-ptr): a place
  }

  static std::size_t sum_of(const Places& places) {
    return std::accumulate(places.begin(), places.end(), std::size_t{0});
  }

  struct Elements {
    KeyOf key_of;
    auto key(std::size_t place) const { return key_of(*reinterpret_cast<const T*>(place)); }
    void take(std::size_t to, std::size_t from) const { std::memcpy(at(to), at(from), sizeof(T)); }
  };

  Places ends() const {
    Places places;
    for (const auto& row : rows_) places.push_back(row.size());
    return places;
  }

  Piece piece_of(std::size_t row, std::size_t begin, std::size_t end) const {
    const T* const first = rows_[row].data();
    return {address(first + begin), address(first + end)};
  }

  // Two rows or fewer, piece by piece.
  void merge_up_to_two(const Places& begin, const Places& end) const {
    std::vector<Piece> rows;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      rows.push_back(piece_of(row, begin[row], end[row]));
    }
    auto left = four(rows, target_at(begin));
    while (left.left() > 0) {
      const auto [piece, after] = left.cut(std::min(kPiece, left.left()), Elements{key_});
      merge_some(piece, is_guessed(piece));
      left = after;
    }
  }

  // Where the first `rank` elements end in each row.
  Places cut_two(std::size_t rank) const {
    if (rows_.size() == 1) return {rank};
    const Piece a = piece_of(0, 0, rows_[0].size());
    const Piece b = piece_of(1, 0, rows_[1].size());
    const TwoRows<sizeof(T)> first =
        TwoRows<sizeof(T)>{a.begin, a.end, b.begin, b.end, 0}.cut(rank, Elements{key_}).first;
    return {first.a_left(), first.b_left()};
  }

  // The first element of the row from `from` on of which `before` is false.
  template <class Before>
  std::size_t first_not(std::size_t row, std::size_t from, const Before& before) const {
    const std::span<const T> elements = rows_[row].subspan(from);
    std::size_t step = 1;
    while (step < elements.size() && before(key_(elements[step]))) step *= 2;
    const auto near = elements.first(std::min(step, elements.size()));
    const auto first =
        std::ranges::partition_point(near, [&](const T& element) { return before(key_(element)); });
    return from + static_cast<std::size_t>(first - near.begin());
  }

  // All between the places, through two places in turns.
  void merge_piece(const Places& begin, const Places& end, std::byte* to, std::byte* next) const {
    std::vector<Piece> pieces;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      if (begin[row] < end[row]) pieces.push_back(piece_of(row, begin[row], end[row]));
    }
    for (bool guessed = true;;) {
      guessed = guessed && is_guessed(four(pieces, nullptr));
      const std::size_t ways = guessed ? 4 : 2;
      if (pieces.size() <= ways) return merge_some(four(pieces, target_at(begin)), guessed);
      std::byte* into = to;
      std::size_t merged = 0;
      for (std::size_t i = 0; i < pieces.size(); i += ways) {
        const auto some = std::span(pieces).subspan(i, std::min(ways, pieces.size() - i));
        const auto rows = four(some, into);
        const std::size_t bytes = rows.left() * sizeof(T);
        merge_some(rows, guessed);
        pieces[merged++] = {address(into), address(into) + bytes};
        into += bytes;
      }
      pieces.resize(merged);
      std::swap(to, next);
    }
  }

  std::byte* target_at(const Places& places) const {
    return at(address(target_.data() + sum_of(places)));
  }

  // The first four of them, or as many as there are.
  static FourRows<sizeof(T)> four(std::span<const Piece> pieces, std::byte* to) {
    const auto two = [&](std::size_t i) {
      const Piece a = i < pieces.size() ? pieces[i] : Piece{};
      const Piece b = i + 1 < pieces.size() ? pieces[i + 1] : Piece{};
      return TwoRows<sizeof(T)>{a.begin, a.end, b.begin, b.end, address(to)};
    };
    return {two(0), two(2), address(to)};
  }

  // Whether a CPU can guess which row is next.
  bool is_guessed(const FourRows<sizeof(T)>& rows) const {
    constexpr std::size_t kSteps = 64;
    return can_guess(rows, Elements{key_}, kSteps);
  }

  // The last two rows are empty unless they are guessed.
  void merge_some(const FourRows<sizeof(T)>& rows, bool guessed) const {
    if (guessed) {
      merge_guessed(rows, Elements{key_});
    } else {
      merge_two(rows.first, Elements{key_});
    }
  }

  void merge_by_tree(const Places& begin, const Places& end) const {
    LoserTree<Bits> tree(rows_.size());
    Places next = begin;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      if (begin[row] < end[row]) tree.enter(row, key_(rows_[row][begin[row]]));
    }
    tree.start();
    for (std::size_t place = sum_of(begin); !tree.empty(); ++place) {
      const std::size_t row = tree.row();
      const T* const from = rows_[row].data() + next[row]++;
      std::memcpy(static_cast<void*>(target_.data() + place), from, sizeof(T));
      if (next[row] < end[row]) {
        tree.next(key_(from[1]));
      } else {
        tree.end_row();
      }
    }
  }

  const Rows& rows_;
  std::span<T> target_;
  const KeyOf& key_;
  std::size_t step_ = 0;   // from one of some elements to the next
  std::vector<Cut> cuts_;  // in order; a piece ends at each
};

/// Sorting is stable, so what stands row by row comes out merged.
template <class T, class Projection>
void sort_rows_anew(const std::vector<std::span<const T>>& rows, std::span<T> target,
                    const Projection& projection, const SortOptions& options) {
  T* to = target.data();
  for (const auto& row : rows) {
    if (!row.empty()) std::memcpy(static_cast<void*>(to), row.data(), row.size_bytes());
    to += row.size();
  }
  SortOptions of_target = options;
  of_target.scratch = {};
  of_target.progress = nullptr;
  postroom::sort(target, HeldProjection<Projection>(projection), of_target);
}

template <class T, class Projection>
void merge_rows(std::vector<std::span<const T>> rows, std::span<T> target,
                const Projection& projection, const SortOptions& options) {
  check_options(options);
  std::erase_if(rows, [](std::span<const T> row) { return row.empty(); });
  std::size_t all = 0;
  for (const auto& row : rows) {
    all += row.size();
    check_apart(std::as_bytes(row), std::as_bytes(target));
  }
  if (all != target.size()) {
    throw std::invalid_argument("target: " + std::to_string(target.size()) +
                                " elements are not allowed; as many as all rows have, " +
                                std::to_string(all));
  }
  const auto key = element_key<T>(projection, options);
  using Merge = RowMerge<T, std::remove_const_t<decltype(key)>>;
  if constexpr (Merge::kMovesByTwos) {
    if (rows.size() > Merge::most_rows()) return sort_rows_anew(rows, target, projection, options);
  }
  const Merge merge(rows, target, key, options);
  Shares shares(all, options);
  const auto share = [&](std::size_t id) {
    return share_of({0, merge.pieces()}, id, shares.count());
  };
  // Where each share begins, once for both sides: rows may not be in order.
  std::vector<typename Merge::Places> begins{typename Merge::Places(rows.size(), 0)};
  for (std::size_t id = 0; id < shares.count(); ++id) {
    begins.push_back(merge.begin_of(share(id).end, begins.back()));
    for (std::size_t row = 0; row < rows.size(); ++row) {
      begins[id + 1][row] = std::max(begins[id + 1][row], begins[id][row]);
    }
  }
  shares.run([&](Range, std::size_t id) { merge.merge(share(id), begins[id], begins[id + 1]); });
}

}  // namespace sorting

/// A range of contiguous ranges that stay where they are: not of such as are made when asked for.
template <class R>
concept RangeOfRows = std::ranges::forward_range<R> &&
    ReadableRange<std::ranges::range_value_t<R>> &&
    (std::is_lvalue_reference_v<std::ranges::range_reference_t<const R>> ||
     std::ranges::borrowed_range<std::ranges::range_reference_t<const R>>);

/// Merges any number of rows, of the target's elements.
template <RangeOfRows Rows, SortableRange Target, class Projection = std::identity>
requires SameElements<std::ranges::range_value_t<Rows>, Target> &&
    SortProjection<Projection, std::ranges::range_value_t<Target>>
void merge(const Rows& rows, Target&& target, Projection projection = {},
           const SortOptions& options = {}) {
  using T = std::ranges::range_value_t<Target>;
  std::vector<std::span<const T>> spans;
  for (const auto& row : rows) spans.push_back(sorting::elements_of(row));
  sorting::merge_rows<T>(std::move(spans),
                         std::span<T>(std::ranges::data(target), std::ranges::size(target)),
                         projection, options);
}

template <RangeOfRows Rows, SortableRange Target>
requires SameElements<std::ranges::range_value_t<Rows>, Target> &&
    SortKey<std::ranges::range_value_t<Target>>
void merge(const Rows& rows, Target&& target, const SortOptions& options) {
  postroom::merge(rows, target, std::identity(), options);
}

/// Merges two rows.
template <ReadableRange A, ReadableRange B, SortableRange Target, class Projection = std::identity>
requires SameElements<A, Target> && SameElements<B, Target> &&
    SortProjection<Projection, std::ranges::range_value_t<Target>>
void merge(const A& a, const B& b, Target&& target, Projection projection = {},
           const SortOptions& options = {}) {
  using T = std::ranges::range_value_t<Target>;
  const std::vector<std::span<const T>> rows{sorting::elements_of(a), sorting::elements_of(b)};
  sorting::merge_rows<T>(rows, std::span<T>(std::ranges::data(target), std::ranges::size(target)),
                         projection, options);
}

template <ReadableRange A, ReadableRange B, SortableRange Target>
requires SameElements<A, Target> && SameElements<B, Target> &&
    SortKey<std::ranges::range_value_t<Target>>
void merge(const A& a, const B& b, Target&& target, const SortOptions& options) {
  postroom::merge(a, b, target, std::identity(), options);
}

void merge(sorting::Anything, ...) = delete;  // const, a list, no key, other elements, comparator?

}  // namespace postroom
