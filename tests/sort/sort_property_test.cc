// Properties of the sort over what RapidCheck makes up: types × sizes × distributions × bits that
// vary × processors × thresholds so small that every branch runs. What fails is made smaller and
// printed with its seed; RC_PARAMS="seed=…" runs it again.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "runtime/machine.h"
#include "sort/by_index.h"
#include "sort/front.h"
#include "sort/key_type.h"
#include "sort/whole_keys.h"
#include "tests/sort/sorting.h"

namespace postroom {
namespace {

/// Machines are made once: the first run of one starts threads.
Machine& machine_of(std::size_t processors) {
  static std::array<std::unique_ptr<Machine>, 6> machines;
  auto& machine = machines.at(processors);
  if (!machine) {
    machine = std::make_unique<Machine>(
        MachineOptions{.processors = static_cast<int>(processors), .pin = false});
  }
  return *machine;
}

/// What is sorted, and how.
struct Setting {
  std::vector<std::uint64_t> bits;
  SortConfig config;
  SortOptions options;
  std::string what;
};

Setting any_setting() {
  Setting setting;
  const auto size = *rc::gen::inRange<std::size_t>(0, 1500);
  const auto distribution =
      *rc::gen::elementOf(std::vector<Distribution>(kDistributions.begin(), kDistributions.end()));
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1000);
  // Mostly all bits vary, sometimes few of them.
  const auto mask =
      *rc::gen::oneOf(rc::gen::just(~std::uint64_t{0}), rc::gen::arbitrary<std::uint64_t>(),
                      rc::gen::element<std::uint64_t>(1, 0xff00, 0x8000000000000001));
  const auto processors = *rc::gen::inRange<std::size_t>(1, 6);
  const auto config = *rc::gen::inRange<std::size_t>(0, tiny_configs().size());
  const auto descending = *rc::gen::arbitrary<bool>();
  setting.bits = keys_of<std::uint64_t>(distribution, size, seed);
  for (std::uint64_t& bits : setting.bits) bits &= mask;
  setting.config = tiny_configs()[config];
  setting.options = {.descending = descending, .machine = &machine_of(processors)};
  setting.what = std::string(name_of(distribution)) + ", n = " + std::to_string(size) + ", seed " +
                 std::to_string(seed) + ", p = " + std::to_string(processors) + ", config " +
                 std::to_string(config) + (descending ? ", descending" : "");
  return setting;
}

/// The keys of the setting in that type.
template <class Key>
std::vector<Key> keys_of(const Setting& setting) {
  std::vector<Key> keys(setting.bits.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    std::memcpy(&keys[i], &setting.bits[i], sizeof(Key));
  }
  return keys;
}

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
  const auto order = sorting::argsort_whole_keys(bytes_in(keys), keys.size(), format,
                                                 setting.options, &setting.config);
  for (std::size_t i = 0; i < order.size(); ++i) RC_ASSERT(order[i] == expected[i].number);
  sorting::sort_whole_keys(bytes_in(keys), keys.size(), format, setting.options, &setting.config);
  RC_ASSERT(same_bytes(keys, keys_in(expected)));
}

TEST(SortProperties, WholeKeysOfEveryType) {
  EXPECT_TRUE(rc::check("keys and their numbers are in order", [] {
    const Setting setting = any_setting();
    const auto type = *rc::gen::element(KeyType::u8, KeyType::u16, KeyType::u32, KeyType::u64,
                                        KeyType::i8, KeyType::i64, KeyType::f32, KeyType::f64);
    RC_LOG() << setting.what << ", " << to_string(type);
    switch (type) {
      case KeyType::u8:
        return check_whole_keys<std::uint8_t>(setting);
      case KeyType::u16:
        return check_whole_keys<std::uint16_t>(setting);
      case KeyType::u32:
        return check_whole_keys<std::uint32_t>(setting);
      case KeyType::i8:
        return check_whole_keys<std::int8_t>(setting);
      case KeyType::i64:
        return check_whole_keys<std::int64_t>(setting);
      case KeyType::f32:
        return check_whole_keys<float>(setting);
      case KeyType::f64:
        return check_whole_keys<double>(setting);
      default:
        return check_whole_keys<std::uint64_t>(setting);
    }
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

TEST(SortProperties, RowsAndColumns) {
  EXPECT_TRUE(rc::check("records stay whole and keep their order among equals", [] {
    const Setting setting = any_setting();
    RC_LOG() << setting.what;
    check_rows<std::int32_t>(setting);
    check_columns<double>(setting);
  }));
}

TEST(SortProperties, RecordsOfAnySizeByTheirNumbers) {
  EXPECT_TRUE(rc::check("large records follow their numbers", [] {
    const Setting setting = any_setting();
    const auto bytes = *rc::gen::inRange<std::size_t>(8, 120);
    const auto offset = *rc::gen::inRange<std::size_t>(0, bytes - 8 + 1);
    RC_LOG() << setting.what << ", " << bytes << " bytes, key at " << offset;
    const auto keys = keys_of<std::uint64_t>(setting);
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
    const KeyAt<std::uint64_t> key_of{
        offset, {sorting::flip_mask<std::uint64_t>(false, setting.options.descending)}};
    const sorting::Moved moved{records.data(), bytes};
    sorting::sort_by_index({&moved, 1}, keys.size(),
                           sorting::key_reader(records.data(), bytes, key_of), setting.options,
                           &setting.config);
    RC_ASSERT(records == expected);
  }));
}

}  // namespace
}  // namespace postroom
