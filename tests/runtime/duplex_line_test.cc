#include "runtime/duplex_line.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory_resource>
#include <random>
#include <span>
#include <thread>
#include <vector>

#include "runtime/mailbox.h"

namespace postroom {
namespace {

// Whether a message has come there.
bool in_line(const Mailbox<>& mailbox) {
  return mailbox.line() != nullptr && mailbox.line()->has_message();
}

// Two mailboxes, one for each direction, that share a line.
struct Pair {
  DuplexLine<> line;
  Mailbox<> there{2, 2, std::pmr::get_default_resource(), {&line.end(0), &line.end(1)}};
  Mailbox<> back{2, 2, std::pmr::get_default_resource(), {&line.end(1), &line.end(0)}};
};

std::vector<std::byte> message(std::size_t bytes, int seed) {
  std::vector<std::byte> data(bytes);
  for (std::size_t i = 0; i < bytes; ++i) data[i] = static_cast<std::byte>(7 * i + 13 * seed);
  return data;
}
void post(Mailbox<>& mailbox, std::span<const std::byte> data) {
  if (data.size() <= Mailbox<>::kInlineBytes) {
    mailbox.post_inline(data);
  } else {
    ASSERT_TRUE(mailbox.has_note(data.size()));
    mailbox.post_note(data);
  }
}
void expect_next(Mailbox<>& mailbox, std::span<const std::byte> data) {
  ASSERT_TRUE(mailbox.try_front());
  const std::span<const std::byte> payload = mailbox.front().payload;
  EXPECT_TRUE(std::ranges::equal(payload, data));
  // It may be read where it lies.
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(payload.data()) % alignof(std::max_align_t), 0u);
  (void)mailbox.take();
}

// Posts and takes; whether it came by the line.
bool pass(Mailbox<>& mailbox, std::size_t bytes, int seed) {
  post(mailbox, message(bytes, seed));
  const bool by_line = in_line(mailbox);
  expect_next(mailbox, message(bytes, seed));
  return by_line;
}

TEST(DuplexLine, AnswersGoThere) {
  Pair pair;
  for (int i = 0; i < 100; ++i) {
    const std::size_t bytes = static_cast<std::size_t>(i) % (DuplexLine<>::kBytes + 1);
    EXPECT_TRUE(pass(pair.there, bytes, i));
    EXPECT_TRUE(pass(pair.back, bytes, i + 1));
  }
  EXPECT_EQ(pair.there.posted(), 0u);  // nothing went through the ring
  EXPECT_EQ(pair.back.posted(), 0u);
  EXPECT_FALSE(pair.there.try_front());
}

TEST(DuplexLine, WhatIsNoAnswerGoesThroughTheRing) {
  Pair pair;
  for (int i = 0; i < 3; ++i) post(pair.there, message(8, i));
  EXPECT_EQ(pair.there.posted(), 3u);  // the last two and a jump to a larger ring
  for (int i = 0; i < 3; ++i) {
    // Only the first can have been an answer; for the others nobody looks at the line.
    EXPECT_EQ(pair.there.line() != nullptr, i == 0);
    expect_next(pair.there, message(8, i));
  }
  EXPECT_FALSE(pair.there.try_front());

  // All of them were taken before this answer, so the next one may go to the line again.
  EXPECT_TRUE(pass(pair.back, 8, 4));
  EXPECT_TRUE(pass(pair.there, 8, 5));
}

TEST(DuplexLine, MessagesThatCrossGoThroughTheRings) {
  Pair pair;
  for (int round = 0; round < 20; ++round) {
    post(pair.there, message(8, round));
    post(pair.back, message(8, -round));
    EXPECT_EQ(in_line(pair.there), round == 0);
    EXPECT_EQ(in_line(pair.back), round == 0);
    expect_next(pair.there, message(8, round));
    expect_next(pair.back, message(8, -round));
  }
  // Who speaks next does not know yet that its last one was taken; its answer says it for both.
  EXPECT_FALSE(pass(pair.there, 8, 1));
  EXPECT_TRUE(pass(pair.back, 8, 2));
  EXPECT_TRUE(pass(pair.there, 8, 3));
}

TEST(DuplexLine, AnswersOfOtherSizesInBetween) {
  Pair pair;
  for (int i = 0; i < 60; ++i) {
    const std::size_t bytes = i % 3 == 0 ? 500 : DuplexLine<>::kBytes;
    EXPECT_TRUE(pass(pair.there, 8, i));
    EXPECT_EQ(pass(pair.back, bytes, i), i % 3 != 0);
  }
}

TEST(DuplexLine, KeepsTheOrderWhateverGoesWhere) {
  std::mt19937 random(11);
  Pair pair;
  Mailbox<>* const boxes[] = {&pair.there, &pair.back};
  int posted[2]{};
  int taken[2]{};
  int in_lines = 0;
  for (int step = 0; step < 100'000; ++step) {
    const auto way = random() % 2;
    const int most_under_way = step / 1000 % 2 == 0 ? 1 : 50;
    const std::size_t bytes = 1 + static_cast<std::size_t>(posted[way]) % 40;
    if (random() % 2 == 0 && posted[way] - taken[way] < most_under_way) {
      post(*boxes[way], message(bytes, posted[way]++));
    } else if (taken[way] < posted[way]) {
      in_lines += in_line(*boxes[way]) ? 1 : 0;
      const std::size_t expected = 1 + static_cast<std::size_t>(taken[way]) % 40;
      expect_next(*boxes[way], message(expected, taken[way]++));
    }
    EXPECT_TRUE(taken[way] < posted[way] || !boxes[way]->try_front());
  }
  EXPECT_GT(in_lines, 1000);
}

// Where so many are under way that a count of 32 bits would say that none is. To count to 2^32
// takes some seconds, or no time where more is optimized.
TEST(DuplexLine, WhatFollowsFourBillionMessagesIsNoAnswer) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "would take minutes; of memory and threads there is nothing to see";
#endif
  constexpr std::uint64_t kMany = std::uint64_t{1} << 32;
  DuplexLine<> line;
  DuplexLine<>::End& sender = line.end(0);
  DuplexLine<>::End& receiver = line.end(1);
  ASSERT_TRUE(sender.answers());
  for (std::uint64_t i = 0; i < kMany; ++i) (void)sender.sends_in_ring();
  EXPECT_FALSE(sender.answers());

