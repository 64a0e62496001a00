// The front door: numbers of processors, algorithms, kinds of elements; compared with
// std::stable_sort.
#include "sort/sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/sort/front_door.h"

namespace postroom {
namespace {

TEST(Sort, AroundPowersOfTwo) {
  for (std::size_t power = 512; power <= (1U << 17); power *= 2) {
    for (const std::size_t size : {power - 1, power, power + 1}) {
      const Distribution distribution = kDistributions[size % kDistributions.size()];
      expect_all_sorted<std::uint32_t>(Distribution::uniform, size, {.processors = 2});
      expect_all_sorted<std::int64_t>(distribution, size, {.processors = 2});
    }
  }
}

TEST(Sort, EveryDistributionWithManyRecords) {
  for (const Distribution distribution : kDistributions) {
    for (const int processors : {1, 2, 3}) {
      expect_all_sorted<std::uint32_t>(distribution, 100'000, {.processors = processors});
      expect_all_sorted<std::uint64_t>(distribution, 100'000, {.processors = processors});
    }
  }
}

TEST(Sort, FourMillionRecords) {
  expect_all_sorted<std::uint64_t>(Distribution::uniform, 1U << 22, {.processors = 2});
  expect_all_sorted<float>(Distribution::zipf, 1U << 22, {.processors = 2});
}

TEST(Sort, SameBytesForAnyNumberOfProcessors) {
  for (const int processors : {1, 2, 3, 4, 5, 7, 8, 13, 16, 33}) {
    expect_all_sorted<std::uint32_t>(Distribution::few_distinct, 40'000,
                                     {.processors = processors});
    expect_all_sorted<double>(Distribution::uniform, 40'000,
                              {.processors = processors, .pin = false, .descending = true});
  }
}

TEST(Sort, SameBytesForAllAlgorithms) {
  for (const SortAlgorithm algorithm : kSortAlgorithms) {
    for (const std::size_t size : {0, 1, 2, 30, 255, 3001}) {
      for (const int processors : {1, 2, 3}) {
        for (const bool descending : {false, true}) {
          const SortOptions options{.processors = processors,
                                    .pin = false,
                                    .algorithm = algorithm,
                                    .descending = descending};
          expect_all_sorted<std::int8_t>(Distribution::uniform, size, options);
          expect_all_sorted<std::uint32_t>(Distribution::zipf, size, options);
          expect_all_sorted<double>(Distribution::uniform, size, options);
        }
      }
    }
  }
}

TEST(Sort, OnAMachineOfTheCaller) {
  Machine machine({.processors = 3, .pin = false});
  for (const SortAlgorithm algorithm : kSortAlgorithms) {
    expect_all_sorted<std::uint32_t>(Distribution::uniform, 50'000,
                                     {.algorithm = algorithm, .machine = &machine});
  }
}

// Larger than what is moved as it is.
struct Large {
  std::array<char, 93> text;
  std::int16_t key;
  std::uint32_t number;
};

TEST(Sort, LargeRecords) {
  for (const std::size_t size : {0, 1, 2, 100, 40'000}) {
    const auto keys = keys_of<std::int16_t>(Distribution::zipf, size, 7);
    std::vector<Large> records(size);
    for (std::uint32_t i = 0; i < size; ++i) {
      records[i] = {{}, keys[i], i};
      records[i].text.fill(static_cast<char>(i));
    }
    sort(records, &Large::key, {.processors = 2});
    const auto expected = expected_order(numbered(keys));
    for (std::size_t i = 0; i < size; ++i) {
      ASSERT_EQ(records[i].number, expected[i].number);
      ASSERT_EQ(records[i].text[92], static_cast<char>(expected[i].number));
    }
  }
}

TEST(Sort, LargeValuesBesideKeys) {
  std::vector<std::uint8_t> keys{3, 1, 2, 1};
  std::vector<std::array<int, 40>> values(4);
  for (int i = 0; i < 4; ++i) values[i].fill(i);
  sort_by_key(keys, values);
  EXPECT_EQ(keys, (std::vector<std::uint8_t>{1, 1, 2, 3}));
  EXPECT_EQ(values[0][39], 1);
  EXPECT_EQ(values[1][39], 3);
  EXPECT_EQ(values[2][39], 2);
  EXPECT_EQ(values[3][39], 0);
}

struct Constant {
  explicit Constant(int k) : key(k) {}
  int key;
  alignas(32) int aligned = 0;
};

TEST(Sort, ElementsWithoutDefaultConstructor) {
  std::vector<Constant> elements;
  for (int i = 0; i < 1000; ++i) elements.emplace_back(i * 7919 % 1000);
  sort(elements, [](const Constant& c) { return c.key; });
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(elements[i].key, i);
}

TEST(Sort, WhateverLiesSideBySide) {
  std::array<int, 3> array{3, 1, 2};
  sort(array);
  EXPECT_EQ(array, (std::array<int, 3>{1, 2, 3}));
  int plain[] = {3, 1, 2};
  sort(plain);
  EXPECT_EQ(plain[0], 1);
  std::vector<int> part{9, 3, 1, 2, 0};
  sort(std::span(part).subspan(1, 3));
  EXPECT_EQ(part, (std::vector<int>{9, 1, 2, 3, 0}));
  std::string text = "postroom";
  sort(text);
  EXPECT_EQ(text,
            "mooo"
            "prst");
}

TEST(Sort, ExampleOfTheHeader) {
  struct Person {
    int age;
    char initial;
  };
  std::vector<Person> people{{30, 'a'}, {40, 'b'}, {30, 'c'}};
  sort(people, &Person::age, {.descending = true});
  EXPECT_EQ(people[0].initial, 'b');
  EXPECT_EQ(people[1].initial, 'a');
  EXPECT_EQ(people[2].initial, 'c');
}

template <class Key>
void expect_progress_from_the_calling_thread() {
  for (const std::size_t size : {0, 10, 1000, 200'000}) {
    std::vector<double> told;
    const std::thread::id caller = std::this_thread::get_id();
    auto keys = keys_of<Key>(Distribution::uniform, size, 1);
    sort(keys, {.processors = 2, .progress = [&](double fraction) {
                  EXPECT_EQ(std::this_thread::get_id(), caller);
                  told.push_back(fraction);
                }});
    ASSERT_FALSE(told.empty());
    EXPECT_TRUE(std::ranges::is_sorted(told));
    EXPECT_GE(told.front(), 0);
    EXPECT_EQ(told.back(), 1);
    EXPECT_LE(told.size(), 101U);
    EXPECT_EQ(std::ranges::count(told, 1.0), 1);
  }
}

TEST(Sort, TellsProgressFromTheCallingThread) {
  expect_progress_from_the_calling_thread<std::uint64_t>();
  expect_progress_from_the_calling_thread<double>();
}

// Keys that are near each other, but for a few that a sample misses (sort/engine/count_most.h).
template <class Key>
void expect_sorted_with_far_ones(std::size_t size) {
  std::vector<Key> keys(size);
  for (std::size_t i = 0; i < size; ++i) keys[i] = static_cast<Key>(i * 2'654'435'761U >> 7 & 4095);
  for (const Key far : {static_cast<Key>(-1), std::numeric_limits<Key>::lowest(),
                        std::numeric_limits<Key>::max()}) {
    for (std::size_t i = 1; i <= 3; ++i) keys[size / 5 * i + 1] = far;
    std::vector<Key> expected = keys;
    std::ranges::sort(expected);
    for (const bool descending : {false, true}) {
      if (descending) std::ranges::reverse(expected);
      for (const int processors : {1, 2}) {
        std::vector<Key> own = keys;
        postroom::sort(own, {.processors = processors, .descending = descending});
        EXPECT_EQ(own, expected) << size << " by " << processors << ", " << +far;
      }
    }
  }
}

TEST(Sort, KeysWithAFewThatAreFar) {
  for (const std::size_t size : {std::size_t{3'000}, std::size_t{100'000}, std::size_t{140'000}}) {
    expect_sorted_with_far_ones<std::int16_t>(size);
    expect_sorted_with_far_ones<std::int32_t>(size);
    expect_sorted_with_far_ones<std::uint32_t>(size);
    expect_sorted_with_far_ones<std::int64_t>(size);
    expect_sorted_with_far_ones<std::uint64_t>(size);
    expect_sorted_with_far_ones<float>(size);
    expect_sorted_with_far_ones<double>(size);
  }
}

// Of few different keys, records of several sizes in one array and in two
// (sort/engine/few_records.h).
template <std::size_t kWords>
void expect_few_keys_sorted() {
  struct Record {
    std::uint64_t key;
    std::array<std::uint64_t, kWords> rest;
  };
  for (const std::size_t size : {9000, 300'000}) {
    const auto keys = keys_of<std::uint64_t>(Distribution::few_distinct, size, kWords);
    std::vector<Record> records(size);
    for (std::size_t i = 0; i < size; ++i) {
      records[i].key = keys[i];
      records[i].rest.fill(i);
    }
    auto expected = records;
    std::ranges::stable_sort(expected, {}, &Record::key);
    sort(records, &Record::key);
    for (std::size_t i = 0; i < size; ++i) {
      ASSERT_EQ(records[i].key, expected[i].key) << i;
      ASSERT_EQ(records[i].rest, expected[i].rest) << i;
    }
    auto columns = keys;
    std::vector<std::uint32_t> numbers(size);
    for (std::size_t i = 0; i < size; ++i) numbers[i] = static_cast<std::uint32_t>(i);
    sort_by_key(std::span(columns), std::span(numbers));
    for (std::size_t i = 0; i < size; ++i) {
      ASSERT_EQ(columns[i], expected[i].key) << i;
      ASSERT_EQ(numbers[i], expected[i].rest[0]) << i;
    }
  }
}
TEST(Sort, RecordsOfFewDifferentKeys) {
  expect_few_keys_sorted<1>();
  expect_few_keys_sorted<2>();
  expect_few_keys_sorted<7>();
}

}  // namespace
}  // namespace postroom
