// Records of common sizes, sorted by moving them whole: compiled once here, for keys that are known
// only while the program runs, and for pointers to members, of which each would take a compiler
// some seconds otherwise.
//
// Cost, memory and errors: those of sort_rows (sort/front.h), for keys that are read as
// with_record_key() says (sort/field_key.h).
#pragma once

#include <cstddef>

#include "sort/field_key.h"
#include "sort/options.h"

namespace postroom::sorting {

/// Sorts data[0, size), records of kBytes. There is one for each of WholeSizes
/// (sort/compiled_sizes.h), in several units, for each takes the compiler some seconds.
template <std::size_t kBytes>
void sort_whole_records(std::byte* data, std::size_t size, const Field& field,
                        const SortOptions& options);

}  // namespace postroom::sorting
