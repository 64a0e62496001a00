// Sorting by numbers: keys and the records' numbers are sorted, then each record is moved once.
//
// For records that are large, or of a size that there is no own code for, which would cost too much
// to move in each pass; and for all that the paper's radix sort is asked to sort. The keys are read
// once and sorted together with the records' numbers; the records are gathered in that order and
// copied back.
//
// Cost: a sort of rows of 16 bytes, or of 8 (sort/numbered.h), and each record moved twice; the
// scratch holds all records and 16 bytes more for each. Errors: what reading a key throws goes
// through, when nothing has been touched; what the progress callback throws likewise, at the end
// when all is done.
#pragma once

#include <cstddef>
#include <span>

#include "sort/engine/config.h"
#include "sort/numbered.h"
#include "sort/options.h"

namespace postroom::sorting {

/// An array that is to be put into the order of the keys.
struct Moved {
  std::byte* data;
  std::size_t element_bytes;
};

/// Sorts `size` elements of each of the arrays by the keys, or by keys of several words, the first
/// of which counts most. The scratch is that of by_index_areas for the largest element.
void sort_by_index(std::span<const Moved> arrays, std::size_t size,
                   std::span<const KeyReader> words, const SortOptions& options,
                   const SortConfig* config = nullptr);
void sort_by_index(std::span<const Moved> arrays, std::size_t size, const KeyReader& keys,
                   const SortOptions& options, const SortConfig* config = nullptr);

}  // namespace postroom::sorting
