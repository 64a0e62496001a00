// How sort/whole_records.h sorts, for the units that compile it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sort/compiled_sizes.h"
#include "sort/field_key.h"
#include "sort/front.h"
#include "sort/key_type.h"
#include "sort/options.h"
#include "sort/whole_records.h"

namespace postroom::sorting {

/// False where there is no code of their own for such records.
template <std::size_t kBytes, class Bits, bool kFloating>
bool sort_common_kind(std::byte* data, std::size_t size, const Field& field,
                      const SortOptions& options) {
  if constexpr (is_common_kind(kBytes, sizeof(Bits), kFloating)) {
    if (key_bytes(field.type) == sizeof(Bits) && is_floating(field.type) == kFloating) {
      sort_rows<kBytes>(data, size, NumberKey<Bits, kFloating>(field), options);
      return true;
    }
  }
  return false;
}

template <std::size_t kBytes>
void sort_whole_records(std::byte* data, std::size_t size, const Field& field,
                        const SortOptions& options) {
  if (sort_common_kind<kBytes, std::uint32_t, false>(data, size, field, options) ||
      sort_common_kind<kBytes, std::uint64_t, false>(data, size, field, options) ||
      sort_common_kind<kBytes, std::uint32_t, true>(data, size, field, options) ||
      sort_common_kind<kBytes, std::uint64_t, true>(data, size, field, options)) {
    return;
  }
  sort_rows<kBytes>(data, size, FieldKey<field_load_bytes(kBytes)>(field), options);
}

}  // namespace postroom::sorting
