// The paper's radix sort behind the front door, for those who name it as the algorithm.
//
// It sorts keys and numbers, in blocks of a machine's processors (sort/radix_sort.h), in memory of
// its own.
//
// Cost: that of radix_sort on the rows, which allocates as much again. Each pair of processors
// takes up to 2 KiB for the messages between them, too. Errors: std::invalid_argument, in one line,
// for so many processors that these would not fit the memory that is available, std::bad_alloc, and
// std::system_error where threads cannot be started; the rows are of no meaning then.
#pragma once

#include <span>

#include "sort/numbered.h"
#include "sort/options.h"

namespace postroom::sorting {

/// Sorts `rows` by their keys, stably, with the radix sort that options.algorithm names.
void sort_by_radix(std::span<WideRow> rows, const SortOptions& options);
void sort_by_radix(std::span<NarrowRow> rows, const SortOptions& options);

}  // namespace postroom::sorting
