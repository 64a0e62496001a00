// Sorting whatever has a key: wide keys (sort/wide_keys.h), and elements that cannot be moved as
// bytes (strings, owners of memory, move-only types, large ones), in any random-access range.
//
//   std::vector<std::pair<std::uint32_t, float>> pairs = …;
//   sort(pairs);
//   sort(words, [](const std::string& word) { return StringPrefix<16>(word); });
//   // One key upwards, the next one downwards.
//   sort(people, [](const Person& p) { return std::tuple(p.department, Descending(p.pay)); });
//   sort(tasks, [](const std::unique_ptr<Task>& task) { return task->priority; });
//   argsort<std::uint32_t>(keys);                      // 32-bit numbers
//   argsort(people, &Person::age);
//   // Several arrays, of what can be moved as bytes.
//   sort_by_key(keys, std::tie(ages, prices, dates));
//
// Keys and numbers are sorted (sort/word_order.h), then each element is moved (sort/permute.h).
// Stable; equal prefixes of strings keep their order.
//
// Wide keys are for sort(), argsort() and is_sorted(). For all else (merge, top_k, sort_unique, …)
// sort first, and go on with the standard library; or argsort() and apply_order().
//
// Cost: a sort of the first words of the keys and the numbers, of the next words where the first
// ones are alike, then two moves of each element. What does not lie side by side, but can be moved
// as bytes and has a key that sort() of sort/sort.h takes, is copied there and back instead.
// Memory: 32 bytes an element and 8 for each word of the key behind the first, and that of as many
// elements. Errors: those of sort(); what a projection throws leaves all as it was.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <ranges>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "sort/by_index.h"
#include "sort/engine/progress.h"
#include "sort/key_access.h"
#include "sort/numbered.h"
#include "sort/options.h"
#include "sort/permute.h"
#include "sort/shares.h"
#include "sort/sort.h"
#include "sort/whole_keys.h"
#include "sort/wide_keys.h"
#include "sort/word_order.h"

