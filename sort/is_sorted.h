// Whether a range is in the order that sort() makes, and where that ends. Of floating-point keys -0
// comes before +0, which the standard library takes for equal (sort/keys.h).
//
//   is_sorted(keys)
//   is_sorted(people, &Person::age, {.descending = true})
//   is_sorted_until(keys)   // an iterator, as the standard library's
//
// Takes what sort() takes, that of sort/any_sort.h included: wide keys, strings' prefixes, deques.
// Reads only, by all processors, and no further than the first disorder is worth. Of the options
// scratch and progress count for nothing. Errors: those of sort(); what a projection throws.
#pragma once

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <functional>
#include <ranges>
#include <span>

#include "sort/arguments.h"
#include "sort/engine/claims.h"
#include "sort/engine/config.h"
#include "sort/engine/team.h"
#include "sort/key_access.h"
#include "sort/options.h"
#include "sort/shares.h"
#include "sort/whole_keys.h"
#include "sort/wide_keys.h"

namespace postroom {
namespace sorting {

/// The first i of [begin, end) with falls(i), or `end`, which is no less than `begin`.
template <class Falls>
std::size_t find_fall(std::size_t begin, std::size_t end, const Falls& falls) {
  // Without a branch, and always as many: so the compiler makes vectors of it.
  constexpr std::size_t kTogether = 64;
  std::size_t i = begin;
  for (; i + kTogether <= end; i += kTogether) {
    std::size_t any = 0;
    for (std::size_t j = i; j < i + kTogether; ++j) any += static_cast<std::size_t>(falls(j));
    if (any > 0) break;
  }
  while (i < end && !falls(i)) ++i;
  return i;
}

/// The first of [1, size), or `size`, found by several at once, each calling find(begin, end) as
/// find_fall for pieces. All elements together have so many bytes.
template <class Find>
std::size_t first_fall(std::size_t size, std::size_t bytes, const Find& find,
                       const SortOptions& options) {
  check_options(options);
  SortOptions chosen = options;
  // Another processor would be woken when all has been read.
  if (bytes <= 2 * SortConfig{}.order_alone_bytes) {
    chosen.processors = 1;
    chosen.machine = nullptr;
  }
  Shares shares(size, chosen);
  // As in sort/engine/presort.h: nothing waits for a processor that had to be woken.
  constexpr std::size_t kPiecesEach = 64;
  const std::size_t pieces = shares.count() * kPiecesEach;
  Claims claims(shares.count());
  claims.deal_evenly(kPiecesEach);
  std::atomic<std::size_t> first = size;
  shares.run([&](Range, std::size_t id) {
    Claims::Claimer claimer(claims, id);
    for (auto p = claimer.next(); p != Claims::kNone; p = claimer.next()) {
      const Range piece = share_of({0, size}, p, pieces);
      const std::size_t begin = std::max<std::size_t>(piece.begin, 1);
      // Relaxed, here and below: only saves work; the end of the run makes it visible.
      std::size_t seen = first.load(std::memory_order_relaxed);
      if (begin >= piece.end || seen < begin) continue;
      const std::size_t i = find(begin, piece.end);
      if (i == piece.end) continue;
      // Relaxed: as above.
      while (i < seen && !first.compare_exchange_weak(seen, i, std::memory_order_relaxed)) {
      }
    }
  });
  // Relaxed: all have ended.
  return first.load(std::memory_order_relaxed);
}

}  // namespace sorting

/// The first element whose key is smaller than the one before (larger, where options.descending);
/// the end where there is none; std::ranges::dangling of a range that ends with the call.
template <std::ranges::random_access_range R, class Projection = std::identity>
requires std::ranges::sized_range<R> && AnySortProjection<Projection, std::ranges::range_value_t<R>>
[[nodiscard]] std::ranges::borrowed_iterator_t<R> is_sorted_until(R&& range,
                                                                  Projection projection = {},
                                                                  const SortOptions& options = {}) {
  using T = std::ranges::range_value_t<R>;
  const auto find = [&](std::size_t begin, std::size_t end) {
    if constexpr (!ReadableRange<R> || !SortProjection<Projection, T>) {
      const auto elements = std::ranges::begin(range);
      const auto key = [&](std::size_t i) {
        const T& element = elements[static_cast<std::ranges::range_difference_t<R>>(i)];  // or copy
        return key_words<sorting::KeyBy<Projection, T>>(std::invoke(projection, element));
      };
      return sorting::find_fall(begin, end, [&](std::size_t i) {
        return options.descending ? key(i - 1) < key(i) : key(i) < key(i - 1);
      });
    } else if constexpr (SortKey<T> && std::same_as<Projection, std::identity>) {
      return sorting::find_whole_fall(std::as_bytes(sorting::elements_of(range)).data(), begin, end,
                                      sorting::format_of<T>(options.descending));
    } else {
      const auto elements = sorting::elements_of(range);
      const auto key = sorting::element_key<T>(projection, options);
      return sorting::find_fall(
          begin, end, [&](std::size_t i) { return key(elements[i]) < key(elements[i - 1]); });
    }
  };
  const auto size = static_cast<std::size_t>(std::ranges::size(range));
  const std::size_t first = sorting::first_fall(size, size * sizeof(T), find, options);
  return std::ranges::begin(range) + static_cast<std::ranges::range_difference_t<R>>(first);
}

template <std::ranges::random_access_range R>
requires std::ranges::sized_range<R> && AnySortKey<std::ranges::range_value_t<R>>
[[nodiscard]] std::ranges::borrowed_iterator_t<R> is_sorted_until(R&& range,
                                                                  const SortOptions& options) {
  return postroom::is_sorted_until(range, std::identity(), options);
}

void is_sorted_until(sorting::Anything, ...) = delete;  // a list, no key, a comparator?

template <std::ranges::random_access_range R, class Projection = std::identity>
requires std::ranges::sized_range<R> && AnySortProjection<Projection, std::ranges::range_value_t<R>>
[[nodiscard]] bool is_sorted(R&& range, Projection projection = {},
                             const SortOptions& options = {}) {
  return postroom::is_sorted_until(range, sorting::HeldProjection<Projection>(projection),
                                   options) ==
         std::ranges::begin(range) + std::ranges::ssize(range);
}

template <std::ranges::random_access_range R>
requires std::ranges::sized_range<R> && AnySortKey<std::ranges::range_value_t<R>>
[[nodiscard]] bool is_sorted(R&& range, const SortOptions& options) {
  return postroom::is_sorted(range, std::identity(), options);
}

void is_sorted(sorting::Anything, ...) = delete;  // a list, no key, a comparator?

}  // namespace postroom
