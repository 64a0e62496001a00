// Elements, keys and projections of programs that have functions and operators of their own.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <ranges>
#include <utility>
#include <vector>

#include "sort/any_sort.h"
#include "sort/in_place.h"
#include "sort/is_sorted.h"
#include "sort/merge.h"
#include "sort/select.h"
#include "sort/sort_into.h"
#include "sort/std_shaped.h"
#include "sort/unique.h"

namespace app {

// Functions that take anything: found beside those of the library, were these called by name alone.
template <class R, class... Rest>
void sort(R&&, Rest&&...) {
  FAIL() << "not this one";
}
template <class R, class... Rest>
auto is_sorted_until(R&& range, Rest&&...) {
  ADD_FAILURE() << "not this one";
  return std::ranges::begin(range);
}
template <class R, class... Rest>
void apply_order(R&&, Rest&&...) {
  FAIL() << "not this one";
}

struct Item {
  std::uint32_t key;
  std::uint32_t number;

  bool operator==(const Item&) const = default;
  // As a pointer that counts has it: what is asked for its address gives up what it holds.
  Item* operator&() {
    key = 0;
    return nullptr;
  }
  const Item* operator&() const { return nullptr; }
};

struct Owner {
  std::unique_ptr<int> held;
  Owner* operator&() {
    held.reset();
    return nullptr;
  }
};

enum class Level : std::uint8_t { kLow, kMiddle, kHigh };
inline Level* operator&(Level& level) {
  level = Level::kLow;
  return nullptr;
}
inline const Level* operator&(const Level&) { return nullptr; }
struct Rated {
  Level level;
  std::uint8_t number;
};

enum class Backwards : std::uint8_t { kOne, kTwo };
constexpr std::strong_ordering operator<=>(Backwards a, Backwards b) {
  return static_cast<int>(b) <=> static_cast<int>(a);
}

}  // namespace app

