// What messages are made of: lists of elements and single values, and their bytes.
//
// Concepts for the calls of a Processor and of the collectives, which move bytes: whatever may be
// copied byte by byte can travel. A program includes runtime/processor.h, which has these.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <ranges>
#include <span>
#include <type_traits>

namespace postroom {

using Bytes = std::span<std::byte>;
using ConstBytes = std::span<const std::byte>;

/// A list of elements that lie side by side: std::vector, std::array, std::span, …
template <class R>
concept Elements = std::ranges::contiguous_range<R> && std::ranges::sized_range<R> &&
    std::is_trivially_copyable_v<std::ranges::range_value_t<R>>;
/// One value that can travel in a message: anything that may be copied byte by byte. std::pair and
/// std::tuple may not, in GCC's library: use a struct. A pointer may not, since the list that it
/// points to is meant nearly always: give a std::span (or a struct that has the pointer).
template <class T>
concept Value = std::is_trivially_copyable_v<T> && !std::ranges::range<T> && !std::is_pointer_v<T>;
/// A list that is written: its elements are not const.
template <class R>
concept WritableElements =
    Elements<R> && !std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<R>>>;
/// A list that cannot be written, where one is to be. Functions that write have an overload for it,
/// which is deleted: a compiler shows its line.
template <class R>
concept ConstElements = Elements<R> && !WritableElements<R>;
/// Two lists whose elements are of one type.
template <class A, class B>
concept SameElements = std::same_as<std::ranges::range_value_t<A>, std::ranges::range_value_t<B>>;
/// A value that is written.
template <class T>
concept WritableValue = Value<T> && !std::is_const_v<T>;

/// What may be used when the call has returned: no temporary, but for one that only refers to
/// memory, like std::span.
template <class D>
concept Lasting = std::is_lvalue_reference_v<D> || std::ranges::borrowed_range<D>;
template <class D>
concept Fleeting = !Lasting<D>;

/// What a message is made of: a list, or a value, which is the same as a list of one.
template <class D>
concept Sendable = Elements<D> || Value<std::remove_reference_t<D>>;
/// What a message is made of that is read later.
template <class D>
concept Lendable = Sendable<D> && Lasting<D>;
/// What a message is received into, not const: a list, or a value; no temporary.
template <class D>
concept Receivable = Lasting<D> &&
    (WritableElements<D> || WritableValue<std::remove_reference_t<D>>);

/// Whatever a call may be tried with. It fits worse than all that a function takes, so that a
/// compiler shows the line of an overload for it, which is deleted and says what is wrong.
struct Anything {
  template <class T>
  Anything(const T&) {}  // NOLINT(google-explicit-constructor): stands for all
};

/// The bytes of a list of elements, or of a value.
template <Elements R>
ConstBytes bytes_of(const R& elements) noexcept {
  return std::as_bytes(std::span(std::ranges::data(elements), std::ranges::size(elements)));
}
template <WritableElements R>
Bytes writable_bytes_of(R& elements) noexcept {
  return std::as_writable_bytes(
      std::span(std::ranges::data(elements), std::ranges::size(elements)));
}
template <Value T>
ConstBytes bytes_of(const T& value) noexcept {
  return std::as_bytes(std::span<const T, 1>(std::addressof(value), 1));
}
template <WritableValue T>
Bytes writable_bytes_of(T& value) noexcept {
  return std::as_writable_bytes(std::span<T, 1>(std::addressof(value), 1));
}

}  // namespace postroom
