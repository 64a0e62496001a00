// How to sort: the options of all functions of the front door.
//
//   postroom::sort(keys, {.processors = 4, .descending = true});
//
//   std::vector<std::byte> scratch(scratch_bytes(keys.size(), sizeof(keys[0])));
//   postroom::sort(keys, {.scratch = scratch});   // allocates some tables at most
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "runtime/machine.h"

namespace postroom {

/// What sorts. All give the same bytes.
enum class SortAlgorithm {
  automatic,            ///< the fastest: sort/engine/engine.h
  radix_two_transpose,  ///< the paper's radix sort over its deterministic router
  radix_one_phase,      ///< the same over the one-phase router
  radix_direct,         ///< the same, written straight to its place
};

inline constexpr std::array kSortAlgorithms{
    SortAlgorithm::automatic, SortAlgorithm::radix_two_transpose, SortAlgorithm::radix_one_phase,
    SortAlgorithm::radix_direct};

/// "automatic", "radix_two_transpose", …
std::string to_string(SortAlgorithm algorithm);

struct SortOptions {
  /// How many processors; 0: as many as this box gives. Few records are sorted by one all the same.
  int processors = 0;
  /// Whether they are pinned to cores, each to one.
  bool pin = true;
  SortAlgorithm algorithm = SortAlgorithm::automatic;
  /// Memory to use instead of an own: of scratch_bytes() at least, its contents do not matter.
  /// Beside it some tables are allocated, up to 2 MiB for each processor, or 8 where bare keys that
  /// differ in few bits are counted (16 for 2^32 keys and more). Without it, memory is
  /// allocated, and kept for the next call as kKeptScratchBytes says.
  std::span<std::byte> scratch{};
  /// Is told what fraction is done, from 0 to 1, rising: by the calling thread, 101 times at
  /// most. Some of the quickest ways are through in one go, and tell the end alone. What it throws
  /// ends the sort and reaches the caller; the records are a permutation then.
  std::function<void(double)> progress{};
  /// From the largest key down. Records with equal keys keep their order all the same.
  bool descending = false;
  /// Runs on this machine instead of one of the library's. `processors` and `pin` then count for
  /// nothing. Not from inside a program of it: few records are sorted there by the caller alone, as
  /// always where `algorithm` is automatic, but more are std::logic_error. Processors that share
  /// threads need stacks of 64 KiB for that (MachineOptions::stack_bytes).
  Machine* machine = nullptr;
};

/// What the library keeps between calls, at most.
inline constexpr std::size_t kKeptScratchBytes = std::size_t{256} << 20;
/// Up to so many, but all above kKeptScratchBytes only until the system wants it: it takes those
/// pages before any other's. See free_kept_scratch().
inline constexpr std::size_t kOfferedScratchBytes = std::size_t{2} << 30;
/// On boxes with several nodes of memory no more than this is kept.
inline constexpr std::size_t kKeptOnNodesBytes = std::size_t{16} << 20;

/// How much scratch is enough for `records` of `record_bytes`; for sort_by_key() of a key and its
/// value together. The records' own size and a line or two; for records of more than 64 bytes, or
/// of a size that sort_records() has no own code for, 16 bytes each on top. Throws
/// std::length_error when that is more than a size_t holds.
std::size_t scratch_bytes(std::size_t records, std::size_t record_bytes,
                          const SortOptions& options = {});

/// How much scratch sort_records() by a ByteKey wants: the records' own size, but 16 bytes each at
/// least, and 16 bytes each on top. Throws as scratch_bytes().
std::size_t byte_key_scratch_bytes(std::size_t records, std::size_t record_bytes);

/// How much scratch argsort() wants for keys of `key_bytes`.
std::size_t argsort_scratch_bytes(std::size_t keys, std::size_t key_bytes,
                                  const SortOptions& options = {});

}  // namespace postroom
