// Records that are nearly in order: the few that are not are found, taken out, sorted and put back.
#include "sort/engine/strays.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "sort/engine/layout.h"
#include "sort/keys.h"
#include "sort/sort.h"
#include "tests/sort/columns.h"
#include "tests/sort/sorting.h"

namespace postroom::sorting {
namespace {

constexpr SortConfig kConfig{
    .order_alone_bytes = std::size_t{1} << 23, .stray_bytes = 0, .sides_before_digits = false};

template <class T>
std::byte* bytes_in(std::vector<T>& elements) {
  return std::as_writable_bytes(std::span(elements)).data();
}

/// What is wrong with keys that were in order: from `begin` on one in `one_in`, so many side by
/// side, is another one.
struct Damage {
  enum Kind { kAnywhere, kNear, kHigh, kLow } kind;
  std::size_t one_in;
  std::size_t together;
  std::size_t begin;

  std::string text() const {
    return "kind " + std::to_string(kind) + ", one in " + std::to_string(one_in) + ", " +
           std::to_string(together) + " together from " + std::to_string(begin);
  }
};

// In order, each key as often as `alike` says, and then damaged.
template <class Key>
std::vector<Key> damaged(std::size_t size, std::size_t alike, const Damage& damage,
                         std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::size_t values = size / alike + 1;
  const auto key_at = [&](std::size_t i) {
    return static_cast<Key>(std::numeric_limits<Key>::max() / values * (i / alike));
  };
  std::vector<Key> keys;
  for (std::size_t i = 0; i < size; ++i) keys.push_back(key_at(i));
  for (std::size_t i = damage.begin; i < size; ++i) {
    if (random() % damage.one_in != 0) continue;
    for (std::size_t left = damage.together; left > 0 && i < size; --left, ++i) {
      const std::size_t near = i + random() % 20;
      switch (damage.kind) {
        case Damage::kAnywhere:
          keys[i] = key_at(random() % size);
          break;
        case Damage::kNear:
          keys[i] = key_at(std::min(near < 10 ? 0 : near - 10, size - 1));
          break;
        case Damage::kHigh:
          keys[i] = key_at(size - 1 - random() % (size - i));
          break;
        case Damage::kLow:
          keys[i] = key_at(random() % (i + 1));
          break;
      }
    }
  }
  return keys;
}

// Sorts by strays where they are found, and returns whether they were. Records that are not touched
// are as they were.
template <class Records, class Element, class Before>
bool expect_settled(const Records& home, const Records& away, std::vector<Element>& elements,
                    const Before& before, const std::string& what) {
  std::vector<Element> expected = elements;
  Strays<Records> strays(home, away, elements.size(), kConfig);
  const bool found = strays.seem_few() && strays.find();
  if (found) {
    strays.settle();
    std::ranges::stable_sort(expected, before);
  }
  EXPECT_TRUE(same_bytes(elements, expected)) << what;
  return found;
}

template <class Element>
using MemberKey = ProjectedKey<Element, decltype(&Element::key)>;

// A key that no vector knows.
template <class Element>
struct PlainKey {
  using Bits = KeyBits<decltype(Element::key)>;
  static constexpr bool kWholeRecord = false;
  std::size_t* left = nullptr;

