// Wide keys, elements that cannot be moved as bytes, several arrays, 32-bit numbers, and the forms
// of the standard library; compared with std::stable_sort.
#include "sort/any_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <iterator>
#include <limits>
#include <list>
#include <memory>
#include <numeric>
#include <random>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "sort/is_sorted.h"
#include "sort/std_shaped.h"
#include "tests/sort/sorting.h"
#include "tests/thrown.h"

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

TEST(AnySort, MoveOnlyElements) {
  std::mt19937_64 random(kSeed);
  std::vector<std::unique_ptr<int>> owners;
  std::vector<int> values;
  for (int i = 0; i < 2000; ++i) {
    values.push_back(static_cast<int>(random() % 1000));
    owners.push_back(std::make_unique<int>(values.back()));
  }
  sort(owners, [](const std::unique_ptr<int>& owner) { return *owner; }, {.descending = true});
  std::ranges::sort(values, std::greater());
  for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(*owners[i], values[i]);
}

TEST(AnySort, RangesThatDoNotLieSideBySide) {
  std::deque<int> values{3, 1, 2};
  sort(values);
  EXPECT_EQ(values, (std::deque<int>{1, 2, 3}));
  std::deque<std::pair<int, int>> pairs;
  for (int i = 0; i < 100'000; ++i) pairs.emplace_back(i * 7919 % 1000, i);
  auto expected = pairs;
  std::ranges::stable_sort(expected, std::greater(), &std::pair<int, int>::first);
  sort(pairs, &std::pair<int, int>::first, {.descending = true});
  EXPECT_EQ(pairs, expected);
}

TEST(AnySort, RangesOfProxiesAndWithSentinels) {
  std::vector<bool> bits;
  std::mt19937_64 random(kSeed);
  for (int i = 0; i < 1000; ++i) bits.push_back(random() % 3 == 0);
  std::vector<bool> expected = bits;
  std::sort(expected.begin(), expected.end());
  const SortOptions two{.processors = 2};
  sort(bits, two);
  EXPECT_EQ(bits, expected);
  apply_order(bits, argsort<std::uint32_t>(bits, {.descending = true}));
  std::reverse(expected.begin(), expected.end());
  EXPECT_EQ(bits, expected);
  std::deque<int> numbers{3, 1, 2, 0};
  sort(std::ranges::subrange(std::counted_iterator(numbers.begin(), 3), std::default_sentinel));
  EXPECT_EQ(numbers, (std::deque<int>{1, 2, 3, 0}));
}

TEST(AnySort, TellsThatAllIsDoneOnceWhenItIs) {
  const auto expect_told = [](auto values) {
    auto expected = values;
    std::ranges::sort(expected);
    double told = -1;
    sort(values, std::identity(), {.progress = [&](double fraction) {
           EXPECT_GT(fraction, told);
           told = fraction;
           EXPECT_TRUE(fraction < 1 || values == expected);
         }});
    EXPECT_EQ(told, 1);
  };
  expect_told(std::deque<int>{3, 1, 2});
  expect_told(std::vector<std::pair<int, int>>{{3, 1}, {1, 2}, {1, 1}});
}

TEST(AnySort, AProjectionThatThrowsLeavesAllAsItWas) {
  std::vector<std::string> words{"c", "a", "b"};
  const auto throwing = [](const std::string& word) -> int {
    if (word == "b") throw std::runtime_error("no key");
    return word[0];
  };
  EXPECT_THROW(sort(words, throwing), std::runtime_error);
  EXPECT_EQ(words, (std::vector<std::string>{"c", "a", "b"}));
}

TEST(Argsort, LeavesKeysAloneThatAreGivenAsScratch) {
  std::vector<std::uint64_t> keys(100'000);
  std::ranges::generate(keys, std::mt19937_64(kSeed));
  const std::vector<std::uint64_t> before = keys;
  const auto order = argsort<std::uint32_t>(std::as_const(keys),
                                            {.scratch = std::as_writable_bytes(std::span(keys))});
  EXPECT_EQ(keys, before);
  EXPECT_TRUE(std::ranges::is_sorted(order, {}, [&](std::uint32_t i) { return keys[i]; }));
}

TEST(Argsort, ByAProjectionOfAnyElements) {
  struct Person {
    std::string name;
    double height;
  };
  std::deque<Person> people;
  std::mt19937_64 random(kSeed);
  for (int i = 0; i < 1'000; ++i) {
    people.push_back({std::to_string(random() % 300), static_cast<double>(random() % 40)});
  }
  const auto& read_only = people;
  const auto by_height = argsort(read_only, &Person::height, {.descending = true});
  static_assert(std::same_as<decltype(by_height), const std::vector<std::size_t>>);
  std::vector<std::size_t> expected(people.size());
  std::iota(expected.begin(), expected.end(), std::size_t{0});
  std::ranges::stable_sort(expected, std::greater<>(),
                           [&](std::size_t i) { return people[i].height; });
  EXPECT_EQ(by_height, expected);
  const auto by_name = argsort<std::uint16_t>(
      people, [](const Person& person) { return StringPrefix<4>(person.name); });
  std::iota(expected.begin(), expected.end(), std::size_t{0});
  std::ranges::stable_sort(expected, {}, [&](std::size_t i) { return people[i].name; });
  EXPECT_TRUE(std::ranges::equal(by_name, expected));
}

TEST(Argsort, NumbersOfEveryWidth) {
  for (const std::size_t size : {0, 1, 200, 50'000}) {
    const auto keys = keys_of<float>(Distribution::kZipf, size, kSeed);
    const auto expected = argsort(keys);
    EXPECT_TRUE(std::ranges::equal(argsort<std::uint32_t>(keys), expected));
    EXPECT_TRUE(std::ranges::equal(argsort<std::uint64_t>(keys), expected));
    if (size <= 256) {
      EXPECT_TRUE(std::ranges::equal(argsort<std::uint8_t>(keys), expected));
    }
  }
  EXPECT_EQ(refusal([] { argsort<std::uint8_t>(std::vector<int>(257)); }),
            "keys: 256 is not allowed; at most 255");
}

TEST(ApplyOrder, MovesEachToItsPlace) {
  std::mt19937_64 random(kSeed);
  for (const std::size_t size : {0, 1, 2, 3, 10, 1000}) {
    std::vector<std::size_t> order(size);
    std::iota(order.begin(), order.end(), 0);
    std::ranges::shuffle(order, random);
    std::vector<std::string> words;
    for (std::size_t i = 0; i < size; ++i) words.push_back(std::to_string(i));
    apply_order(words, order);
    for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(words[i], std::to_string(order[i]));
  }
  std::vector<int> three{1, 2, 3};
  EXPECT_THROW(apply_order(three, std::vector<std::size_t>{0, 1}), std::invalid_argument);
}

// An element that is there once, wherever it is moved.
template <std::size_t kBytes, bool kThrows>
struct Owner {
  std::unique_ptr<std::size_t> number;
  std::array<std::byte, kBytes> rest{};

  explicit Owner(std::size_t value) : number(std::make_unique<std::size_t>(value)) {}
  Owner(Owner&& other) noexcept(!kThrows) : number(std::move(other.number)) {}
  Owner& operator=(Owner&& other) noexcept(!kThrows) {
    number = std::move(other.number);
    return *this;
  }
};

template <class Element, template <class...> class Container>
void expect_moved() {
  std::mt19937_64 random(kSeed);
  for (const std::size_t size : {0, 1, 1000, 50'000}) {
    std::vector<std::uint32_t> order(size);
    std::iota(order.begin(), order.end(), 0);
    std::ranges::shuffle(order, random);
    Container<Element> elements;
    for (std::size_t i = 0; i < size; ++i) elements.emplace_back(i);
    apply_order(elements, order, {.processors = 2});
    for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(*elements[i].number, order[i]);
  }
}

TEST(ApplyOrder, OfElementsOfEveryKind) {
  expect_moved<Owner<1, false>, std::vector>();
  expect_moved<Owner<1, false>, std::deque>();
  expect_moved<Owner<1, true>, std::vector>();
  expect_moved<Owner<1, true>, std::deque>();
  expect_moved<Owner<300, false>, std::vector>();
}

TEST(SortByKey, SeveralArrays) {
  for (const std::size_t size : {0, 1, 300, 50'000}) {
    auto keys = keys_of<std::int16_t>(Distribution::kFewDistinct, size, kSeed);
    const auto expected = expected_order(numbered(keys));
    std::vector<std::uint32_t> numbers(size);
    std::iota(numbers.begin(), numbers.end(), 0);
    std::vector<double> doubles(numbers.begin(), numbers.end());
    std::vector<std::array<char, 99>> large(size);
    for (std::size_t i = 0; i < size; ++i) large[i].fill(static_cast<char>(i));
    sort_by_key(keys, std::tie(numbers, doubles, large), {.processors = 2});
    EXPECT_EQ(keys, keys_in(expected));
    for (std::size_t i = 0; i < size; ++i) {
      ASSERT_EQ(numbers[i], expected[i].number);
      ASSERT_EQ(doubles[i], expected[i].number);
      ASSERT_EQ(large[i][98], static_cast<char>(expected[i].number));
    }
  }
  std::vector<int> keys{2, 1};
  std::vector<int> two{1, 2};
  std::vector<int> three{1, 2, 3};
  EXPECT_THROW(sort_by_key(keys, std::tie(two, three)), std::invalid_argument);
  EXPECT_THROW(sort_by_key(keys, std::tie(two, two)), std::invalid_argument);
  EXPECT_EQ(keys, (std::vector<int>{2, 1}));
  EXPECT_EQ(two, (std::vector<int>{1, 2}));
}

struct Person {
  int age;
  char initial;
};

TEST(StdShaped, AsTheStandardLibraryIsCalled) {
  const std::vector<int> mixed{3, 1, 2};
  const std::vector<int> up{1, 2, 3};
  const std::vector<int> down{3, 2, 1};
  auto keys = mixed;
  postroom::sort(keys.begin(), keys.end());
  EXPECT_EQ(keys, up);
  postroom::sort(keys.begin(), keys.end(), std::greater<int>());
  EXPECT_EQ(keys, down);
  postroom::sort(keys, std::less());
  EXPECT_EQ(keys, up);
  postroom::sort(keys, std::ranges::greater());
  EXPECT_EQ(keys, down);
  postroom::stable_sort(keys);
  EXPECT_EQ(keys, up);
  postroom::stable_sort(keys.data(), keys.data() + 2, std::greater());
  EXPECT_EQ(keys, (std::vector<int>{2, 1, 3}));
  std::vector<Person> people{{30, 'a'}, {40, 'b'}, {30, 'c'}};
  postroom::stable_sort(people, std::ranges::less(), &Person::age);
  EXPECT_EQ(people[0].initial, 'a');
  EXPECT_EQ(people[1].initial, 'c');
  postroom::sort(people.begin(), people.end(), std::ranges::greater(), &Person::age);
  EXPECT_EQ(people[0].initial, 'b');
  EXPECT_EQ(people[1].initial, 'a');
  postroom::sort(people, std::less(), &Person::age);
  EXPECT_EQ(people[2].initial, 'b');
  std::vector<std::pair<int, std::string>> named{{2, "x"}, {1, "y"}};
  postroom::stable_sort(named, std::less<>(), &std::pair<int, std::string>::first);
  EXPECT_EQ(named[0].second, "y");
}

TEST(StdShaped, BracesStandForTheUsualComparator) {
  const std::vector<Person> mixed{{30, 'a'}, {40, 'b'}, {20, 'c'}, {30, 'd'}};
  const auto initials = [](const std::vector<Person>& people) {
    std::string all;
    for (const Person& person : people) all += person.initial;
    return all;
  };
  auto people = mixed;
  postroom::sort(people, {}, &Person::age);
  EXPECT_EQ(initials(people), "cadb");
  people = mixed;
  postroom::sort(people, {}, [](const Person& person) { return -person.age; }, {.processors = 1});
  EXPECT_EQ(initials(people), "badc");
  people = mixed;
  postroom::stable_sort(people, {}, &Person::age);
  EXPECT_EQ(initials(people), "cadb");
  people = mixed;
  postroom::sort(people.begin(), people.end(), {}, &Person::age);
  EXPECT_EQ(initials(people), "cadb");
  postroom::sort(people, {}, [](const Person& person) {
    return StringPrefix<1>(std::string_view(&person.initial, 1));
  });
  EXPECT_EQ(initials(people), "abcd");
}

TEST(StdShaped, BracesAreOptionsWhereNoProjectionFollows) {
  std::vector<int> keys{3, 1, 2};
  postroom::sort(keys, {});
  EXPECT_EQ(keys, (std::vector<int>{1, 2, 3}));
  postroom::sort(keys, {.descending = true});
  EXPECT_EQ(keys, (std::vector<int>{3, 2, 1}));
  postroom::sort(keys, {}, {});
  EXPECT_EQ(keys, (std::vector<int>{1, 2, 3}));
  std::vector<Person> people{{30, 'a'}, {40, 'b'}, {20, 'c'}};
  postroom::sort(people, &Person::age);
  EXPECT_EQ(people[0].age, 20);
  postroom::sort(people, &Person::age, {});
  EXPECT_EQ(people[0].age, 20);
  postroom::sort(people, &Person::age, {.descending = true});
  EXPECT_EQ(people[0].age, 40);
  std::deque<int> apart{3, 1, 2};
  postroom::sort(apart, {});
  EXPECT_EQ(apart, (std::deque<int>{1, 2, 3}));
}

template <class... Arguments>
concept IsSorted = requires(Arguments... arguments) {
  postroom::sort(arguments...);
};
template <class... Arguments>
concept IsSortedStably = requires(Arguments... arguments) {
  postroom::stable_sort(arguments...);
};

// Compared in its own way.
enum class Card { kAce, kKing };
[[maybe_unused]] bool operator<(Card a, Card b) {
  return static_cast<int>(b) < static_cast<int>(a);
}

TEST(StdShaped, RefusesComparatorsThatItDoesNotKnow) {
  const auto by_size = [](int a, int b) { return a < b; };
  using Other = decltype(by_size);
  using Keys = std::vector<int>;
  using Iterator = Keys::iterator;
  static_assert(IsSorted<Keys, std::greater<>> && IsSortedStably<Keys, std::greater<>>);
  static_assert(!IsSorted<Keys, Other> && !IsSortedStably<Keys, Other>);
  static_assert(IsSorted<Iterator, Iterator, std::less<int>>);
  static_assert(!IsSorted<Iterator, Iterator, Other>);
  static_assert(!IsSortedStably<Iterator, Iterator, Other>);
  // Of another type, or of one whose order may be the program's.
  static_assert(!IsSorted<Keys, std::less<unsigned>> && !IsSortedStably<Keys, std::less<long>>);
  static_assert(!IsSorted<Iterator, Iterator, std::greater<double>>);
  enum class Colour { kRed, kBlue };
  static_assert(!IsSorted<std::vector<Colour>, std::less<Colour>>);
  static_assert(IsSorted<std::vector<Colour>, std::less<>>);
  static_assert(!IsSorted<std::vector<Card>, std::less<>>);
  static_assert(!IsSortedStably<std::vector<Card>, std::ranges::greater>);
  static_assert(IsSorted<std::vector<Person>, std::less<int>, int Person::*>);
  static_assert(!IsSorted<std::vector<Person>, std::less<long>, int Person::*>);
}

// None of them is an error within a header.
TEST(StdShaped, RefusesWhatHasNoKey) {
  using Strings = std::vector<std::string>;
  using Iterator = Strings::iterator;
  static_assert(!IsSorted<Strings> && !IsSortedStably<Strings> && !IsSorted<std::list<int>>);
  static_assert(!IsSorted<Strings, std::less<>> && !IsSortedStably<Strings, std::greater<>>);
  static_assert(!IsSorted<Iterator, Iterator> && !IsSortedStably<Iterator, Iterator>);
  static_assert(!IsSorted<Iterator, Iterator, std::less<>>);
  static_assert(!IsSorted<std::vector<long double>> && !IsSorted<std::vector<int*>>);
  using People = std::vector<Person>;
  const auto of_changeable = [](Person& person) { return person.age; };
  const auto of_strings = [](const std::string& text) { return text.size(); };
  const auto no_key = [](const Person&) { return std::string(); };
  static_assert(!IsSorted<People> && !IsSorted<People, decltype(of_changeable)>);
  static_assert(!IsSorted<People, decltype(of_strings)> && !IsSorted<People, decltype(no_key)>);
  static_assert(!IsSorted<People, SortOptions, int Person::*>);
  static_assert(IsSorted<People, int Person::*> && IsSorted<People, int Person::*, SortOptions>);
  static_assert(!IsSorted<const People, int Person::*>);
  static_assert(IsSorted<Strings, decltype(of_strings)>);
}

TEST(StdShaped, UnqualifiedCallsForWhatHasNoKeyAreThoseOfTheStandardLibrary) {
  using postroom::sort;
  using postroom::stable_sort;
  std::vector<std::string> words{"c", "a", "b"};
  sort(words.begin(), words.end());
  EXPECT_EQ(words, (std::vector<std::string>{"a", "b", "c"}));
  stable_sort(words.begin(), words.end(), std::greater<>());
  EXPECT_EQ(words, (std::vector<std::string>{"c", "b", "a"}));
}

}  // namespace
}  // namespace postroom
