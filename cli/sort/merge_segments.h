// Merging in memory: pieces of runs, each in order, become one row of records in order.
//
// Stable: among equal keys the records of earlier segments come first. By the calling thread alone.
// What is not in order is found.
//
// Records with a number that a sort moves whole are sorted anew (sort/records.h), which finds a few
// rows in order by itself, however few segments there are. Of a command's time on two bare
// keys, 4.5 ns a u64 where a loser tree took 9, 1.3 a u16 for 5.8, with 13 segments a third (AMD
// Zen 5); on 13 of records of 16 bytes 23 ns for 43 (AMD Zen 4). All else a loser tree merges
// (Knuth, see sort/loser_tree.h): log2(segments) comparisons a record, and each record copied once;
// the number of a line is read again here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cli/keys/order_key.h"
#include "cli/keys/record_order.h"

namespace postroom::cli {

/// A piece of a run, in whole records; each line of a text with its '\n'.
using Segment = std::span<const std::byte>;

/// The first and the last key of a segment; `first` > `last` for an empty one.
struct KeyRange {
  OrderKey first{~std::uint64_t{0}};
  OrderKey last;
};

/// Where a segment is not in order.
struct Disorder {
  std::size_t segment;
  std::size_t place;  // of the record that comes too late
};

/// How much memory segments of so many bytes are to lie in.
std::size_t room_for_segments(std::size_t bytes, const RecordOrder& order);

/// Merges into `merged`, which has room for all, and fills in the range of each segment. Stops at
/// the first disorder. `room`, of room_for_segments(), is what the segments lie in, which nobody
/// needs afterwards. UsageError for a line that is no number.
std::optional<Disorder> merge_segments(std::span<const Segment> segments, const RecordOrder& order,
                                       std::span<std::byte> merged, std::span<KeyRange> ranges,
                                       std::span<std::byte> room);

}  // namespace postroom::cli
