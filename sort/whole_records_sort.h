// How sort/whole_records.h sorts, for the units that compile it.
#pragma once

#include <cstddef>

#include "sort/field_key.h"
#include "sort/front.h"
#include "sort/options.h"
#include "sort/whole_records.h"

namespace postroom::sorting {

template <std::size_t kBytes>
void sort_whole_records(std::byte* data, std::size_t size, const Field& field,
                        const SortOptions& options) {
  with_record_key<kBytes>(field,
                          [&](auto key_of) { sort_rows<kBytes>(data, size, key_of, options); });
}

}  // namespace postroom::sorting
