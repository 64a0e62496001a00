// Records routed into buckets by the values of their keys, by one processor and by several;
// compared with std::stable_sort. And which records go that way.
#include "sort/engine/bucket_router.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <vector>

#include "runtime/machine.h"
#include "sort/engine/config.h"
#include "sort/engine/failure.h"
#include "sort/engine/layout.h"
#include "sort/engine/part.h"
#include "sort/engine/steps.h"
#include "sort/engine/value_digit.h"
#include "sort/front.h"
#include "sort/keys.h"
#include "sort/sort.h"
#include "sort/vectors/network_sort.h"
#include "tests/sort/key_rows.h"
#include "tests/sort/sorting.h"

namespace postroom::sorting {
namespace {

constexpr std::size_t kSize = 20'000;

/// All records are routed, and those whose keys tell more by their values so.
SortConfig config_of_router(std::size_t value_records = 0) {
  return {.alone_records = 1,
          .order_alone_bytes = 0,
          .stray_bytes = 0,
          .bucket_records = 256,
          .value_records = value_records};
}

template <class Key>
using NumberedRows = Rows<sizeof(Numbered<Key>), ProjectedKey<Numbered<Key>, Key Numbered<Key>::*>>;

template <class Key>
auto key_of(bool descending = false) {
  return ProjectedKey<Numbered<Key>, Key Numbered<Key>::*>{
      &Numbered<Key>::key, flip_mask<KeyBits<Key>>(false, descending)};
}

template <class Key>
NumberedRows<Key> rows_of(std::vector<Numbered<Key>>& records) {
  return {std::as_writable_bytes(std::span(records)).data(), key_of<Key>()};
}

template <class Float>
std::vector<Float> uniform_numbers(std::size_t size) {
  std::mt19937_64 random(size);
  std::uniform_real_distribution<Float> uniform(-1, 2);
  std::vector<Float> keys(size);
  for (Float& key : keys) key = uniform(random);
  return keys;
}

/// How many records the largest bucket has, after they have been routed by one processor.
template <class Key>
std::size_t largest_bucket(const std::vector<Key>& keys, const SortConfig& config) {
  auto records = numbered(keys);
  auto away = records;
  Failure failure;
  Steps steps(Team(), failure);
  BucketRouter<NumberedRows<Key>> router(rows_of(records), rows_of(away), records.size(), 1,
                                         config);
  EXPECT_EQ(router.route(steps, {0, records.size(), false}), Routed::kInBuckets);
  failure.rethrow();
  std::size_t largest = 0;
  std::size_t begin = 0;
  Key highest = std::numeric_limits<Key>::lowest();
  for (std::size_t b = 0; b < router.buckets(); ++b) {
    const auto bucket = std::span(away).subspan(begin, router.bucket_size(b));
    EXPECT_TRUE(std::ranges::is_sorted(bucket, {}, &Numbered<Key>::number)) << "not stable";
    largest = std::max(largest, bucket.size());
    begin += bucket.size();
    if (bucket.empty()) continue;
    const auto [least, most] = std::ranges::minmax(bucket, {}, &Numbered<Key>::key);
    EXPECT_LT(highest, least.key);
    highest = most.key;
  }
  EXPECT_EQ(begin, records.size());
  return largest;
}

TEST(BucketRouter, ValuesTellApartWhatDigitsLeaveTogether) {
  const bool by_value = has_networks();
  const auto doubles = uniform_numbers<double>(kSize);
  const auto floats = uniform_numbers<float>(kSize);
  const std::size_t by_digit = largest_bucket(doubles, config_of_router(kSize + 1));
  EXPECT_GT(by_digit, kSize / 10);
  EXPECT_EQ(largest_bucket(doubles, config_of_router()) < by_digit / 3, by_value);
  EXPECT_EQ(largest_bucket(floats, config_of_router()) < by_digit / 3, by_value);
}

TEST(BucketRouter, KeysThatDigitsTellApartAreRoutedByThese) {
  std::vector<std::uint64_t> keys(kSize);
  std::mt19937_64 random(1);
  for (std::uint64_t& key : keys) key = random();
  EXPECT_EQ(largest_bucket(keys, config_of_router()),
            largest_bucket(keys, config_of_router(kSize + 1)));
}

template <class Key>
void expect_sorted(Machine& machine, const std::vector<Key>& keys, bool descending) {
  auto records = numbered(keys);
  const SortConfig config = config_of_router();
  sort_rows<sizeof(records[0])>(std::as_writable_bytes(std::span(records)).data(), records.size(),
                                key_of<Key>(descending), {.machine = &machine}, &config);
  EXPECT_TRUE(same_records(records, expected_order(numbered(keys), descending)))
      << "p = " << machine.processors() << ", n = " << keys.size()
      << ", bytes of a key = " << sizeof(Key) << (descending ? ", descending" : "");
}

TEST(BucketRouter, SortsFloatingPointNumbersOfAnyKind) {
  for (const int p : {1, 2, 3, 5}) {
    Machine machine({.processors = p, .pin = false});
    for (const std::size_t size : {300, 5'000, 60'000}) {
      for (const bool descending : {false, true}) {
        expect_sorted(machine, uniform_numbers<float>(size), descending);
        expect_sorted(machine, uniform_numbers<double>(size), descending);
        expect_sorted(machine, normal_keys<float>(size), descending);
        expect_sorted(machine, normal_keys<double>(size, -1e300), descending);
      }
    }
  }
}

// Of these one, far away, is in the sample, so that all others come into one bucket.
TEST(BucketRouter, OneFarAwayLeavesAllOthersToDigits) {
  Machine machine({.processors = 3, .pin = false});
  auto keys = uniform_numbers<double>(kSize);
  keys[0] = 1e200;
  expect_sorted(machine, keys, false);
}

// All keys that value digits are chosen by are alike, and stay where they are: placing is stable.
TEST(BucketRouter, WhatValuesDoNotTellApartIsLeftToDigits) {
  auto keys = uniform_numbers<double>(kSize);
  std::vector<std::uint32_t> places(kSize);
  std::iota(places.begin(), places.end(), 0U);
  for_some_keys(sorting::rows_of(places), {0, kSize, false},
                [&](auto place) { keys[place] = 0.5; });
  for (const int p : {1, 2, 3}) {
    Machine machine({.processors = p, .pin = false});
    expect_sorted(machine, keys, false);
  }
}

}  // namespace
}  // namespace postroom::sorting
