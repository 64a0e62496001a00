// The data of a collective whose right result every processor knows.
//
// Two kinds of lists. Letters: the block that goes from one processor to another has a pattern of
// its own, different in each turn. Terms: element i of processor q is 7q + i + turn, so that sums
// over the processors have a closed form; elements are bytes, added modulo 256, or 64-bit numbers.
//
// Cost: filling and checking go eight bytes at a time, a fraction of a nanosecond a byte; nothing
// is allocated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace postroom::cli {

/// What one processor gives to an operation, and what it gets. Lists stay where they are from turn
/// to turn as long as their sizes do.
struct OperationData {
  std::vector<std::uint8_t> in;
  std::vector<std::uint8_t> out;
  /// Where blocks differ in size (cli/simulate/uneven_operations.h): how many elements go to each
  /// processor, and come from each.
  std::vector<std::size_t> counts, counts_in;
  /// Of a route: where each element goes, and what came, where elements are words.
  std::vector<int> targets;
  std::vector<std::uint64_t> routed;
};

/// Which call of an operation, by whom.
struct OperationTurn {
  int me = 0;
  int processors = 1;
  int root = 0;
  std::size_t block_bytes = 1;
  std::uint64_t turn = 0;  ///< the data of each is different
  /// Whether sums are of 64-bit numbers, where a list is made of whole ones. Lists of bytes are cut
  /// anywhere, so that rounds and volume are those of the formulas; numbers are added faster.
  bool words = false;

  bool adds_words() const { return words && block_bytes % sizeof(std::uint64_t) == 0; }
};

/// The block that goes from `source` to `target` in `turn`.
void fill_letters(std::span<std::uint8_t> block, int source, int target, std::uint64_t turn);
bool has_letters(std::span<const std::uint8_t> block, int source, int target, std::uint64_t turn);

/// The list of terms of turn.me; whether a list holds the sums of those of the first `processors`.
void fill_terms(std::span<std::uint8_t> list, const OperationTurn& turn);
/// Of those from the `first` byte on.
bool has_sums(std::span<const std::uint8_t> list, const OperationTurn& turn, int processors,
              std::size_t first = 0);

}  // namespace postroom::cli
