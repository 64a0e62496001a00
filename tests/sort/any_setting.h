// What RapidCheck makes up for the properties of the sort: keys × processors × thresholds.
//
//   const Setting setting = any_setting(0, 1500);
//   RC_LOG() << setting.what;
//   auto keys = keys_of<float>(setting);
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "runtime/machine.h"
#include "sort/datasets.h"
#include "sort/engine/config.h"
#include "sort/key_type.h"
#include "sort/options.h"
#include "tests/sort/machines.h"
#include "tests/sort/sorting.h"

namespace postroom {

/// A configuration that is drawn field by field, from small values of those that check_config()
/// accepts, so that few records go through every branch of the engine.
class AnyConfig {
 public:
  AnyConfig() {
    draw_size("alone_records", &sorting::SortConfig::alone_records, 1, 12);
    draw_size("network_alone_records", &sorting::SortConfig::network_alone_records, 0, 12);
    draw_size("order_alone_bytes", &sorting::SortConfig::order_alone_bytes, 0, 16);
    draw_size("stray_bytes", &sorting::SortConfig::stray_bytes, 0, 12);
    draw("stray_processors", &sorting::SortConfig::stray_processors,
         rc::gen::inRange<std::size_t>(0, 6));
    draw_size("row_records", &sorting::SortConfig::row_records, 0, 11);
    draw("most_rows", &sorting::SortConfig::most_rows, rc::gen::inRange<std::size_t>(2, 65));
    draw_size("merge_at_home_bytes", &sorting::SortConfig::merge_at_home_bytes, 0, 20);
    draw_size("merge_keys_bytes", &sorting::SortConfig::merge_keys_bytes, 0, 20);
    draw("networks", &sorting::SortConfig::networks, rc::gen::element(true, true, true, false));
    draw_size("one_network_records", &sorting::SortConfig::one_network_records, 0, 8);
    draw_size("radix_bytes", &sorting::SortConfig::radix_bytes, 0, 16);
    draw_size("sides_bytes", &sorting::SortConfig::sides_bytes, 0, 18);
    draw("sides_before_digits", &sorting::SortConfig::sides_before_digits,
         rc::gen::arbitrary<bool>());
    draw_size("insertion_records", &sorting::SortConfig::insertion_records, 1, 10);
    draw_size("leaf_bytes", &sorting::SortConfig::leaf_bytes, 0, 16);
    draw_size("bucket_records", &sorting::SortConfig::bucket_records, 1, 10);
    draw_size("large_bucket_records", &sorting::SortConfig::large_bucket_records, 1, 12);
    draw_bits("light_bits", &sorting::SortConfig::light_bits, 1);
    draw_bits("split_bits", &sorting::SortConfig::split_bits, 1);
    draw_bits("pass_bits", &sorting::SortConfig::pass_bits, 1);
    draw_bits("spread_bits", &sorting::SortConfig::spread_bits, 4);
    draw_bits("network_bits", &sorting::SortConfig::network_bits, 1);
    draw_size("value_records", &sorting::SortConfig::value_records, 0, 12);
    draw_bits("slack_bits", &sorting::SortConfig::slack_bits, 0);
    draw_bits("fill_bits", &sorting::SortConfig::fill_bits, 1);
    draw_bits("count_all_bits", &sorting::SortConfig::count_all_bits, 0);
    draw_bits("heavy_bits", &sorting::SortConfig::heavy_bits, 1);
    draw_size("heavy_count", &sorting::SortConfig::heavy_count, 1, 8);
    draw_size("least_few_different", &sorting::SortConfig::least_few_different, 0, 13);
    draw_size("least_few_records", &sorting::SortConfig::least_few_records, 0, 11);
    draw_size("giant_divisor", &sorting::SortConfig::giant_divisor, 1, 3);
    draw_size("piece_bytes", &sorting::SortConfig::piece_bytes, 0, 14);
    draw_size("sample_records", &sorting::SortConfig::sample_records, 2, 8);
    sorting::check_config(config_);
  }

  const sorting::SortConfig& config() const { return config_; }
  const std::string& what() const { return what_; }

