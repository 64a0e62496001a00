// The engine with thresholds so small that few records go through every branch, on machines of 1 to
// 33 processors, in all layouts; compared with std::stable_sort.
#include "sort/engine/engine.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "runtime/machine.h"
#include "sort/front.h"
#include "sort/keys.h"
#include "sort/whole_keys.h"
#include "tests/sort/columns.h"
#include "tests/sort/sorting.h"

namespace postroom {
namespace {

using sorting::WholeKeyOf;

// One machine and one set of thresholds.
struct Setting {
  Machine& machine;
  const sorting::SortConfig& config;

  SortOptions options() const { return {.machine = &machine}; }
};

// The key at the beginning of a record.
template <class Key>
struct LeadingKey : WholeKeyOf<Key> {
  static constexpr bool kWholeRecord = false;
};

template <class Key>
LeadingKey<Key> leading_key() {
  return {{sorting::flip_mask<sorting::KeyBits<Key>>(sorting::is_signed_key<Key>(), false)}};
}
template <class Key>
WholeKeyOf<Key> whole_key() {
  return {leading_key<Key>().flip};
}

template <class T>
std::byte* bytes_in(std::vector<T>& elements) {
  return std::as_writable_bytes(std::span(elements)).data();
}

template <class Key>
void expect_rows_sorted(const Setting& setting, const std::vector<Key>& keys,
                        const std::string& what) {
  auto records = numbered(keys);
  sorting::sort_rows<sizeof(records[0])>(bytes_in(records), records.size(), leading_key<Key>(),
                                         setting.options(), &setting.config);
  EXPECT_TRUE(same_records(records, expected_order(numbered(keys)))) << "rows, " << what;
}

template <class Key>
void expect_keys_sorted(const Setting& setting, std::vector<Key> keys, const std::string& what) {
  const auto expected = keys_in(expected_order(numbered(keys)));
  sorting::sort_whole_keys(bytes_in(keys), keys.size(), sorting::format_of<Key>(false),
                           setting.options(), &setting.config);
  EXPECT_TRUE(same_bytes(keys, expected)) << "keys alone, " << what;
}

template <class Key>
void expect_columns_sorted(const Setting& setting, std::vector<Key> keys, const std::string& what) {
  const auto expected = expected_order(numbered(keys));
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < keys.size(); ++i) numbers.push_back(i);
  sorting::sort_columns<sizeof(numbers[0])>(bytes_in(keys), bytes_in(numbers), keys.size(),
                                            whole_key<Key>(), setting.options(), &setting.config);
  std::vector<Numbered<Key>> sorted;
  for (std::size_t i = 0; i < keys.size(); ++i) sorted.push_back({keys[i], numbers[i]});
  EXPECT_TRUE(same_records(sorted, expected)) << "columns, " << what;
}

template <class Key>
void expect_all_sorted(const Setting& setting, Distribution distribution, std::size_t size) {
  const std::vector<Key> keys = keys_of<Key>(distribution, size, /*seed=*/size + 1);
  const std::string what = to_string(distribution) + ", n = " + std::to_string(size) +
                           ", p = " + std::to_string(setting.machine.processors()) +
                           ", split_bits = " + std::to_string(setting.config.split_bits) +
                           ", bytes of a key = " + std::to_string(sizeof(Key));
  expect_rows_sorted(setting, keys, what);
  expect_keys_sorted(setting, keys, what);
  expect_columns_sorted(setting, keys, what);
}

class EngineTest : public testing::TestWithParam<int> {
 protected:
  template <class Use>
  void with_each_config(Use use) {
    Machine machine({.processors = GetParam(), .pin = false});
    for (const sorting::SortConfig& config : tiny_configs()) {
      sorting::check_config(config);
      use(Setting{machine, config});
    }
  }
};

TEST_P(EngineTest, SortsEveryDistribution) {
  with_each_config([](const Setting& setting) {
    for (const Distribution distribution : kDistributions) {
      for (const std::size_t size : {63, 200, 1025}) {
        expect_all_sorted<std::uint32_t>(setting, distribution, size);
      }
    }
  });
}

TEST_P(EngineTest, SortsEveryType) {
  with_each_config([](const Setting& setting) {
    for (const Distribution distribution : {Distribution::uniform, Distribution::zipf}) {
      expect_all_sorted<std::uint8_t>(setting, distribution, 257);
      expect_all_sorted<std::uint64_t>(setting, distribution, 257);
      expect_all_sorted<double>(setting, distribution, 257);
    }
  });
}

TEST_P(EngineTest, SortsEveryLength) {
  const std::size_t step = GetParam() <= 3 ? 1 : 7;
  with_each_config([&](const Setting& setting) {
    for (std::size_t size = 0; size <= 130; size += step) {
      expect_all_sorted<std::uint64_t>(setting, Distribution::uniform, size);
      expect_all_sorted<std::uint32_t>(setting, Distribution::few_distinct, size);
    }
  });
}

TEST_P(EngineTest, SortsKeysThatAreNotAligned) {
  with_each_config([](const Setting& setting) {
    const auto keys = keys_of<std::uint32_t>(Distribution::zipf, 300, /*seed=*/4);
    std::vector<std::byte> memory(keys.size() * sizeof(keys[0]) + 1);
    std::memcpy(memory.data() + 1, keys.data(), memory.size() - 1);
    sorting::sort_whole_keys(memory.data() + 1, keys.size(),
                             sorting::format_of<std::uint32_t>(false), setting.options(),
                             &setting.config);
    const auto expected = keys_in(expected_order(numbered(keys)));
    EXPECT_EQ(std::memcmp(memory.data() + 1, expected.data(), memory.size() - 1), 0);
  });
}

// By sign and exponent, or since few bits are set.
TEST_P(EngineTest, SortsKeysWhoseHighestDigitTellsLittle) {
  Machine machine({.processors = GetParam(), .pin = false});
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (const bool networks : {false, true}) {
    const sorting::SortConfig config{.networks = networks};
    const Setting setting{machine, config};
    for (const std::size_t size : {100, 300, 5'000, 40'000}) {
      std::vector<double> doubles(size);
      std::vector<std::uint64_t> words(size);
      for (double& key : doubles) key = normal(random);
      for (auto& key : words) key = random() & random() & random() & random() & random();
      const std::string what = "n = " + std::to_string(size) + (networks ? "" : ", no networks");
      expect_rows_sorted(setting, doubles, what + ", doubles");
      expect_columns_sorted(setting, doubles, what + ", doubles");
      expect_rows_sorted(setting, words, what + ", few bits set");
      expect_columns_sorted(setting, words, what + ", few bits set");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Processors, EngineTest, testing::Values(1, 2, 3, 5, 8, 16, 33),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace postroom