  Bits operator()(const std::byte* record) const {
    if (left != nullptr && (*left)-- == 0) throw std::runtime_error("no key");
    Element element;
    std::memcpy(&element, record, sizeof(element));
    return ordered_bits(element.key);
  }
};

template <class Key, class Number>
struct KeyFirst {
  Key key;
  Number number;
};
template <class Key, class Number>
struct KeyLast {
  Number number;
  Key key;
};

template <class Element, class Key>
std::vector<Element> elements_with(const std::vector<Key>& keys) {
  std::vector<Element> elements(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    elements[i].key = keys[i];
    elements[i].number = static_cast<decltype(Element::number)>(i);
  }
  return elements;
}

template <class Element, class Key>
bool expect_rows(const std::vector<Key>& keys, const std::string& what) {
  const auto before = [](const Element& a, const Element& b) { return a.key < b.key; };
  auto rows = elements_with<Element>(keys);
  std::vector<Element> room(keys.size());
  using Fast = Rows<sizeof(Element), MemberKey<Element>>;
  const auto projection = &Element::key;
  const MemberKey<Element> key_of{projection, 0};
  const bool found = expect_settled(Fast(bytes_in(rows), key_of), Fast(bytes_in(room), key_of),
                                    rows, before, "rows, " + what);
  rows = elements_with<Element>(keys);
  using Plain = Rows<sizeof(Element), PlainKey<Element>>;
  EXPECT_EQ(found, expect_settled(Plain(bytes_in(rows), {}), Plain(bytes_in(room), {}), rows,
                                  before, "without vectors, " + what));
  return found;
}

template <class Key>
void expect_alone(std::vector<Key> keys, bool found, const std::string& what) {
  const WholeKeyOf<Key> key_of{flip_mask<KeyBits<Key>>(is_signed_key<Key>(), false)};
  std::vector<Key> room(keys.size());
  using Records = Rows<sizeof(Key), WholeKeyOf<Key>>;
  EXPECT_EQ(found, expect_settled(Records(bytes_in(keys), key_of), Records(bytes_in(room), key_of),
                                  keys, std::less<>(), "keys alone, " + what));
}

template <class Key>
bool expect_all(std::size_t size, std::size_t alike, const Damage& damage, std::uint64_t seed) {
  const auto keys = damaged<Key>(size, alike, damage, seed);
  const std::string what = std::to_string(size) + " keys of " + std::to_string(sizeof(Key)) +
                           ", alike " + std::to_string(alike) + ", " + damage.text();
  const bool found = expect_rows<KeyFirst<Key, Key>>(keys, what);
  EXPECT_EQ(found, (expect_rows<KeyLast<Key, Key>>(keys, what)));
  if constexpr (sizeof(Key) == 4) {
    EXPECT_EQ(found, (expect_rows<KeyLast<Key, std::uint64_t>>(keys, what)));
  }
  expect_alone(keys, found, what);
  return found;
}

constexpr Damage::Kind kKinds[] = {Damage::kAnywhere, Damage::kNear, Damage::kHigh, Damage::kLow};

template <class Key>
void expect_found_where_few(std::size_t size) {
  for (const Damage::Kind kind : kKinds) {
    for (const std::size_t alike : {1, 3, 40}) {
      for (const std::size_t together : {1, 3, 6}) {
        const Damage few{kind, 90 * together, together, 0};
        const bool found = expect_all<Key>(size, alike, few, size);
        EXPECT_TRUE(found || together > 3) << few.text() << ", " << size << ", alike " << alike;
      }
    }
  }
}

TEST(Strays, AreFoundAndPutBackWhereTheyAreFew) {
  for (const std::size_t size : {256, 1'000, 5'000, 20'000}) {
    expect_found_where_few<std::uint32_t>(size);
    expect_found_where_few<std::int64_t>(size);
  }
}

TEST(Strays, LeaveRecordsAloneWhereTheyAreMany) {
  for (const Damage::Kind kind : kKinds) {
    for (const std::size_t one_in : {1, 2, 5, 20, 30, 45}) {
      for (const std::size_t begin : {0, 2'000}) {
        expect_all<std::uint32_t>(4'000, 1, {kind, one_in, 1, begin}, one_in);
        expect_all<std::int64_t>(4'000, 7, {kind, one_in, 3, begin}, one_in);
      }
    }
  }
  EXPECT_FALSE(expect_all<std::uint32_t>(4'000, 1, {Damage::kAnywhere, 1, 1, 0}, 1));
  EXPECT_FALSE(expect_all<std::uint32_t>(4'000, 1, {Damage::kNear, 1, 1, 0}, 1));
  EXPECT_FALSE(expect_all<std::uint32_t>(255, 1, {Damage::kNear, 90, 1, 0}, 1)) << "too few";
}

// An unsorted tail, of which nothing is above what comes before.
TEST(Strays, MayAllBeAtTheEnd) {
  EXPECT_TRUE(expect_all<std::uint32_t>(4'000, 1, {Damage::kLow, 1, 1, 3'900}, 1));
  EXPECT_TRUE(expect_all<std::int64_t>(4'000, 40, {Damage::kLow, 1, 1, 3'900}, 1));
  EXPECT_FALSE(expect_all<std::uint32_t>(4'000, 1, {Damage::kLow, 1, 1, 3'600}, 1));
}

// All that can happen within some few records: every sequence of seven small keys, in front of,
// between and behind others that are in order.
TEST(Strays, TakeTheirPlacesAmongThoseWithTheSameKey) {
  constexpr std::size_t kCount = 7;
  constexpr std::uint32_t kValues = 4;
  for (const std::size_t at : {0, 150, 293}) {
    for (std::uint32_t code = 0; code < 1U << (2 * kCount); ++code) {
      std::vector<std::uint32_t> keys;
      for (std::size_t i = 0; i < 300; ++i) {
        const bool between = i >= at && i < at + kCount;
        keys.push_back(i < at ? i / 150 : kValues - 1);
        if (between) keys.back() = code >> 2 * (i - at) & (kValues - 1);
      }
      using Element = KeyFirst<std::uint32_t, std::uint32_t>;
      ASSERT_TRUE(expect_rows<Element>(keys, std::to_string(code) + " at " + std::to_string(at)));
    }
  }
}

TEST(Strays, AreKeptWhenAKeyThrows) {
  using Element = KeyFirst<std::uint64_t, std::uint64_t>;
  const Damage damage{Damage::kAnywhere, 64, 1, 0};
  const auto keys = damaged<std::uint64_t>(1'000, 2, damage, 1);
  bool thrown = true;
  for (std::size_t most = 0; thrown; most += 1 + most / 50) {
    auto elements = elements_with<Element>(keys);
    std::vector<Element> room(keys.size());
    std::size_t left = most;
    using Records = Rows<sizeof(Element), PlainKey<Element>>;
    const Records home(bytes_in(elements), {&left});
    thrown = false;
    try {
      ASSERT_TRUE(settle_strays(home, Records(bytes_in(room), {&left}), keys.size(), kConfig));
    } catch (const std::runtime_error&) {
      thrown = true;
    }
    std::ranges::sort(elements, {}, &Element::number);
    EXPECT_TRUE(same_bytes(elements, elements_with<Element>(keys))) << most << " keys";
  }
}

TEST(Strays, AreSortedByTheFrontDoor) {
  for (const int processors : {1, 2, 3}) {
    for (const std::size_t size : {1'000, 50'000, 3'000'000}) {
      const auto keys = keys_of<std::int32_t>(Distribution::nearly_sorted, size, 1);
      auto records = numbered(keys);
      sort(records, &Numbered<std::int32_t>::key, {.processors = processors});
      EXPECT_TRUE(same_records(records, expected_order(numbered(keys)))) << size;
      auto alone = keys;
      std::vector<std::uint16_t> values(keys.begin(), keys.end());
      sort_by_key(alone, values, {.processors = processors, .descending = true});
      std::ranges::reverse(alone);
      EXPECT_TRUE(same_bytes(alone, keys_in(records))) << size;
    }
  }
}

}  // namespace
}  // namespace postroom::sorting
