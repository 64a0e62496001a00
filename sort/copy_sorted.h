// Sorting records from where they can be read at any place, piece by piece, to where pieces can be
// written at any place: files.
//
//   const bool done = copy_sorted({.records = n, .record_bytes = 8, .read = …, .write = …},
//                                 most_bytes);
//   if (!done) …   // read all, sort_records(), write all
//
// Records are read once, piece by piece, and placed into buckets in memory; then each bucket is
// sorted in the cache of one processor and written from there. So they need half of the memory that
// reading all, sort_records() and writing all would take, are moved through memory half as often,
// and all of it is done by all processors at the same time. Some are read before, as a sample; and
// all where these are in order, because records that turn out to be so are only copied. Stable.
//
// Memory: the records' own and a twelfth, room for the largest bucket twice for each processor, a
// piece and tables for each; no scratch of options. Errors: std::invalid_argument as
// sort_records(); what `read` and `write` throw, from any processor; SourceChangedError;
// std::bad_alloc. After any of them what was written is part of the result, if anything.
// Cost: a read of the source and a write of the target, each record placed and gathered once in
// memory; 10^8 u64 in files, two cores of an AMD Zen 3: 1.0 s, of which the system's work is more
// than a half.
// Source: sort/engine/engine.h, with the second half of its work kept in the cache.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <stdexcept>

#include "sort/engine/config.h"
#include "sort/key_type.h"
#include "sort/options.h"

namespace postroom {

/// Records that were in order and are not the same the second time. It is found out where they
/// would not be in order otherwise.
struct SourceChangedError : std::runtime_error {
  SourceChangedError() : std::runtime_error("the records changed while they were sorted") {}
};

/// What is sorted. `read` fills a piece with the records from `first` on, `write` takes those that
/// come there, each record once. Both are called by all processors at once, for pieces that do not
/// overlap; some records are read more than once.
struct StoredRecords {
  std::size_t records = 0;
  std::size_t record_bytes = 0;
  std::size_t key_offset = 0;
  KeyType key = KeyType::u64;
  std::function<void(std::size_t first, std::span<std::byte> piece)> read{};
  std::function<void(std::size_t first, std::span<const std::byte> piece)> write{};
};

/// Whether copy_sorted() is compiled for such records: keys of 4 and 8 bytes alone, and records of
/// 8 to 64 bytes that sort_records() moves whole.
bool can_copy_sorted(std::size_t record_bytes, KeyType key);

/// False, and nothing has been written, where this is not the way: records that it is not compiled
/// for, another algorithm than automatic, more than `most_bytes` of memory, or so many keys alike,
/// or in so small a part of the range of the others, that a bucket would be too large for one
/// processor.
[[nodiscard]] bool copy_sorted(const StoredRecords& stored, std::size_t most_bytes,
                               const SortOptions& options = {});

namespace sorting {
/// With the thresholds of a test; null: those of the box.
[[nodiscard]] bool copy_sorted(const StoredRecords& stored, std::size_t most_bytes,
                               const SortOptions& options, const SortConfig* config);
}  // namespace sorting

}  // namespace postroom
