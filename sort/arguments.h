// What is checked before a sort touches anything. All throw std::invalid_argument with one line.
#pragma once

#include <cstddef>
#include <span>

#include "sort/options.h"

namespace postroom::sorting {

void check_options(const SortOptions& options);
/// That there is a value for each key.
void check_as_many(std::size_t keys, std::size_t values);
/// That the two do not overlap: keys, values and scratch may not.
void check_apart(std::span<const std::byte> a, std::span<const std::byte> b);

}  // namespace postroom::sorting