namespace postroom {
namespace sorting {

/// The numbers of `size` elements in the order of words_of(i), the words of a key.
template <class Index, class WordsOf>
std::vector<Index> order_of_keys(std::size_t size, const WordsOf& words_of,
                                 const SortOptions& options) {
  using Words = decltype(words_of(std::size_t{0}));
  constexpr std::size_t kTailWords = std::tuple_size_v<Words> - 1;
  check_numbered<Index>("elements", size);
  const auto rows = std::make_unique_for_overwrite<WideRow[]>(size);
  const auto tails = std::make_unique_for_overwrite<std::uint64_t[]>(size * kTailWords);
  Shares(size, options).run([&](Range own, std::size_t) {
    for (std::size_t i = own.begin; i < own.end; ++i) {
      const Words words = words_of(i);
      rows[i] = {.number = i, .key = words[0]};
      std::copy(words.begin() + 1, words.end(), &tails[i * kTailWords]);
    }
  });
  order_by_words({rows.get(), size}, {tails.get(), size * kTailWords}, kTailWords, options);
  std::vector<Index> order(size);
  Shares(size, options).run([&](Range own, std::size_t) {
    for (std::size_t i = own.begin; i < own.end; ++i) order[i] = static_cast<Index>(rows[i].number);
  });
  return order;
}

/// Whether elements are as good as copies of their bytes, and a vector holds them side by side.
template <class T>
inline constexpr bool kMovedByCopy =
    std::is_trivially_copyable_v<T>&& std::copyable<T> && !std::same_as<T, bool>;

/// The same of a range, by projection(element).
template <class Index, class R, class Projection>
std::vector<Index> order_by(R& range, const Projection& projection, const SortOptions& options) {
  using T = std::ranges::range_value_t<R>;
  const auto first = std::ranges::begin(range);
  const auto words_of = [&](std::size_t i) {
    // Or a copy, to which the key may refer.
    const T& element = first[static_cast<std::ranges::range_difference_t<R>>(i)];
    return key_words<KeyBy<Projection, T>>(std::invoke(projection, element));
  };
  return order_of_keys<Index>(static_cast<std::size_t>(std::ranges::size(range)), words_of,
                              options);
}

}  // namespace sorting

/// A range whose elements can be put elsewhere by moving them.
template <class R>
concept MovableRange = sorting::ChangeableRange<R> && std::ranges::sized_range<R> &&
    std::movable<std::ranges::range_value_t<R>> &&
    requires(std::ranges::iterator_t<R> place, std::ranges::range_value_t<R> element) {
  *place = std::move(element);
};

namespace sorting {

template <class R>
concept KeylessRange = MovableRange<R> && !AnySortKey<std::ranges::range_value_t<R>>;

}  // namespace sorting

/// Sorts by projection(element) what the sort() of sort/sort.h cannot. options.scratch counts for
/// nothing.
template <MovableRange R, AnySortProjection<std::ranges::range_value_t<R>> Projection>
requires(!SortableRange<R> || !SortProjection<Projection, std::ranges::range_value_t<R>>) void sort(
    R&& range, Projection projection, const SortOptions& options = {}) {
  using T = std::ranges::range_value_t<R>;
  if constexpr (sorting::kMovedByCopy<T> && SortProjection<Projection, T> &&
                !std::ranges::contiguous_range<R>) {
    const auto begin = std::ranges::begin(range);
    std::vector<T> side_by_side(begin, begin + std::ranges::ssize(range));
    SortOptions of_copy = options;
    of_copy.scratch = {};
    of_copy.progress = sorting::all_but_the_end(options.progress);
    postroom::sort(side_by_side, sorting::HeldProjection<Projection>(projection), of_copy);
    std::ranges::copy(side_by_side, std::ranges::begin(range));
  } else {
    auto order = sorting::order_by<std::uint64_t>(range, projection, options);
    SortOptions of_moves = options;
    of_moves.descending = false;  // the order says it
    postroom::apply_order(range, std::move(order), of_moves);
  }
  if (options.progress) options.progress(1);
}

/// Sorts wide keys by themselves.
template <MovableRange R>
requires AnySortKey<std::ranges::range_value_t<R>> &&
    (!SortableRange<R> ||
     !SortKey<std::ranges::range_value_t<R>>)void sort(R&& range, const SortOptions& options = {}) {
  postroom::sort(range, std::identity(), options);
}

template <sorting::KeylessRange R>
void sort(R&&, sorting::Options = {}) = delete;  // no keys; of strings: StringPrefix<N>
template <MovableRange R>
void sort(R&&, sorting::Projected<R>, sorting::Options = {}) = delete;  // no key; StringPrefix<N>?

/// The order that would sort the range by projection(element), in numbers of the type asked for.
/// Throws std::invalid_argument for more elements than it can number. options.scratch counts for
/// nothing.
template <sorting::IndexType Index = std::size_t, std::ranges::random_access_range R,
          AnySortProjection<std::ranges::range_value_t<R>> Projection>
[[nodiscard]] std::vector<Index> argsort(const R& range, Projection projection,
                                         const SortOptions& options = {}) {
  std::vector<Index> order = sorting::order_by<Index>(range, projection, options);
  if (options.progress) options.progress(1);
  return order;
}

/// The same of elements that are keys.
template <sorting::IndexType Index, std::ranges::random_access_range Keys>
requires AnySortKey<std::ranges::range_value_t<Keys>>
[[nodiscard]] std::vector<Index> argsort(const Keys& keys, const SortOptions& options = {}) {
  if constexpr (ReadableRange<Keys> && SortKey<std::ranges::range_value_t<Keys>>) {
    const auto size = static_cast<std::size_t>(std::ranges::size(keys));
    sorting::check_numbered<Index>("keys", size);
    std::vector<Index> order(size);
    const auto memory = std::as_bytes(std::span(std::ranges::data(keys), size));
    SortOptions without_scratch = options;
    without_scratch.scratch = {};
    sorting::argsort_whole_keys(
        sorting::index_array(std::span(order)), memory.data(), size,
        sorting::format_of<std::ranges::range_value_t<Keys>>(options.descending), without_scratch);
    return order;
  } else {
    return postroom::argsort<Index>(keys, std::identity(), options);
  }
}

/// The same of keys that the argsort() of sort/sort.h cannot take.
template <std::ranges::random_access_range Keys>
requires AnySortKey<std::ranges::range_value_t<Keys>> &&
    (!std::ranges::contiguous_range<Keys> || !SortKey<std::ranges::range_value_t<Keys>>)
        [[nodiscard]] std::vector<std::size_t> argsort(const Keys& keys,
                                                       const SortOptions& options = {}) {
  return postroom::argsort<std::size_t>(keys, options);
}

/// Sorts `keys`, and moves the elements of all the other ranges in the same way. Throws
/// std::invalid_argument when one of them has another size. Scratch: scratch_bytes() of the largest
/// element or of 65 bytes, whichever is more.
template <SortableRange Keys, SortableRange... Values>
requires SortKey<std::ranges::range_value_t<Keys>>
void sort_by_key(Keys&& keys, std::tuple<Values&...> values, const SortOptions& options = {}) {
  using Key = std::ranges::range_value_t<Keys>;
  const std::span<std::byte> key_memory = sorting::memory_of(keys);
  std::vector<std::span<std::byte>> memory{key_memory};
  std::vector<sorting::Moved> arrays{{key_memory.data(), sizeof(Key)}};
  std::apply(
      [&](Values&... each) {
        (sorting::check_as_many(std::ranges::size(keys), std::ranges::size(each)), ...);
        (memory.push_back(sorting::memory_of(each)), ...);
        (arrays.push_back(
             {sorting::memory_of(each).data(), sizeof(std::ranges::range_value_t<Values>)}),
         ...);
      },
      values);
  for (std::size_t i = 0; i < memory.size(); ++i) {
    sorting::check_apart(memory[i], options.scratch);
    for (std::size_t j = 0; j < i; ++j) sorting::check_apart(memory[i], memory[j]);
  }
  const sorting::WholeKeyOf<Key> key_of{
      sorting::flip_mask<sorting::KeyBits<Key>>(sorting::is_signed_key<Key>(), options.descending)};
  sorting::sort_by_index(arrays, std::ranges::size(keys),
                         sorting::key_reader(key_memory.data(), sizeof(Key), key_of), options);
}

}  // namespace postroom
