// Sorting: one call.
//
//   std::vector<std::uint64_t> keys = …;
//   postroom::sort(keys);
//   postroom::sort(people, &Person::age, {.descending = true});
//   postroom::sort_by_key(keys, values);
//   const std::vector<std::size_t> order = postroom::argsort(keys);
//
// A key is an integer of 8 to 64 bits, an enumeration, a float or double in total order
// (sort/keys.h: NaNs have their places, at the two ends), or a std::chrono duration or time_point.
// Always stable, downwards too.
//
// What can be sorted: whatever lies side by side (std::vector, std::array, std::span, …) and is
// trivially copyable. All else, and what else there is around sorting, is in headers of their own:
//
//   sort/any_sort.h    pairs, tuples, strings, 128 bits as keys; one key up, the next one down;
//                      elements that own memory or can only be moved; deques, views; argsort with
//                      numbers of 32 bits
//   sort/std_shaped.h  iterators, std::less and std::greater, stable_sort
//   sort/in_place.h    with a tenth of the memory        sort/sort_into.h  into other memory
//   sort/select.h      the first k, the n-th             sort/unique.h     each key once, counts
//   sort/merge.h       of rows in order                  sort/is_sorted.h  and where it ends
//   sort/records.h     records whose size and key are known only while the program runs
//
// Cost: two to four moves of each record, with as many processors as
// options.processors; one processor, the calling thread, for less than about 30,000, and for
// 130,000 bare keys of 32 or 64 bits; and, where no number was asked for, until half a million
// records have come in all calls together (sort/engine/lease.h). Records in order, or in reverse,
// cost one read. Scratch: as much memory again (scratch_bytes) and tables, up to 2 MiB for each
// processor (8 where bare keys are counted, as SortOptions says); of which keys of 32 and 64 bits
// alone, beyond the third cache, as a rule touch a 64th and up to 4 MiB for each processor.
//
// Who may call: any thread, several at once, a oneTBB task or a program of a machine too; only one
// call at a time gets more than one processor, the others do the work alone meanwhile. Errors:
// std::invalid_argument for options that contradict themselves, std::system_error where threads
// that were asked for cannot be started; nothing has been touched then. std::bad_alloc, and what a
// projection throws, reach the caller when the records may be in another order, but all are there.
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <new>
#include <ranges>
#include <span>
#include <type_traits>
#include <vector>

#include "numa/cacheline.h"
#include "runtime/elements.h"
#include "sort/arguments.h"
#include "sort/compiled_sizes.h"
#include "sort/field_key.h"
#include "sort/front.h"
#include "sort/keys.h"
#include "sort/options.h"
#include "sort/whole_keys.h"
#include "sort/whole_records.h"

namespace postroom {

namespace sorting {

/// A range whose elements are reached by their numbers and are not const, nor made when they are
/// asked for, as those of a std::views::transform may be.
template <class R>
concept ChangeableRange =
    std::ranges::random_access_range<R> &&
    !std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<R>>> &&
    !std::same_as<std::ranges::range_reference_t<R>, std::ranges::range_value_t<R>>;
template <class R>
concept FixedRange = std::ranges::range<R> && !ChangeableRange<R>;

}  // namespace sorting

/// Elements side by side that may be moved as bytes.
template <class R>
concept SortableRange = sorting::ChangeableRange<R> && std::ranges::contiguous_range<R> &&
    std::ranges::sized_range<R> && std::is_trivially_copyable_v<std::ranges::range_value_t<R>>;

/// What turns an element into its key: a function, a pointer to a member. It may be called several
/// times for an element, by several threads at once, and must give the same key each time:
/// with a key that changes memory is overwritten.
template <class P, class T>
concept SortProjection = std::regular_invocable<const P&, const T&> &&
    SortKey<std::remove_cvref_t<std::invoke_result_t<const P&, const T&>>>;

namespace sorting {

using Anything = postroom::Anything;

/// What compares two elements of R, which nothing here does. Whatever else a function takes goes
/// before it.
template <std::ranges::range R>
struct ComparatorOf {
  using T = std::ranges::range_value_t<R>;
  template <std::predicate<const T&, const T&> Compare>
  ComparatorOf(const Compare&) {}  // NOLINT(google-explicit-constructor): stands for all
};
template <class R>
using Comparator = std::type_identity_t<ComparatorOf<R>>;  // nothing is deduced from it

/// What can be called with an element of R, and what neither with one nor with two of them.
template <std::ranges::range R>
struct CalledWith {
  using T = std::ranges::range_value_t<R>;
  template <class P>
  requires std::invocable<const P&, const T&> CalledWith(const P&) {
  }  // NOLINT(google-explicit-constructor): stands for all
};
template <class R>
using Projected = std::type_identity_t<CalledWith<R>>;
template <std::ranges::range R>
struct NotCalledWith {
  using T = std::ranges::range_value_t<R>;
  template <class P>
  requires(!std::invocable<const P&, const T&> && !std::predicate<const P&, const T&, const T&>)
      NotCalledWith(const P&) {}  // NOLINT(google-explicit-constructor): stands for all
};
template <class R>
using NotProjected = std::type_identity_t<NotCalledWith<R>>;

using Options = const SortOptions&;

/// Whether a projection is a pointer to a member of T.
template <class T, class Projection>
inline constexpr bool kIsMember = false;
template <class T, class Class, class Member>
inline constexpr bool kIsMember<T, Member Class::*> =
    std::is_base_of_v<Class, T>&& std::is_object_v<Member>;

/// A projection as those hold it that call it for each record: one that is small is there then, and
/// need not be read again after each record that is written. It outlives them.
template <class Projection>
using HeldProjection = std::conditional_t<std::is_trivially_copyable_v<Projection> &&
                                              sizeof(Projection) <= 2 * sizeof(void*),
                                          Projection, std::reference_wrapper<const Projection>>;

/// The key of a T, by a projection.
template <class T, class Projection>
struct ProjectedKey {
  using Key = std::remove_cvref_t<std::invoke_result_t<const Projection&, const T&>>;
  using Bits = KeyBits<Key>;
  static constexpr bool kWholeRecord = false;
  /// The key is some bytes of the record, in order by key ^ all_flipped() as they are in memory.
  static constexpr bool kIsField = kIsMember<T, Projection> && !kIsFloatingKey<Key>;
  /// The same once these bytes have been folded (fold_negative).
  static constexpr bool kIsFoldedField = kIsMember<T, Projection> && kIsFloatingKey<Key>;

