// What the library does with records, by the format of their file. Errors and cost: those of
// sort/records.h; a big-endian unsigned number takes what a number of the box takes.
//
//   sort_records(bytes, {.key = ByteKey{10}, .record_bytes = 100}, options);
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "cli/keys/key_format.h"
#include "sort/options.h"

namespace postroom::cli {

/// Keys that are big-endian unsigned numbers are turned meanwhile (cli/keys/big_endian.h); where
/// the sort throws, they stay turned.
void sort_records(std::span<std::byte> records, const KeyFormat& format,
                  const SortOptions& options);

std::optional<std::size_t> first_disorder(std::span<const std::byte> records,
                                          const KeyFormat& format, const SortOptions& options);

/// How much scratch sort_records() takes for so many.
std::size_t scratch_bytes(std::size_t records, const KeyFormat& format,
                          const SortOptions& options = {});

/// The same within `memory_bytes` beside the records: numbers that are all of their records are
/// sorted in place (sort/in_place.h) where sort_records() might take more. At least
/// least_scratch_bytes().
void sort_records_within(std::uint64_t memory_bytes, std::span<std::byte> records,
                         const KeyFormat& format, const SortOptions& options);

std::size_t least_scratch_bytes(std::size_t records, const KeyFormat& format,
                                const SortOptions& options = {});

}  // namespace postroom::cli
