// The paper's radix sort behind the front door, for those who name it as the algorithm.
//
// It sorts pairs of key and number, in blocks of a machine's processors (sort/radix_sort.h), in
// memory of its own; what is to be sorted is only touched when nothing can fail any more.
//
// Cost: that of radix_sort on elements of 16 bytes, which allocates as much again. Errors: what
// reading a key throws, as it was thrown.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "runtime/processor.h"
#include "sort/areas.h"
#include "sort/by_index.h"
#include "sort/options.h"

namespace postroom::sorting {

struct NumberedKey {
  std::uint64_t key;
  std::uint64_t number;
};
static_assert(sizeof(NumberedKey) == kPairBytes);

/// Fills `pairs` with the keys and numbers of as many records, sorts them stably by key with the
/// radix sort that options.algorithm names, and calls `then` on each processor.
void sort_by_radix(std::span<NumberedKey> pairs, const KeyReader& read_keys,
                   const SortOptions& options, const std::function<void(Processor&)>& then);

}  // namespace postroom::sorting