 private:
  template <class Value>
  void draw(const char* name, Value sorting::SortConfig::*field, const rc::Gen<Value>& values) {
    config_.*field = *values;
    what_ +=
        std::string(what_.empty() ? "." : ", .") + name + " = " + std::to_string(config_.*field);
  }
  // Of the least ones, or anywhere up to 2^bits.
  void draw_size(const char* name, std::size_t sorting::SortConfig::*field, std::size_t least,
                 int bits) {
    const std::size_t most = std::size_t{1} << bits;
    draw(name, field,
         rc::gen::oneOf(rc::gen::inRange<std::size_t>(least, least + 4),
                        rc::gen::map(rc::gen::inRange(0, bits + 1),
                                     [=](int up) { return std::max(least, most >> up); })));
  }
  void draw_bits(const char* name, int sorting::SortConfig::*field, int least) {
    constexpr int kMost = 12;
    draw(name, field, rc::gen::inRange(least, kMost + 1));
  }

  sorting::SortConfig config_;
  std::string what_;
};

/// What is sorted, and how.
struct Setting {
  std::vector<std::uint64_t> bits;
  sorting::SortConfig config;
  SortOptions options;
  std::string what;
};

/// Of `least` keys and up to `most`, mostly a sixteenth of the way.
inline Setting any_setting(std::size_t least, std::size_t most) {
  const auto few = rc::gen::inRange<std::size_t>(least, least + (most - least) / 16);
  const auto size = *rc::gen::oneOf(few, few, rc::gen::inRange<std::size_t>(least, most));
  const auto distribution =
      *rc::gen::elementOf(std::vector<Distribution>(kDistributions.begin(), kDistributions.end()));
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1000);
  // Mostly all bits vary, sometimes few of them.
  const auto mask =
      *rc::gen::oneOf(rc::gen::just(~std::uint64_t{0}), rc::gen::arbitrary<std::uint64_t>(),
                      rc::gen::element<std::uint64_t>(1, 0xff00, 0x8000000000000001));
  const auto processors = *rc::gen::inRange<std::size_t>(1, 6);
  const auto schedule = *rc::gen::element<std::uint64_t>(0, 0, 1, 2, 3, 5, 8, 13);
  const auto descending = *rc::gen::arbitrary<bool>();
  const AnyConfig config;
  Setting setting{
      .bits = keys_of<std::uint64_t>(distribution, size, seed),
      .config = config.config(),
      .options = {.descending = descending, .machine = &machine_of(processors, schedule)},
      .what = to_string(distribution) + ", n = " + std::to_string(size) + ", seed " +
              std::to_string(seed) + ", mask " + std::to_string(mask) +
              ", p = " + std::to_string(processors) + ", schedule " + std::to_string(schedule) +
              (descending ? ", descending" : "") + ", config {" + config.what() + "}"};
  for (std::uint64_t& bits : setting.bits) bits &= mask;
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

/// Draws one of these types of numbers and calls use(std::type_identity<Key>(), its KeyType).
template <class Use>
void with_any_key_type(const Use& use, std::span<const KeyType> types = kKeyTypes) {
  const auto type = *rc::gen::elementOf(std::vector<KeyType>(types.begin(), types.end()));
  RC_LOG() << to_string(type);
  switch (type) {
    case KeyType::u8:
      return use(std::type_identity<std::uint8_t>(), type);
    case KeyType::u16:
      return use(std::type_identity<std::uint16_t>(), type);
    case KeyType::u32:
      return use(std::type_identity<std::uint32_t>(), type);
    case KeyType::u64:
      return use(std::type_identity<std::uint64_t>(), type);
    case KeyType::i8:
      return use(std::type_identity<std::int8_t>(), type);
    case KeyType::i16:
      return use(std::type_identity<std::int16_t>(), type);
    case KeyType::i32:
      return use(std::type_identity<std::int32_t>(), type);
    case KeyType::i64:
      return use(std::type_identity<std::int64_t>(), type);
    case KeyType::f32:
      return use(std::type_identity<float>(), type);
    case KeyType::f64:
      return use(std::type_identity<double>(), type);
  }
}

}  // namespace postroom
