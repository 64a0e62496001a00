// Each key once: how often it occurs, or the first of its elements.
//
//   for (const auto& [key, count] : unique_counts(keys)) …
//   const auto rest = sort_unique(people, &Person::id);
//   people.erase(rest.begin(), rest.end());
//
// Cost: that of sort(), then one read. Errors: those of sort().
#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <ranges>
#include <span>
#include <vector>

#include "sort/key_access.h"
#include "sort/options.h"
#include "sort/sort.h"

namespace postroom {

template <class Key>
struct KeyCount {
  Key key;
  std::size_t count;

  bool operator==(const KeyCount&) const = default;
};

/// Every key that occurs, in order, and how often. The range stays as it is. Scratch: the keys
/// twice.
template <ReadableRange R>
requires SortKey<std::ranges::range_value_t<R>>
auto unique_counts(const R& range, const SortOptions& options = {}) {
  using Key = std::ranges::range_value_t<R>;
  const auto elements = sorting::elements_of(range);
  std::vector<Key> keys(elements.begin(), elements.end());
  sort(keys, options);
  std::vector<KeyCount<Key>> counts;
  for (const Key key : keys) {
    if (counts.empty() || ordered_bits(counts.back().key) != ordered_bits(key)) {
      counts.push_back({key, 0});
    }
    ++counts.back().count;
  }
  return counts;
}

/// Sorts the range and moves the first element of each key to its beginning; returns the rest, as
/// std::ranges::unique does. What the rest holds is of no meaning.
template <SortableRange R, class Projection = std::identity>
requires SortProjection<Projection, std::ranges::range_value_t<R>>
auto sort_unique(R&& range, Projection projection = {}, const SortOptions& options = {}) {
  using T = std::ranges::range_value_t<R>;
  sorting::sort_as(range, projection, options);
  const auto key = sorting::element_key<T>(projection, options);
  const std::span<T> elements(std::ranges::data(range), std::ranges::size(range));
  std::size_t kept = 0;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (kept > 0 && key(elements[kept - 1]) == key(elements[i])) continue;
    if (kept != i) std::memcpy(static_cast<void*>(&elements[kept]), &elements[i], sizeof(T));
    ++kept;
  }
  const auto rest =
      std::ranges::begin(range) + static_cast<std::ranges::range_difference_t<R>>(kept);
  return std::ranges::subrange(rest, std::ranges::end(range));
}

template <SortableRange R>
requires SortKey<std::ranges::range_value_t<R>>
auto sort_unique(R&& range, const SortOptions& options) {
  return sort_unique(range, std::identity(), options);
}

}  // namespace postroom
