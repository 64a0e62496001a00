// What the tests of the front door sort, and what they compare it with.
#pragma once

#include <algorithm>
#include <bit>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "sort/datasets.h"
#include "sort/engine/config.h"

namespace postroom {

/// A record: a key, and where it stood, so that a sort that is not stable shows.
template <class Key>
struct Numbered {
  Key key;
  std::uint32_t number;
};

/// a < b in the order that keys are sorted in, by other means than the library's.
template <class Key>
bool comes_before(const Key& a, const Key& b) {
  if constexpr (std::floating_point<Key>) {
    return std::strong_order(a, b) < 0;
  } else {
    return a < b;
  }
}

/// Keys of a distribution; of floating point, some are infinite, zeros of both signs or NaNs of
/// both signs and several payloads.
template <class Key>
std::vector<Key> keys_of(Distribution distribution, std::size_t size, std::uint64_t seed) {
  std::vector<Key> keys(size);
  if constexpr (std::is_enum_v<Key>) {
    std::vector<std::underlying_type_t<Key>> values(size);
    fill(values, distribution, seed);
    std::ranges::transform(values, keys.begin(),
                           [](auto value) { return static_cast<Key>(value); });
  } else {
    fill(keys, distribution, seed);
  }
  if constexpr (std::floating_point<Key>) {
    using Limits = std::numeric_limits<Key>;
    const Key special[] = {
        Limits::infinity(),   -Limits::infinity(),  Key{0},        -Key{0}, Limits::quiet_NaN(),
        -Limits::quiet_NaN(), Limits::denorm_min(), -Limits::max()};
    std::mt19937_64 random(seed);
    for (std::size_t i = 0; i < size; i += 1 + random() % 16) keys[i] = special[random() % 8];
  }
  return keys;
}

template <class Key>
std::vector<Numbered<Key>> numbered(const std::vector<Key>& keys) {
  std::vector<Numbered<Key>> records;
  for (std::uint32_t i = 0; i < keys.size(); ++i) records.push_back({keys[i], i});
  return records;
}

/// Stably sorted by the standard library.
template <class Key>
std::vector<Numbered<Key>> expected_order(std::vector<Numbered<Key>> records,
                                          bool descending = false) {
  std::ranges::stable_sort(records, [&](const Numbered<Key>& a, const Numbered<Key>& b) {
    return descending ? comes_before(b.key, a.key) : comes_before(a.key, b.key);
  });
  return records;
}

/// Whether both hold the same bytes, except for padding.
template <class Key>
bool same_records(const std::vector<Numbered<Key>>& a, const std::vector<Numbered<Key>>& b) {
  return std::ranges::equal(a, b, [](const Numbered<Key>& x, const Numbered<Key>& y) {
    return x.number == y.number && std::memcmp(&x.key, &y.key, sizeof(Key)) == 0;
  });
}

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

template <class Key>
std::vector<Key> keys_in(const std::vector<Numbered<Key>>& records) {
  std::vector<Key> keys;
  for (const Numbered<Key>& record : records) keys.push_back(record.key);
  return keys;
}

/// Thresholds so small that 200 records go through every branch of the engine.
inline std::vector<sorting::SortConfig> tiny_configs() {
  return {
      {.alone_records = 1,
       .network_alone_records = 0,
       .order_alone_bytes = 0,
       .stray_bytes = 0,
       .stray_processors = 64,
       .networks = false,
       .insertion_records = 1,
       .leaf_bytes = 64,
       .bucket_records = 4,
       .large_bucket_records = 16,
       .light_bits = 1,
       .split_bits = 2,
       .pass_bits = 2,
       .slack_bits = 0,
       .fill_bits = 3,
       .count_all_bits = 0,
       .heavy_bits = 2,
       .heavy_count = 1,
       .giant_divisor = 1,
       .sample_records = 4},
      {.alone_records = 8,
       .network_alone_records = 1 << 8,
       .one_network_records = 5,
       .radix_bytes = 0,
       .sides_bytes = 1 << 9,
       .insertion_records = 3,
       .leaf_bytes = 256,
       .bucket_records = 1,
       .split_bits = 5,
       .pass_bits = 3,
       .spread_bits = 4,
       .value_records = 0,
       .slack_bits = 1,
       .fill_bits = 8,
       .count_all_bits = 8,
       .heavy_bits = 3,
       .heavy_count = 2,
       .least_few_different = 1,
       .least_few_records = 1,
       .giant_divisor = 3,
       .sample_records = 2},
      {.alone_records = 1,
       .network_alone_records = 0,
       .order_alone_bytes = 0,
       .radix_bytes = 1 << 11,
       .sides_bytes = 1 << 13,
       .insertion_records = 2,
       .leaf_bytes = 1 << 12,
       .bucket_records = 64,
       .split_bits = 1,
       .pass_bits = 5,
       .spread_bits = 4,
       .value_records = 0,
       .slack_bits = 3,
       .fill_bits = 1,
       .count_all_bits = 3,
       .heavy_bits = 5,
       .heavy_count = 3,
       .giant_divisor = 2,
       .sample_records = 16},
  };
}

}  // namespace postroom
