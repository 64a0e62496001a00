// The classic litmus tests, each in both directions: the outcome that the C++ memory model forbids
// is never seen, and with weaker orders, where it is allowed, it is found.
#include <gtest/gtest.h>

#include <atomic>

#include "tests/interleave/checked.h"
#include "tests/interleave/interleave.h"

namespace postroom {
namespace {

using interleave::check;
using interleave::Checked;

using Order = std::memory_order;
using Int = Checked::Atomic<int>;
constexpr Order kRelaxed = std::memory_order_relaxed;
constexpr Order kAcquire = std::memory_order_acquire;
constexpr Order kRelease = std::memory_order_release;
constexpr Order kSeqCst = std::memory_order_seq_cst;

/// Whether exploring finds a failure. Both modes must agree, and the systematic one must have tried
/// everything before it says no.
bool found(const interleave::Scenario& scenario) {
  const interleave::Result random = interleave::explore({.executions = 3'000}, scenario);
  const interleave::Result systematic =
      interleave::explore({.mode = interleave::Options::Mode::kSystematic,
                           .executions = 2'000'000,
                           .preemptions = 20,
                           .stale_loads = 20},
                          scenario);
  EXPECT_EQ(random.ok(), systematic.ok()) << random.report << systematic.report;
  EXPECT_TRUE(!systematic.ok() || systematic.complete) << "gave up";
  return !systematic.ok();
}

// --- Store buffering: both threads store, then load the other's variable; do both load 0?

bool store_buffering(Order store, Order load, bool fence_1 = false, bool fence_2 = false) {
  return found([=](interleave::Run& run) {
    Int x{0}, y{0};
    int seen_y = -1, seen_x = -1;
    run.thread([&] {
      x.store(1, store);
      if (fence_1) Checked::fence(kSeqCst);
      seen_y = y.load(load);
    });
    run.thread([&] {
      y.store(1, store);
      if (fence_2) Checked::fence(kSeqCst);
      seen_x = x.load(load);
    });
    run.after([&] { check(seen_x == 1 || seen_y == 1, "both loaded 0"); });
  });
}

TEST(Litmus, StoreBuffering) {
  EXPECT_FALSE(store_buffering(kSeqCst, kSeqCst));
  EXPECT_TRUE(store_buffering(kRelease, kAcquire));
  EXPECT_TRUE(store_buffering(kSeqCst, kAcquire));
  EXPECT_TRUE(store_buffering(kRelease, kSeqCst));
}

TEST(Litmus, StoreBufferingWithFences) {
  EXPECT_FALSE(store_buffering(kRelaxed, kRelaxed, true, true));
  EXPECT_TRUE(store_buffering(kRelaxed, kRelaxed, true, false));
  EXPECT_TRUE(store_buffering(kRelaxed, kRelaxed));
}

// One side's fence is executed by all threads, the other has none.
bool store_buffering_with_heavy_fence(bool everywhere) {
  return found([=](interleave::Run& run) {
    Int x{0}, y{0};
    int seen_y = -1, seen_x = -1;
    run.thread([&] {
      x.store(1, kRelaxed);
      Checked::light_fence();
      seen_y = y.load(kRelaxed);
    });
    run.thread([&] {
      y.store(1, kRelaxed);
      everywhere ? Checked::heavy_fence() : Checked::fence(kSeqCst);
      seen_x = x.load(kRelaxed);
    });
    run.after([&] { check(seen_x == 1 || seen_y == 1, "both loaded 0"); });
  });
}

TEST(Litmus, StoreBufferingWithAFenceForAll) {
  EXPECT_FALSE(store_buffering_with_heavy_fence(true));
  EXPECT_TRUE(store_buffering_with_heavy_fence(false));
}

// --- Message passing: the flag is seen, is the data?

bool message_passing(Order store, Order load) {
  return found([=](interleave::Run& run) {
    Int data{0}, flag{0};
    run.thread([&] {
      data.store(1, kRelaxed);
      flag.store(1, store);
    });
    run.thread([&] {
      if (flag.load(load) == 1) check(data.load(kRelaxed) == 1, "stale data");
    });
    run.after();
  });
}

TEST(Litmus, MessagePassing) {
  EXPECT_FALSE(message_passing(kRelease, kAcquire));
  EXPECT_FALSE(message_passing(kSeqCst, kSeqCst));
  EXPECT_TRUE(message_passing(kRelaxed, kAcquire));
  EXPECT_TRUE(message_passing(kRelease, kRelaxed));
}

bool message_passing_with_fences(Order first, Order second) {
  return found([=](interleave::Run& run) {
    Int data{0}, flag{0};
    run.thread([&] {
      data.store(1, kRelaxed);
      Checked::fence(first);
      flag.store(1, kRelaxed);
    });
    run.thread([&] {
      const bool seen = flag.load(kRelaxed) == 1;
      Checked::fence(second);
      if (seen) check(data.load(kRelaxed) == 1, "stale data");
    });
    run.after();
  });
}

TEST(Litmus, MessagePassingWithFences) {
  EXPECT_FALSE(message_passing_with_fences(kRelease, kAcquire));
  EXPECT_FALSE(message_passing_with_fences(kSeqCst, kSeqCst));
  EXPECT_TRUE(message_passing_with_fences(kAcquire, kAcquire));
  EXPECT_TRUE(message_passing_with_fences(kRelease, kRelease));
}

// --- Write to read causality: T1 tells T2, T2 tells T3; does T3 know what T1 did?

bool write_to_read_causality(Order middle) {
  return found([=](interleave::Run& run) {
    Int x{0}, y{0};
    run.thread([&] { x.store(1, kRelease); });
    run.thread([&] {
      if (x.load(kAcquire) == 1) y.store(1, middle);
    });
    run.thread([&] {
      if (y.load(kAcquire) == 1) check(x.load(kRelaxed) == 1, "does not know of x");
    });
    run.after();
  });
}

TEST(Litmus, WriteToReadCausality) {
  EXPECT_FALSE(write_to_read_causality(kRelease));
  EXPECT_TRUE(write_to_read_causality(kRelaxed));
}

// --- Independent reads of independent writes: do two readers disagree on which came first?

bool independent_reads(Order store, Order load) {
  return found([=](interleave::Run& run) {
    Int x{0}, y{0};
    bool x_first = false, y_first = false;
    run.thread([&] { x.store(1, store); });
    run.thread([&] { y.store(1, store); });
    run.thread([&] { x_first = x.load(load) == 1 && y.load(load) == 0; });
    run.thread([&] { y_first = y.load(load) == 1 && x.load(load) == 0; });
    run.after([&] { check(!(x_first && y_first), "the readers disagree"); });
  });
}

TEST(Litmus, IndependentReadsOfIndependentWrites) {
  EXPECT_FALSE(independent_reads(kSeqCst, kSeqCst));
  EXPECT_TRUE(independent_reads(kRelease, kAcquire));
  EXPECT_TRUE(independent_reads(kSeqCst, kAcquire));
}

// --- Coherence: one variable never goes back; without it, two variables may.

TEST(Litmus, ReadsOfOneVariableDoNotGoBack) {
  EXPECT_FALSE(found([](interleave::Run& run) {
    Int x{0};
    run.thread([&] {
      x.store(1, kRelaxed);
      x.store(2, kRelaxed);
    });
    run.thread([&] {
      const int first = x.load(kRelaxed);
      check(x.load(kRelaxed) >= first, "went back");
    });
    run.after();
  }));
}

TEST(Litmus, ThreadsAgreeOnTheOrderOfOneVariable) {
  EXPECT_FALSE(found([](interleave::Run& run) {
    Int x{0};
    bool one_first = false, two_first = false;
    run.thread([&] { x.store(1, kRelaxed); });
    run.thread([&] { x.store(2, kRelaxed); });
    run.thread([&] { one_first = x.load(kRelaxed) == 1 && x.load(kRelaxed) == 2; });
    run.thread([&] { two_first = x.load(kRelaxed) == 2 && x.load(kRelaxed) == 1; });
    run.after([&] { check(!(one_first && two_first), "they disagree"); });
  }));
}

TEST(Litmus, AThreadSeesItsOwnStores) {
  EXPECT_FALSE(found([](interleave::Run& run) {
    Int x{0};
    run.thread([&] {
      x.store(1, kRelaxed);
      check(x.load(kRelaxed) != 0, "does not see its own store");
    });
    run.thread([&] { x.store(2, kRelaxed); });
    run.after();
  }));
}

TEST(Litmus, ReadsOfTwoVariablesMayGoBack) {
  EXPECT_TRUE(found([](interleave::Run& run) {
    Int x{0}, y{0};
    run.thread([&] {
      x.store(1, kRelaxed);
      y.store(1, kRelaxed);
    });
    run.thread([&] { check(!(y.load(kRelaxed) == 1 && x.load(kRelaxed) == 0), "y before x"); });
    run.after();
  }));
}

// --- Release sequence: an acquire load that reads what a third thread put on top of a release
// store synchronises with that store if the third thread used a read-modify-write.

bool release_sequence(bool read_modify_write) {
  return found([=](interleave::Run& run) {
    Int data{0}, flag{0};
    run.thread([&] {
      data.store(1, kRelaxed);
      flag.store(1, kRelease);
    });
    run.thread([&] {
      int expected = 1;
      if (read_modify_write) {
        flag.compare_exchange_strong(expected, 2, kRelaxed);
      } else if (flag.load(kRelaxed) == 1) {
        flag.store(2, kRelaxed);
      }
    });
    run.thread([&] {
      if (flag.load(kAcquire) == 2) check(data.load(kRelaxed) == 1, "stale data");
    });
    run.after();
  });
}

TEST(Litmus, ReleaseSequence) {
  EXPECT_FALSE(release_sequence(true));
  EXPECT_TRUE(release_sequence(false));
}

// --- Read-modify-writes are indivisible.

TEST(Litmus, FetchAddLosesNothing) {
  EXPECT_FALSE(found([](interleave::Run& run) {
    Int x{0};
    for (int t = 0; t < 3; ++t) run.thread([&] { x.fetch_add(1, kRelaxed); });
    run.after([&] { check(x.load(kRelaxed) == 3, "lost one"); });
  }));
}

TEST(Litmus, LoadAndStoreLoseAnUpdate) {
  EXPECT_TRUE(found([](interleave::Run& run) {
    Int x{0};
    for (int t = 0; t < 2; ++t) run.thread([&] { x.store(x.load() + 1); });
    run.after([&] { check(x.load() == 2, "lost one"); });
  }));
}

TEST(Litmus, OneCompareExchangeWins) {
  EXPECT_FALSE(found([](interleave::Run& run) {
    Int x{0};
    int winners = 0;
    for (int t = 1; t <= 2; ++t) {
      run.thread([&, t] {
        int expected = 0;
        if (x.compare_exchange_strong(expected, t, kRelaxed)) ++winners;
      });
    }
    run.after([&] { check(winners == 1, "one of them"); });
  }));
}

bool compare_exchange_fails(bool weak) {
  return found([=](interleave::Run& run) {
    Int x{0};
    run.thread([&] {
      int expected = 0;
      const bool done =
          weak ? x.compare_exchange_weak(expected, 1) : x.compare_exchange_strong(expected, 1);
      check(done, "failed though nobody else was there");
    });
    run.after();
  });
}

TEST(Litmus, OnlyTheWeakCompareExchangeFailsSpuriously) {
  EXPECT_FALSE(compare_exchange_fails(false));
  EXPECT_TRUE(compare_exchange_fails(true));
}

bool failed_compare_exchange_reads_an_old_value(Order load) {
  return found([=](interleave::Run& run) {
    Int x{0}, y{0};
    run.thread([&] {
      x.store(1, kRelaxed);
      y.store(1, kRelease);
    });
    run.thread([&] {
      if (y.load(load) == 0) return;
      int expected = 5;
      x.compare_exchange_strong(expected, 6, kRelaxed, kRelaxed);
      check(expected == 1, "old value");
    });
    run.after();
  });
}

TEST(Litmus, AFailedCompareExchangeIsALoad) {
  EXPECT_FALSE(failed_compare_exchange_reads_an_old_value(kAcquire));
  EXPECT_TRUE(failed_compare_exchange_reads_an_old_value(kRelaxed));
}

// --- Dekker's mutual exclusion: whoever sees the other's flag down enters.

bool dekker(Order store, Order load) {
  return found([=](interleave::Run& run) {
    Int wants_1{0}, wants_2{0};
    Checked::Plain<int> inside = 0;
    run.thread([&] {
      wants_1.store(1, store);
      if (wants_2.load(load) == 0) inside = 1;
    });
    run.thread([&] {
      wants_2.store(1, store);
      if (wants_1.load(load) == 0) inside = 2;
    });
    run.after();
  });
}

TEST(Litmus, Dekker) {
  EXPECT_FALSE(dekker(kSeqCst, kSeqCst));
  EXPECT_TRUE(dekker(kRelease, kAcquire));
}

// --- A spin lock: yields while it is taken.

bool spin_lock(Order take, Order give) {
  return found([=](interleave::Run& run) {
    Checked::Atomic<bool> taken{false};
    Checked::Plain<int> counter = 0;
    for (int t = 0; t < 2; ++t) {
      run.thread([&] {
        while (taken.exchange(true, take)) Checked::yield();
        ++counter;
        taken.store(false, give);
      });
    }
    run.after([&] { check(counter == 2, "lost one"); });
  });
}

TEST(Litmus, SpinLock) {
  EXPECT_FALSE(spin_lock(kAcquire, kRelease));
  EXPECT_TRUE(spin_lock(kRelaxed, kRelease));
  EXPECT_TRUE(spin_lock(kAcquire, kRelaxed));
}

}  // namespace
}  // namespace postroom
