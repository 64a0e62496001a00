// Bare keys sorted in place around keys of theirs, on machines of 1 to 7 processors; compared with
// std::ranges::sort. And which sorts go that way.
#include "sort/sides_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/machine.h"
#include "sort/config.h"
#include "sort/datasets.h"
#include "sort/failure.h"
#include "sort/keys.h"
#include "sort/layout.h"
#include "sort/sort.h"
#include "sort/steps.h"
#include "sort/team.h"
#include "tests/sort/key_rows.h"
#include "tests/sort/sorting.h"

namespace postroom::sorting {
namespace {

template <class Key>
void sort_by_sides(Machine& machine, std::vector<Key>& keys, bool descending,
                   const SortConfig& config) {
  std::vector<Key> room(keys.size());
  SidesSort<Keys<Key>> sort(rows_of(keys, descending), rows_of(room, descending), keys.size(),
                            static_cast<std::size_t>(machine.processors()), config);
  Failure failure;
  machine.run([&](Processor& self) {
    Steps steps(Team(self), failure);
    EXPECT_TRUE(sort.sort(steps));
  });
  failure.rethrow();
}

template <class Key>
void expect_sorted(Machine& machine, const std::vector<Key>& keys, const SortConfig& config,
                   const std::string& what) {
  for (const bool descending : {false, true}) {
    std::vector<Key> expected = keys;
    std::ranges::sort(expected);
    if (descending) std::ranges::reverse(expected);
    std::vector<Key> found = keys;
    sort_by_sides(machine, found, descending, config);
    EXPECT_TRUE(found == expected)
        << what << ", n = " << keys.size() << ", p = " << machine.processors()
        << (descending ? ", descending" : "") << ", bytes of a key = " << sizeof(Key);
  }
}

TEST(SidesSort, SortsEveryDistribution) {
  if (!has_fast_sides()) GTEST_SKIP() << "this processor has no AVX2";
  for (const int p : {1, 2, 3, 4, 7}) {
    Machine machine({.processors = p, .pin = false});
    for (const Distribution distribution : kDistributions) {
      for (const std::size_t size : {100, 8'191, 70'001}) {
        const SortConfig config{.radix_bytes = size < 10'000 ? 512u : 1u << 13, .split_bits = 4};
        const std::string what(name_of(distribution));
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
      expect_sorted(machine, keys_of<std::uint64_t>(Distribution::kUniform, size, size), config,
                    "");
      expect_sorted(machine, keys_of<std::uint32_t>(Distribution::kS, size, size), config, "");
    }
  }
}

// The keys that are looked at are the least ones, so nearly all lie above.
TEST(SidesSort, SortsWhatItsSamplesMislead) {
  if (!has_fast_sides()) GTEST_SKIP() << "this processor has no AVX2";
  constexpr std::size_t kSize = 40'000;
  for (const std::uint32_t pieces : {32u, 512u}) {
    auto keys = keys_of<std::uint64_t>(Distribution::kUniform, kSize, 5);
    for (std::uint32_t i = 0; i < pieces; ++i) keys[anywhere_in_piece(i, kSize / pieces)] = i;
    for (const int p : {1, 2, 3}) {
      Machine machine({.processors = p, .pin = false});
      expect_sorted(machine, keys, SortConfig{.radix_bytes = 1 << 13}, "samples that mislead");
    }
  }
}

TEST(SidesSort, PaysWhereNoScratchIsAtHand) {
  if (!has_fast_sides()) GTEST_SKIP() << "this processor has no AVX2";
  using Sort = SidesSort<Keys<std::uint64_t>>;
  const SortConfig config;
  const auto pays = [&](Distribution distribution, std::size_t size, std::size_t cold) {
    auto keys = keys_of<std::uint64_t>(distribution, size, 3);
    return Sort::pays(rows_of(keys, false), size, cold, config);
  };
  constexpr std::size_t kSize = 200'000;
  EXPECT_TRUE(pays(Distribution::kUniform, kSize, kSize * 8));
  EXPECT_TRUE(pays(Distribution::kS, kSize, kSize * 8));
  EXPECT_FALSE(pays(Distribution::kUniform, kSize, 0));          // it has been touched
  EXPECT_FALSE(pays(Distribution::kUniform, 100'000, 800'000));  // the second cache
  EXPECT_FALSE(pays(Distribution::kUniform, 3'000'000, 24'000'000));
  EXPECT_FALSE(pays(Distribution::kEqual, kSize, kSize * 8));
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
        ASSERT_TRUE(found == expected) << name_of(distribution) << ", turn " << turn;
      }
    }
  }
}

}  // namespace
}  // namespace postroom::sorting
