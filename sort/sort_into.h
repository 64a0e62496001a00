// Sorting into other memory: the source stays as it is.
//
//   sort_into(keys, sorted);
//   sort_into(people, by_age, &Person::age);
//
// Cost: a copy, then as sort(). Errors: those of sort(); std::invalid_argument when the target has
// another size than the source, or overlaps it. Scratch that is too small is refused when the
// target has the copy.
#pragma once

#include <cstring>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "sort/key_access.h"
#include "sort/options.h"
#include "sort/shares.h"
#include "sort/sort.h"

namespace postroom {
namespace sorting {

/// Copies the source to the target, by all processors.
template <ReadableRange Source, SortableRange Target>
void copy_all(const Source& source, Target& target, const SortOptions& options) {
  const std::span<const std::byte> from = std::as_bytes(elements_of(source));
  const std::span<std::byte> to = memory_of(target);
  if (from.size() != to.size()) {
    throw std::invalid_argument("target: " + std::to_string(std::ranges::size(target)) +
                                " elements are not allowed; as many as the source has, " +
                                std::to_string(std::ranges::size(source)));
  }
  check_apart(from, to);
  check_apart(from, options.scratch);
  check_apart(to, options.scratch);
  constexpr std::size_t kBytes = sizeof(std::ranges::range_value_t<Target>);
  Shares shares(std::ranges::size(target), options);
  shares.run([&](Range own, std::size_t) {
    const std::size_t begin = own.begin * kBytes;
    const std::size_t end = own.end * kBytes;
    if (begin < end) std::memcpy(to.data() + begin, from.data() + begin, end - begin);
  });
}

}  // namespace sorting

template <ReadableRange Source, SortableRange Target>
requires SameElements<Source, Target> && SortKey<std::ranges::range_value_t<Target>>
void sort_into(const Source& source, Target&& target, const SortOptions& options = {}) {
  sorting::copy_all(source, target, options);
  postroom::sort(target, options);
}

template <ReadableRange Source, SortableRange Target,
          SortProjection<std::ranges::range_value_t<Target>> Projection>
requires SameElements<Source, Target>
void sort_into(const Source& source, Target&& target, Projection projection,
               const SortOptions& options = {}) {
  sorting::copy_all(source, target, options);
  postroom::sort(target, sorting::HeldProjection<Projection>(projection), options);
}

void sort_into(sorting::Anything, ...) = delete;  // const, a list, no key, other elements?

}  // namespace postroom
