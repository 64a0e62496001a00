// Bare keys and words routed straight into buckets for networks, on machines of 1 to 5 processors;
// compared with the standard library. And which go that way.
#include "sort/engine/network_router.h"

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
#include "sort/engine/failure.h"
#include "sort/engine/layout.h"
#include "sort/engine/steps.h"
#include "sort/engine/team.h"
#include "sort/keys.h"
#include "tests/sort/key_rows.h"
#include "tests/sort/sorting.h"
#include "tests/sort/word_rows.h"

namespace postroom::sorting {
namespace {

/// Whether they were sorted; if not, they are as they were.
template <class Key>
bool sort_by_router(Machine& machine, std::vector<Key>& keys, bool descending,
                    const SortConfig& config) {
  std::vector<Key> room(keys.size());
  const auto processors = static_cast<std::size_t>(machine.processors());
  NetworkRouter<Keys<Key>> router(rows_of(keys, descending), rows_of(room, descending), keys.size(),
                                  processors, config);
  Failure failure;
  bool sorted = false;
  machine.run([&](Processor& self) {
    Steps steps(Team(self), failure);
    const bool done = router.sort(steps);
    if (self.id() == 0) sorted = done;
  });
  failure.rethrow();
  return sorted;
}

template <class Key>
void expect_sorted(Machine& machine, std::vector<Key> keys, const SortConfig& config,
                   const std::string& what) {
  for (const bool descending : {false, true}) {
    std::vector<Key> expected = keys;
    std::vector<Key> found = keys;
    if (sort_by_router(machine, found, descending, config)) {
      std::ranges::sort(expected);
      if (descending) std::ranges::reverse(expected);
    }
    EXPECT_TRUE(found == expected)
        << what << ", n = " << keys.size() << ", p = " << machine.processors()
        << (descending ? ", descending" : "") << ", bytes of a key = " << sizeof(Key);
  }
}

template <class Key>
bool pays(std::vector<Key> keys, std::size_t processors, const SortConfig& config = {}) {
  return NetworkRouter<Keys<Key>>::pays(rows_of(keys), keys.size(), processors, config);
}
template <class Key>
bool pays(Distribution distribution, const SortConfig& config = {}) {
  return pays(keys_of<Key>(distribution, 500'000, /*seed=*/1), 2, config);
}

TEST(NetworkRouter, SortsOrLeavesAllAsItWas) {
  if (!has_fast_sides()) GTEST_SKIP() << "this processor has no AVX2";
  for (const int p : {1, 2, 3, 5}) {
    Machine machine({.processors = p, .pin = false});
    for (const Distribution distribution : kDistributions) {
      for (const std::size_t size : {100, 1'000, 20'000, 100'000}) {
        for (const int bits : {1, 6, 14}) {
          const SortConfig config{.network_bits = bits};
          const std::string what =
              to_string(distribution) + " by " + std::to_string(bits) + " bits";
          auto narrow = keys_of<std::uint32_t>(distribution, size, /*seed=*/size);
          auto wide = keys_of<std::int64_t>(distribution, size, /*seed=*/size);
          // Precondition: they differ.
          narrow[size / 2] ^= 1;
          wide[size / 2] ^= 1;
          expect_sorted(machine, narrow, config, what);
          expect_sorted(machine, wide, config, what);
        }
      }
    }
  }
}

TEST(NetworkRouter, CountsAgainWhereNoSampleSawTheHighestBit) {
  if (!has_fast_sides()) GTEST_SKIP() << "this processor has no AVX2";
  Machine machine({.processors = 2, .pin = false});
  std::vector<std::uint64_t> keys = keys_of<std::uint64_t>(Distribution::uniform, 50'000, 1);
  for (std::uint64_t& key : keys) key >>= 4;
  keys[12'345] |= std::uint64_t{1} << 62;
  std::vector<std::uint64_t> expected = keys;
  std::ranges::sort(expected);
  EXPECT_TRUE(sort_by_router(machine, keys, false, {}));
  EXPECT_TRUE(keys == expected);
}

template <class Float>
void expect_values_routed() {
  Machine machine({.processors = 3, .pin = false});
  for (const Float middle : {Float{0}, Float{1000}, Float{-3}}) {
    for (const int bits : {1, 2, 9, 14}) {
      const SortConfig config{.network_bits = bits};
      expect_sorted(machine, normal_keys<Float>(60'000, middle), config,
                    "around " + std::to_string(middle) + " by " + std::to_string(bits) + " bits");
    }
  }
}

TEST(NetworkRouter, SortsKeysByTheirValues) {
  if (!has_fast_sides()) GTEST_SKIP() << "this processor has no AVX2";
  expect_values_routed<float>();
  expect_values_routed<double>();
}

TEST(NetworkRouter, IsForValuesWhereThereAreSeveralProcessors) {
  if (!has_fast_sides()) GTEST_SKIP() << "this processor has no AVX2";
  EXPECT_TRUE(pays(normal_keys<float>(500'000), 2));
  EXPECT_TRUE(pays(normal_keys<double>(500'000), 2));
  EXPECT_FALSE(pays(normal_keys<double>(500'000), 1));
}

TEST(NetworkRouter, LeavesBucketsThatAreTooLargeForOneProcessor) {
  if (!has_fast_sides()) GTEST_SKIP() << "this processor has no AVX2";
  Machine machine({.processors = 2, .pin = false});
  std::vector<std::uint64_t> keys = keys_of<std::uint64_t>(Distribution::uniform, 50'000, 1);
  for (std::size_t i = 0; i < keys.size(); i += 2) keys[i] = i;
  const std::vector<std::uint64_t> before = keys;
  EXPECT_FALSE(sort_by_router(machine, keys, false, {}));
  EXPECT_TRUE(keys == before);
}

template <class Word>
void expect_words_routed(int p, std::vector<typename Word::Key> keys, const SortConfig& config,
                         const std::string& what) {
  Machine machine({.processors = p, .pin = false});
  for (const bool descending : {false, true}) {
    std::vector<Word> words = words_with<Word>(keys);
    const auto expected = sorted_words(words, descending);
    std::vector<Word> room(words.size());
    NetworkRouter<Words<Word>> router(words_of(words, descending), words_of(room, descending),
                                      words.size(), static_cast<std::size_t>(p), config);
    Failure failure;
    machine.run([&](Processor& self) {
      Steps steps(Team(self), failure);
      EXPECT_TRUE(router.sort(steps)) << what;
    });
    failure.rethrow();
    EXPECT_TRUE(words == expected) << what << ", p = " << p << (descending ? ", descending" : "");
  }
}

TEST(NetworkRouter, SortsWordsStably) {
  if (!has_word_networks()) GTEST_SKIP() << "this processor has no AVX-512";
  for (const int p : {1, 2, 3, 5}) {
    for (const std::size_t size : {2'000, 5'000, 60'000}) {
      for (const int bits : {5, 14}) {
        for (const std::size_t alike : {7, 50, 3000}) {
          auto keys = keys_of<std::uint32_t>(Distribution::uniform, size, /*seed=*/size);
          for (std::size_t i = alike; i < size; i += alike) keys[i] = keys[i / 2];
          // No bucket is too large for one processor.
          const SortConfig config{.network_bits = bits, .giant_divisor = 1};
          const std::string what = std::to_string(size) + " by " + std::to_string(bits) +
                                   " bits, one in " + std::to_string(alike) + " alike";
          expect_words_routed<KeyInFront<std::uint32_t>>(p, keys, config, what);
          expect_words_routed<KeyBehind<std::uint32_t>>(p, keys, config, what);
        }
      }
    }
  }
}

template <class Word>
bool pays_for_words(Distribution distribution, std::size_t size, const SortConfig& config = {}) {
  auto words = words_with<Word>(keys_of<typename Word::Key>(distribution, size, /*seed=*/1));
  return NetworkRouter<Words<Word>>::pays(words_of(words), words.size(), 2, config);
}

TEST(NetworkRouter, IsForWordsThatADigitTellsApart) {
  if (!has_word_networks()) GTEST_SKIP() << "this processor has no AVX-512";
  using Word = KeyInFront<std::uint32_t>;
  EXPECT_TRUE(pays_for_words<Word>(Distribution::uniform, 100'000));
  EXPECT_TRUE(pays_for_words<KeyBehind<std::int32_t>>(Distribution::uniform, 100'000));
  EXPECT_FALSE(pays_for_words<Word>(Distribution::uniform, 2'000'000));
  EXPECT_FALSE(pays_for_words<Word>(Distribution::uniform, 100'000, {.networks = false}));
  EXPECT_FALSE(pays_for_words<Word>(Distribution::uniform, 100'000, {.sides_bytes = 100'000}));
  EXPECT_TRUE(pays_for_words<Word>(Distribution::N, 100'000));
  EXPECT_FALSE(pays_for_words<Word>(Distribution::S, 100'000));
  EXPECT_FALSE(pays_for_words<Word>(Distribution::equal, 100'000));
}

TEST(NetworkRouter, IsForKeysThatADigitTellsApart) {
  if (!has_fast_sides()) GTEST_SKIP() << "this processor has no AVX2";
  EXPECT_TRUE(pays<std::uint32_t>(Distribution::uniform));
  EXPECT_TRUE(pays<std::uint64_t>(Distribution::uniform));
  EXPECT_TRUE(pays<std::uint64_t>(Distribution::nearly_sorted));
  EXPECT_FALSE(pays<std::uint64_t>(Distribution::S));
  EXPECT_FALSE(pays<std::uint64_t>(Distribution::equal));
  EXPECT_FALSE(pays<std::uint64_t>(Distribution::uniform, {.networks = false}));
  EXPECT_FALSE(pays<std::uint64_t>(Distribution::uniform, {.sides_bytes = 1'000'000}));
}

}  // namespace
}  // namespace postroom::sorting
