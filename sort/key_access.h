// The keys of elements that are only read: what the functions beside sort() share.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "sort/options.h"
#include "sort/sort.h"

namespace postroom {

/// Elements side by side that are only read.
template <class R>
concept ReadableRange = std::ranges::contiguous_range<R> && std::ranges::sized_range<R>;

namespace sorting {

/// key(element) is an unsigned integer, smaller for what comes earlier.
template <class T, class Projection>
struct ElementKey {
  using Key = std::remove_cvref_t<std::invoke_result_t<const Projection&, const T&>>;
  using Bits = KeyBits<Key>;

  HeldProjection<Projection> projection;
  Bits flip;

  Bits operator()(const T& element) const {
    return static_cast<Bits>(ordered_bits<Key>(std::invoke(projection, element)) ^ flip);
  }
};

template <class T, class Projection>
ElementKey<T, Projection> element_key(const Projection& projection, const SortOptions& options) {
  using Bits = typename ElementKey<T, Projection>::Bits;
  return {projection, flip_mask<Bits>(false, options.descending)};
}

template <ReadableRange R>
auto elements_of(const R& range) {
  return std::span(std::ranges::data(range), std::ranges::size(range));
}

/// Throws std::invalid_argument when `value` is above `most`.
inline void check_at_most(const char* name, std::size_t value, std::size_t most) {
  if (value <= most) return;
  throw std::invalid_argument(std::string(name) + ": " + std::to_string(value) +
                              " is not allowed; at most " + std::to_string(most));
}

/// Throws unless numbers of type Index count so many elements.
template <class Index>
void check_numbered(const char* name, std::size_t size) {
  constexpr std::size_t kLast = std::numeric_limits<Index>::max();
  if constexpr (kLast < std::numeric_limits<std::size_t>::max()) {
    check_at_most(name, size, kLast + 1);
  }
}

}  // namespace sorting
}  // namespace postroom
