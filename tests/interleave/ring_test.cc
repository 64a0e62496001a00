// Toy queues with one sender and one receiver: correct, with races planted, and with each order
// weakened. They stand for the mailboxes that the checker is meant for.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstring>

#include "tests/interleave/checked.h"
#include "tests/interleave/interleave.h"

namespace postroom {
namespace {

using interleave::check;
using interleave::Checked;
using interleave::Options;
using interleave::Result;
using Failure = interleave::Result::Failure;

constexpr auto kRelaxed = std::memory_order_relaxed;
constexpr auto kAcquire = std::memory_order_acquire;
constexpr auto kRelease = std::memory_order_release;

/// What exploring finds; both modes must find the same, the systematic one to the end.
Failure explored(const interleave::Scenario& scenario) {
  const Result random = interleave::explore({.executions = 3'000}, scenario);
  const Result systematic =
      interleave::explore({.mode = Options::Mode::kSystematic, .executions = 1'000'000}, scenario);
  EXPECT_EQ(random.failure, systematic.failure) << random.report << systematic.report;
  EXPECT_TRUE(!systematic.ok() || systematic.complete) << "gave up";
  return systematic.failure;
}

// --- A ring of two cells with two counters.

/// What may be wrong with it.
struct Faults {
  std::memory_order publish = kRelease;
  std::memory_order look = kAcquire;
  std::memory_order give_back = kRelease;
  std::memory_order ask = kAcquire;
  unsigned capacity = 2;          // as the sender believes
  bool gives_back_first = false;  // before it has read
};

class Ring {
 public:
  explicit Ring(Faults faults) : faults_(faults) {}

  bool try_send(int value) {
    const unsigned head = head_.load(kRelaxed);  // relaxed: only this thread writes it
    if (head - tail_.load(faults_.ask) == faults_.capacity) return false;
    cells_[head % 2] = value;
    head_.store(head + 1, faults_.publish);
    return true;
  }
  bool try_receive(int& value) {
    const unsigned tail = tail_.load(kRelaxed);  // relaxed: only this thread writes it
    if (head_.load(faults_.look) == tail) return false;
    if (faults_.gives_back_first) tail_.store(tail + 1, faults_.give_back);
    value = cells_[tail % 2];
    if (!faults_.gives_back_first) tail_.store(tail + 1, faults_.give_back);
    return true;
  }

 private:
  Faults faults_;
  Checked::Atomic<unsigned> head_{0};
  Checked::Atomic<unsigned> tail_{0};
  std::array<Checked::Plain<int>, 2> cells_;
};

interleave::Scenario three_messages(Faults faults) {
  return [=](interleave::Run& run) {
    Ring ring(faults);
    run.thread([&] {
      for (int i = 1; i <= 3; ++i) {
        while (!ring.try_send(i)) Checked::pause();
      }
    });
    run.thread([&] {
      for (int i = 1; i <= 3; ++i) {
        int value = 0;
        while (!ring.try_receive(value)) Checked::pause();
        check(value == i, "in the order of sending");
      }
    });
    run.after();
  };
}

TEST(Ring, Correct) { EXPECT_EQ(explored(three_messages({})), Failure::kNone); }

TEST(Ring, ReceiverThatGivesTheCellBackTooEarly) {
  EXPECT_EQ(explored(three_messages({.gives_back_first = true})), Failure::kRace);
}

TEST(Ring, SenderThatMiscountsTheCells) {
  EXPECT_EQ(explored(three_messages({.capacity = 3})), Failure::kCheck);
}

TEST(Ring, EachOrderWeakened) {
  EXPECT_EQ(explored(three_messages({.publish = kRelaxed})), Failure::kRace);
  EXPECT_EQ(explored(three_messages({.look = kRelaxed})), Failure::kRace);
  EXPECT_EQ(explored(three_messages({.give_back = kRelaxed})), Failure::kRace);
  EXPECT_EQ(explored(three_messages({.ask = kRelaxed})), Failure::kRace);
}

// --- A ring that is replaced by a larger one: cells with a sequence word, raw payload, and a jump.

struct Growth {
  std::memory_order publish = kRelease;
  bool sender_frees = false;  // right after the jump, when the receiver may still be reading
};

struct Cell {
  Checked::Atomic<unsigned> sequence{0};
  std::byte payload[sizeof(void*)];
  bool is_jump;
};

class GrowingRing {
 public:
  explicit GrowingRing(Growth growth) : growth_(growth) {}
  ~GrowingRing() { delete[] receiver_; }

  void send_value(int value) { put(&value, sizeof(value), false); }
  void jump() {
    Cell* const old = sender_;
    Cell* const larger = new Cell[4];
    put(&larger, sizeof(larger), true);
    sender_ = larger;
    sent_ = 0;
    if (growth_.sender_frees) delete[] old;
  }
  int receive() {
    for (;;) {
      Cell& cell = receiver_[received_];
      while (cell.sequence.load(kAcquire) == 0) Checked::yield();
      Checked::reads(cell.payload, sizeof(cell.payload) + sizeof(cell.is_jump));
      ++received_;
      int value = 0;
      std::memcpy(&value, cell.payload, sizeof(value));
      if (!cell.is_jump) return value;
      Cell* larger = nullptr;
      std::memcpy(&larger, cell.payload, sizeof(larger));
      if (!growth_.sender_frees) delete[] receiver_;
      receiver_ = larger;
      received_ = 0;
    }
  }

 private:
  void put(const void* payload, std::size_t bytes, bool is_jump) {
    Cell& cell = sender_[sent_++];
    Checked::writes(cell.payload, sizeof(cell.payload) + sizeof(cell.is_jump));
    std::memcpy(cell.payload, payload, bytes);
    cell.is_jump = is_jump;
    cell.sequence.store(1, growth_.publish);
  }

  Growth growth_;
  Cell* sender_ = new Cell[2];
  Cell* receiver_ = sender_;
  unsigned sent_ = 0;
  unsigned received_ = 0;
};

interleave::Scenario growing(Growth growth) {
  return [=](interleave::Run& run) {
    GrowingRing ring(growth);
    run.thread([&] {
      ring.send_value(1);
      ring.jump();
      ring.send_value(2);
    });
    run.thread([&] {
      check(ring.receive() == 1, "the first");
      check(ring.receive() == 2, "the second");
    });
    run.after();
  };
}

TEST(GrowingRing, Correct) { EXPECT_EQ(explored(growing({})), Failure::kNone); }

TEST(GrowingRing, WeakPublish) {
  EXPECT_EQ(explored(growing({.publish = kRelaxed})), Failure::kRace);
}

TEST(GrowingRing, RingFreedTooEarly) {
  const Failure failure = explored(growing({.sender_frees = true}));
  EXPECT_TRUE(failure == Failure::kRace || failure == Failure::kDead);
}

}  // namespace
}  // namespace postroom
