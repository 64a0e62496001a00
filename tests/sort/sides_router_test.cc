// Bare keys that several processors move to both sides of one of them, part by part, on machines of
// 2 to 5 processors; compared with std::ranges::sort. And which keys go that way.
#include "sort/engine/sides_router.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "runtime/machine.h"
#include "sort/datasets.h"
#include "sort/engine/config.h"
#include "sort/engine/layout.h"
#include "sort/engine/median_sample.h"
#include "sort/engine/part.h"
#include "sort/keys.h"
#include "sort/whole_keys.h"
#include "tests/sort/sorting.h"

namespace postroom::sorting {
namespace {

/// Of these keys most are routed by all together, and what a key leaves on a side again.
SortConfig config_of_router() {
  return {.alone_records = 64,
          .network_alone_records = 0,
          .order_alone_bytes = 0,
          .least_few_different = std::size_t{1} << 30,
          .giant_divisor = 8};
}

template <class Key>
WholeKeyOf<Key> key_of(bool descending) {
  return {flip_mask<KeyBits<Key>>(is_signed_key<Key>(), descending)};
}

template <class Key>
std::byte* bytes_in(std::vector<Key>& keys) {
  return std::as_writable_bytes(std::span(keys)).data();
}

template <class Key>
void expect_sorted(Machine& machine, Distribution distribution, std::size_t size, bool descending) {
  const SortConfig config = config_of_router();
  std::vector<Key> keys = keys_of<Key>(distribution, size, /*seed=*/size);
  std::vector<Key> expected = keys;
  sort_whole_keys(bytes_in(keys), size, format_of<Key>(descending), {.machine = &machine}, &config);
  if (descending) {
    std::ranges::sort(expected, std::greater<>());
  } else {
    std::ranges::sort(expected);
  }
  EXPECT_TRUE(keys == expected) << to_string(distribution) << ", n = " << size
                                << ", p = " << machine.processors()
                                << (descending ? ", descending" : "")
                                << ", bytes of a key = " << sizeof(Key);
}

TEST(SidesRouter, SortsWithSeveralProcessors) {
  for (const int p : {2, 3, 5}) {
    Machine machine({.processors = p, .pin = false});
    for (const Distribution distribution :
         {Distribution::S, Distribution::zipf, Distribution::few_distinct,
          Distribution::nearly_sorted, Distribution::uniform}) {
      for (const std::size_t size : {100, 1'000, 20'000, 100'000}) {
        for (const bool descending : {false, true}) {
          expect_sorted<std::uint32_t>(machine, distribution, size, descending);
          expect_sorted<std::int64_t>(machine, distribution, size, descending);
        }
      }
    }
  }
}

// Where a sample looks, all keys are alike, and below all others: sides leave nearly all on one.
TEST(SidesRouter, SplitsByADigitWhatAKeyDidNot) {
  constexpr std::size_t kKeys = 20'000;
  constexpr std::size_t kSampled = MedianSample<std::uint64_t>::kKeys;
  constexpr std::size_t kStep = kKeys / kSampled;
  const SortConfig config = config_of_router();
  for (const int p : {2, 3}) {
    Machine machine({.processors = p, .pin = false});
    std::vector<std::uint64_t> keys = keys_of<std::uint64_t>(Distribution::uniform, kKeys, 1);
    for (std::uint32_t i = 0; i < kSampled; ++i) {
      keys[i * kStep + static_cast<std::size_t>(std::uint64_t{kStep} * (i * 0x9e37'79b9U) >> 32)] =
          0;
    }
    std::vector<std::uint64_t> expected = keys;
    std::ranges::sort(expected);
    sort_whole_keys(bytes_in(keys), keys.size(), format_of<std::uint64_t>(false),
                    {.machine = &machine}, &config);
    EXPECT_EQ(keys, expected) << "p = " << p;
  }
}

template <class Key>
bool goes_around(Distribution distribution) {
  using Keys = Rows<sizeof(Key), WholeKeyOf<Key>>;
  std::vector<Key> keys = keys_of<Key>(distribution, 10'000, /*seed=*/1);
  std::vector<Key> room(keys.size());
  const Keys home{bytes_in(keys), key_of<Key>(false)};
  const Keys away{bytes_in(room), key_of<Key>(false)};
  const Part whole{0, keys.size(), false};
  return SidesRouter<Keys>(home, away, 2).pivot_for(whole, config_of_router()).has_value();
}

TEST(SidesRouter, IsForKeysThatADigitLeavesTogether) {
  if (!has_fast_sides()) GTEST_SKIP() << "this processor has no AVX2";
  EXPECT_TRUE(goes_around<std::uint32_t>(Distribution::S));
  EXPECT_TRUE(goes_around<std::uint64_t>(Distribution::S));
  EXPECT_TRUE(goes_around<std::uint64_t>(Distribution::equal));
  EXPECT_FALSE(goes_around<std::uint32_t>(Distribution::uniform));
  EXPECT_FALSE(goes_around<std::uint64_t>(Distribution::uniform));
}

}  // namespace
}  // namespace postroom::sorting
