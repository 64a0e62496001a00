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
/// Whether there is code of their own for such records with such keys, as numbers that are not read
/// by shifts and masks: common kinds of a key and what belongs to it.
constexpr bool is_common_kind(std::size_t record_bytes, std::size_t key_bytes, bool is_floating) {
  if (is_floating) return record_bytes == 2 * key_bytes && key_bytes >= 4;
  if (key_bytes == 4) return is_size_of(record_bytes, std::index_sequence<8, 12, 16>());
  return key_bytes == 8 && is_size_of(record_bytes, std::index_sequence<16, 24>());
}
/// All that field_load_bytes returns.
using LoadSizes = std::index_sequence<1, 2, 3, 4, 5, 6, 7, 8>;

}  // namespace postroom::sorting
