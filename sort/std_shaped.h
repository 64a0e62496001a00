// sort(), is_sorted() and nth_element() as those who know the standard library write them:
// iterators, comparators, stable_sort.
//
//   postroom::sort(keys.begin(), keys.end());
//   postroom::sort(keys, std::greater());
//   postroom::sort(people, {}, &Person::age);
//   postroom::stable_sort(people.begin(), people.end(), std::ranges::less(), &Person::age);
//   postroom::sort(keys.begin(), keys.end(), {.processors = 4});
//   postroom::nth_element(keys.begin(), keys.begin() + 10, keys.end(), std::greater());
//   postroom::is_sorted(people.begin(), people.end(), {}, &Person::age)
//
// All of them are stable. After `using postroom::sort;` and the like calls with iterators are those
// of this library, too, whatever std has; where it takes no such elements (of nth_element: wide
// keys, and what does not lie side by side) or no such comparator they are those of std, of which
// sort() is not stable. options.descending turns the
// order of the comparator round. The comparators are std::less, std::greater and those of
// std::ranges, of no type or of that of the keys (not of an enumeration, whose order may be the
// program's own); others would need comparisons, which this library does not make. Of
// floating-point keys -0 comes before +0, which the standard library takes for equal (sort/keys.h).
// Cost and errors: those of sort(), and of is_sorted() and nth_element() of ranges.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <tuple>
#include <type_traits>
#include <utility>

#include "sort/any_sort.h"
#include "sort/is_sorted.h"
#include "sort/options.h"
#include "sort/select.h"
#include "sort/sort.h"
#include "sort/wide_keys.h"