namespace postroom {
namespace {

template <class Items>
Items some_items() {
  Items items;
  for (std::uint32_t i = 0; i < 1000; ++i) items.push_back({i * 7919 % 101, i});
  return items;
}

template <class Items>
Items in_order(Items items) {
  std::ranges::stable_sort(items, {}, &app::Item::key);
  return items;
}

template <class Items>
void expect_same(const Items& sorted, const Items& expected) {
  EXPECT_TRUE(std::ranges::equal(sorted, expected));
}

TEST(OddElements, FunctionsOfTheProgramAreNotCalled) {
  using Items = std::vector<app::Item>;
  const auto items = some_items<Items>();
  const Items expected = in_order(items);
  auto sorted = items;
  postroom::sort(sorted, &app::Item::key);
  expect_same(sorted, expected);
  auto behind = some_items<std::deque<app::Item>>();
  postroom::sort(behind, &app::Item::key);
  expect_same(behind, in_order(some_items<std::deque<app::Item>>()));
  sorted = items;
  postroom::sort(sorted.begin(), sorted.end(), std::ranges::less(), &app::Item::key);
  expect_same(sorted, expected);
  sorted = items;
  postroom::stable_sort(sorted, {}, &app::Item::key);
  expect_same(sorted, expected);
  sorted = items;
  postroom::sort_in_place(sorted, &app::Item::key);
  expect_same(sorted, expected);
  Items target(items.size());
  postroom::sort_into(items, target, &app::Item::key);
  expect_same(target, expected);
  EXPECT_TRUE(postroom::is_sorted(target, &app::Item::key));
  expect_same(postroom::top_k(items, items.size(), &app::Item::key), expected);
  const std::vector<Items> rows(3, expected);
  target.resize(3 * expected.size());
  postroom::merge(rows, target, &app::Item::key);
  EXPECT_TRUE(postroom::is_sorted(target, &app::Item::key));
  const auto rest = postroom::sort_unique(target, &app::Item::key);
  EXPECT_EQ(target.end() - rest.begin(), std::ptrdiff_t(target.size() - 101));
}

TEST(OddElements, AddressesAreNotAskedOfThem) {
  auto items = some_items<std::vector<app::Item>>();
  const auto expected = in_order(items);
  postroom::nth_element(items, 500, &app::Item::key);
  EXPECT_EQ(items[500].key, expected[500].key);

  std::vector<app::Owner> owners(1000);
  for (int i = 0; i < 1000; ++i)
    owners[static_cast<std::size_t>(i)].held.reset(new int(i * 7919 % 1000));
  postroom::sort(owners, [](const app::Owner& owner) { return *owner.held; });
  for (int i = 0; i < 1000; ++i) {
    const auto& held = owners[static_cast<std::size_t>(i)].held;
    ASSERT_TRUE(held != nullptr && *held == i);
  }

  std::vector<app::Rated> rated;
  for (std::uint8_t i = 0; i < 200; ++i) rated.push_back({static_cast<app::Level>(i % 3), i});
  postroom::sort(rated, &app::Rated::level);
  EXPECT_TRUE(std::ranges::is_sorted(rated, {}, [](const app::Rated& each) {
    return std::pair(static_cast<int>(each.level), each.number);
  }));
}

// What they are compared by is not what the library would compare.
TEST(OddElements, EnumerationsWithAnOrderOfTheirOwnAreRefused) {
  using Backwards = app::Backwards;
  static_assert(KnownOrder<std::less<>, app::Level>);
  static_assert(!KnownOrder<std::less<>, Backwards>);
  static_assert(!KnownOrder<std::greater<>, std::pair<int, Backwards>>);
  static_assert(!KnownOrder<std::ranges::less, std::tuple<Backwards>>);
  static_assert(!KnownOrder<std::less<>, std::array<Backwards, 2>>);
  static_assert(KnownOrder<std::less<>, std::pair<int, app::Level>>);
}

template <class R>
concept Sortable = requires(R range) {
  postroom::sort(range);
};

template <class R>
concept StableSortable = requires(R range) {
  postroom::stable_sort(range.begin(), range.end());
};

/// Is nothing but its bytes, and yet nobody may copy it.
struct Handle {
  int number;
  explicit Handle(int own) : number(own) {}
  Handle(Handle&&) = default;
  Handle& operator=(Handle&&) = default;
};

TEST(OddElements, ThatMayOnlyBeMovedLieAnywhere) {
  std::deque<Handle> handles;
  for (int i = 0; i < 1000; ++i) handles.emplace_back(i * 7 % 1000);
  postroom::sort(handles, &Handle::number);
  EXPECT_TRUE(std::ranges::is_sorted(handles, {}, &Handle::number));
  postroom::stable_sort(handles.rbegin(), handles.rend(), {}, &Handle::number);
  EXPECT_TRUE(std::ranges::is_sorted(handles, std::greater<>(), &Handle::number));
}

TEST(OddElements, TheirOrderIsTold) {
  const std::vector<std::pair<int, int>> pairs{{2, 1}, {1, 2}};
  EXPECT_EQ(postroom::argsort(pairs), (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(postroom::argsort(std::deque<int>{2, 1}), (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(postroom::argsort<std::uint8_t>(std::deque{2, 1}), (std::vector<std::uint8_t>{1, 0}));
}

TEST(OddElements, WhatCannotBeWrittenToIsNotTaken) {
  static_assert(Sortable<std::vector<std::pair<int, int>>&> && Sortable<std::deque<int>&>);
  static_assert(!Sortable<const std::vector<std::pair<int, int>>&>);
  static_assert(!Sortable<const std::deque<int>&> && !Sortable<std::ranges::iota_view<int, int>>);
  std::vector<int> numbers{3, 1, 2};
  const auto as_pair = [](int number) { return std::pair(number, number); };
  const auto itself = [](int& number) -> int& { return number; };
  auto made = numbers | std::views::transform(as_pair);
  auto there = numbers | std::views::transform(itself);
  static_assert(!Sortable<decltype(made)> && Sortable<decltype(there)>);
  static_assert(!StableSortable<decltype(made)> && StableSortable<decltype(there)>);
  postroom::sort(there);
  EXPECT_EQ(numbers, (std::vector{1, 2, 3}));
}

TEST(OddElements, DescendingTurnsAComparatorRound) {
  std::vector<int> keys{2, 3, 1};
  postroom::sort(keys, std::less(), std::identity(), {.descending = true});
  EXPECT_EQ(keys, (std::vector{3, 2, 1}));
  postroom::sort(keys.begin(), keys.end(), std::greater(), std::identity(), {.descending = true});
  EXPECT_EQ(keys, (std::vector{1, 2, 3}));
}

// A projection that owns something is never copied.
struct OwningProjection {
  std::unique_ptr<std::uint32_t> mask = std::make_unique<std::uint32_t>(0xffff'ffff);
  std::uint32_t operator()(const app::Item& item) const { return item.key & *mask; }
};

TEST(OddElements, ProjectionsThatCannotBeCopied) {
  using Items = std::vector<app::Item>;
  const auto items = some_items<Items>();
  const Items expected = in_order(items);
  auto sorted = items;
  postroom::sort(sorted, OwningProjection());
  expect_same(sorted, expected);
  sorted = items;
  postroom::sort(sorted, {}, OwningProjection());
  expect_same(sorted, expected);
  sorted = items;
  postroom::sort_in_place(sorted, OwningProjection());
  expect_same(sorted, expected);
  Items target(items.size());
  postroom::sort_into(items, target, OwningProjection());
  expect_same(target, expected);
  EXPECT_TRUE(postroom::is_sorted(target, OwningProjection()));
  expect_same(postroom::top_k(items, items.size(), OwningProjection()), expected);
  postroom::merge(std::vector<Items>(20, expected), target = Items(20 * expected.size()),
                  OwningProjection());
  EXPECT_TRUE(postroom::is_sorted(target, OwningProjection()));
  (void)postroom::sort_unique(target, OwningProjection());
  auto behind = some_items<std::deque<app::Item>>();
  postroom::sort(behind, OwningProjection());
  expect_same(behind, in_order(some_items<std::deque<app::Item>>()));
}

}  // namespace
}  // namespace postroom
