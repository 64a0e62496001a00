// Keys of several parts and of any width, sorted alone, with what belongs to them, and by number.
#include "sort/wide_keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "sort/any_sort.h"
#include "sort/is_sorted.h"
#include "tests/sort/sorting.h"

namespace postroom {
namespace {

constexpr std::uint64_t kSeed = 22;
constexpr std::size_t kSizes[] = {0, 1, 2, 50, 3000, 40'000};

using sorting::Int128;
using sorting::Unsigned128;

/// Sorts `keys` by themselves, as a part of records, and by number, and compares with `<`.
template <class Key>
void expect_sorted(const std::vector<Key>& keys, const std::string& what) {
  for (const bool descending : {false, true}) {
    const SortOptions options{.processors = 2, .descending = descending};
    std::vector<std::uint32_t> order(keys.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
      return descending ? keys[b] < keys[a] : keys[a] < keys[b];
    });
    EXPECT_EQ(argsort<std::uint32_t>(keys, options), order) << what;

    std::vector<std::pair<std::string, Key>> records;
    for (const Key& key : keys) records.emplace_back(std::to_string(records.size()), key);
    sort(
        records, [](const auto& record) { return record.second; }, options);
    std::vector<Key> alone = keys;
    sort(alone, options);
    EXPECT_TRUE(is_sorted(alone, options)) << what;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      ASSERT_EQ(records[i].first, std::to_string(order[i])) << what;
      ASSERT_TRUE(alone[i] == keys[order[i]]) << what;
    }
  }
}

/// Of sizes, and of parts with many and with few values.
template <class Make>
void for_all(const Make& make, const std::string& what) {
  for (const std::size_t size : kSizes) {
    for (const std::uint64_t most : {std::uint64_t{3}, std::numeric_limits<std::uint64_t>::max()}) {
      std::mt19937_64 random(kSeed + size);
      const auto next = [&] { return random() % most; };
      std::vector<decltype(make(next))> keys;
      for (std::size_t i = 0; i < size; ++i) keys.push_back(make(next));
      expect_sorted(keys, what + ", n = " + std::to_string(size));
    }
  }
}

TEST(WideKeys, Integers) {
  for_all([](auto next) { return static_cast<Unsigned128>(next()) << 64 | next(); }, "u128");
  for_all(
      [](auto next) {
        return static_cast<Int128>(static_cast<Unsigned128>(next()) << 64 | next());
      },
      "i128");
}

TEST(WideKeys, PairsTuplesAndArrays) {
  for_all(
      [](auto next) {
        return std::pair(static_cast<std::uint32_t>(next()), static_cast<std::int32_t>(next()));
      },
      "(u32, i32)");
  for_all([](auto next) { return std::pair(next(), static_cast<std::int64_t>(next())); },
          "(u64, i64)");
  for_all(
      [](auto next) {
        return std::tuple(static_cast<std::int8_t>(next()), next(),
                          static_cast<std::uint16_t>(next()), static_cast<float>(next()) - 1);
      },
      "(i8, u64, u16, f32)");
  for_all(
      [](auto next) {
        return std::array<std::int16_t, 3>{static_cast<std::int16_t>(next()), 7,
                                           static_cast<std::int16_t>(next())};
      },
      "three i16");
}

// In the other direction, as a part of each kind of key.
template <class Key>
void expect_turned_round(const std::vector<Key>& parts) {
  struct Row {
    std::uint8_t group;
    Key part;
    std::uint16_t rest;
  };
  std::vector<Row> rows;
  std::mt19937_64 random(kSeed);
  for (int i = 0; i < 3000; ++i) {
    rows.push_back({static_cast<std::uint8_t>(random() % 3), parts[random() % parts.size()],
                    static_cast<std::uint16_t>(random() % 3)});
  }
  const auto key = [](const Row& row) {
    return std::tuple(row.group, Descending(row.part), row.rest);
  };
  std::vector<std::size_t> expected(rows.size());
  std::iota(expected.begin(), expected.end(), 0);
  std::ranges::stable_sort(expected, [&](std::size_t a, std::size_t b) {
    return std::tuple(rows[a].group, rows[b].part, rows[a].rest) <
           std::tuple(rows[b].group, rows[a].part, rows[b].rest);
  });
  EXPECT_EQ(argsort(rows, key), expected);
  sort(rows, key);
  EXPECT_TRUE(is_sorted(rows, key));
  EXPECT_TRUE(std::ranges::is_sorted(rows, std::less<>(), key));
}

TEST(WideKeys, PartsInTheOtherDirection) {
  expect_turned_round<std::int8_t>({-128, -127, -1, 0, 1, 127});
  expect_turned_round<std::int64_t>({std::numeric_limits<std::int64_t>::min(), -1, 0, 1,
                                     std::numeric_limits<std::int64_t>::max()});
  expect_turned_round<std::uint32_t>({0, 1, 5, ~0u});
  expect_turned_round<bool>({false, true});
  expect_turned_round<float>({-1e30f, -1, 0, 1, 2, std::numeric_limits<float>::infinity()});
  expect_turned_round<double>({-1e300, -1, 0, 1, std::numeric_limits<double>::infinity()});
  using Prefix = StringPrefix<11>;
  expect_turned_round<Prefix>({Prefix(""), Prefix("a"), Prefix("ab"), Prefix("a long word"),
                               Prefix("a long wore"), Prefix("\xff")});
  expect_turned_round<Unsigned128>({0, 1, static_cast<Unsigned128>(1) << 64, ~Unsigned128{0}});
  expect_turned_round<std::pair<int, std::uint64_t>>({{-1, 0}, {-1, ~0ull}, {0, 3}, {1, 2}});
  static_assert(key_words(Descending(std::uint8_t{1}))[0] == 0xfe);
  std::vector<std::pair<int, double>> pairs{{1, 0.5}, {1, 2.5}, {0, 1}};
  sort(pairs, [](const auto& pair) { return std::tuple(pair.first, Descending(pair.second)); });
  EXPECT_EQ(pairs, (std::vector<std::pair<int, double>>{{0, 1}, {1, 2.5}, {1, 0.5}}));
}

// As many keys that are alike in their first words as several processors sort together, and more
// words behind those.
TEST(WideKeys, ManyAlikeInTheirFirstWords) {
  using Key = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;
  std::mt19937_64 random(kSeed);
  std::vector<Key> keys;
  for (std::size_t i = 0; i < 200'000; ++i) {
    keys.emplace_back(i % 10 == 0 ? 1 : 7, i % 3 == 0 ? random() % 1000 : 5, random() % 50);
  }
  expect_sorted(keys, "three words");
}

// Runs of alike words that one processor sorts need the scratch that this way wants.
TEST(WideKeys, ByThePapersSortToo) {
  std::mt19937_64 random(kSeed);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;
  for (std::size_t i = 0; i < 80'000; ++i) pairs.emplace_back(i / 40'000, random());
  auto expected = pairs;
  std::ranges::sort(expected);
  sort(pairs, {.processors = 2, .pin = false, .algorithm = SortAlgorithm::radix_direct});
  EXPECT_EQ(pairs, expected);
}

// However many words are alike, as much stack.
TEST(WideKeys, LongPrefixesThatAreAlike) {
  std::vector<std::string> strings(100, std::string(65'536, 'x'));
  strings[40].back() = 'w';
  strings[70].back() = 'a';
  const auto order = argsort<std::uint32_t>(
      strings | std::views::transform([](const auto& each) { return StringPrefix<65'536>(each); }));
  EXPECT_EQ(order[0], 70u);
  EXPECT_EQ(order[1], 40u);
  EXPECT_TRUE(std::ranges::is_sorted(order.begin() + 2, order.end()));
}

TEST(WideKeys, WordsAreOrderedAsTheKeys) {
  EXPECT_EQ(key_words(std::pair(1u, 2u)), (std::array<std::uint64_t, 1>{0x0000000100000002}));
  EXPECT_EQ(key_words(StringPrefix<8>("postroom")),
            (std::array<std::uint64_t, 1>{0x706f7374726f6f6d}));
  EXPECT_EQ(key_words(std::tuple(std::uint8_t{0xab}, ~std::uint64_t{0})),
            (std::array<std::uint64_t, 2>{0xab, ~std::uint64_t{0}}));
  static_assert(!AnySortKey<std::string> && !AnySortKey<std::pair<int, std::string>>);
  static_assert(AnySortKey<int> && AnySortKey<std::pair<int, char>> &&
                !SortKey<std::pair<int, char>>);
}

TEST(WideKeys, PrefixesOfStrings) {
  std::mt19937_64 random(kSeed);
  std::vector<std::string> words;
  for (int i = 0; i < 5000; ++i) {
    std::string word;
    for (auto left = random() % 7; left > 0; --left) word += static_cast<char>('a' + random() % 3);
    if (random() % 4 == 0) word += '\xe4';  // above 127
    words.push_back(word);
  }
  auto sorted = words;
  auto expected = words;
  std::ranges::stable_sort(expected);  // compares as unsigned characters
  sort(sorted, [](const std::string& word) { return StringPrefix<9>(word); });
  EXPECT_EQ(sorted, expected);
  // Stable among equal prefixes.
  sorted = words;
  expected = words;
  std::ranges::stable_sort(expected, {}, [](const std::string& word) { return word.substr(0, 2); });
  sort(sorted, [](const std::string& word) { return StringPrefix<2>(word); });
  EXPECT_EQ(sorted, expected);
}

}  // namespace
}  // namespace postroom
