// sort() and stable_sort() as the standard library's users write them, next to the standard
// library's own.
#include "sort/std_shaped.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sort/wide_keys.h"

namespace postroom {
namespace {

// -0 comes before +0 here, and is equal to it for std::sort: so they tell who has sorted.
const std::vector<double> kZeros{0.0, -0.0};

bool rises(const std::vector<double>& zeros) {
  return std::signbit(zeros[0]) && !std::signbit(zeros[1]);
}
bool falls(const std::vector<double>& zeros) {
  return !std::signbit(zeros[0]) && std::signbit(zeros[1]);
}

TEST(StdShaped, UnqualifiedCallsAreOurs) {
  using postroom::sort;
  using postroom::stable_sort;
  std::vector<double> zeros = kZeros;
  sort(zeros.begin(), zeros.end());
  EXPECT_TRUE(rises(zeros));
  sort(zeros.begin(), zeros.end(), std::greater<>());
  EXPECT_TRUE(falls(zeros));
  stable_sort(zeros.begin(), zeros.end());
  EXPECT_TRUE(rises(zeros));
  stable_sort(zeros.begin(), zeros.end(), std::ranges::greater());
  EXPECT_TRUE(falls(zeros));
  double* const first = zeros.data();
  sort(first, first + 2);
  EXPECT_TRUE(rises(zeros));
}

TEST(StdShaped, OptionsStandLast) {
  const SortOptions falling{.descending = true};
  std::vector<int> keys{3, 1, 2};
  const std::vector<int> up{1, 2, 3};
  const std::vector<int> down{3, 2, 1};
  postroom::sort(keys.begin(), keys.end(), {.processors = 1});
  EXPECT_EQ(keys, up);
  postroom::sort(keys.begin(), keys.end(), falling);
  EXPECT_EQ(keys, down);
  postroom::sort(keys, std::greater(), {.descending = true});
  EXPECT_EQ(keys, up);
  postroom::stable_sort(keys, {.descending = true});
  EXPECT_EQ(keys, down);
  postroom::stable_sort(keys, falling);
  EXPECT_EQ(keys, down);
  postroom::stable_sort(keys, {});
  EXPECT_EQ(keys, up);
  postroom::stable_sort(keys.begin(), keys.end(), {.descending = true});
  EXPECT_EQ(keys, down);
  postroom::sort(keys.begin(), keys.end(), {});
  EXPECT_EQ(keys, up);
}

TEST(StdShaped, OptionsStandBehindAComparatorToo) {
  const SortOptions one{.processors = 1};
  std::vector<int> keys{3, 1, 2};
  const std::vector<int> up{1, 2, 3};
  const std::vector<int> down{3, 2, 1};
  const std::greater<> greater;
  postroom::sort(keys.begin(), keys.end(), greater, {.processors = 1});
  EXPECT_EQ(keys, down);
  EXPECT_TRUE(postroom::is_sorted(keys.begin(), keys.end(), greater, one));
  EXPECT_EQ(postroom::is_sorted_until(keys.begin(), keys.end(), greater, one), keys.end());
  postroom::stable_sort(keys.begin(), keys.end(), std::less<>(), one);
  EXPECT_EQ(keys, up);
  postroom::stable_sort(keys, greater, {.processors = 1});
  EXPECT_EQ(keys, down);
  postroom::nth_element(keys.begin(), keys.begin(), keys.end(), std::less<>(), one);
  EXPECT_EQ(keys[0], 1);
}

template <class R>
concept SortedByLess = requires(R& range) {
  postroom::sort(range, std::less<>());
};
template <class R>
concept SortedByIterators = requires(R& range) {
  postroom::sort(range.begin(), range.end());
};

TEST(StdShaped, WhatCannotBeIsNoCandidate) {
  EXPECT_TRUE(SortedByLess<std::vector<int>>);
  EXPECT_FALSE(SortedByLess<const std::vector<int>>);
  EXPECT_TRUE(SortedByIterators<std::vector<int>>);
  EXPECT_FALSE(SortedByIterators<const std::vector<int>>);
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

TEST(StdShaped, IsSortedAsTheStandardLibraryIsCalled) {
  const std::vector<int> up{1, 2, 3};
  const std::vector<int> down{3, 2, 1};
  const SortOptions falling{.descending = true};
  EXPECT_TRUE(postroom::is_sorted(up.begin(), up.end()));
  EXPECT_FALSE(postroom::is_sorted(down.begin(), down.end()));
  EXPECT_TRUE(postroom::is_sorted(down.begin(), down.end(), std::greater<>()));
  EXPECT_TRUE(postroom::is_sorted(down, std::greater()));
  EXPECT_FALSE(postroom::is_sorted(up, std::ranges::greater()));
  EXPECT_TRUE(postroom::is_sorted(up, std::greater(), falling));
  EXPECT_TRUE(postroom::is_sorted(down, falling));
  EXPECT_TRUE(postroom::is_sorted(up.begin(), up.end(), std::greater(), std::identity(), falling));
  EXPECT_TRUE(postroom::is_sorted(down.begin(), down.end(), falling));
  EXPECT_TRUE(postroom::is_sorted(up.begin(), up.end(), {.processors = 1}));
  EXPECT_EQ(postroom::is_sorted_until(down.begin(), down.end()), down.begin() + 1);
  EXPECT_EQ(postroom::is_sorted_until(down.begin(), down.end(), falling), down.end());
  EXPECT_EQ(postroom::is_sorted_until(down.begin(), down.end(), std::greater()), down.end());
  EXPECT_EQ(postroom::is_sorted_until(up, std::greater()), up.begin() + 1);
  const std::vector<Person> people{{30, 'c'}, {40, 'b'}, {40, 'a'}};
  EXPECT_TRUE(postroom::is_sorted(people, {}, &Person::age));
  EXPECT_FALSE(postroom::is_sorted(people, std::greater(), &Person::age));
  EXPECT_TRUE(postroom::is_sorted(people, std::greater(), &Person::initial));
  EXPECT_TRUE(postroom::is_sorted(people.begin(), people.end(), {}, &Person::age));
  EXPECT_EQ(postroom::is_sorted_until(people, {}, &Person::initial), people.begin() + 1);
  EXPECT_EQ(postroom::is_sorted_until(people.begin(), people.end(), {}, &Person::age),
            people.end());
  const std::deque<std::pair<int, int>> apart{{1, 2}, {1, 1}};
  EXPECT_FALSE(postroom::is_sorted(apart.begin(), apart.end()));
  EXPECT_TRUE(postroom::is_sorted(apart, std::greater()));
  const std::vector<double> zeros{-0.0, 0.0};  // which std takes for equal
  using postroom::is_sorted;
  using postroom::is_sorted_until;
  EXPECT_FALSE(is_sorted(zeros.begin(), zeros.end(), std::greater<>()));
  EXPECT_EQ(is_sorted_until(zeros.begin(), zeros.end(), std::greater<>()), zeros.begin() + 1);
  EXPECT_FALSE(is_sorted(zeros.rbegin(), zeros.rend()));
}

TEST(StdShaped, NthElementAsTheStandardLibraryIsCalled) {
  const std::vector<int> mixed{5, 3, 1, 4, 2};
  auto keys = mixed;
  postroom::nth_element(keys.begin(), keys.begin() + 1, keys.end());
  EXPECT_EQ(keys, (std::vector<int>{1, 2, 5, 3, 4}));
  keys = mixed;
  postroom::nth_element(keys.begin(), keys.begin() + 1, keys.end(), std::greater());
  EXPECT_EQ(keys, (std::vector<int>{5, 4, 3, 1, 2}));
  keys = mixed;
  postroom::nth_element(keys.begin(), keys.begin() + 1, keys.end(), {.descending = true});
  EXPECT_EQ(keys, (std::vector<int>{5, 4, 3, 1, 2}));
  keys = mixed;
  postroom::nth_element(keys.begin(), keys.end(), keys.end());
  EXPECT_EQ(keys, mixed);
  int* const first = keys.data();
  postroom::nth_element(first, first + 2, first + 4, {}, [](int key) { return -key; });
  EXPECT_EQ(keys, (std::vector<int>{5, 4, 3, 1, 2}));
  std::vector<Person> people{{30, 'a'}, {40, 'b'}, {20, 'c'}};
  postroom::nth_element(people.begin(), people.begin(), people.end(), std::ranges::greater(),
                        &Person::age, {.descending = true});
  EXPECT_EQ(people[0].initial, 'c');
  EXPECT_EQ(people[1].initial, 'a');
  std::vector<double> zeros = kZeros;
  using postroom::nth_element;
  nth_element(zeros.begin(), zeros.begin(), zeros.end());
  EXPECT_TRUE(rises(zeros));
  std::vector<std::string> words{"c", "a", "b"};  // that of std
  nth_element(words.begin(), words.begin(), words.end());
  EXPECT_EQ(words.front(), "a");
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
