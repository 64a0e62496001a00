// Concepts for calls of collectives that get the types of their lists wrong.
#pragma once

#include <concepts>
#include <cstddef>
#include <ranges>
#include <span>
#include <type_traits>

#include "runtime/processor.h"

namespace postroom {

// As for ConstElements (runtime/elements.h), functions have overloads for these that are deleted:
// a compiler shows their lines.

/// A list to read and one to write whose elements are not of one type.
template <class Read, class Written>
concept OtherElements = Elements<Read> && WritableElements<Written> && !SameElements<Read, Written>;
/// Numbers of elements that are no std::size_t, as in a std::vector<int>.
template <class Counts>
concept OtherCounts =
    std::ranges::input_range<Counts> && std::is_arithmetic_v<std::ranges::range_value_t<Counts>> &&
    !std::convertible_to<const Counts&, std::span<const std::size_t>>;

}  // namespace postroom
