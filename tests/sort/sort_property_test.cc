// Properties of the engine over what RapidCheck makes up: types × sizes × distributions × bits that
// vary × processors × thresholds so small that every branch runs. What fails is made smaller and
// printed with its seed; RC_PARAMS="seed=…" runs it again.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#include "sort/by_index.h"
#include "sort/copy_sorted.h"
#include "sort/engine/team.h"
#include "sort/front.h"
#include "sort/key_type.h"
#include "sort/whole_keys.h"
#include "tests/sort/any_setting.h"
#include "tests/sort/columns.h"
#include "tests/sort/sorting.h"
#include "tests/sort/word_rows.h"

namespace postroom {
namespace {

constexpr std::size_t kMostKeys = 20'000;
// So many that several processors sort bare keys of 64 bits in blocks.
constexpr std::size_t kLeastInBlocks = 16'384;
constexpr std::size_t kMostInBlocks = 40'000;
constexpr std::size_t kMostRecords = 6'000;

template <class T>
std::byte* bytes_in(std::vector<T>& elements) {
  return std::as_writable_bytes(std::span(elements)).data();
}

/// Checks all that is sorted by whole keys: alone, and their numbers.
template <class Key>
void check_whole_keys(const Setting& setting) {
  auto keys = keys_of<Key>(setting);
  const auto expected = expected_order(numbered(keys), setting.options.descending);
  const auto format = sorting::format_of<Key>(setting.options.descending);
  std::vector<std::size_t> order(keys.size());
  sorting::argsort_whole_keys(sorting::index_array(std::span(order)), bytes_in(keys), keys.size(),
                              format, setting.options, &setting.config);
  for (std::size_t i = 0; i < order.size(); ++i) RC_ASSERT(order[i] == expected[i].number);
  sorting::sort_whole_keys(bytes_in(keys), keys.size(), format, setting.options, &setting.config);
  RC_ASSERT(same_bytes(keys, keys_in(expected)));
}

TEST(SortProperties, WholeKeysOfEveryType) {
  EXPECT_TRUE(rc::check("keys and their numbers are in order", [] {
    const Setting setting = any_setting(0, kMostKeys);
    RC_LOG() << setting.what << ", ";
    with_any_key_type(
        [&]<class Key>(std::type_identity<Key>, KeyType) { check_whole_keys<Key>(setting); });
  }));
}

TEST(SortProperties, ManyWholeKeysOf64Bits) {
  EXPECT_TRUE(rc::check("so many keys that they may be sorted in blocks are in order", [] {
    const Setting setting = any_setting(kLeastInBlocks, kMostInBlocks);
    RC_LOG() << setting.what << ", ";
    constexpr std::array kTypes{KeyType::u64, KeyType::i64, KeyType::f64};
    with_any_key_type(
        [&]<class Key>(std::type_identity<Key>, KeyType) { check_whole_keys<Key>(setting); },
        kTypes);
  }));
}

/// Checks that what is said to be left has all the keys that belong there, and that all others are
/// in order.
template <class Key>
void check_in_place(const Setting& setting) {
  auto keys = keys_of<Key>(setting);
  const bool descending = setting.options.descending;
  const auto expected = keys_in(expected_order(numbered(keys), descending));
  std::vector<Key> room(keys.size() / *rc::gen::inRange<std::size_t>(1, 16));
  const auto left = sorting::sort_keys_in_place(
      bytes_in(keys), keys.size(), sorting::format_of<Key>(descending),
      std::as_writable_bytes(std::span(room)), setting.options, &setting.config);
  for (const sorting::Range& part : left) {
    RC_ASSERT(part.begin <= part.end && part.end <= keys.size());
    const auto mine = std::span(keys).subspan(part.begin, part.end - part.begin);
    std::ranges::stable_sort(mine, [&](const Key& a, const Key& b) {
      return descending ? comes_before(b, a) : comes_before(a, b);
    });
  }
  RC_ASSERT(same_bytes(keys, expected));
}

TEST(SortProperties, WholeKeysInPlace) {
  EXPECT_TRUE(rc::check("in little room, keys are in order but in parts that are named", [] {
    const Setting setting = any_setting(0, kMostKeys);
    RC_LOG() << setting.what << ", ";
    with_any_key_type(
        [&]<class Key>(std::type_identity<Key>, KeyType) { check_in_place<Key>(setting); });
  }));
}

/// Checks records with a key at their beginning, read from memory and written to other memory.
template <class T>
void check_copy_sorted(std::vector<T>& records, const std::vector<T>& expected, KeyType type,
                       const Setting& setting) {
  constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();
  const auto most_bytes = *rc::gen::oneOf(
      rc::gen::just(kNoLimit), rc::gen::inRange<std::size_t>(0, 4 * records.size() * sizeof(T)));
  std::vector<T> target(records.size());
  const StoredRecords stored{
      .records = records.size(),
      .record_bytes = sizeof(T),
      .key = type,
      .read =
          [&](std::size_t first, std::span<std::byte> piece) {
            std::memcpy(piece.data(), bytes_in(records) + first * sizeof(T), piece.size());
          },
      .write =
          [&](std::size_t first, std::span<const std::byte> piece) {
            std::memcpy(bytes_in(target) + first * sizeof(T), piece.data(), piece.size());
          }};
  const bool done = sorting::copy_sorted(stored, most_bytes, setting.options, &setting.config);
  RC_ASSERT(same_bytes(target, done ? expected : std::vector<T>(records.size())));
}

TEST(SortProperties, KeysFromMemoryToMemory) {
  EXPECT_TRUE(rc::check("copy_sorted writes all in order, or nothing", [] {
    const Setting setting = any_setting(0, kMostKeys);
    RC_LOG() << setting.what << ", ";
    with_any_key_type([&]<class Key>(std::type_identity<Key>, KeyType type) {
      auto keys = keys_of<Key>(setting);
      const auto records = expected_order(numbered(keys), setting.options.descending);
      check_copy_sorted(keys, keys_in(records), type, setting);
    });
  }));
}

TEST(SortProperties, RecordsFromMemoryToMemory) {
  EXPECT_TRUE(rc::check("copy_sorted is stable", [] {
    const Setting setting = any_setting(0, kMostRecords);
    RC_LOG() << setting.what;
    auto records = numbered(keys_of<std::int32_t>(setting));
    const auto expected = expected_order(records, setting.options.descending);
    check_copy_sorted(records, expected, KeyType::i32, setting);
  }));
}

/// A key somewhere in a record.
template <class Key>
struct KeyAt {
  using Bits = sorting::KeyBits<Key>;
  static constexpr bool kWholeRecord = false;