  HeldProjection<Projection> projection;
  Bits flip;  // all bits to sort downwards

  Bits operator()(const std::byte* record) const {
    const Key key = std::invoke(projection, *std::launder(reinterpret_cast<const T*>(record)));
    return static_cast<Bits>(ordered_bits(key) ^ flip);
  }

  /// Where in a record.
  std::size_t offset(const std::byte* record) const noexcept requires(kIsField || kIsFoldedField) {
    const T& element = *std::launder(reinterpret_cast<const T*>(record));
    const auto* key = reinterpret_cast<const std::byte*>(std::addressof(element.*projection));
    return static_cast<std::size_t>(key - record);
  }
  Bits all_flipped() const noexcept requires(kIsField || kIsFoldedField) {
    return static_cast<Bits>(flip ^ flip_mask<Bits>(is_signed_key<Key>(), false));
  }
};

/// Whether a projection is a pointer to a member, and there is compiled code for such records with
/// such keys (sort/whole_records.h).
template <class T, class Projection>
inline constexpr bool kIsCommonMember = false;
template <class T, class Class, SortKey Member>
inline constexpr bool kIsCommonMember<T, Member Class::*> =
    kIsMember<T, Member Class::*> && !std::is_volatile_v<Member> &&
    is_common_kind(sizeof(T), sizeof(Member), kIsFloatingKey<Member>);

/// The field that a pointer to a member stands for, in `size` elements.
template <class T, class Class, class Member>
Field member_field(const T* elements, std::size_t size, Member Class::*member, bool descending) {
  std::size_t offset = 0;
  if (size > 0) {
    const auto* const key = reinterpret_cast<const std::byte*>(std::addressof(elements->*member));
    offset = static_cast<std::size_t>(key - reinterpret_cast<const std::byte*>(elements));
  }
  return {sizeof(T), offset, key_type_of<Member>(), descending};
}

template <class R>
std::span<std::byte> memory_of(R& range) {
  return std::as_writable_bytes(std::span(std::ranges::data(range), std::ranges::size(range)));
}

}  // namespace sorting

/// Sorts `range` by itself.
template <SortableRange R>
requires SortKey<std::ranges::range_value_t<R>>
void sort(R&& range, const SortOptions& options = {}) {
  using Key = std::ranges::range_value_t<R>;
  const std::span<std::byte> memory = sorting::memory_of(range);
  sorting::check_apart(memory, options.scratch);
  sorting::sort_whole_keys(memory.data(), memory.size() / sizeof(Key),
                           sorting::format_of<Key>(options.descending), options);
}

/// Sorts `range` by projection(element).
template <SortableRange R, SortProjection<std::ranges::range_value_t<R>> Projection>
void sort(R&& range, Projection projection, const SortOptions& options = {}) {
  using T = std::ranges::range_value_t<R>;
  static_assert(alignof(T) <= kCacheLine, "over-aligned elements cannot be sorted");
  if constexpr (SortKey<T> && std::is_same_v<Projection, std::identity>) {
    postroom::sort(range, options);
  } else {
    const std::span<std::byte> memory = sorting::memory_of(range);
    const std::size_t size = std::ranges::size(range);
    sorting::check_apart(memory, options.scratch);
    if constexpr (sorting::kIsCommonMember<T, Projection>) {
      const sorting::Field field =
          sorting::member_field<T>(std::ranges::data(range), size, projection, options.descending);
      sorting::sort_whole_records<sizeof(T)>(memory.data(), size, field, options);
    } else {
      using KeyOf = sorting::ProjectedKey<T, Projection>;
      const KeyOf key_of{projection,
                         sorting::flip_mask<typename KeyOf::Bits>(false, options.descending)};
      sorting::sort_rows<sizeof(T)>(memory.data(), size, key_of, options);
    }
  }
}

/// What cannot be sorted: a compiler shows one of these lines, which says why. The functions below,
/// and those of the headers beside, have such a line too.
template <sorting::ChangeableRange R>
void sort(R&&, sorting::Options = {}) = delete;  // no keys: give a projection, or see any_sort.h
template <sorting::ChangeableRange R>
void sort(R&&, sorting::Projected<R>, sorting::Options = {}) = delete;  // see sort/any_sort.h
template <sorting::ChangeableRange R>
void sort(R&&, sorting::NotProjected<R>, sorting::Options = {}) = delete;  // takes no const T&
template <sorting::ChangeableRange R>
void sort(R&&, sorting::Comparator<R>) = delete;  // give a projection, or see sort/std_shaped.h
template <sorting::ChangeableRange R>
void sort(R&&, sorting::Comparator<R>, sorting::Options) = delete;  // give a projection
template <sorting::ChangeableRange R>
void sort(R&&, sorting::Options, sorting::Anything) = delete;  // options come last
template <sorting::FixedRange R>
void sort(R&&, ...) = delete;  // const elements, or a list: copy them into a vector
template <std::input_or_output_iterator Iterator>
void sort(Iterator, sorting::Anything, ...) = delete;  // iterators: see sort/std_shaped.h
void sort(sorting::Anything, ...) = delete;            // no range; or no such option?
void stable_sort(sorting::Anything, ...) = delete;     // see sort/std_shaped.h; keys are as here

/// Sorts `keys`, and moves the values in the same way: values[i] stays with keys[i]. Throws
/// std::invalid_argument when there are not as many values as keys.
template <SortableRange Keys, SortableRange Values>
requires SortKey<std::ranges::range_value_t<Keys>>
void sort_by_key(Keys&& keys, Values&& values, const SortOptions& options = {}) {
  using Key = std::ranges::range_value_t<Keys>;
  const std::span<std::byte> key_memory = sorting::memory_of(keys);
  const std::span<std::byte> value_memory = sorting::memory_of(values);
  sorting::check_as_many(std::ranges::size(keys), std::ranges::size(values));
  sorting::check_apart(key_memory, value_memory);
  sorting::check_apart(key_memory, options.scratch);
  sorting::check_apart(value_memory, options.scratch);
  const sorting::WholeKeyOf<Key> key_of{
      sorting::flip_mask<sorting::KeyBits<Key>>(sorting::is_signed_key<Key>(), options.descending)};
  sorting::sort_columns<sizeof(std::ranges::range_value_t<Values>)>(
      key_memory.data(), value_memory.data(), std::ranges::size(keys), key_of, options);
}

void sort_by_key(sorting::Anything, ...) = delete;  // const, a list, no keys? std::tie: any_sort.h

/// The order that would sort `keys`: keys[order[0]] is the smallest, and so on. `keys` stay as they
/// are. Scratch: argsort_scratch_bytes.
template <std::ranges::contiguous_range Keys>
requires SortKey<std::ranges::range_value_t<Keys>>
[[nodiscard]] std::vector<std::size_t> argsort(const Keys& keys, const SortOptions& options = {}) {
  using Key = std::ranges::range_value_t<Keys>;
  const auto memory = std::as_bytes(std::span(std::ranges::data(keys), std::ranges::size(keys)));
  sorting::check_apart(memory, options.scratch);
  std::vector<std::size_t> order(std::ranges::size(keys));
  sorting::argsort_whole_keys(sorting::index_array(std::span(order)), memory.data(), order.size(),
                              sorting::format_of<Key>(options.descending), options);
  return order;
}

void argsort(sorting::Anything, ...) = delete;  // no keys? a projection: any_sort.h

}  // namespace postroom
