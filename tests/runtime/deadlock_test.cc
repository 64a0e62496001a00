// The watch over deadlocks by itself: who is told of whom, and what the end of a program costs.
#include "runtime/deadlock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tests/runtime/testing.h"

namespace postroom {
namespace {

using Word = std::atomic<std::uint32_t>;

std::pair<int, BlockedCall> wait_of(int processor, int peer, const Word& word) {
  return {processor, {"receive", peer, {&word, 1}, std::source_location::current()}};
}

// Any of three that wait for the same one may wake first: the others are still known.
TEST(DeadlockWatch, WhoHasWokenWaitsNoMore) {
  const Word never{0};
  for (const std::vector<int>& woken :
       {std::vector<int>{1}, {2}, {3}, {1, 2}, {2, 1}, {2, 3}, {3, 1}, {1, 2, 3}, {3, 2, 1}}) {
    DeadlockWatch watch(4);
    EXPECT_EQ(
        watch.enter(std::vector{wait_of(1, 0, never), wait_of(2, 0, never), wait_of(3, 0, never)}),
        std::nullopt);
    for (const int processor : woken) watch.leave({&processor, 1});
    const auto text = watch.end(0);
    ASSERT_EQ(text.has_value(), woken.size() < 3);
    for (int i = 1; text && i < 4; ++i) {
      const bool waits = std::ranges::find(woken, i) == woken.end();
      const std::string line = "processor " + std::to_string(i) + " waits for processor 0";
      EXPECT_EQ(text->find(line) != std::string::npos, waits) << *text;
    }
  }
}

TEST(DeadlockWatch, ARunBeginsWithNobodyWaiting) {
  const Word never{0};
  DeadlockWatch watch(3);
  EXPECT_EQ(watch.enter(std::vector{wait_of(1, 0, never), wait_of(2, 0, never)}), std::nullopt);
  watch.reset();
  EXPECT_EQ(watch.end(0), std::nullopt);
  EXPECT_NE(watch.enter(std::vector{wait_of(1, 0, never)}), std::nullopt);
}

/// `peers`: any of which will do.
std::pair<int, BlockedCall> wait_for_any_of(int processor, std::span<const int> peers,
                                            const Word& word) {
  return {processor,
          {"wait_any", peers[0], {&word, 1}, std::source_location::current(), peers.subspan(1)}};
}

TEST(DeadlockWatch, WhoWaitsForAnyIsStuckWhenAllOfThemAre) {
  const Word never{0};
  const std::vector<int> two{1, 2};
  DeadlockWatch watch(4);
  EXPECT_EQ(watch.enter(std::vector{wait_for_any_of(0, two, never)}), std::nullopt);
  EXPECT_EQ(watch.enter(std::vector{wait_of(1, 0, never)}), std::nullopt);  // 2 can still move
  EXPECT_EQ(watch.enter(std::vector{wait_of(2, 3, never)}), std::nullopt);  // 3 can
  const auto text = watch.end(3);
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("\n  processor 0 waits for any of processors 1, 2 in wait_any at "),
            std::string::npos);
  EXPECT_NE(text->find("\n  processor 2 waits for processor 3, which has ended, in receive at "),
            std::string::npos);
}

TEST(DeadlockWatch, WhoWaitsForAnyIsNotStuckWhileOneIsNot) {
  const Word never{0};
  const Word come{1};
  const std::vector<int> all{0, 1, 2, 3};
  DeadlockWatch watch(4);
  EXPECT_EQ(watch.end(3), std::nullopt);
  EXPECT_EQ(watch.enter(std::vector{wait_for_any_of(0, all, never)}), std::nullopt);
  EXPECT_EQ(watch.enter(std::vector{wait_for_any_of(1, all, never)}), std::nullopt);
  EXPECT_EQ(watch.enter(std::vector{wait_of(2, 3, come)}), std::nullopt);
  for (const int woken : {0, 2}) watch.leave({&woken, 1});
  EXPECT_NE(watch.enter(std::vector{wait_of(2, 3, never)}), std::nullopt);  // it waits in vain
  const int woken = 2;
  watch.leave({&woken, 1});
  EXPECT_NE(watch.enter(std::vector{wait_for_any_of(0, all, never), wait_of(2, 1, never)}),
            std::nullopt);
}

TEST(DeadlockWatch, TheEndOfAProgramLooksAtThoseWhoWaitForIt) {
  constexpr int kHalf = 60'000;
  const Word come{1};
  const Word never{0};
  DeadlockWatch watch(2 * kHalf);
  std::vector<std::pair<int, BlockedCall>> waiting;
  for (int i = 0; i < kHalf; ++i) waiting.push_back(wait_of(kHalf + i, i, i == 0 ? never : come));
  EXPECT_EQ(watch.enter(waiting), std::nullopt);
  ends_soon([&] {
    for (int i = 1; i < kHalf; ++i) ASSERT_EQ(watch.end(i), std::nullopt);
  });
  EXPECT_NE(watch.end(0), std::nullopt);
}

}  // namespace
}  // namespace postroom
