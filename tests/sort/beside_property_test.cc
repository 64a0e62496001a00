// Properties of what stands beside sort(), over what RapidCheck makes up: sizes × distributions ×
// bits that vary × processors; compared with the standard library. What fails is made smaller and
// printed with its seed; RC_PARAMS="seed=…" runs it again.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

#include "sort/any_sort.h"
#include "sort/in_place.h"
#include "sort/merge.h"
#include "sort/select.h"
#include "sort/unique.h"
#include "tests/sort/any_setting.h"
#include "tests/sort/sorting.h"

namespace postroom {
namespace {

// The front door leaves 32,768 records to one processor.
constexpr std::size_t kMost = 50'000;
constexpr std::size_t kOfSeveral = 33'000;

/// Few records, or as many as several processors sort.
Setting any_setting_of_records() {
  return *rc::gen::arbitrary<bool>() ? any_setting(kOfSeveral, kMost) : any_setting(0, kMost);
}

using Record = Numbered<std::int32_t>;
using Records = std::vector<Record>;

constexpr auto kKey = &Record::key;

/// Calls use(records, the same in order, setting).
template <class Use>
void for_any_records(const Use& use) {
  const Setting setting = any_setting_of_records();
  RC_LOG() << setting.what;
  const Records records = numbered(keys_of<std::int32_t>(setting));
  use(records, expected_order(records, setting.options.descending), setting);
}

TEST(BesideSortProperties, InPlace) {
  EXPECT_TRUE(rc::check("sort_in_place is stable", [] {
    for_any_records([](Records records, const Records& expected, const Setting& setting) {
      Records in_blocks = records;
      sort_in_place(records, kKey, setting.options);
      RC_ASSERT(same_records(records, expected));
      Records room(*rc::gen::inRange<std::size_t>(64, kMost));
      sorting::sort_and_merge(std::span(in_blocks), room.size(),
                              std::as_writable_bytes(std::span(room)).data(), kKey,
                              setting.options);
      RC_ASSERT(same_records(in_blocks, expected));
    });
  }));
}

template <class Key>
void check_in_place(const Setting& setting) {
  auto keys = keys_of<Key>(setting);
  const auto expected = expected_order(numbered(keys), setting.options.descending);
  sort_in_place(keys, setting.options);
  RC_ASSERT(same_bytes(keys, keys_in(expected)));
}

TEST(BesideSortProperties, KeysInPlace) {
  EXPECT_TRUE(rc::check("sort_in_place of keys alone", [] {
    const Setting setting = any_setting_of_records();
    RC_LOG() << setting.what;
    check_in_place<std::uint16_t>(setting);
    check_in_place<std::uint64_t>(setting);
    check_in_place<float>(setting);
  }));
}

TEST(BesideSortProperties, FirstsAndNth) {
  EXPECT_TRUE(rc::check("top_k and nth_element know what the sorted range would have", [] {
    for_any_records([](Records records, const Records& expected, const Setting& setting) {
      const auto k = *rc::gen::inRange<std::size_t>(0, records.size() + 1);
      const Records top = top_k(records, k, kKey, setting.options);
      RC_ASSERT(same_records(top, Records(expected.begin(), expected.begin() + k)));
      nth_element(records, k, kKey, setting.options);
      const auto is_before = [&](const Record& a, const Record& b) {
        return setting.options.descending ? b.key < a.key : a.key < b.key;
      };
      for (std::size_t i = 0; i < records.size() && k < records.size(); ++i) {
        const bool is_wrong =
            i < k ? is_before(records[k], records[i]) : is_before(records[i], records[k]);
        RC_ASSERT(!is_wrong);
      }
      // Those before it, like it and behind it have kept their order.
      RC_ASSERT(same_records(expected_order(records, setting.options.descending), expected));
    });
  }));
}

TEST(BesideSortProperties, Merge) {
  EXPECT_TRUE(rc::check("merged rows are what sorting all of them stably gives", [] {
    for_any_records([](const Records& records, const Records& expected, const Setting& setting) {
      auto cuts = *rc::gen::container<std::vector<std::size_t>>(
          rc::gen::inRange<std::size_t>(0, records.size() + 1));
      cuts.insert(cuts.end(), {0, records.size()});
      std::ranges::sort(cuts);
      std::vector<Records> rows;
      for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
        const Records row(records.begin() + cuts[i], records.begin() + cuts[i + 1]);
        rows.push_back(expected_order(row, setting.options.descending));
      }
      Records merged(records.size());
      merge(rows, merged, kKey, setting.options);
      RC_ASSERT(same_records(merged, expected));
    });
  }));
}

TEST(BesideSortProperties, EachKeyOnce) {
  EXPECT_TRUE(rc::check("the first record of each key stays, and keys are counted", [] {
    for_any_records([](Records records, const Records& expected, const Setting& setting) {
      Records firsts;
      std::vector<KeyCount<std::int32_t>> counts;
      for (const Record& record : expected) {
        if (counts.empty() || counts.back().key != record.key) {
          firsts.push_back(record);
          counts.push_back({record.key, 0});
        }
        ++counts.back().count;
      }
      RC_ASSERT(unique_counts(keys_in(records), setting.options) == counts);
      const auto rest = sort_unique(records, kKey, setting.options);
      records.erase(rest.begin(), rest.end());
      RC_ASSERT(same_records(records, firsts));
    });
  }));
}

/// Checks keys that are wider than a word: by themselves, by a projection, and their numbers.
template <class Key, class KeyOf>
void check_wide(const Setting& setting, const KeyOf& key_of) {
  std::vector<std::pair<Key, std::uint32_t>> records;
  for (const std::uint64_t bits : setting.bits) {
    records.emplace_back(key_of(bits), static_cast<std::uint32_t>(records.size()));
  }
  auto expected = records;
  std::ranges::stable_sort(expected, [&](const auto& a, const auto& b) {
    return setting.options.descending ? b.first < a.first : a.first < b.first;
  });
  std::vector<Key> keys;
  for (const auto& record : records) keys.push_back(record.first);
  const auto order = argsort<std::uint32_t>(keys, setting.options);
  sort(keys, setting.options);
  sort(
      records, [](const auto& record) { return record.first; }, setting.options);
  RC_ASSERT(records == expected);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    RC_ASSERT(keys[i] == expected[i].first);
    RC_ASSERT(order[i] == expected[i].second);
  }
}

TEST(BesideSortProperties, WideKeys) {
  EXPECT_TRUE(rc::check("keys of several words", [] {
    const Setting setting = any_setting(0, kMost / 4);
    RC_LOG() << setting.what;
    // Many are alike in their first word, or in the second.
    const auto low_bits = *rc::gen::inRange(0, 64);
    check_wide<sorting::Unsigned128>(setting, [&](std::uint64_t bits) {
      return sorting::Unsigned128{bits >> low_bits} << 64 | (bits * 0x9e37'79b9);
    });
    using Pair = std::pair<std::int16_t, std::uint64_t>;
    check_wide<Pair>(setting, [&](std::uint64_t bits) {
      return Pair(static_cast<std::int16_t>(bits >> low_bits), bits);
    });
  }));
}

}  // namespace
}  // namespace postroom
