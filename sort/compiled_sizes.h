// Sizes of records and keys that code is compiled for.
#pragma once

#include <cstddef>
#include <utility>

namespace postroom::sorting {

/// Calls use.operator()<n>() for the n of this list that is `bytes`; false when none is.
template <class Use, std::size_t... kBytes>
bool with_size(std::size_t bytes, std::index_sequence<kBytes...>, Use&& use) {
  return ((bytes == kBytes && (use.template operator()<kBytes>(), true)) || ...);
}

template <std::size_t... kBytes>
constexpr bool is_size_of(std::size_t bytes, std::index_sequence<kBytes...>) {
  return ((bytes == kBytes) || ...);
}

/// Of records that are moved as they are (moves_whole, sort/areas.h).
using WholeSizes = std::index_sequence<1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24, 32, 40, 48, 64>;
/// All that field_load_bytes returns.
using LoadSizes = std::index_sequence<1, 2, 3, 4, 5, 6, 7, 8>;

}  // namespace postroom::sorting
