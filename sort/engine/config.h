// The thresholds of the sorting engine.
//
// All that depends on the box or was found by measuring stands here, so that a test can make every
// branch run with 200 records. Any values that check_config accepts sort correctly.
//
//   const SortConfig config = config_for(topology);
#pragma once

#include <cstddef>

#include "numa/topology.h"
#include "sort/engine/written_line.h"
#include "sort/options.h"
#include "sort/vectors/read_ahead.h"

namespace postroom::sorting {

struct SortConfig {
  /// Up to so many records are sorted on the caller's thread: starting others takes longer. At
  /// least 1.
  std::size_t alone_records = std::size_t{1} << 15;
  /// Up to so many bare keys that networks finish are, too.
  std::size_t network_alone_records = std::size_t{1} << 17;
  /// Up to so many bytes of records that seem to be in order are read on the caller's thread: twice
  /// as many where vectors may read them, a third of that where they are in reverse.
  std::size_t order_alone_bytes = read_alone_bytes / 2;
  /// Fewer bytes of records that are nearly in order are sorted like all others
  /// (sort/engine/strays.h); so are more than half of what is read alone, where more processors
  /// than this share the work.
  std::size_t stray_bytes = std::size_t{1} << 12;
  std::size_t stray_processors = 2;
  /// Fewer records that are a few rows in order are sorted like all others
  /// (sort/engine/few_rows.h).
  std::size_t row_records = std::size_t{1} << 11;
  /// Two rows of fewer bytes are merged away and come home, others where they lie
  /// (sort/engine/merge_at_home.h).
  std::size_t merge_at_home_bytes = std::size_t{1} << 20;
  /// More bytes of bare keys that can be sorted in place (sort/engine/block_sort.h) are not merged:
  /// as much scratch would have to come from the system each time.
  std::size_t merge_keys_bytes = kKeptScratchBytes;
  /// Whether bare keys, records of one word, and others in large parts are sorted by networks in
  /// the end, where the processor has the vectors for them (sort/engine/spread.h,
  /// sort/engine/spread_words.h, sort/engine/spread_records.h).
  bool networks = true;
  /// Up to so many elements are sorted by one network of these, without scratch, as far as one
  /// takes them (sort/engine/one_network.h).
  std::size_t one_network_records = std::size_t{1} << 8;
  /// More bytes of records that are finished at once, and are no bare keys, are spread for networks
  /// too; fewer take no longer by radix passes (sort/engine/spread_records.h).
  std::size_t radix_bytes = std::size_t{1} << 19;
  /// A processor's share of the third cache. Up to so many bytes of bare keys are moved by one
  /// processor to both sides of one of them until they fit the second cache, not split by a digit,
  /// where vectors do it (sort/vectors/vector_sides.h); with more, several do not take sides
  /// together, and frequent keys are taken out.
  std::size_t sides_bytes = std::size_t{1} << 24;
  /// Whether bare keys of any number are moved to both sides of one of them, in place, rather than
  /// placed by a digit or in buckets of frequent keys, where vectors do it at all: as it is where
  /// writes to many places by turns take long. 10^6 and 10^7 keys with scratch at hand, by digits
  /// and so, two processors, ns (Intel Granite Rapids): 10^6 uniform u32 2.2 and 1.7, double 4.5
  /// and 2.8, normal ones 5.9 and 3.2; 10^7 zipf u32 3.6 and 2.75. (AMD Zen 5, one: 10^7 u64 of S
  /// 1.7 and 2.2.)
  bool sides_before_digits = asks_for_written_line;
  /// More rows of records are merged only where a CPU can guess which of them is next: more where
  /// writes to many places by turns, of which sorting consists, take long. 2 … 64.
  std::size_t most_rows = sides_before_digits ? 16 : 4;
  /// Up to so many are sorted by insertion. At least 1.
  std::size_t insertion_records = 24;
  /// Up to so many bytes of records are finished by radix passes in cache; more are split by their
  /// high digit first.
  std::size_t leaf_bytes = std::size_t{1} << 20;
  /// The size of bucket that splitting aims at. At least 1.
  std::size_t bucket_records = std::size_t{1} << 13;
  /// With digits of more than `light_bits` the lines that are written no longer fit the first
  /// cache. They are only for splitting into buckets of so many records instead. At least 1; 1
  /// … 16.
  std::size_t large_bucket_records = std::size_t{1} << 16;
  int light_bits = 8;
  /// The most bits of a digit that records are split by, and of one radix pass. 1 … 16.
  int split_bits = 10;
  int pass_bits = 10;
  /// The most bits of a digit that bare keys are spread by, for networks. 4 … 16.
  int spread_bits = 12;
  /// The most bits of a digit that bare keys are routed by, straight to networks. 1 … 16.
  int network_bits = 14;
  /// Fewer records are not routed by the values of their keys (sort/engine/bucket_router.h). One
  /// core, ns a pair by digits and so, keys of 8 bytes (AMD Zen 5): 4 * 10^4 uniform 6.0 and 6.4,
  /// normal 6.2 and 7.1; 10^5 7.2 and 6.4, 7.5 and 6.5.
  std::size_t value_records = std::size_t{1} << 16;
  /// Radix passes look at so many bits more than it takes to number the records; insertion does the
  /// rest. At least 0.
  int slack_bits = 4;
  /// Keys alone that differ in so many bits at most are counted and written, never moved. 1 … 16.
  int fill_bits = 16;
  /// The same where all are counted at once (sort/engine/count_all.h). 0 … 24; 0: none are. 10^8
  /// u32, ns a key to count, one processor (AMD Zen 5, large pages; in small ones 0.3 more): 0.43
  /// with 2^17 values, 0.57 with 2^19, 0.6 with 2^21, 1.0 with 2^22.
  int count_all_bits = 21;
  /// Keys alone that occur often are counted in 2^this slots at most; those that a processor has
  /// counted less often than `heavy_count` are moved after all. 1 … 16; at least 1.
  int heavy_bits = 11;
  std::size_t heavy_count = 16;
  /// Fewer keys alone are not counted in slots of their own where vectors take them to both sides
  /// of one of them soon (sort/vectors/vector_sides.h).
  std::size_t least_few_different = std::size_t{1} << 13;
  /// The same for records of up to 16 bytes; of larger ones more. In blocks instead of by networks
  /// 4000 pairs of u32 with 4 different keys take 1.9 instead of 4.5 ns, with 64 2.4 instead
  /// of 3.3; of u64 2.4 instead of 2.8, and 3.0 instead of 4.2 (AMD Zen 5).
  std::size_t least_few_records = std::size_t{1} << 11;
  /// A bucket with more than this part of the records that each processor should get is split by
  /// all together, but see most_for_one(). 1 … 65536.
  std::size_t giant_divisor = 4;
  /// The size of what copy_sorted() reads at once: it lies in the second cache.
  std::size_t piece_bytes = std::size_t{1} << 17;
  /// So many keys are looked at to guess what the others are like. At least 2.
  std::size_t sample_records = 256;
};

/// For processors with the caches of the first leaf of `box`.
SortConfig config_for(const Topology& box);

/// How many bits so many records are split by.
int split_bits_for(std::size_t records, const SortConfig& config) noexcept;

/// The most records of a bucket that one processor finishes alone: larger ones would leave the
/// others idle. What is twice as large as the mean is not, as long as it is no more than the share
/// of a processor, however many these are.
std::size_t most_for_one(std::size_t records, std::size_t processors,
                         const SortConfig& config) noexcept;

/// Throws std::invalid_argument for a value outside the ranges above.
void check_config(const SortConfig& config);

}  // namespace postroom::sorting
