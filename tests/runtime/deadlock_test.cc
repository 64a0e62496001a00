// The watch over deadlocks by itself: who is told of whom, and what the end of a program costs.
#include "runtime/deadlock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <random>
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

// --- Beside the plain rule, after any sequence of events.

/// The same by asking again and again who could move.
class PlainWatch {
 public:
  explicit PlainWatch(std::size_t processors) : waits_(processors), ended_(processors) {}

  void enter(const std::pair<int, BlockedCall>& wait) { waits_[wait.first] = wait.second; }
  void leave(int processor) { waits_[processor].reset(); }
  void end(int processor) { ended_[processor] = true; }

  /// Who waits and can never go on.
  std::vector<int> stuck() const {
    std::vector<bool> can_move(waits_.size());
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < waits_.size(); ++i) {
        const bool can = !ended_[i] &&
                         (!waits_[i] || waits_[i]->awaited.reached() || can_move[waits_[i]->peer] ||
                          std::ranges::any_of(waits_[i]->or_peers,
                                              [&](int peer) { return bool{can_move[peer]}; }));
        if (can && !can_move[i]) can_move[i] = changed = true;
      }
    }
    std::vector<int> stuck;
    for (std::size_t i = 0; i < waits_.size(); ++i) {
      if (waits_[i] && !can_move[i]) stuck.push_back(static_cast<int>(i));
    }
    return stuck;
  }

 private:
  std::vector<std::optional<BlockedCall>> waits_;
  std::vector<bool> ended_;
};

/// Processors that wait, wake and end at random, until some of them are stuck; whether that came.
bool agrees_until_stuck(std::uint64_t seed, bool with_any) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::size_t most) { return static_cast<int>(random() % most); };
  const auto processors = static_cast<std::size_t>(2 + below(7));
  DeadlockWatch watch(static_cast<int>(processors));
  PlainWatch plain(processors);
  std::vector<Word> words(processors);  // what each waits for, set or not
  std::vector<std::vector<int>> peers(processors);
  std::vector<int> free, waiting;
  for (std::size_t i = 0; i < processors; ++i) free.push_back(static_cast<int>(i));
  const auto take = [&](std::vector<int>& from) {
    const int place = below(from.size());
    const int taken = from[place];
    from.erase(from.begin() + place);
    return taken;
  };
  while (!free.empty() || !waiting.empty()) {
    std::optional<std::string> said;
    const int event = below(8);
    if (event < 4 && !free.empty()) {
      // One thread's processors, up to three.
      std::vector<std::pair<int, BlockedCall>> waits;
      for (int count = 1 + below(3); count > 0 && !free.empty(); --count) {
        const int processor = take(free);
        words[processor] = 0;
        peers[processor] = {below(processors)};
        while (with_any && below(3) == 0) peers[processor].push_back(below(processors));
        waits.push_back(wait_for_any_of(processor, peers[processor], words[processor]));
        plain.enter(waits.back());
        waiting.push_back(processor);
      }
      said = watch.enter(waits);
    } else if (event < 6 && !waiting.empty()) {
      // A message comes; who waits for it may take its time.
      words[waiting[below(waiting.size())]] = 1;
      continue;
    } else if (event < 7) {
      const auto reached = std::ranges::find_if(waiting, [&](int i) { return words[i] == 1; });
      if (reached == waiting.end()) continue;
      const int processor = *reached;
      waiting.erase(reached);
      watch.leave({&processor, 1});
      plain.leave(processor);
      free.push_back(processor);
      continue;
    } else if (!free.empty()) {
      const int processor = take(free);
      plain.end(processor);
      said = watch.end(processor);
    }
    const std::vector<int> stuck = plain.stuck();
    EXPECT_EQ(said.has_value(), !stuck.empty()) << "seed " << seed << (said ? ": " + *said : "");
    for (const int processor : stuck) {
      EXPECT_TRUE(said && said->find("\n  processor " + std::to_string(processor) +
                                     " waits for ") != std::string::npos)
          << "seed " << seed << ", processor " << processor;
    }
    if (said.has_value() || !stuck.empty() || ::testing::Test::HasFailure()) return true;
  }
  return false;
}

TEST(DeadlockWatch, SaysWhatThePlainRuleSays) {
  for (const bool with_any : {false, true}) {
    int stuck = 0;
    for (std::uint64_t seed = 0; seed < 20'000 && !HasFailure(); ++seed) {
      stuck += agrees_until_stuck(seed, with_any) ? 1 : 0;
    }
    EXPECT_GT(stuck, 1000);
    EXPECT_LT(stuck, 20'000);
  }
}

}  // namespace
}  // namespace postroom
