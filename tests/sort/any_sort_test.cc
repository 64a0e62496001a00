// Elements that cannot be moved as bytes or do not lie side by side, several arrays, and numbers of
// any width; compared with the standard library. Wide keys: wide_keys_test.cc.
#include "sort/any_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <iterator>
#include <memory>
#include <numeric>
#include <random>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/sort/sorting.h"
#include "tests/thrown.h"

namespace postroom {
namespace {

constexpr std::uint64_t kSeed = 22;

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

// A key that refers to its element, which is made when it is asked for.
TEST(AnySort, KeysMayReferToElementsThatAreMade) {
  constexpr int kSize = 50'000;
  struct Made {
    int group;
    int number;
    std::array<int, 6> more;
  };
  const auto element = [](int i) { return Made{i * 7919 % 100, -i, {i, i, i, i, i, i}}; };
  const auto made = std::views::iota(0, kSize) | std::views::transform(element);
  const auto both = [](const Made& m) { return std::tie(m.group, m.number); };
  const std::vector<std::size_t> order = argsort(made, both);
  ASSERT_EQ(order.size(), static_cast<std::size_t>(kSize));
  for (std::size_t i = 1; i < order.size(); ++i) {
    const Made before = element(static_cast<int>(order[i - 1]));
    const Made after = element(static_cast<int>(order[i]));
    ASSERT_LT(both(before), both(after)) << i;
  }
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

// Where it counts as an unsigned integer.
static_assert(!sorting::IndexType<sorting::Unsigned128> && sorting::IndexType<std::uint64_t>);

TEST(Argsort, NumbersOfEveryWidth) {
  for (const std::size_t size : {0, 1, 200, 50'000}) {
    const auto keys = keys_of<float>(Distribution::zipf, size, kSeed);
    const auto expected = argsort(keys);
    EXPECT_TRUE(std::ranges::equal(argsort<std::uint32_t>(keys), expected));
    EXPECT_TRUE(std::ranges::equal(argsort<std::uint64_t>(keys), expected));
    if (size <= 256) {
      EXPECT_TRUE(std::ranges::equal(argsort<std::uint8_t>(keys), expected));
    }
  }
  EXPECT_EQ(refusal([] { (void)argsort<std::uint8_t>(std::vector<int>(257)); }),
            "keys: 257 is not allowed; at most 256");
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
  EXPECT_THROW(apply_order(three, std::vector<std::size_t>{0, 1, 2}, {.descending = true}),
               std::invalid_argument);
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
    auto keys = keys_of<std::int16_t>(Distribution::few_distinct, size, kSeed);
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

}  // namespace
}  // namespace postroom
