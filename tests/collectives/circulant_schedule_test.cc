// Schedules on the circulant graph: the conditions that make them correct, for every processor of
// many machines, and the blocks that go round.
#include "collectives/parts/circulant_schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace postroom {
namespace {

using Schedules = std::vector<std::vector<int>>;

Schedules receives_of_all(const std::vector<int>& skips) {
  Schedules all;
  for (int processor = 0; processor < skips.back(); ++processor) {
    all.push_back(circulant_receives(skips, processor));
  }
  return all;
}

/// In a phase: all blocks of the phase before but one, and the new one with the same number.
bool is_complete(const std::vector<int>& receives) {
  const int q = static_cast<int>(receives.size());
  std::set<int> numbers;
  for (const int block : receives) numbers.insert(block < 0 ? block + q : block);
  const auto is_new = [](int block) { return block >= 0; };
  return static_cast<int>(numbers.size()) == q && *numbers.rbegin() < q &&
         std::ranges::count_if(receives, is_new) == 1;
}

/// What a processor sends it has received before, in this phase or in the one before.
bool has(const std::vector<int>& receives, std::size_t round, int block) {
  const int q = static_cast<int>(receives.size());
  for (std::size_t k = 0; k < round; ++k) {
    if (receives[k] == block) return true;
  }
  return std::ranges::any_of(receives, [&](int in) { return in - q == block && in >= 0; });
}

void check(int processors) {
  const std::vector<int> skips = circulant_skips(processors);
  const Schedules receives = receives_of_all(skips);
  for (int processor = 0; processor < processors; ++processor) {
    const auto at = static_cast<std::size_t>(processor);
    if (processor > 0) {
      ASSERT_TRUE(is_complete(receives[at])) << processor;
    }
    const std::vector<int> sends = circulant_sends(skips, processor);
    for (std::size_t k = 0; k + 1 < skips.size(); ++k) {
      const int receiver = (processor + skips[k]) % processors;
      if (receiver == 0) continue;  // nobody sends to the root
      ASSERT_EQ(sends[k], receives[static_cast<std::size_t>(receiver)][k]) << processor;
      if (processor == 0) {
        ASSERT_EQ(sends[k], static_cast<int>(k));
      } else {
        ASSERT_TRUE(has(receives[at], k, sends[k])) << processor << ", round " << k;
      }
    }
  }
}

TEST(CirculantSchedule, OfAllIsMadeOnceForAll) {
  for (const int processors : {2, 3, 17, 64, 100}) {
    const auto all = circulant_receives_of_all(processors);
    std::vector<int> expected;
    for (const std::vector<int>& one : receives_of_all(circulant_skips(processors))) {
      expected.insert(expected.end(), one.begin(), one.end());
    }
    EXPECT_EQ(*all, expected);
    EXPECT_EQ(circulant_receives_of_all(processors), all) << "another one was made";
  }
}

TEST(CirculantSchedule, SendsWhatIsThereAndReceivesWhatIsMissing) {
  for (int processors = 2; processors <= 300; ++processors) {
    SCOPED_TRACE(std::to_string(processors) + " processors");
    check(processors);
    if (HasFatalFailure()) return;
  }
  for (const int processors : {1000, 1023, 1024, 1025, 1597}) {
    SCOPED_TRACE(std::to_string(processors) + " processors");
    check(processors);
    if (HasFatalFailure()) return;
  }
}

TEST(CirculantSchedule, HalvesTheSkips) {
  EXPECT_EQ(circulant_skips(1), (std::vector<int>{1}));
  EXPECT_EQ(circulant_skips(2), (std::vector<int>{1, 2}));
  EXPECT_EQ(circulant_skips(17), (std::vector<int>{1, 2, 3, 5, 9, 17}));
}

TEST(CirculantSchedule, IsComputedForABillionProcessorsAtOnce) {
  const std::vector<int> skips = circulant_skips(1'000'000'007);
  for (const int processor : {1, 12'345'678, 999'999'999, 1'000'000'006}) {
    EXPECT_TRUE(is_complete(circulant_receives(skips, processor)));
    const std::vector<int> sends = circulant_sends(skips, processor);
    for (std::size_t k = 0; k < sends.size(); ++k) {
      const int receiver = (processor + skips[k]) % skips.back();
      if (receiver != 0) {
        EXPECT_EQ(sends[k], circulant_receives(skips, receiver)[k]);
      }
    }
  }
}

// Every processor receives every block exactly once, which running the rounds backwards needs.
TEST(CirculantRounds, BringEveryBlockOnce) {
  for (const int processors : {2, 3, 4, 5, 8, 9, 17, 33, 64, 100}) {
    const std::vector<int> skips = circulant_skips(processors);
    const int q = static_cast<int>(skips.size()) - 1;
    for (const int blocks : {1, 2, 3, 7, 16, 31}) {
      const CirculantRounds rounds(processors, blocks);
      EXPECT_EQ(rounds.rounds(), blocks - 1 + q);
      for (int processor = 1; processor < processors; ++processor) {
        const std::vector<int> receives = circulant_receives(skips, processor);
        std::multiset<int> received;
        for (int round = 0; round < rounds.rounds(); ++round) {
          const auto k = static_cast<std::size_t>(rounds.in_phase(round));
          const int block = rounds.block(round, receives[k]);
          if (block >= 0) received.insert(block);
        }
        EXPECT_EQ(static_cast<int>(received.size()), blocks);
        EXPECT_EQ(static_cast<int>(std::set<int>(received.begin(), received.end()).size()), blocks);
      }
    }
  }
}

}  // namespace
}  // namespace postroom
