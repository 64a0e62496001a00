// Whether a range is in the order that sort() makes, and where that ends.
//
//   is_sorted(keys)
//   is_sorted(people, &Person::age, {.descending = true})
//   is_sorted_until(keys)   // an iterator, as the standard library's
//
// Reads only, by all processors, and no further than the first disorder is worth. Of the options
// scratch and progress count for nothing. Errors: those of sort(); what a projection throws.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <ranges>

#include "sort/arguments.h"
#include "sort/claims.h"
#include "sort/config.h"
#include "sort/key_access.h"
#include "sort/options.h"
#include "sort/shares.h"
#include "sort/team.h"

namespace postroom {
namespace sorting {

/// Whether falls(i) for any of [begin, end).
template <class Falls>
bool any_falls(std::size_t begin, std::size_t end, const Falls& falls) {
  // Without a branch, and always as many: so the compiler makes vectors of it.
  constexpr std::size_t kTogether = 64;
  std::size_t i = begin;
  for (; i + kTogether <= end; i += kTogether) {
    std::size_t any = 0;
    for (std::size_t j = i; j < i + kTogether; ++j) any += static_cast<std::size_t>(falls(j));
    if (any > 0) return true;
  }
  while (i < end && !falls(i)) ++i;
  return i < end;
}

}  // namespace sorting

/// The first element whose key is smaller than the one before (larger, where options.descending);
/// the end where there is none.
template <ReadableRange R, class Projection = std::identity>
requires SortProjection<Projection, std::ranges::range_value_t<R>>
auto is_sorted_until(R&& range, Projection projection = {}, const SortOptions& options = {}) {
  using T = std::ranges::range_value_t<R>;
  const auto elements = sorting::elements_of(range);
  const auto key = sorting::element_key<T>(projection, options);
  const auto falls = [&](std::size_t i) { return key(elements[i]) < key(elements[i - 1]); };
  std::atomic<std::size_t> first = elements.size();
  sorting::check_options(options);
  SortOptions chosen = options;
  // Another processor would be woken when all has been read.
  if (elements.size_bytes() <= 2 * SortConfig{}.order_alone_bytes) {
    chosen.processors = 1;
    chosen.machine = nullptr;
  }
  sorting::Shares shares(elements.size(), chosen);
  // As in sort/presort.h: nothing waits for a processor that had to be woken.
  constexpr std::size_t kPiecesEach = 64;
  const std::size_t pieces = shares.count() * kPiecesEach;
  sorting::Claims claims(shares.count());
  claims.deal_evenly(kPiecesEach);
  shares.run([&](sorting::Range, std::size_t id) {
    sorting::Claims::Claimer claimer(claims, id);
    for (auto p = claimer.next(); p != sorting::Claims::kNone; p = claimer.next()) {
      const sorting::Range piece = sorting::share_of({0, elements.size()}, p, pieces);
      std::size_t i = std::max<std::size_t>(piece.begin, 1);
      // Relaxed, here and below: only saves work; the end of the run makes it visible.
      std::size_t seen = first.load(std::memory_order_relaxed);
      if (seen < i || !sorting::any_falls(i, piece.end, falls)) continue;
      while (!falls(i)) ++i;
      // Relaxed: as above.
      while (i < seen && !first.compare_exchange_weak(seen, i, std::memory_order_relaxed)) {
      }
    }
  });
  // Relaxed: all have ended.
  const std::size_t found = first.load(std::memory_order_relaxed);
  return std::ranges::begin(range) + static_cast<std::ranges::range_difference_t<R>>(found);
}

template <ReadableRange R>
requires SortKey<std::ranges::range_value_t<R>>
auto is_sorted_until(R&& range, const SortOptions& options) {
  return is_sorted_until(range, std::identity(), options);
}

template <ReadableRange R, class Projection = std::identity>
requires SortProjection<Projection, std::ranges::range_value_t<R>>
bool is_sorted(R&& range, Projection projection = {}, const SortOptions& options = {}) {
  return is_sorted_until(range, projection, options) == std::ranges::end(range);
}

template <ReadableRange R>
requires SortKey<std::ranges::range_value_t<R>>
bool is_sorted(R&& range, const SortOptions& options) {
  return is_sorted(range, std::identity(), options);
}

}  // namespace postroom
