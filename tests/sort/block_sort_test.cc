// Bare keys sorted in place by way of blocks, on machines of 1 to 7 processors; compared with
// std::ranges::sort. And which keys go that way.
#include "sort/engine/block_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/machine.h"
#include "sort/datasets.h"
#include "sort/engine/config.h"
#include "sort/engine/failure.h"
#include "sort/engine/layout.h"
#include "sort/engine/steps.h"
#include "sort/engine/team.h"
#include "sort/keys.h"
#include "tests/sort/key_rows.h"
#include "tests/sort/sorting.h"

namespace postroom::sorting {
namespace {

const std::function<void(double)> kNobody;

struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <class Sort>
void run(Machine& machine, Sort& sort) {
  Failure failure;
  machine.run([&](Processor& self) {
    Steps steps(Team(self), failure);
    sort.run(steps);
  });
  failure.rethrow();
}

template <class Key>
void sort_by_blocks(Machine& machine, std::vector<Key>& keys, bool descending,
                    const SortConfig& config) {
  std::vector<Key> room(keys.size());
  BlockSort<Keys<Key>> sort(rows_of(keys, descending), rows_of(room, descending), keys.size(),
                            keys.size(), static_cast<std::size_t>(machine.processors()), config,
                            kNobody);
  run(machine, sort);
}

template <class Key>
void expect_sorted(Machine& machine, std::vector<Key> keys, const SortConfig& config,
                   const std::string& what) {
  const auto processors = static_cast<std::size_t>(machine.processors());
  ASSERT_TRUE(BlockSort<Keys<Key>>::fits(keys.size(), keys.size(), processors, config));
  for (const bool descending : {false, true}) {
    std::vector<Key> expected = keys;
    std::ranges::sort(expected);
    if (descending) std::ranges::reverse(expected);
    std::vector<Key> found = keys;
    sort_by_blocks(machine, found, descending, config);
    EXPECT_TRUE(found == expected)
        << what << ", n = " << keys.size() << ", p = " << machine.processors()
        << (descending ? ", descending" : "") << ", bytes of a key = " << sizeof(Key);
  }
}

TEST(BlockSort, SortsEveryDistribution) {
  if (!has_networks()) GTEST_SKIP() << "this processor has no AVX2";
  for (const int p : {1, 2, 3, 6}) {
    Machine machine({.processors = p, .pin = false});
    for (const Distribution distribution : kDistributions) {
      for (const std::size_t share : {8'192, 20'789}) {
        for (const std::size_t bytes : {1 << 4, 1 << 12}) {
          const SortConfig config{.radix_bytes = bytes, .split_bits = 4};
          const std::string what =
              to_string(distribution) + ", buckets of " + std::to_string(bytes) + " bytes";
          const std::size_t size = share * static_cast<std::size_t>(p);
          const std::uint64_t seed = size;
          expect_sorted(machine, keys_of<std::uint32_t>(distribution, size, seed), config, what);
          expect_sorted(machine, keys_of<std::int64_t>(distribution, size, seed), config, what);
        }
      }
    }
  }
}

// Whatever the streams, the blocks and the regions leave over.
TEST(BlockSort, SortsEveryLength) {
  if (!has_networks()) GTEST_SKIP() << "this processor has no AVX2";
  for (const int p : {1, 2, 5}) {
    Machine machine({.processors = p, .pin = false});
    const SortConfig config{.radix_bytes = 512, .split_bits = 1};
    const std::size_t least = 1'024 * static_cast<std::size_t>(p);
    for (std::size_t size = least; size <= least + 1'200; size += 7) {
      const auto seed = static_cast<std::uint64_t>(p);
      expect_sorted(machine, keys_of<std::uint32_t>(Distribution::uniform, size, seed), config, "");
      expect_sorted(machine, keys_of<std::uint64_t>(Distribution::uniform, size, seed), config, "");
    }
  }
}

// All blocks belong to the share of another processor.
TEST(BlockSort, SortsWhatIsTurnedByAShare) {
  if (!has_networks()) GTEST_SKIP() << "this processor has no AVX2";
  for (const int p : {2, 4, 7}) {
    Machine machine({.processors = p, .pin = false});
    std::vector<std::uint32_t> keys = keys_of<std::uint32_t>(Distribution::uniform, 100'000, 1);
    std::ranges::sort(keys);
    for (int share = 1; share < p; ++share) {
      std::ranges::rotate(keys, keys.begin() + static_cast<std::ptrdiff_t>(keys.size()) / p);
      expect_sorted(machine, keys, {.radix_bytes = 1 << 12, .split_bits = 4}, "turned");
    }
  }
}

// One bucket holds so much that no processor has room for it.
TEST(BlockSort, SortsWhereNearlyAllAreInOneBucket) {
  if (!has_networks()) GTEST_SKIP() << "this processor has no AVX2";
  for (const int p : {1, 2, 3}) {
    Machine machine({.processors = p, .pin = false});
    std::vector<std::uint32_t> keys = keys_of<std::uint32_t>(Distribution::uniform, 100'000, 1);
    for (std::uint32_t& key : keys) key >>= 16;
    keys.front() = 0xffff'ffff;
    expect_sorted(machine, keys, {.radix_bytes = 1 << 12, .split_bits = 4}, "one bucket");
  }
}

// Outliers that no sample saw belong to the first and the last bucket.
TEST(BlockSort, SortsOutliers) {
  if (!has_networks()) GTEST_SKIP() << "this processor has no AVX2";
  for (const int p : {1, 2, 3}) {
    Machine machine({.processors = p, .pin = false});
    std::vector<std::int64_t> keys = keys_of<std::int64_t>(Distribution::uniform, 50'000, 1);
    for (std::int64_t& key : keys) key >>= 20;
    keys[12'345] = std::int64_t{1} << 62;
    keys[23'456] = -(std::int64_t{1} << 61);
    expect_sorted(machine, keys, {.radix_bytes = 1 << 12, .split_bits = 4}, "outliers");
  }
}

// What does not fit is gathered, and left to the caller.
TEST(BlockSort, SortsWhatItHasRoomFor) {
  if (!has_networks()) GTEST_SKIP() << "this processor has no AVX2";
  const SortConfig config{.radix_bytes = 1 << 12, .split_bits = 4};
  for (const int p : {1, 2}) {
    Machine machine({.processors = p, .pin = false});
    std::vector<std::uint32_t> keys = keys_of<std::uint32_t>(Distribution::uniform, 300'000, 1);
    for (std::size_t i = 0; i < keys.size(); i += 4) keys[i] >>= 8;
    std::vector<std::uint32_t> expected = keys;
    std::ranges::sort(expected);
    std::vector<std::uint32_t> room(keys.size() / 6);
    BlockSort<Keys<std::uint32_t>> sort(rows_of(keys), rows_of(room), keys.size(), room.size(),
                                        static_cast<std::size_t>(p), config, kNobody);
    run(machine, sort);
    const std::vector<Range> left = sort.left();
    ASSERT_EQ(left.size(), 1u);
    EXPECT_GE(left[0].end - left[0].begin, keys.size() / 4);
    EXPECT_FALSE(keys == expected);
    std::sort(keys.begin() + static_cast<std::ptrdiff_t>(left[0].begin),
              keys.begin() + static_cast<std::ptrdiff_t>(left[0].end));
    EXPECT_TRUE(keys == expected) << "p = " << p;
  }
}

// Told from 0 to 1 by one processor; what it throws, at any time, leaves a permutation.
TEST(BlockSort, TellsProgress) {
  if (!has_networks()) GTEST_SKIP() << "this processor has no AVX2";
  const SortConfig config{.radix_bytes = 1 << 12, .split_bits = 4};
  const auto keys = keys_of<std::uint32_t>(Distribution::uniform, 150'000, 1);
  auto expected = keys;
  std::ranges::sort(expected);
  for (const int p : {1, 2, 3}) {
    Machine machine({.processors = p, .pin = false});
    std::size_t told = 0;
    for (std::size_t last = 0; last <= told; ++last) {
      std::vector<double> fractions;
      const std::function<void(double)> progress = [&](double fraction) {
        fractions.push_back(fraction);
        if (fractions.size() == last) throw Refused("enough");
      };
      auto sorted = keys;
      std::vector<std::uint32_t> room(keys.size());
      BlockSort<Keys<std::uint32_t>> sort(rows_of(sorted), rows_of(room), keys.size(), keys.size(),
                                          static_cast<std::size_t>(p), config, progress);
      if (last == 0) {
        run(machine, sort);
        told = fractions.size();
        EXPECT_GE(told, 2u);
        EXPECT_TRUE(std::ranges::is_sorted(fractions));
        EXPECT_GT(fractions.front(), 0);
        EXPECT_LT(fractions.back(), 1);
      } else {
        // With several processors, who is told how often differs.
        try {
          run(machine, sort);
        } catch (const Refused&) {
          EXPECT_EQ(fractions.size(), last);
        }
        std::ranges::sort(sorted);
      }
      EXPECT_TRUE(sorted == expected) << "p = " << p << ", call " << last;
    }
  }
}

template <class Key>
bool pays(Distribution distribution, const SortConfig& config, std::size_t processors = 1) {
  std::vector<Key> keys = keys_of<Key>(distribution, 500'000, /*seed=*/1);
  return BlockSort<Keys<Key>>::pays(rows_of(keys), keys.size(), keys.size(), processors, config);
}

TEST(BlockSort, IsForKeysThatADigitTellsApart) {
  if (!has_networks()) GTEST_SKIP() << "this processor has no AVX2";
  const SortConfig config{.sides_bytes = 1'000'000};
  EXPECT_TRUE(pays<std::uint32_t>(Distribution::uniform, config));
  EXPECT_TRUE(pays<std::uint64_t>(Distribution::nearly_sorted, config));
  EXPECT_FALSE(pays<std::uint64_t>(Distribution::S, config));
  EXPECT_FALSE(pays<std::uint64_t>(Distribution::equal, config));
  EXPECT_FALSE(pays<std::uint32_t>(Distribution::high_bits_equal, config));
  EXPECT_FALSE(pays<std::uint64_t>(Distribution::uniform, {}));
  EXPECT_FALSE(pays<std::uint64_t>(Distribution::uniform, config, 64)) << "so little for each";
  for (const std::size_t processors : {2, 5}) {
    EXPECT_TRUE(pays<std::uint64_t>(Distribution::uniform, config, processors));
  }
  EXPECT_FALSE(
      pays<std::uint64_t>(Distribution::uniform, {.networks = false, .sides_bytes = 1'000'000}));
}

// However many processors share a little room: there are fewer buckets then, not another way.
TEST(BlockSort, FitsIntoAFourteenth) {
  for (const std::size_t size : {10'000'000, 30'000'000, 40'000'000, 400'000'000}) {
    for (const std::size_t processors : {1, 2, 4, 8}) {
      EXPECT_TRUE(BlockSort<Keys<std::uint32_t>>::fits(size, size / 14, processors, {}))
          << size << " keys, " << processors << " processors";
    }
  }
}

// A sixth of the keys are one: too many for one of five processors, not for the only one.
TEST(BlockSort, IsForKeysThatAreSpreadEvenly) {
  if (!has_networks()) GTEST_SKIP() << "this processor has no AVX2";
  const SortConfig config{.sides_bytes = 1'000'000};
  std::vector<std::uint64_t> keys = keys_of<std::uint64_t>(Distribution::uniform, 500'000, 1);
  const auto pays_for = [&](std::size_t processors) {
    return BlockSort<Keys<std::uint64_t>>::pays(rows_of(keys), keys.size(), keys.size(), processors,
                                                config);
  };
  EXPECT_TRUE(pays_for(5));
  for (std::size_t i = 0; i < keys.size(); i += 6) keys[i] = keys[0];
  EXPECT_TRUE(pays_for(1));
  EXPECT_FALSE(pays_for(5));
}

// As zero is among floating-point keys, by their bits.
TEST(BlockSort, IsForKeysOfWhichFewAreFarFromTheOthers) {
  if (!has_networks()) GTEST_SKIP() << "this processor has no AVX2";
  const SortConfig config{.sides_bytes = 1'000'000};
  std::vector<std::uint64_t> keys = keys_of<std::uint64_t>(Distribution::uniform, 500'000, 1);
  for (std::uint64_t& key : keys) key = (std::uint64_t{1} << 63) | key >> 32;
  const auto pays = [&] {
    return BlockSort<Keys<std::uint64_t>>::pays(rows_of(keys), keys.size(), keys.size(), 2, config);
  };
  EXPECT_TRUE(pays());
  keys.front() = 0;
  EXPECT_TRUE(pays());
  keys.front() = static_cast<std::uint64_t>(-1);
  EXPECT_TRUE(pays());
  for (std::size_t i = 0; i < keys.size(); i += 50) keys[i] = i;
  EXPECT_TRUE(pays()) << "a fiftieth";
  for (std::size_t i = 0; i < keys.size(); i += 2) keys[i] = i;
  EXPECT_FALSE(pays()) << "a half";
}

}  // namespace
}  // namespace postroom::sorting
