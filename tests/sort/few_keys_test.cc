// Few different keys, counted.
#include "sort/engine/few_keys.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "tests/sort/key_rows.h"
#include "tests/sort/sorting.h"

namespace postroom::sorting {
namespace {

template <class Key>
using Counts = std::map<Key, std::size_t>;

/// Whether the keys were few enough, and how often each was counted then.
template <class Key>
bool count_few(std::vector<Key> keys, std::size_t begin, std::size_t end, Counts<Key>& counted) {
  FewKeys<Key> few;
  if (!few.count(rows_of(keys), begin, end)) return false;
  few.for_each([&](Key key, std::size_t count) { counted[key] += count; });
  return true;
}

/// So many different keys in turns, of which no bit is always the same.
template <class Key>
std::vector<Key> in_turns(std::size_t different, std::size_t size) {
  std::vector<Key> values = keys_of<Key>(Distribution::uniform, different, /*seed=*/different);
  std::vector<Key> keys;
  for (std::size_t i = 0; i < size; ++i) keys.push_back(values[i % different]);
  return keys;
}

template <class Key>
void expect_counted(const std::vector<Key>& keys, std::size_t begin, std::size_t end) {
  Counts<Key> expected;
  for (std::size_t i = begin; i < end; ++i) ++expected[keys[i]];
  Counts<Key> counted;
  EXPECT_TRUE(count_few(keys, begin, end, counted));
  EXPECT_EQ(counted, expected) << keys.size() << " keys, " << expected.size() << " different";
}

template <class Key>
void expect_all_counted() {
  for (const std::size_t size : {0, 1, 15, 16, 17, 100, 1000, 5003}) {
    for (const std::size_t different : {1, 2, 16, 63}) {
      expect_counted<Key>(in_turns<Key>(different, size), 0, size);
      if (size > 40) expect_counted<Key>(in_turns<Key>(different, size), 7, size - 20);
    }
    expect_counted<Key>(std::vector<Key>(size), 0, size);
  }
  // Key 0 among them, and one that comes last of all.
  std::vector<Key> keys = in_turns<Key>(40, 1000);
  for (std::size_t i = 0; i < keys.size(); i += 7) keys[i] = 0;
  keys.push_back(12345);
  expect_counted<Key>(keys, 0, keys.size());
}

TEST(FewKeys, CountsKeysOf32Bits) { expect_all_counted<std::uint32_t>(); }
TEST(FewKeys, CountsKeysOf64Bits) { expect_all_counted<std::uint64_t>(); }

// With so many there are some that want the same slot, whatever the factor at first.
TEST(FewKeys, DealsOutOtherSlotsUntilEachHasItsOwn) {
  for (std::size_t different = 64; different <= 80; ++different) {
    auto keys = in_turns<std::uint32_t>(60, 200);
    const auto later = in_turns<std::uint32_t>(different, 2000);
    keys.insert(keys.end(), later.begin(), later.end());
    Counts<std::uint32_t> expected;
    for (const std::uint32_t key : keys) ++expected[key];
    Counts<std::uint32_t> counted;
    // The new ones may come too fast; what is counted is right in any case.
    const bool were_few = count_few(keys, 0, keys.size(), counted);
    EXPECT_EQ(counted, were_few ? expected : Counts<std::uint32_t>()) << different << " different";
  }
  expect_counted(in_turns<std::uint32_t>(64, 3000), 0, 3000);
}

TEST(FewKeys, GiveUpWhereThereAreTooMany) {
  Counts<std::uint32_t> counted;
  EXPECT_FALSE(count_few(in_turns<std::uint32_t>(200, 1000), 0, 1000, counted));
  auto keys = in_turns<std::uint32_t>(20, 5000);
  const auto random = keys_of<std::uint32_t>(Distribution::uniform, 300, /*seed=*/1);
  keys.insert(keys.end(), random.begin(), random.end());
  EXPECT_FALSE(count_few(keys, 0, keys.size(), counted));
  EXPECT_TRUE(counted.empty());
}

}  // namespace
}  // namespace postroom::sorting
