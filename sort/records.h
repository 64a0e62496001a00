// Sorting records whose size and key are known only while the program runs: files, tables, columns
// of a database.
//
//   // Records of 100 bytes with a 32-bit key at byte 4.
//   sort_records(bytes, 100, 4, KeyType::u32);
//   sort_records(bytes, 100, 0, ByteKey{10});   // by their first ten bytes
//
// A record is a row of bytes; its key lies `key_offset` bytes behind its beginning and need not be
// aligned. Records with equal keys keep their order. Records of 1 to 8, 12, 16, 20, 24, 32, 40, 48
// and 64 bytes are moved as they are in every pass; of others, only the keys are, and then each
// record once (sort/by_index.h). By a ByteKey all are moved so; records that are equal in its first
// eight bytes are looked at again.
// Errors: std::invalid_argument for sizes that do not fit together, before anything is touched;
// std::bad_alloc, cost and threads: as for sort/sort.h.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "sort/key_type.h"
#include "sort/options.h"

namespace postroom {

/// Sorts `data`, a row of records of `record_bytes` (1 … kMostRecordBytes).
void sort_records(std::span<std::byte> data, std::size_t record_bytes, std::size_t key_offset,
                  KeyType key, const SortOptions& options = {});

/// Sorts by a key of 1 … record_bytes - key_offset bytes. options.scratch is to be of
/// byte_key_scratch_bytes().
void sort_records(std::span<std::byte> data, std::size_t record_bytes, std::size_t key_offset,
                  ByteKey key, const SortOptions& options = {});

/// The number of the first record whose key is smaller than the one before (larger, where
/// options.descending), or nothing when all are in order. Reads only.
[[nodiscard]] std::optional<std::size_t> first_disorder(std::span<const std::byte> data,
                                                        std::size_t record_bytes,
                                                        std::size_t key_offset, KeyType key,
                                                        const SortOptions& options = {});
[[nodiscard]] std::optional<std::size_t> first_disorder(std::span<const std::byte> data,
                                                        std::size_t record_bytes,
                                                        std::size_t key_offset, ByteKey key,
                                                        const SortOptions& options = {});

}  // namespace postroom
