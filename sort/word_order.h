// The order of keys of several words.
//
//   order_by_words(rows, tails, 1, options);   // keys of two words
//
// Rows of the first word and a number are sorted; where first words are alike, those rows are
// sorted by the next word, and so on. Few that are alike are compared word by word. Words behind
// the first are therefore hardly looked at where the first tells most keys apart; where it tells
// nothing apart, a sort by it costs one read.
//
// Stable, where the rows come in the order of their numbers. Cost: a sort of 16 bytes an element
// for each word by which many differ. Memory: as much again as the rows, and up to 1 MiB for each
// processor. Errors: those of sort().
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sort/numbered.h"
#include "sort/options.h"

namespace postroom::sorting {

/// Sorts `rows`, which hold the first words and the numbers of all keys. The further words of key
/// i, as many as `tail_words`, are at tails[i * tail_words]. Afterwards the words in the rows are
/// of no meaning. Of the options scratch and progress count for nothing.
void order_by_words(std::span<WideRow> rows, std::span<const std::uint64_t> tails,
                    std::size_t tail_words, const SortOptions& options);

}  // namespace postroom::sorting
