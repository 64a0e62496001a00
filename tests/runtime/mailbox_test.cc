#include "runtime/mailbox.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory_resource>
#include <random>
#include <span>
#include <thread>
#include <vector>

#include "numa/cacheline.h"
#include "runtime/atomics.h"
#include "runtime/duplex_line.h"
#include "runtime/parker.h"
#include "runtime/wait.h"

namespace postroom {
namespace {

void post(Mailbox<>& mailbox, int value) {
  mailbox.post_inline(std::as_bytes(std::span(&value, 1)));
}

int take(Mailbox<>& mailbox) {
  EXPECT_TRUE(mailbox.try_front());
  const Mailbox<>::Message message = mailbox.front();
  EXPECT_EQ(message.loan, nullptr);
  EXPECT_EQ(message.payload.size(), sizeof(int));
  int value = 0;
  std::memcpy(&value, message.payload.data(), sizeof(value));
  (void)mailbox.take();
  return value;
}

TEST(Mailbox, IsEmptyAtFirst) {
  Mailbox<> mailbox;
  EXPECT_FALSE(mailbox.try_front());
}

TEST(Mailbox, KeepsTheOrderThroughRingsOfEverySize) {
  std::mt19937 random(7);
  for (const std::uint32_t cells : {2u, 4u, 8u}) {
    Mailbox<> mailbox(cells);
    int posted = 0;
    int taken = 0;
    for (int phase = 0; phase < 200; ++phase) {
      for (auto n = random() % 50; n > 0; --n) post(mailbox, posted++);
      for (auto n = random() % 50; n > 0 && taken < posted; --n) ASSERT_EQ(take(mailbox), taken++);
    }
    while (taken < posted) ASSERT_EQ(take(mailbox), taken++);
    EXPECT_FALSE(mailbox.try_front());
  }
}

TEST(Mailbox, CanGoAwayWithMessagesInside) {
  Mailbox<> mailbox;
  for (int i = 0; i < 1000; ++i) post(mailbox, i);
  EXPECT_EQ(take(mailbox), 0);
}  // the address sanitizer looks for leaks

/// Counts what is out.
class CountedMemory final : public std::pmr::memory_resource {
 public:
  std::size_t pieces = 0;
  std::size_t bytes_out = 0;

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    ++pieces;
    bytes_out += bytes;
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
    bytes_out -= bytes;
    std::pmr::new_delete_resource()->deallocate(memory, bytes, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

TEST(Mailbox, KeepsCellsAndNotesInTheMemoryThatItIsGiven) {
  CountedMemory memory;
  {
    Mailbox<> mailbox(2, 2, &memory);
    EXPECT_EQ(memory.bytes_out, 2 * kCacheLine);
    const std::vector<std::byte> note(Mailbox<>::kNoteBytes);
    ASSERT_TRUE(mailbox.has_note(note.size()));
    mailbox.post_note(note);
    EXPECT_GT(memory.bytes_out, 2 * Mailbox<>::kNoteBytes);
    for (int i = 0; i < 100; ++i) post(mailbox, i);
    EXPECT_GT(memory.bytes_out, 100 * kCacheLine);
    ASSERT_TRUE(mailbox.try_front());
    (void)mailbox.take();
    for (int i = 0; i < 50; ++i) EXPECT_EQ(take(mailbox), i);
    EXPECT_LT(memory.bytes_out, 2 * 128 * kCacheLine);  // without the rings that are left
  }
  EXPECT_GE(memory.pieces, 8U);  // of 2, 4, … 128 cells, and the notes
  EXPECT_EQ(memory.bytes_out, 0U);
}

TEST(Mailbox, CarriesReferencesAndStamps) {
  Mailbox<> mailbox;
  std::byte data[100];
  int loan = 0;
  mailbox.post_reference({data, sizeof(data), &loan, 9}, {.arrival = -5, .round = 123'456});
  EXPECT_FALSE(mailbox.has_taken(mailbox.posted()));
  ASSERT_TRUE(mailbox.try_front());
  const Mailbox<>::Message message = mailbox.front();
  EXPECT_EQ(message.payload.data(), data);
  EXPECT_EQ(message.payload.size(), sizeof(data));
  EXPECT_EQ(message.loan, &loan);
  EXPECT_EQ(message.use, 9u);
  EXPECT_EQ(message.stamp.arrival, -5);
  EXPECT_EQ(message.stamp.round, 123'456u);
  (void)mailbox.take();
  EXPECT_TRUE(mailbox.has_taken(mailbox.posted()));
}

// A loan may be held for as long as one likes, while other messages come and go.
TEST(Mailbox, KnowsThatAMessageWasTakenLongAgo) {
  constexpr std::uint64_t kLoan = 10;
  for (const int bits : {31, 32, 33}) {
    Mailbox<> mailbox(Mailbox<>::kFirstCells, Mailbox<>::kNotes, std::pmr::get_default_resource(),
                      {}, kLoan + (std::uint64_t{1} << bits));
    EXPECT_TRUE(mailbox.has_taken(kLoan));
    post(mailbox, 1);
    EXPECT_FALSE(mailbox.has_taken(mailbox.posted()));
    EXPECT_EQ(take(mailbox), 1);
    EXPECT_TRUE(mailbox.has_taken(mailbox.posted()));
    EXPECT_TRUE(mailbox.has_taken(kLoan));
  }
}

// Also where their lines are asked for and given away.
TEST(Mailbox, NotesOfAllSizesArriveWhole) {
  for (const bool cores_apart : {false, true}) {
    Mailbox<> mailbox(2, 2, std::pmr::get_default_resource(), {.cores_apart = cores_apart});
    const auto content = [](std::size_t bytes) {
      return std::vector<std::byte>(bytes, static_cast<std::byte>(bytes));
    };
    std::jthread sender([&] {
      for (std::size_t bytes = 1; bytes <= Mailbox<>::kNoteBytes; ++bytes) {
        while (!mailbox.has_note(bytes)) std::this_thread::yield();
        mailbox.post_note(content(bytes));
      }
    });
    for (std::size_t bytes = 1; bytes <= Mailbox<>::kNoteBytes; ++bytes) {
      while (!mailbox.try_front()) std::this_thread::yield();
      ASSERT_TRUE(std::ranges::equal(mailbox.front().payload, content(bytes))) << bytes;
      (void)mailbox.take();
    }
  }
}

TEST(Mailbox, GoesOnWhereTheSequenceOfItsCellsBeginsAnew) {
  constexpr std::uint64_t kMessages = 3 * Mailbox<>::kCreditStep;
  Mailbox<> mailbox(Mailbox<>::kFirstCells, Mailbox<>::kNotes, std::pmr::get_default_resource(), {},
                    (std::uint64_t{1} << 32) - kMessages / 2);
  const std::vector<std::byte> note(Mailbox<>::kNoteBytes);
  std::uint64_t credits = 0;
  for (std::uint64_t i = 0; i < kMessages; ++i) {
    EXPECT_FALSE(mailbox.try_front());
    ASSERT_TRUE(mailbox.has_note(note.size()));
    mailbox.post_note(note);
    post(mailbox, static_cast<int>(i));
    EXPECT_LT(static_cast<std::uint32_t>(mailbox.posted()) - mailbox.credit().load(),
              Mailbox<>::kCreditStep + 3);
    ASSERT_TRUE(mailbox.try_front());
    EXPECT_EQ(mailbox.front().payload.size(), note.size());
    if (mailbox.take()) ++credits;
    ASSERT_TRUE(mailbox.try_front());
    if (mailbox.take()) ++credits;
  }
  EXPECT_EQ(credits, 2 * kMessages / Mailbox<>::kCreditStep);
  for (int i = 0; i < 100; ++i) post(mailbox, i);  // and grows
  for (int i = 0; i < 100; ++i) EXPECT_EQ(take(mailbox), i);
}

TEST(Mailbox, GivesCreditOnceInAWhile) {
  Mailbox<> mailbox;
  std::uint32_t credits = 0;
  constexpr std::uint32_t kMessages = 3 * Mailbox<>::kCreditStep;
  for (std::uint32_t i = 0; i < kMessages; ++i) {
    const int value = 0;
    mailbox.post_inline(std::as_bytes(std::span(&value, 1)));
    ASSERT_TRUE(mailbox.try_front());
    if (mailbox.take()) ++credits;
    EXPECT_LT(mailbox.posted() - mailbox.credit().load(), Mailbox<>::kCreditStep);
  }
  EXPECT_EQ(credits, 3u);
}

/// Atomics that count what has to own a line for longer than a store: read-modify-writes, fences.
struct Counted : StdAtomics {
  static inline int count = 0;

  template <class T>
  class Atomic : public std::atomic<T> {
   public:
    using std::atomic<T>::atomic;
    template <class... Arguments>
    T exchange(Arguments... arguments) noexcept {
      ++count;
      return std::atomic<T>::exchange(arguments...);
    }
    template <class... Arguments>
    T fetch_add(Arguments... arguments) noexcept {
      ++count;
      return std::atomic<T>::fetch_add(arguments...);
    }
    template <class... Arguments>
    T fetch_sub(Arguments... arguments) noexcept {
      ++count;
      return std::atomic<T>::fetch_sub(arguments...);
    }
    template <class... Arguments>
    bool compare_exchange_strong(T& expected, Arguments... arguments) noexcept {
      ++count;
      return std::atomic<T>::compare_exchange_strong(expected, arguments...);
    }
    template <class... Arguments>
    bool compare_exchange_weak(T& expected, Arguments... arguments) noexcept {
      ++count;
      return std::atomic<T>::compare_exchange_weak(expected, arguments...);
    }
  };
  static void light_fence() noexcept { ++count; }
  static void heavy_fence() noexcept { ++count; }
};

TEST(Mailbox, PostingAndTakingAreLoadsAndStores) {
  using Box = Mailbox<Counted, 4>;  // with credit
  DuplexLine<Counted> line;
  for (const Box::LineEnds& ends : {Box::LineEnds{}, {&line.end(0), &line.end(1)}}) {
    Box mailbox(2, 2, std::pmr::get_default_resource(), ends);
    const std::array<std::byte, Box::kNoteBytes> data{};
    Counted::Atomic<std::uint32_t> returned{0};
    for (std::uint32_t i = 1; i <= 20; ++i) {
      mailbox.post_inline(std::span(data).first(8));
      if (mailbox.has_note(data.size())) mailbox.post_note(data);
      mailbox.post_reference({data.data(), data.size(), &returned, i});
      while (i % 3 == 0 && mailbox.try_front()) {
        const Box::Message message = mailbox.front();
        (void)mailbox.take();
        if (message.loan != nullptr) returned.store(message.use, std::memory_order_release);
      }
    }
    EXPECT_EQ(returned.load(std::memory_order_acquire), 18u);
  }
  EXPECT_EQ(Counted::count, 0);
  Parker<Counted> parker;
  parker.prepare();
  parker.wake();
  EXPECT_EQ(Counted::count, 3);  // two fences and an exchange: it does count
}

TEST(Mailbox, CountersMayWrapAround) {
  EXPECT_TRUE(reached(0, 0xffffffffu));
  EXPECT_TRUE(reached(5, 5));
  EXPECT_FALSE(reached(0xffffffffu, 0));
  EXPECT_FALSE(reached(4, 5));
}

TEST(Mailbox, BetweenTwoThreads) {
  constexpr int kMessages = 200'000;
  Mailbox<> mailbox;
  Parker<> parker;
  std::thread sender([&] {
    for (int i = 0; i < kMessages; ++i) {
      post(mailbox, i);
      parker.wake();
    }
  });
  const auto never = [] { return false; };
  const auto always = [] { return true; };
  for (int i = 0; i < kMessages; ++i) {
    while (!mailbox.try_front()) {
      wait_until(
          [&] {
            return Awaited{&mailbox.next_word(), mailbox.next_value()}.reached();
          },
          {.spins = 0, .yield_ns = i % 2 == 0 ? 0 : 1000}, parker, never, always, [] {});
    }
    ASSERT_EQ(take(mailbox), i);
  }
  sender.join();
}

// Each of two threads waits for the other's word, with an end to its sleep that is far off. A lost
// wake-up would take an hour.
TEST(Wait, ASleepWithAnEndIsEndedByAWake) {
  constexpr std::uint32_t kTurns = 20'000;
  const std::int64_t far_off = steady_now_ns() + 3'600'000'000'000;
  std::atomic<std::uint32_t> words[2]{};
  Parker<> parkers[2];
  const auto play = [&](int self) {
    const auto never = [] { return false; };
    const auto always = [] { return true; };
    for (std::uint32_t turn = 1; turn <= kTurns; ++turn) {
      words[1 - self].store(turn, std::memory_order_seq_cst);
      parkers[1 - self].wake();
      const Awaited awaited{&words[self], turn};
      EXPECT_TRUE(wait_until([&] { return awaited.reached(); }, {.spins = 0, .yield_ns = 0},
                             parkers[self], never, always, [] {}, [&] { return far_off; }));
    }
  };
  std::thread other(play, 1);
  play(0);
  other.join();
}

TEST(Wait, ASleepEndsByItselfWhenItsInstantHasCome) {
  Parker<> parker;
  const std::int64_t instant = steady_now_ns() + 100'000'000;
  int sleeps = 0;
  const auto never = [] { return false; };
  const auto before_park = [&] { return ++sleeps != 0; };
  EXPECT_TRUE(wait_until([&] { return steady_now_ns() >= instant; }, {.spins = 0}, parker, never,
                         before_park, [] {}, [&] { return instant; }));
  EXPECT_GE(steady_now_ns(), instant);
  EXPECT_GT(sleeps, 0);
  EXPECT_LT(sleeps, 100);  // it slept, rather than asked again and again
}

}  // namespace
}  // namespace postroom
