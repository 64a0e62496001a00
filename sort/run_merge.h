// Records that already are a few rows in order, one behind the other: merged, not sorted.
//
//   pays   some keys spread over the records tell whether there may be so few rows; for most input
//          it ends there
//   run    each processor looks for the ends of rows in its share. Then the output is cut into
//          parts, between keys of a sample, that fit a cache; each processor merges some of them:
//          the first time two by two to the scratch, then, when everybody has read what was there,
//          to and fro until one is left, at home
//
// Stable. Cost: one read, then 1 ns a record (FIGURES) for each doubling of the rows; two barriers.
// Memory: for each processor some numbers for each row and part. Errors: what a key throws and
// std::bad_alloc are kept in the Failure of the steps; the records are as they were or a
// permutation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "numa/cacheline.h"
#include "sort/config.h"
#include "sort/merge_two.h"
#include "sort/order.h"
#include "sort/steps.h"
#include "sort/team.h"

namespace postroom::sorting {

template <class Records>
class RunMerge {
 public:
  /// Of home[0, size); `away` has room for as many. What is referred to must outlive it.
  RunMerge(const Records& home, const Records& away, std::size_t size, std::size_t processors,
           const SortConfig& config)
      : home_(home), away_(away), size_(size), config_(config), told_(processors) {}

  /// Whether to go on. All processors see the same keys, and so get the same answer.
  bool pays() const {
    if (Records::kNetworkKeys && config_.networks) return false;
    const std::size_t step = std::max<std::size_t>(size_ / config_.sample_records, 1);
    std::size_t rows = 1;
    for (std::size_t i = step; i < size_ && rows <= config_.most_runs; i += step) {
      rows += home_.key(i) < home_.key(i - step);
    }
    return rows <= config_.most_runs;
  }

  /// Called by all. False when there are too many rows after all; true when the records are in
  /// order, at home, or somebody failed. Others may still be at work when it returns.
  bool run(Steps& steps) {
    if (!steps.together([&] { find_rows(steps); })) return true;
    std::size_t rows = 1;
    for (const Told& told : told_) rows += told.begins.size();
    if (rows > config_.most_runs) return false;
    std::vector<Piece> pieces;
    if (!steps.together([&] { pieces = merge_share(steps); })) return true;
    for (Piece& piece : pieces) {
      if (steps.failed_apart()) {
        bring_home(piece);
      } else {
        steps.apart([&] { finish(piece); });
      }
    }
    return true;
  }

 private:
  using Bits = typename Records::Bits;

  // What one processor tells the others.
  struct alignas(kNoSharing) Told {
    std::vector<std::size_t>
        begins;  // of the rows that begin in its share, but for the first of all
  };

  // A part of the output: rows one behind the other.
  struct Piece {
    std::vector<Range> rows;
    bool away = true;
  };

  // --- Rows.

  void find_rows(const Steps& steps) {
    std::vector<std::size_t>& begins = told_[steps.id()].begins;
    const Range own = steps.share(0, size_);
    std::size_t i = std::max<std::size_t>(own.begin, 1);
    while (begins.size() <= config_.most_runs) {
      i = find_neighbours(home_, i, own.end, std::greater<>());
      if (i >= own.end) return;
      begins.push_back(i++);
    }
  }

  std::vector<Range> rows() const {
    std::vector<Range> rows{{0, size_}};
    for (const Told& told : told_) {
      for (const std::size_t begin : told.begins) {
        rows.back().end = begin;
        rows.push_back({begin, size_});
      }
    }
    return rows;
  }

  // --- Parts of the output.

  std::vector<Piece> merge_share(const Steps& steps) {
    std::vector<Range> left = rows();
    const std::vector<Bits> keys = keys_between(pieces_of_share(steps) * steps.count());
    const Range own = steps.share(0, keys.size() + 1);
    const auto cut = [&](std::size_t piece, Range row) {
      return piece == 0            ? row.begin
             : piece > keys.size() ? row.end
                                   : first_not_below(keys[piece - 1], row);
    };
    std::size_t place = 0;
    for (Range& row : left) {
      place -= row.begin;
      row.begin = cut(own.begin, row);
      place += row.begin;
    }
    std::vector<Piece> pieces;
    pieces.reserve(own.end - own.begin);
    for (std::size_t p = own.begin; p < own.end; ++p) {
      Piece piece;
      for (Range& row : left) {
        const std::size_t end = cut(p + 1, row);
        piece.rows.push_back({std::exchange(row.begin, end), end});
      }
      merge_pairs(home_, piece.rows, away_, place);
      place = piece.rows.back().end;
      pieces.push_back(std::move(piece));
    }
    return pieces;
  }

  std::size_t pieces_of_share(const Steps& steps) const {
    const std::size_t bytes = size_ / steps.count() * Records::kRecordBytes;
    return 2 * bytes / config_.leaf_bytes + 1;
  }

  // Keys that cut all records into so many parts, about equal.
  std::vector<Bits> keys_between(std::size_t parts) const {
    constexpr std::size_t kKeysForOne = 32;
    const std::size_t sampled = std::min(parts * kKeysForOne, size_);
    std::vector<Bits> sample;
    sample.reserve(sampled);
    for (std::size_t i = 0; i < sampled; ++i) sample.push_back(home_.key(size_ / sampled * i));
    std::ranges::sort(sample);
    std::vector<Bits> keys;
    keys.reserve(parts - 1);
    for (std::size_t p = 1; p < parts; ++p) keys.push_back(sample[sampled * p / parts]);
    return keys;
  }

  std::size_t first_not_below(Bits key, Range row) const {
    while (row.begin < row.end) {
      const std::size_t middle = row.begin + (row.end - row.begin) / 2;
      (home_.key(middle) < key ? row.begin : row.end) =
          home_.key(middle) < key ? middle + 1 : middle;
    }
    return row.begin;
  }

  // --- Merging one of them.

  void finish(Piece& piece) {
    try {
      while (piece.rows.size() > 1) {
        const std::size_t begin = piece.rows.front().begin;
        merge_pairs(piece.away ? away_ : home_, piece.rows, piece.away ? home_ : away_, begin);
        piece.away = !piece.away;
      }
    } catch (...) {
      bring_home(piece);
      throw;
    }
    bring_home(piece);
  }

  void bring_home(const Piece& piece) noexcept {
    if (piece.away) home_.take_all(away_, piece.rows.front().begin, piece.rows.back().end);
  }

  // Merges rows two by two to to[place …]; they are half as many then. When a key throws they are
  // as they were.
  static void merge_pairs(const Records& from, std::vector<Range>& rows, const Records& to,
                          std::size_t place) {
    std::vector<Range> merged;
    merged.reserve((rows.size() + 1) / 2);
    for (std::size_t r = 0; r < rows.size(); r += 2) {
      const Range second = r + 1 < rows.size() ? rows[r + 1] : Range{};
      const std::size_t end = place + (rows[r].end - rows[r].begin) + (second.end - second.begin);
      merge_two(from, rows[r], second, to, place);
      merged.push_back({std::exchange(place, end), end});
    }
    rows = std::move(merged);
  }

  Records home_;
  Records away_;
  std::size_t size_;
  const SortConfig& config_;
  std::vector<Told> told_;
};

}  // namespace postroom::sorting
