// sort() as those who know the standard library write it: iterators, comparators, stable_sort.
//
//   sort(keys.begin(), keys.end());
//   sort(keys, std::greater());
//   stable_sort(people.begin(), people.end(), std::ranges::less(), &Person::age);
//
// All of them are stable. The comparators are std::less, std::greater and those of std::ranges,
// with or without their type; others would need comparisons, which this library does not make.
// Cost and errors: those of sort().
#pragma once

#include <functional>
#include <iterator>
#include <ranges>
#include <type_traits>

#include "sort/any_sort.h"
#include "sort/options.h"
#include "sort/sort.h"

namespace postroom {
namespace sorting {

template <class Compare>
inline constexpr bool kIsLess = std::is_same_v<Compare, std::ranges::less>;
template <class T>
inline constexpr bool kIsLess<std::less<T>> = true;
template <class Compare>
inline constexpr bool kIsGreater = std::is_same_v<Compare, std::ranges::greater>;
template <class T>
inline constexpr bool kIsGreater<std::greater<T>> = true;

}  // namespace sorting

/// A comparator whose order is that of keys, upwards or downwards.
template <class Compare>
concept KnownOrder = sorting::kIsLess<Compare> || sorting::kIsGreater<Compare>;

/// Others are not taken. As in sort/sort.h, also for iterators and stable_sort.
template <std::random_access_iterator Iterator, std::sized_sentinel_for<Iterator> End>
void sort(Iterator, End, sorting::Comparator<std::ranges::subrange<Iterator, End>>) =
    delete;  // give a projection behind std::less or std::greater

template <std::ranges::random_access_range R>
void stable_sort(R&&, sorting::Comparator<R>) = delete;  // likewise
template <std::random_access_iterator Iterator, std::sized_sentinel_for<Iterator> End>
void stable_sort(Iterator, End,
                 sorting::Comparator<std::ranges::subrange<Iterator, End>>) = delete;  // likewise

/// Sorts in the order of the comparator, by a projection if there is one.
template <std::ranges::random_access_range R, KnownOrder Compare, class Projection = std::identity>
void sort(R&& range, Compare, Projection projection = {}, SortOptions options = {}) {
  options.descending = sorting::kIsGreater<Compare>;
  using T = std::ranges::range_value_t<R>;
  if constexpr (std::is_same_v<Projection, std::identity> && AnySortKey<T>) {
    sort(range, options);
  } else {
    sort(range, projection, options);
  }
}

template <std::random_access_iterator Iterator, std::sized_sentinel_for<Iterator> End,
          KnownOrder Compare = std::ranges::less, class Projection = std::identity>
void sort(Iterator first, End last, Compare compare = {}, Projection projection = {},
          const SortOptions& options = {}) {
  sort(std::ranges::subrange(first, last), compare, projection, options);
}

template <std::ranges::random_access_range R, KnownOrder Compare = std::ranges::less,
          class Projection = std::identity>
void stable_sort(R&& range, Compare compare = {}, Projection projection = {},
                 const SortOptions& options = {}) {
  sort(range, compare, projection, options);
}

template <std::random_access_iterator Iterator, std::sized_sentinel_for<Iterator> End,
          KnownOrder Compare = std::ranges::less, class Projection = std::identity>
void stable_sort(Iterator first, End last, Compare compare = {}, Projection projection = {},
                 const SortOptions& options = {}) {
  sort(std::ranges::subrange(first, last), compare, projection, options);
}

}  // namespace postroom
