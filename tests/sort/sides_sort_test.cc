// Bare keys sorted in place around keys of theirs, on machines of 1 to 7 processors; compared with
// std::ranges::sort. And which sorts go that way.
#include "sort/engine/sides_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "runtime/machine.h"
#include "sort/datasets.h"
#include "sort/engine/config.h"
#include "sort/engine/failure.h"
#include "sort/engine/layout.h"
#include "sort/engine/median_sample.h"
#include "sort/engine/part.h"
#include "sort/engine/spread.h"
#include "sort/engine/steps.h"
#include "sort/engine/team.h"
#include "sort/keys.h"
#include "sort/sort.h"
#include "sort/vectors/vector_sides.h"
#include "tests/sort/key_rows.h"
#include "tests/sort/sorting.h"

namespace postroom::sorting {
namespace {

/// With room for so many. What is left then, which it returns, is sorted by the standard library.
template <class Key>
std::size_t sort_by_sides(Machine& machine, std::vector<Key>& keys, std::size_t in_room,
                          bool descending, const SortConfig& config) {
  std::vector<Key> room(in_room);
  const auto processors = static_cast<std::size_t>(machine.processors());
  EXPECT_TRUE(SidesSort<Keys<Key>>::suits(in_room, processors, config));
  SidesSort<Keys<Key>> sort(rows_of(keys, descending), rows_of(room, descending), keys.size(),
                            in_room, processors, config);
  Failure failure;
  machine.run([&](Processor& self) {
    Steps steps(Team(self), failure);
    EXPECT_TRUE(sort.sort(steps));
  });
  failure.rethrow();
  std::size_t left = 0;
  for (const auto& [begin, end] : sort.left()) {
    const std::span part = std::span(keys).subspan(begin, end - begin);
    std::ranges::sort(part);
    if (descending) std::ranges::reverse(part);
    left += part.size();
  }
  return left;
}

template <class Key>
void expect_sorted(Machine& machine, const std::vector<Key>& keys, const SortConfig& config,
                   const std::string& what, bool leaves = false) {
  for (const bool descending : {false, true}) {
    std::vector<Key> expected = keys;
    std::ranges::sort(expected);
    if (descending) std::ranges::reverse(expected);
    const std::size_t few =
        std::max(keys.size() / 14 + 1, 64 * static_cast<std::size_t>(machine.processors()));
    for (const std::size_t in_room : {keys.size(), few}) {
      std::vector<Key> found = keys;
      const std::size_t left = sort_by_sides(machine, found, in_room, descending, config);
      EXPECT_TRUE(found == expected)
          << what << ", n = " << keys.size() << ", p = " << machine.processors()
          << (descending ? ", descending" : "") << ", bytes of a key = " << sizeof(Key)
          << ", room for " << in_room;
      EXPECT_EQ(left > 0, leaves && !descending && in_room < keys.size()) << what;
    }
  }
}

TEST(SidesSort, SortsEveryDistribution) {
  if (!has_fast_sides()) GTEST_SKIP() << "this processor has no AVX2";
  for (const int p : {1, 2, 3, 4, 7}) {
    Machine machine({.processors = p, .pin = false});
    for (const Distribution distribution : kDistributions) {
      for (const std::size_t size : {900, 8'191, 70'001}) {
        const SortConfig config{.radix_bytes = size < 10'000 ? 512u : 1u << 13, .split_bits = 4};
        const std::string what(to_string(distribution));
        expect_sorted(machine, keys_of<std::uint32_t>(distribution, size, size), config, what);
        expect_sorted(machine, keys_of<std::int64_t>(distribution, size, size), config, what);
      }
    }
  }
}

TEST(SidesSort, SortsEveryLength) {
  if (!has_fast_sides()) GTEST_SKIP() << "this processor has no AVX2";
  for (const int p : {1, 2, 5}) {
    Machine machine({.processors = p, .pin = false});
    const SortConfig config{.radix_bytes = 1024};
    for (std::size_t size = 8'000; size < 9'000; size += 13) {
      expect_sorted(machine, keys_of<std::uint64_t>(Distribution::uniform, size, size), config, "");
      expect_sorted(machine, keys_of<std::uint32_t>(Distribution::S, size, size), config, "");
    }
  }
}

// Keys of which a processor by itself, `times` times in a row, looks at the least ones.
std::vector<std::uint64_t> misleading_keys(std::size_t size, int times) {
  std::vector<std::uint64_t> keys(size);
  std::vector<std::uint64_t> moved(size);  // so many are no least ones: each a number of its own
  std::iota(moved.begin(), moved.end(), size);
  const auto numbers = moved;
  std::size_t begin = 0;
  for (int time = 0; time < times; ++time) {
    constexpr std::uint32_t kKeys = MedianSample<std::uint64_t>::kKeys;
    for (std::uint32_t i = 0; i < kKeys; ++i) {
      std::uint64_t& key = moved[begin + anywhere_in_piece(i, (size - begin) / kKeys)];
      if (key < size) continue;  // a least one of another time
      const std::uint64_t least = kKeys * static_cast<std::uint64_t>(time) + i + 1;
      keys[key - size] = least;
      key = least;
    }
    auto rows = rows_of(moved, false);
    const Part part{begin, size, false};
    const Sides sides =
        rows.take_sides_in_place(begin, size, MedianSample<std::uint64_t>(rows, part).pivot());
    begin = size - sides.above;
  }
  for (std::size_t i = 0; i < size; ++i) {
    if (keys[i] == 0) keys[i] = numbers[i];
  }
  return keys;
}

// The keys that are looked at are the least ones, so nearly all lie above.
TEST(SidesSort, SortsWhatItsSamplesMislead) {
  if (!has_fast_sides()) GTEST_SKIP() << "this processor has no AVX2";
  constexpr std::size_t kSize = 40'000;
  const SortConfig config{.radix_bytes = 1 << 13};
  auto together = keys_of<std::uint64_t>(Distribution::uniform, kSize, 5);
  for (std::uint32_t i = 0; i < 512; ++i) together[anywhere_in_piece(i, kSize / 512)] = i;
  for (const int p : {1, 2, 3}) {
    Machine machine({.processors = p, .pin = false});
    expect_sorted(machine, together, config, "samples that mislead all");
    for (const int times : {1, 3, 4}) {
      expect_sorted(machine, misleading_keys(kSize, times), config, "samples that mislead one",
                    p == 1 && times == 4);
    }
  }
}

TEST(SidesSort, PaysWhereNoScratchIsAtHand) {
  if (!has_fast_sides()) GTEST_SKIP() << "this processor has no AVX2";
  using Sort = SidesSort<Keys<std::uint64_t>>;
  for (const bool before_digits : {false, true}) {
    const SortConfig config{.sides_before_digits = before_digits};
    const auto pays = [&](Distribution distribution, std::size_t size, std::size_t cold) {
      auto keys = keys_of<std::uint64_t>(distribution, size, 3);
      return Sort::pays(rows_of(keys, false), size, cold, config);
    };
    constexpr std::size_t kSize = 200'000;
    EXPECT_TRUE(pays(Distribution::uniform, kSize, kSize * 8));
    EXPECT_TRUE(pays(Distribution::S, kSize, kSize * 8));
    EXPECT_FALSE(pays(Distribution::uniform, 30'000, 240'000));  // the second cache
    // The scratch has been touched; the third cache.
    EXPECT_EQ(pays(Distribution::uniform, kSize, 0), before_digits);
    EXPECT_EQ(pays(Distribution::uniform, 3'000'000, 24'000'000), before_digits);
    EXPECT_FALSE(pays(Distribution::equal, kSize, kSize * 8));
  }
}

TEST(SidesSort, PaysBeforeBlocks) {
  if (!has_fast_sides()) GTEST_SKIP() << "this processor has no AVX2";
  for (const bool before_digits : {false, true}) {
    const auto pays = [&](Distribution distribution) {
      auto keys = keys_of<std::uint64_t>(distribution, 3'000'000, 3);
      return SidesSort<Keys<std::uint64_t>>::pays_before_blocks(
          rows_of(keys, false), keys.size(), {.sides_before_digits = before_digits});
    };
    EXPECT_EQ(pays(Distribution::uniform), before_digits);
    EXPECT_FALSE(pays(Distribution::equal));
  }
}

// By the front door, which is told by fresh scratch.
TEST(SidesSort, SortsTheFirstTime) {
  for (const int p : {1, 2, 3}) {
    for (const Distribution distribution : kDistributions) {
      auto keys = keys_of<std::uint64_t>(distribution, 300'000, 11);
      auto expected = keys;
      std::ranges::sort(expected);
      for (int turn = 0; turn < 3; ++turn) {  // and with what is left of it
        auto found = keys;
        if (turn == 0) free_kept_scratch();
        postroom::sort(found, SortOptions{.processors = p});
        ASSERT_TRUE(found == expected) << to_string(distribution) << ", turn " << turn;
      }
    }
  }
}

}  // namespace
}  // namespace postroom::sorting
