#include "runtime/messages_under_way.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <new>
#include <random>
#include <tuple>
#include <vector>

#include "tests/failing_heap.h"

namespace postroom {
namespace {

TEST(MessagesUnderWay, BetweenAPairComeInTheirOrder) {
  MessagesUnderWay messages;
  EXPECT_FALSE(messages.take(3, 5, Channel::kProgram));
  for (Time time = 0; time < 100; ++time)
    messages.post(3, 5, Channel::kProgram, {.arrival = time, .bytes = 7});
  messages.post(5, 3, Channel::kProgram, {.arrival = -1, .bytes = 9});
  EXPECT_EQ(messages.count(), 101u);
  EXPECT_TRUE(messages.is_under_way(5, 3, Channel::kProgram));
  for (Time time = 0; time < 100; ++time)
    EXPECT_EQ(messages.take(3, 5, Channel::kProgram)->arrival, time);
  EXPECT_FALSE(messages.is_under_way(3, 5, Channel::kProgram));
  EXPECT_EQ(messages.take(5, 3, Channel::kProgram)->bytes, 9u);
  EXPECT_EQ(messages.count(), 0u);
}

TEST(MessagesUnderWay, OfOneChannelAreNotThoseOfTheOther) {
  MessagesUnderWay messages;
  messages.post(3, 5, Channel::kOperation, {.bytes = 1});
  messages.post(3, 5, Channel::kProgram, {.bytes = 2});
  messages.post(3, 5, Channel::kOperation, {.bytes = 3});
  const auto pairs = messages.pairs();
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_EQ(pairs[0].channel, Channel::kProgram);
  EXPECT_EQ(pairs[0].messages, 1u);
  EXPECT_EQ(pairs[1].channel, Channel::kOperation);
  EXPECT_EQ(pairs[1].source, 3);
  EXPECT_EQ(pairs[1].target, 5);
  EXPECT_EQ(pairs[1].messages, 2u);
  EXPECT_EQ(messages.take(3, 5, Channel::kProgram)->bytes, 2u);
  EXPECT_FALSE(messages.is_under_way(3, 5, Channel::kProgram));
  EXPECT_EQ(messages.take(3, 5, Channel::kOperation)->bytes, 1u);
  EXPECT_EQ(messages.take(3, 5, Channel::kOperation)->bytes, 3u);
}

TEST(MessagesUnderWay, AreThoseOfAMapOfQueues) {
  constexpr unsigned kSeed = 7;
  std::mt19937 draw(kSeed);
  MessagesUnderWay messages;
  std::map<std::tuple<int, int, Channel>, std::deque<Time>> expected;
  for (Time step = 0; step < 100'000; ++step) {
    // Grows to some hundred pairs, and shrinks to nothing, again and again.
    const bool grows = step / 1000 % 2 == 0;
    const int source = static_cast<int>(draw() % 30);
    const int target = static_cast<int>(draw() % 15);
    const auto channel = static_cast<Channel>(draw() % 2);
    std::deque<Time>& queue = expected[{source, target, channel}];
    if (draw() % 10 < (grows ? 7U : 2U)) {
      messages.post(source, target, channel, {.arrival = step});
      queue.push_back(step);
      continue;
    }
    const auto message = messages.take(source, target, channel);
    ASSERT_EQ(message.has_value(), !queue.empty()) << "step " << step << ", seed " << kSeed;
    if (queue.empty()) continue;
    ASSERT_EQ(message->arrival, queue.front()) << "step " << step << ", seed " << kSeed;
    queue.pop_front();
  }
}

// Whatever allocation fails, what was posted is there, and the next ones are posted as ever.
TEST(MessagesUnderWay, AreNotLostWhenMemoryEnds) {
  constexpr int kTargets = 200;  // the table grows three times
  long number = 0;
  for (bool happened = true; happened; ++number) {
    MessagesUnderWay messages;
    std::vector<int> posted;
    posted.reserve(kTargets);
    {
      const FailingAllocation failing(number);
      for (int target = 0; target < kTargets; ++target) {
        try {
          messages.post(0, target, Channel::kProgram, {.arrival = target});
        } catch (const std::bad_alloc&) {
          continue;
        }
        posted.push_back(target);
      }
      happened = failing.happened();
    }
    EXPECT_EQ(posted.size(), static_cast<std::size_t>(kTargets - (happened ? 1 : 0)));
    EXPECT_EQ(messages.count(), posted.size());
    for (const int target : posted) {
      const auto message = messages.take(0, target, Channel::kProgram);
      ASSERT_TRUE(message.has_value());
      EXPECT_EQ(message->arrival, target);
    }
    EXPECT_EQ(messages.count(), 0u);
    const FailingAllocation none_is_needed(0);
    messages.clear();
  }
  EXPECT_GT(number, 3);
}

TEST(MessagesUnderWay, NameThePairsThatHaveAny) {
  MessagesUnderWay messages;
  messages.post(9, 2, Channel::kProgram, {.bytes = 5});
  messages.post(1, 2, Channel::kProgram, {.bytes = 4});
  messages.post(1, 2, Channel::kProgram, {.bytes = 6});
  messages.post(7, 1, Channel::kProgram, {.bytes = 1});
  (void)messages.take(7, 1, Channel::kProgram);
  const auto pairs = messages.pairs();
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_EQ(pairs[0].source, 1);
  EXPECT_EQ(pairs[0].messages, 2u);
  EXPECT_EQ(pairs[0].first_bytes, 4u);
  EXPECT_EQ(pairs[1].source, 9);
  EXPECT_EQ(pairs[1].target, 2);
  messages.clear();
  EXPECT_TRUE(messages.pairs().empty());
}

}  // namespace
}  // namespace postroom
