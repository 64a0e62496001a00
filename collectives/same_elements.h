// Two lists of the same type of element.
#pragma once

#include <concepts>
#include <ranges>

#include "runtime/processor.h"

namespace postroom {

template <class A, class B>
concept SameElements = std::same_as<std::ranges::range_value_t<A>, std::ranges::range_value_t<B>>;

}  // namespace postroom
