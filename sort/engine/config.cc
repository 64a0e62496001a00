#include "sort/engine/config.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

namespace postroom::sorting {
namespace {

template <class Number>
void check_range(const char* name, Number value, Number least, Number most) {
  if (value >= least && value <= most) return;
  throw std::invalid_argument(std::string(name) + ": " + std::to_string(value) +
                              " is not allowed; " + std::to_string(least) + " to " +
                              std::to_string(most));
}

void check_size(const char* name, std::size_t value, std::size_t least) {
  check_range(name, value, least, std::numeric_limits<std::size_t>::max());
}

void check_bits(const char* name, int value, int least) { check_range(name, value, least, 16); }

// Virtual machines may be told that each of their cores has all the third caches of the box (508 MB
// on an AMD Zen 5). No core has more than this, so nothing is known then.
std::uint64_t credible_share(std::uint64_t bytes) noexcept {
  constexpr std::uint64_t kMostOfACore = std::uint64_t{96} << 20;
  return bytes <= kMostOfACore ? bytes : 0;
}

// What of a cache each processor has, of which there is one on each core.
std::uint64_t share_of_cache(const Topology& box, const Cache& cache) {
  if (cache.leaves <= 0) return cache.bytes;
  const int first = box.leaf(cache.first_leaf).core;
  const int last = box.leaf(cache.first_leaf + cache.leaves - 1).core;
  return cache.bytes / static_cast<std::uint64_t>(last - first + 1);
}

}  // namespace

SortConfig config_for(const Topology& box) {
  SortConfig config;
  const Leaf& leaf = box.leaf(0);
  // A leaf of radix passes reads one side and writes the other: twice its size goes through the
  // cache.
  const std::uint64_t share = credible_share(share_of_cache(box, leaf.l3));
  const std::uint64_t second = share_of_cache(box, leaf.l2);
  const std::uint64_t cache = std::max(second, share / 4);
  if (cache > 0)
    config.leaf_bytes = static_cast<std::size_t>(std::max<std::uint64_t>(cache, 1 << 18));
  if (share > 0) config.sides_bytes = static_cast<std::size_t>(share);
  // One side of what fits the second cache.
  if (second > 0) config.radix_bytes = static_cast<std::size_t>(second / 2);
  if (box.nodes_near_leaves() > 1) config.merge_keys_bytes = kKeptOnNodesBytes;
  return config;
}

int split_bits_for(std::size_t records, const SortConfig& config) noexcept {
  const int wanted = static_cast<int>(std::bit_width(records / config.bucket_records));
  const int needed = static_cast<int>(std::bit_width(records / config.large_bucket_records));
  return std::clamp(std::max(std::min(wanted, config.light_bits), needed), 1, config.split_bits);
}

std::size_t most_for_one(std::size_t records, std::size_t processors,
                         const SortConfig& config) noexcept {
  if (processors == 1) return records;
  const std::size_t share = records / processors;
  const std::size_t twice_the_mean = 2 * (records >> split_bits_for(records, config));
  return std::max(std::clamp(twice_the_mean, share / config.giant_divisor, share),
                  config.alone_records);
}

void check_config(const SortConfig& config) {
  check_size("alone_records", config.alone_records, 1);
  check_size("insertion_records", config.insertion_records, 1);
  check_size("bucket_records", config.bucket_records, 1);
  check_size("large_bucket_records", config.large_bucket_records, 1);
  check_size("heavy_count", config.heavy_count, 1);
  check_range<std::size_t>("giant_divisor", config.giant_divisor, 1, 1 << 16);
  check_range<std::size_t>("most_rows", config.most_rows, 2, 64);
  check_size("sample_records", config.sample_records, 2);
  check_bits("split_bits", config.split_bits, 1);
  check_bits("light_bits", config.light_bits, 1);
  check_bits("pass_bits", config.pass_bits, 1);
  check_bits("spread_bits", config.spread_bits, 4);
  check_bits("network_bits", config.network_bits, 1);
  check_bits("fill_bits", config.fill_bits, 1);
  check_bits("heavy_bits", config.heavy_bits, 1);
  check_bits("slack_bits", config.slack_bits, 0);
  check_range("count_all_bits", config.count_all_bits, 0, 24);
}

}  // namespace postroom::sorting
