// Floating-point keys alone, moved in place to both sides of zero.
//
// On either side their bits, read as integers, are in order or in reverse, so each side is sorted
// by what sorts integers (sort/whole_keys.h): networks, vectors and blocks compare nothing else,
// and a digit of the keys begins where the exponents differ, not with the sign. For few keys it is
// faster to fold them (sort/folded.h; figures: docs/sort_figures.md).
//
// Each processor moves its share, a piece at a time through a buffer in cache
// (sort/vectors/vector_sides.h). Then keys on the wrong side of the border of all are exchanged, by
// each as many.
//
// Cost: one read where all keys have one sign; else about two reads and two writes of each. Memory:
// some words for each processor. Errors: those of Lease, before anything has been moved;
// std::bad_alloc, the keys are a permutation.
//
// Source: our own; a piece is parted as by B. Bramas (sort/vectors/vector_sides.h).
#pragma once

#include <cstddef>

#include "sort/options.h"

namespace postroom::sorting {

/// Of data[0, size), keys of 4 or 8 bytes, which need not be aligned: moves those whose sign is
/// negative (or, where `descending`, is not) before all others, and returns how many they
/// are.
std::size_t partition_by_sign(std::byte* data, std::size_t size, std::size_t key_bytes,
                              bool descending, const SortOptions& options);

}  // namespace postroom::sorting
