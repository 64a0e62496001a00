// Merging: rows that are in order already become one.
//
//   merge(a, b, target);
//   merge(std::vector<std::span<const int>>{a, b, c}, target, {.descending = true});
//   merge(mondays, tuesdays, target, &Event::time);
//
// Each processor makes its share of the target: where the share begins in each row is found by
// bisecting the keys, and a loser tree (sort/loser_tree.h) merges what lies between. Stable: among
// equal keys, elements of earlier rows come first. Cost: each element read and written once, with
// log2(rows) comparisons. Rows that are not in order leave a target that is not, but a permutation
// of them. Errors: std::invalid_argument when the target has not as many elements as all rows
// together, or overlaps one; what a projection throws.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <limits>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "sort/key_access.h"
#include "sort/loser_tree.h"
#include "sort/options.h"
#include "sort/shares.h"
#include "sort/sort.h"

namespace postroom {
namespace sorting {

template <class T, class KeyOf>
class RowMerge {
 public:
  using Bits = typename KeyOf::Bits;
  using Rows = std::vector<std::span<const T>>;
  using Places = std::vector<std::size_t>;  // in each row

  RowMerge(const Rows& rows, std::span<T> target, const KeyOf& key)
      : rows_(rows), target_(target), key_(key) {}

  /// Where the first `rank` elements of the merged row end in each row.
  Places places_of(std::size_t rank) const {
    // The key at that rank: the smallest with more than `rank` elements up to it.
    Bits low = 0;
    Bits high = std::numeric_limits<Bits>::max();
    while (low < high) {
      const Bits middle = static_cast<Bits>(low + (high - low) / 2);
      if (up_to(middle) > rank) {
        high = middle;
      } else {
        low = static_cast<Bits>(middle + 1);
      }
    }
    Places places;
    std::size_t left = rank;
    for (const auto& row : rows_) {
      places.push_back(first_not(row, [&](Bits key) { return key < low; }));
      left -= std::min(left, places.back());
    }
    // Of those equal to it, the ones of earlier rows first.
    for (std::size_t row = 0; row < rows_.size() && left > 0; ++row) {
      const std::size_t equal =
          first_not(rows_[row], [&](Bits key) { return key <= low; }) - places[row];
      const std::size_t taken = std::min(left, equal);
      places[row] += taken;
      left -= taken;
    }
    return places;
  }

  /// Merges what lies between the places to target[at …].
  void merge(const Places& begin, const Places& end, std::size_t at) const {
    LoserTree<Bits> tree(rows_.size());
    Places next = begin;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      if (begin[row] < end[row]) tree.enter(row, key_(rows_[row][begin[row]]));
    }
    for (tree.start(); !tree.empty(); ++at) {
      const std::size_t row = tree.row();
      const T* const from = &rows_[row][next[row]++];
      std::memcpy(static_cast<void*>(&target_[at]), from, sizeof(T));
      if (next[row] < end[row]) {
        tree.next(key_(from[1]));
      } else {
        tree.end_row();
      }
    }
  }

 private:
  template <class Before>
  std::size_t first_not(std::span<const T> row, const Before& before) const {
    const auto first =
        std::ranges::partition_point(row, [&](const T& element) { return before(key_(element)); });
    return static_cast<std::size_t>(first - row.begin());
  }

  std::size_t up_to(Bits key) const {
    std::size_t sum = 0;
    for (const auto& row : rows_) sum += first_not(row, [&](Bits each) { return each <= key; });
    return sum;
  }

  const Rows& rows_;
  std::span<T> target_;
  const KeyOf& key_;
};

inline std::size_t sum_of(const std::vector<std::size_t>& places) {
  std::size_t sum = 0;
  for (const std::size_t place : places) sum += place;
  return sum;
}

template <class T, class Projection>
void merge_rows(const std::vector<std::span<const T>>& rows, std::span<T> target,
                const Projection& projection, const SortOptions& options) {
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
  const RowMerge<T, std::remove_const_t<decltype(key)>> merge(rows, target, key);
  Shares shares(all, options);
  // Where each share begins; in rows that are not in order, not before the one in front of it.
  std::vector<std::vector<std::size_t>> begins{std::vector<std::size_t>(rows.size(), 0)};
  for (std::size_t id = 1; id < shares.count(); ++id) {
    begins.push_back(merge.places_of(share_of({0, all}, id, shares.count()).begin));
    for (std::size_t row = 0; row < rows.size(); ++row) {
      begins[id][row] = std::max(begins[id][row], begins[id - 1][row]);
    }
  }
  begins.emplace_back();
  for (const auto& row : rows) begins.back().push_back(row.size());
  shares.run(
      [&](Range, std::size_t id) { merge.merge(begins[id], begins[id + 1], sum_of(begins[id])); });
}

}  // namespace sorting

/// Merges any number of rows. The rows are a range of contiguous ranges of the target's elements.
template <std::ranges::forward_range Rows, SortableRange Target, class Projection = std::identity>
requires ReadableRange<std::ranges::range_value_t<Rows>> &&
    SortProjection<Projection, std::ranges::range_value_t<Target>>
void merge(const Rows& rows, Target&& target, Projection projection = {},
           const SortOptions& options = {}) {
  using T = std::ranges::range_value_t<Target>;
  std::vector<std::span<const T>> spans;
  for (const auto& row : rows) spans.push_back(sorting::elements_of(row));
  sorting::merge_rows<T>(spans, std::span<T>(std::ranges::data(target), std::ranges::size(target)),
                         projection, options);
}

template <std::ranges::forward_range Rows, SortableRange Target>
requires ReadableRange<std::ranges::range_value_t<Rows>> &&
    SortKey<std::ranges::range_value_t<Target>>
void merge(const Rows& rows, Target&& target, const SortOptions& options) {
  merge(rows, target, std::identity(), options);
}

/// Merges two rows.
template <ReadableRange A, ReadableRange B, SortableRange Target, class Projection = std::identity>
requires SortProjection<Projection, std::ranges::range_value_t<Target>>
void merge(const A& a, const B& b, Target&& target, Projection projection = {},
           const SortOptions& options = {}) {
  using T = std::ranges::range_value_t<Target>;
  const std::vector<std::span<const T>> rows{sorting::elements_of(a), sorting::elements_of(b)};
  sorting::merge_rows<T>(rows, std::span<T>(std::ranges::data(target), std::ranges::size(target)),
                         projection, options);
}

template <ReadableRange A, ReadableRange B, SortableRange Target>
requires SortKey<std::ranges::range_value_t<Target>>
void merge(const A& a, const B& b, Target&& target, const SortOptions& options) {
  merge(a, b, target, std::identity(), options);
}

}  // namespace postroom