namespace postroom {
namespace sorting {

/// An enumeration whose program compares it in its own way.
template <class Key>
concept OrderedEnumeration = std::is_enum_v<Key> &&(
    requires(Key a, Key b) { operator<(a, b); } || requires(Key a, Key b) { operator>(a, b); } ||
    requires(Key a, Key b) { operator<=>(a, b); });

/// Whether a key is one, or has one as a part.
template <class Key>
inline constexpr bool kHasOwnOrder = OrderedEnumeration<Key>;
template <class A, class B>
inline constexpr bool kHasOwnOrder<std::pair<A, B>> = kHasOwnOrder<A> || kHasOwnOrder<B>;
template <class... Parts>
inline constexpr bool kHasOwnOrder<std::tuple<Parts...>> = (kHasOwnOrder<Parts> || ...);
template <class Part, std::size_t kSize>
inline constexpr bool kHasOwnOrder<std::array<Part, kSize>> = kHasOwnOrder<Part>;
template <class Key>
inline constexpr bool kHasOwnOrder<Descending<Key>> = kHasOwnOrder<Key>;

/// Whether Compare is Known or KnownOfRanges, two of the standard's comparators, of no type or of
/// that of the keys. Not that of an enumeration, for which a program may have its own.
template <template <class> class Known, class KnownOfRanges, class Compare, class Key>
inline constexpr bool kIsOf =
    !kHasOwnOrder<Key> &&
    (std::is_same_v<Compare, Known<void>> || std::is_same_v<Compare, KnownOfRanges> ||
     (std::is_same_v<Compare, Known<Key>> && !std::is_enum_v<Key>));

template <class Compare, class Key>
inline constexpr bool kIsLess = kIsOf<std::less, std::ranges::less, Compare, Key>;
template <class Compare, class Key>
inline constexpr bool kIsGreater = kIsOf<std::greater, std::ranges::greater, Compare, Key>;

template <class R, class Projection>
using KeyOfRange = KeyBy<Projection, std::ranges::range_value_t<R>>;

/// For the order of the comparator.
template <class Compare, class Key>
SortOptions turned(SortOptions options) {
  if constexpr (kIsGreater<Compare, Key>) options.descending = !options.descending;
  return options;
}

}  // namespace sorting

/// A comparator whose order is that of the keys, upwards or downwards.
template <class Compare, class Key>
concept KnownOrder = AnySortKey<Key> &&
    (sorting::kIsLess<Compare, Key> || sorting::kIsGreater<Compare, Key>);

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
template <MovableRange R, class Compare = std::ranges::less, class Projection = std::identity>
requires KnownOrder<Compare, sorting::KeyOfRange<R, Projection>>
void sort(R&& range, Compare, Projection projection, const SortOptions& options = {}) {
  const auto chosen = sorting::turned<Compare, sorting::KeyOfRange<R, Projection>>(options);
  using T = std::ranges::range_value_t<R>;
  if constexpr (std::is_same_v<Projection, std::identity> && AnySortKey<T>) {
    postroom::sort(range, chosen);
  } else {
    postroom::sort(range, sorting::HeldProjection<Projection>(projection), chosen);
  }
}

// Without a default comparator: in sort(range, {}) the braces are options.
template <MovableRange R, class Compare>
requires KnownOrder<Compare, std::ranges::range_value_t<R>>
void sort(R&& range, Compare compare) { postroom::sort(range, compare, std::identity()); }

template <MovableRange R, class Compare>
requires KnownOrder<Compare, std::ranges::range_value_t<R>>
void sort(R&& range, Compare compare, const SortOptions& options) {
  postroom::sort(range, compare, std::identity(), options);
}

template <std::random_access_iterator Iterator, std::sized_sentinel_for<Iterator> End,
          class Compare = std::ranges::less, class Projection = std::identity>
requires MovableRange<std::ranges::subrange<Iterator, End>> &&
    KnownOrder<Compare, sorting::KeyBy<Projection, std::iter_value_t<Iterator>>>
void sort(Iterator first, End last, Compare compare = {}, Projection projection = {},
          const SortOptions& options = {}) {
  postroom::sort(std::ranges::subrange(first, last), compare,
                 sorting::HeldProjection<Projection>(projection), options);
}

template <std::random_access_iterator Iterator, std::sized_sentinel_for<Iterator> End>
requires MovableRange<std::ranges::subrange<Iterator, End>> &&
    KnownOrder<std::ranges::less, std::iter_value_t<Iterator>>
void sort(Iterator first, End last, const SortOptions& options) {
  postroom::sort(first, last, std::ranges::less(), std::identity(), options);
}

template <std::random_access_iterator Iterator, std::sized_sentinel_for<Iterator> End,
          class Compare>
requires MovableRange<std::ranges::subrange<Iterator, End>> &&
    KnownOrder<Compare, std::iter_value_t<Iterator>>
void sort(Iterator first, End last, Compare compare, const SortOptions& options) {
  postroom::sort(first, last, compare, std::identity(), options);
}

// As std has them, but constrained: so unqualified calls do not go there.
template <std::random_access_iterator Iterator>
requires MovableRange<std::ranges::subrange<Iterator>> &&
    KnownOrder<std::ranges::less, std::iter_value_t<Iterator>>
void sort(Iterator first, Iterator last) {
  postroom::sort(first, last, std::ranges::less(), std::identity());
}

template <std::random_access_iterator Iterator, class Compare>
requires MovableRange<std::ranges::subrange<Iterator>> &&
    KnownOrder<Compare, std::iter_value_t<Iterator>>
void sort(Iterator first, Iterator last, Compare compare) {
  postroom::sort(first, last, compare, std::identity());
}

template <MovableRange R, class Compare = std::ranges::less, class Projection = std::identity>
requires KnownOrder<Compare, sorting::KeyOfRange<R, Projection>>
void stable_sort(R&& range, Compare compare = {}, Projection projection = {},
                 const SortOptions& options = {}) {
  postroom::sort(range, compare, sorting::HeldProjection<Projection>(projection), options);
}

template <MovableRange R>
requires KnownOrder<std::ranges::less, std::ranges::range_value_t<R>>
void stable_sort(R&& range, const SortOptions& options) {
  postroom::sort(range, std::ranges::less(), std::identity(), options);
}

template <MovableRange R, class Compare>
requires KnownOrder<Compare, std::ranges::range_value_t<R>>
void stable_sort(R&& range, Compare compare, const SortOptions& options) {
  postroom::sort(range, compare, options);
}

template <std::random_access_iterator Iterator, std::sized_sentinel_for<Iterator> End,
          class Compare = std::ranges::less, class Projection = std::identity>
requires MovableRange<std::ranges::subrange<Iterator, End>> &&
    KnownOrder<Compare, sorting::KeyBy<Projection, std::iter_value_t<Iterator>>>
void stable_sort(Iterator first, End last, Compare compare = {}, Projection projection = {},
                 const SortOptions& options = {}) {
  postroom::sort(std::ranges::subrange(first, last), compare,
                 sorting::HeldProjection<Projection>(projection), options);
}

template <std::random_access_iterator Iterator, std::sized_sentinel_for<Iterator> End>
requires MovableRange<std::ranges::subrange<Iterator, End>> &&
    KnownOrder<std::ranges::less, std::iter_value_t<Iterator>>
void stable_sort(Iterator first, End last, const SortOptions& options) {
  postroom::sort(first, last, options);
}

template <std::random_access_iterator Iterator, std::sized_sentinel_for<Iterator> End,
          class Compare>
requires MovableRange<std::ranges::subrange<Iterator, End>> &&
    KnownOrder<Compare, std::iter_value_t<Iterator>>
void stable_sort(Iterator first, End last, Compare compare, const SortOptions& options) {
  postroom::sort(first, last, compare, options);
}

template <std::random_access_iterator Iterator>
requires MovableRange<std::ranges::subrange<Iterator>> &&
    KnownOrder<std::ranges::less, std::iter_value_t<Iterator>>
void stable_sort(Iterator first, Iterator last) { postroom::sort(first, last); }

template <std::random_access_iterator Iterator, class Compare>
requires MovableRange<std::ranges::subrange<Iterator>> &&
    KnownOrder<Compare, std::iter_value_t<Iterator>>
void stable_sort(Iterator first, Iterator last, Compare compare) {
  postroom::sort(first, last, compare);
}

/// The first element that is not in the order of the comparator, by a projection if there is one.
template <std::ranges::random_access_range R, class Compare = std::ranges::less,
          class Projection = std::identity>
requires std::ranges::sized_range<R> && KnownOrder<Compare, sorting::KeyOfRange<R, Projection>>
[[nodiscard]] std::ranges::borrowed_iterator_t<R> is_sorted_until(R&& range, Compare,
                                                                  Projection projection,
                                                                  const SortOptions& options = {}) {
  const auto chosen = sorting::turned<Compare, sorting::KeyOfRange<R, Projection>>(options);
  return postroom::is_sorted_until(range, sorting::HeldProjection<Projection>(projection), chosen);
}

template <std::ranges::random_access_range R, class Compare>
requires std::ranges::sized_range<R> && KnownOrder<Compare, std::ranges::range_value_t<R>>
[[nodiscard]] std::ranges::borrowed_iterator_t<R> is_sorted_until(R&& range, Compare compare,
                                                                  const SortOptions& options = {}) {
  return postroom::is_sorted_until(range, compare, std::identity(), options);
}

template <std::random_access_iterator Iterator, std::sized_sentinel_for<Iterator> End,
          class Compare = std::ranges::less, class Projection = std::identity>
requires KnownOrder<Compare, sorting::KeyBy<Projection, std::iter_value_t<Iterator>>>
[[nodiscard]] Iterator is_sorted_until(Iterator first, End last, Compare compare = {},
                                       Projection projection = {},
                                       const SortOptions& options = {}) {
  return postroom::is_sorted_until(std::ranges::subrange(first, last), compare,
                                   sorting::HeldProjection<Projection>(projection), options);
}

template <std::random_access_iterator Iterator, std::sized_sentinel_for<Iterator> End>
requires KnownOrder<std::ranges::less, std::iter_value_t<Iterator>>
[[nodiscard]] Iterator is_sorted_until(Iterator first, End last, const SortOptions& options) {
  return postroom::is_sorted_until(first, last, std::ranges::less(), std::identity(), options);
}

template <std::random_access_iterator Iterator, std::sized_sentinel_for<Iterator> End,
          class Compare>
requires KnownOrder<Compare, std::iter_value_t<Iterator>>
[[nodiscard]] Iterator is_sorted_until(Iterator first, End last, Compare compare,
                                       const SortOptions& options) {
  return postroom::is_sorted_until(first, last, compare, std::identity(), options);
}

// As std has them: see sort().
template <std::random_access_iterator Iterator>
requires KnownOrder<std::ranges::less, std::iter_value_t<Iterator>>
[[nodiscard]] Iterator is_sorted_until(Iterator first, Iterator last) {
  return postroom::is_sorted_until(first, last, std::ranges::less());
}

template <std::random_access_iterator Iterator, class Compare>
requires KnownOrder<Compare, std::iter_value_t<Iterator>>
[[nodiscard]] Iterator is_sorted_until(Iterator first, Iterator last, Compare compare) {
  return postroom::is_sorted_until(first, last, compare, std::identity());
}

/// Whether a range is in the order of the comparator, by a projection if there is one.
template <std::ranges::random_access_range R, class Compare = std::ranges::less,
          class Projection = std::identity>
requires std::ranges::sized_range<R> && KnownOrder<Compare, sorting::KeyOfRange<R, Projection>>
[[nodiscard]] bool is_sorted(R&& range, Compare, Projection projection,
                             const SortOptions& options = {}) {
  const auto chosen = sorting::turned<Compare, sorting::KeyOfRange<R, Projection>>(options);
  return postroom::is_sorted(range, sorting::HeldProjection<Projection>(projection), chosen);
}

template <std::ranges::random_access_range R, class Compare>
requires std::ranges::sized_range<R> && KnownOrder<Compare, std::ranges::range_value_t<R>>
[[nodiscard]] bool is_sorted(R&& range, Compare compare, const SortOptions& options = {}) {
  return postroom::is_sorted(range, compare, std::identity(), options);
}

template <std::random_access_iterator Iterator, std::sized_sentinel_for<Iterator> End,
          class Compare = std::ranges::less, class Projection = std::identity>
requires KnownOrder<Compare, sorting::KeyBy<Projection, std::iter_value_t<Iterator>>>
[[nodiscard]] bool is_sorted(Iterator first, End last, Compare compare = {},
                             Projection projection = {}, const SortOptions& options = {}) {
  return postroom::is_sorted(std::ranges::subrange(first, last), compare,
                             sorting::HeldProjection<Projection>(projection), options);
}

template <std::random_access_iterator Iterator, std::sized_sentinel_for<Iterator> End>
requires KnownOrder<std::ranges::less, std::iter_value_t<Iterator>>
[[nodiscard]] bool is_sorted(Iterator first, End last, const SortOptions& options) {
  return postroom::is_sorted(first, last, std::ranges::less(), std::identity(), options);
}

template <std::random_access_iterator Iterator, std::sized_sentinel_for<Iterator> End,
          class Compare>
requires KnownOrder<Compare, std::iter_value_t<Iterator>>
[[nodiscard]] bool is_sorted(Iterator first, End last, Compare compare,
                             const SortOptions& options) {
  return postroom::is_sorted(first, last, compare, std::identity(), options);
}

// As std has them: see sort().
template <std::random_access_iterator Iterator>
requires KnownOrder<std::ranges::less, std::iter_value_t<Iterator>>
[[nodiscard]] bool is_sorted(Iterator first, Iterator last) {
  return postroom::is_sorted(first, last, std::ranges::less());
}

template <std::random_access_iterator Iterator, class Compare>
requires KnownOrder<Compare, std::iter_value_t<Iterator>>
[[nodiscard]] bool is_sorted(Iterator first, Iterator last, Compare compare) {
  return postroom::is_sorted(first, last, compare, std::identity());
}

/// Puts at `nth` what would stand there in the order of the comparator, by a projection if there is
/// one; the earlier ones before it, the later ones behind. Does nothing where nth is the end.
template <std::contiguous_iterator Iterator, std::sized_sentinel_for<Iterator> End,
          class Compare = std::ranges::less, class Projection = std::identity>
requires SortableRange<std::ranges::subrange<Iterator, End>> &&
    SortProjection<Projection, std::iter_value_t<Iterator>> &&
    KnownOrder<Compare, sorting::KeyBy<Projection, std::iter_value_t<Iterator>>>
void nth_element(Iterator first, Iterator nth, End last, Compare = {}, Projection projection = {},
                 const SortOptions& options = {}) {
  using Key = sorting::KeyBy<Projection, std::iter_value_t<Iterator>>;
  postroom::nth_element(std::ranges::subrange(first, last), static_cast<std::size_t>(nth - first),
                        sorting::HeldProjection<Projection>(projection),
                        sorting::turned<Compare, Key>(options));
}

template <std::contiguous_iterator Iterator, std::sized_sentinel_for<Iterator> End>
requires SortableRange<std::ranges::subrange<Iterator, End>> &&
    SortKey<std::iter_value_t<Iterator>> &&
    KnownOrder<std::ranges::less, std::iter_value_t<Iterator>>
void nth_element(Iterator first, Iterator nth, End last, const SortOptions& options) {
  postroom::nth_element(first, nth, last, std::ranges::less(), std::identity(), options);
}

template <std::contiguous_iterator Iterator, std::sized_sentinel_for<Iterator> End, class Compare>
requires SortableRange<std::ranges::subrange<Iterator, End>> &&
    SortKey<std::iter_value_t<Iterator>> && KnownOrder<Compare, std::iter_value_t<Iterator>>
void nth_element(Iterator first, Iterator nth, End last, Compare compare,
                 const SortOptions& options) {
  postroom::nth_element(first, nth, last, compare, std::identity(), options);
}

// As std has them: see sort().
template <std::contiguous_iterator Iterator>
requires SortableRange<std::ranges::subrange<Iterator>> && SortKey<std::iter_value_t<Iterator>> &&
    KnownOrder<std::ranges::less, std::iter_value_t<Iterator>>
void nth_element(Iterator first, Iterator nth, Iterator last) {
  postroom::nth_element(first, nth, last, std::ranges::less());
}

template <std::contiguous_iterator Iterator, class Compare>
requires SortableRange<std::ranges::subrange<Iterator>> && SortKey<std::iter_value_t<Iterator>> &&
    KnownOrder<Compare, std::iter_value_t<Iterator>>
void nth_element(Iterator first, Iterator nth, Iterator last, Compare compare) {
  postroom::nth_element(first, nth, last, compare, std::identity());
}

}  // namespace postroom
