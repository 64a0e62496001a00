// Two rows become one where they lie, by any number of processors, whatever a key does.
#include "sort/engine/merge_at_home.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "runtime/machine.h"
#include "sort/engine/failure.h"
#include "sort/engine/layout.h"
#include "sort/engine/steps.h"
#include "sort/engine/team.h"
#include "sort/keys.h"
#include "tests/sort/machines.h"
#include "tests/sort/pair_rows.h"

namespace postroom::sorting {
namespace {

template <class Records>
void merge_at_home(const Records& home, const Records& away, std::size_t middle, std::size_t size,
                   std::size_t processors, bool guessed) {
  Records room = away;
  const std::span cold(room.memory(0), size * Records::kRecordBytes);
  Failure failure;
  Machine& machine = machine_of(processors);
  machine.run([&](Processor& self) {
    Steps steps(Team(self), failure);
    MergeAtHome<Records>(home, away, middle, size, guessed, cold).run(steps);
  });
  failure.rethrow();
}

enum class Keys { kAny, kFew, kTakeTurns, kFirstAbove, kFirstBelow, kFirstAround };

std::vector<Pair> two_rows(std::size_t first, std::size_t second, Keys keys, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint32_t> all(first + second);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool in_first = i < first;
    const auto any = static_cast<std::uint32_t>(random() % 1'000'000) + 1'000'000;
    const auto turn = static_cast<std::uint32_t>(in_first ? 2 * i : 2 * (i - first) + 1);
    const std::uint32_t far = random() % 2 == 0 ? 5'000'000 : 5;
    switch (keys) {
      case Keys::kAny:
        all[i] = any;
        break;
      case Keys::kFew:
        all[i] = any % 3;
        break;
      case Keys::kTakeTurns:
        all[i] = turn;
        break;
      case Keys::kFirstAbove:
        all[i] = any + (in_first ? 1'000'000 : 0);
        break;
      case Keys::kFirstBelow:
        all[i] = any + (in_first ? 0 : 1'000'000);
        break;
      case Keys::kFirstAround:
        all[i] = in_first ? far : any;
        break;
    }
  }
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(first);
  std::sort(all.begin(), middle);
  std::sort(middle, all.end());
  std::vector<Pair> pairs;
  for (const std::uint32_t key : all) {
    pairs.push_back({key, static_cast<std::uint32_t>(pairs.size())});
  }
  return pairs;
}

constexpr std::array kAllKeys{Keys::kAny,        Keys::kFew,        Keys::kTakeTurns,
                              Keys::kFirstAbove, Keys::kFirstBelow, Keys::kFirstAround};

TEST(MergeAtHome, MergesStably) {
  for (const auto& [first, second] :
       std::vector<std::pair<std::size_t, std::size_t>>{{1, 1},
                                                        {1, 2},
                                                        {2, 1},
                                                        {3, 40},
                                                        {40, 3},
                                                        {0, 9},
                                                        {9, 0},
                                                        {500, 500},
                                                        {31, 4000},
                                                        {4000, 33},
                                                        {1, 3000},
                                                        {3000, 1},
                                                        {2500, 7500},
                                                        {9000, 1000},
                                                        {5000, 4999}}) {
    for (const Keys keys : kAllKeys) {
      for (const std::size_t processors : {1, 2, 3, 8}) {
        for (const bool guessed : {false, true}) {
          auto pairs = two_rows(first, second, keys, first + processors);
          const auto expected = sorted(pairs);
          std::vector<Pair> room(pairs.size());
          merge_at_home(Pairs(bytes_in(pairs), {}), Pairs(bytes_in(room), {}), first, pairs.size(),
                        processors, guessed);
          ASSERT_EQ(pairs, expected) << first << " " << second << " keys " << static_cast<int>(keys)
                                     << " " << processors << guessed;
        }
      }
    }
  }
}

// One processor needs room for the row behind alone.
TEST(MergeAtHome, OfOneProcessorMovesTheRowBehindOnly) {
  for (const std::size_t first : {100, 900}) {
    auto pairs = two_rows(first, 1000 - first, Keys::kAny, 1);
    const auto expected = sorted(pairs);
    constexpr Pair kUntouched{7, 7};
    std::vector<Pair> room(pairs.size(), kUntouched);
    merge_at_home(Pairs(bytes_in(pairs), {}), Pairs(bytes_in(room), {}), first, pairs.size(), 1,
                  false);
    EXPECT_EQ(pairs, expected);
    EXPECT_EQ(std::ranges::count(room, kUntouched), static_cast<std::ptrdiff_t>(first));
  }
}

TEST(MergeAtHome, BareKeys) {
  using Bare = Rows<sizeof(std::uint64_t), WholeKey<std::uint64_t, false>>;
  for (const Keys keys : kAllKeys) {
    for (const std::size_t first : {3'000u, 8'000u}) {
      std::vector<std::uint64_t> all;
      for (const Pair& pair : two_rows(first, 11'000 - first, keys, 3)) {
        all.push_back(~std::uint64_t{pair.key});  // from the greatest down
      }
      std::vector<std::uint64_t> room(all.size());
      auto expected = all;
      std::ranges::sort(expected, std::greater<>());
      const WholeKey<std::uint64_t, false> key{~std::uint64_t{0}};
      merge_at_home(Bare(bytes_in(all), key), Bare(bytes_in(room), key), first, all.size(), 2,
                    keys == Keys::kTakeTurns);
      EXPECT_EQ(all, expected);
    }
  }
}

// Throws when so many keys have been read by all.
struct Fuse {
  using Bits = std::uint32_t;
  static constexpr bool kWholeRecord = false;
  Bits operator()(const std::byte* at) const {
    if (left->fetch_sub(1) == 1) throw std::runtime_error("a key");
    return PairKey()(at);
  }
  std::atomic<int>* left;
};

TEST(MergeAtHome, AKeyThatThrowsLeavesAPermutation) {
  using Fused = Rows<sizeof(Pair), Fuse>;
  int thrown = 0;
  for (const Keys keys : kAllKeys) {
    for (const std::size_t first : {300, 500, 800}) {
      for (const std::size_t processors : {1, 3}) {
        for (int fuse = 1; fuse < 8'000; fuse += 211) {
          const auto before = two_rows(first, 1000 - first, keys, 9);
          auto pairs = before;
          std::vector<Pair> room(pairs.size());
          std::atomic<int> left = fuse;
          try {
            merge_at_home(Fused(bytes_in(pairs), {&left}), Fused(bytes_in(room), {&left}), first,
                          pairs.size(), processors, fuse % 2 == 0);
            EXPECT_EQ(pairs, sorted(before));
          } catch (const std::runtime_error&) {
            ++thrown;
            std::ranges::sort(pairs, {}, &Pair::number);
            ASSERT_EQ(pairs, before) << first << " " << processors << " " << fuse;
          }
        }
      }
    }
  }
  EXPECT_GT(thrown, 100);
}

}  // namespace
}  // namespace postroom::sorting