  ASSERT_TRUE(receiver.may_be_answered());
  for (std::uint64_t i = 0; i < kMany; ++i) receiver.take_from_ring(0);
  EXPECT_FALSE(receiver.may_be_answered());
  EXPECT_EQ(receiver.sends_in_ring(), kMany);
}

// By turns, with a burst in one direction and in both now and then.
TEST(DuplexLine, BetweenTwoThreads) {
  constexpr int kRounds = 100'000;
  Pair pair;
  const auto play = [&](Mailbox<>& out, Mailbox<>& in, bool first) {
    int sent = 0;
    int received = 0;
    const auto send = [&](int messages) {
      for (int i = 0; i < messages; ++i, ++sent)
        out.post_inline(std::as_bytes(std::span(&sent, 1)));
    };
    const auto receive = [&](int messages) {
      for (int i = 0; i < messages; ++i, ++received) {
        while (!in.try_front()) std::this_thread::yield();
        int value = 0;
        std::memcpy(&value, in.front().payload.data(), sizeof(value));
        ASSERT_EQ(value, received);
        (void)in.take();
      }
    };
    for (int round = 0; round < kRounds; ++round) {
      const int there = round % 7 == 0 ? 3 : 1;
      const int back = round % 11 == 0 ? 2 : 1;
      const bool crossing = round % 5 == 0;
      if (first || crossing) send(first ? there : back);
      receive(first ? back : there);
      if (!first && !crossing) send(back);
    }
  };
  std::thread other([&] { play(pair.back, pair.there, false); });
  play(pair.there, pair.back, true);
  other.join();
}

}  // namespace
}  // namespace postroom