  std::size_t offset;
  sorting::WholeKeyOf<Key> key_of;

  Bits operator()(const std::byte* record) const { return key_of(record + offset); }
};

template <class Key>
void check_rows(const Setting& setting) {
  auto records = numbered(keys_of<Key>(setting));
  const auto expected = expected_order(records, setting.options.descending);
  const KeyAt<Key> key_of{0,
                          {sorting::flip_mask<sorting::KeyBits<Key>>(sorting::is_signed_key<Key>(),
                                                                     setting.options.descending)}};
  sorting::sort_rows<sizeof(records[0])>(bytes_in(records), records.size(), key_of, setting.options,
                                         &setting.config);
  RC_ASSERT(same_records(records, expected));
}

template <class Key>
void check_columns(const Setting& setting) {
  auto keys = keys_of<Key>(setting);
  const auto expected = expected_order(numbered(keys), setting.options.descending);
  std::vector<std::uint32_t> numbers(keys.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  const sorting::WholeKeyOf<Key> key_of{sorting::flip_mask<sorting::KeyBits<Key>>(
      sorting::is_signed_key<Key>(), setting.options.descending)};
  sorting::sort_columns<sizeof(numbers[0])>(bytes_in(keys), bytes_in(numbers), keys.size(), key_of,
                                            setting.options, &setting.config);
  RC_ASSERT(same_bytes(keys, keys_in(expected)));
  for (std::size_t i = 0; i < keys.size(); ++i) RC_ASSERT(numbers[i] == expected[i].number);
}

TEST(SortProperties, Rows) {
  EXPECT_TRUE(rc::check("records stay whole and keep their order among equals", [] {
    const Setting setting = any_setting(0, kMostRecords);
    RC_LOG() << setting.what;
    check_rows<std::uint8_t>(setting);
    check_rows<std::int32_t>(setting);
    check_rows<double>(setting);
  }));
}

template <class Word>
void check_words(const Setting& setting, std::uint32_t numbers_apart, bool one_falls) {
  const auto keys = keys_of<typename Word::Key>(setting);
  auto words = numbers_apart == 0 ? sorting::words_with<Word>(keys)
                                  : sorting::words_with<Word>(keys, [&](std::uint32_t i) {
                                      return i / numbers_apart * numbers_apart;
                                    });
  if (one_falls && !words.empty()) {
    words[*rc::gen::inRange<std::size_t>(0, words.size())].number = 0;
  }
  const bool descending = setting.options.descending;
  const auto expected = sorting::sorted_words(words, descending);
  sorting::sort_rows<sizeof(Word)>(bytes_in(words), words.size(),
                                   sorting::word_key<Word>(descending), setting.options,
                                   &setting.config);
  RC_ASSERT(words == expected);
}

TEST(SortProperties, Words) {
  EXPECT_TRUE(rc::check("rows of one word keep their order among equals", [] {
    const Setting setting = any_setting(0, kMostKeys);
    const auto numbers_apart = *rc::gen::element<std::uint32_t>(0, 1, 5);
    const auto one_falls = *rc::gen::arbitrary<bool>();
    RC_LOG() << setting.what << ", numbers " << numbers_apart << " apart"
             << (one_falls ? ", one of them 0" : "");
    check_words<sorting::KeyInFront<std::uint32_t>>(setting, numbers_apart, one_falls);
    check_words<sorting::KeyBehind<std::int32_t>>(setting, numbers_apart, one_falls);
  }));
}

TEST(SortProperties, Columns) {
  EXPECT_TRUE(rc::check("values stay with their keys and keep their order among equals", [] {
    const Setting setting = any_setting(0, kMostRecords);
    RC_LOG() << setting.what;
    check_columns<std::uint16_t>(setting);
    check_columns<float>(setting);
    check_columns<std::int64_t>(setting);
  }));
}

template <class Key>
void check_by_numbers(const Setting& setting) {
  const auto bytes = *rc::gen::inRange<std::size_t>(8, 120);
  const auto offset = *rc::gen::inRange<std::size_t>(0, bytes - sizeof(Key) + 1);
  RC_LOG() << setting.what << ", " << bytes << " bytes, key of " << sizeof(Key) << " at " << offset;
  const auto keys = keys_of<Key>(setting);
  std::vector<std::byte> records(keys.size() * bytes);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    std::byte* const record = records.data() + i * bytes;
    std::fill(record, record + bytes, static_cast<std::byte>(i));
    std::memcpy(record + offset, &keys[i], sizeof(keys[i]));
  }
  std::vector<std::byte> expected;
  for (const auto& key : expected_order(numbered(keys), setting.options.descending)) {
    const std::byte* const record = records.data() + key.number * bytes;
    expected.insert(expected.end(), record, record + bytes);
  }
  const KeyAt<Key> key_of{offset, {sorting::flip_mask<Key>(false, setting.options.descending)}};
  const sorting::Moved moved{records.data(), bytes};
  sorting::sort_by_index({&moved, 1}, keys.size(),
                         sorting::key_reader(records.data(), bytes, key_of), setting.options,
                         &setting.config);
  RC_ASSERT(records == expected);
}

TEST(SortProperties, RecordsOfAnySizeByTheirNumbers) {
  EXPECT_TRUE(rc::check("large records follow their numbers", [] {
    const Setting setting = any_setting(0, kMostRecords);
    if (*rc::gen::element(true, false)) {
      check_by_numbers<std::uint32_t>(setting);
    } else {
      check_by_numbers<std::uint64_t>(setting);
    }
  }));
}

}  // namespace
}  // namespace postroom
