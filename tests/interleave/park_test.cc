// A sleeper and a waker that meet over a futex-like word: correct, and with lost wake-ups planted.
#include <gtest/gtest.h>

#include <array>
#include <atomic>

#include "tests/interleave/checked.h"
#include "tests/interleave/interleave.h"

namespace postroom {
namespace {

using interleave::Checked;
using interleave::Options;
using interleave::Result;
using Failure = interleave::Result::Failure;
using Word = Checked::Atomic<unsigned>;

constexpr auto kRelaxed = std::memory_order_relaxed;
constexpr auto kAcquire = std::memory_order_acquire;
constexpr auto kRelease = std::memory_order_release;
constexpr auto kAcqRel = std::memory_order_acq_rel;
constexpr auto kSeqCst = std::memory_order_seq_cst;

/// What may be wrong with the protocol.
struct Protocol {
  std::memory_order announce = kSeqCst;
  std::memory_order look = kSeqCst;
  std::memory_order publish = kSeqCst;
  std::memory_order ask = kSeqCst;
  bool looks_again = true;  // after the announcement
  bool notifies = true;
};

/// The sleeper waits for each of `news`; wakers publish them.
interleave::Scenario parking(Protocol protocol, unsigned news) {
  return [=](interleave::Run& run) {
    Word parked{0}, ready{0};
    interleave::name(&parked, "parked");
    interleave::name(&ready, "ready");
    run.thread(
        [&] {
          for (unsigned n = 1; n <= news; ++n) {
            while (ready.load(kAcquire) < n) {
              parked.store(1, protocol.announce);
              if (!protocol.looks_again || ready.load(protocol.look) < n) parked.wait(1, kAcquire);
              parked.store(0, kRelaxed);
            }
          }
        },
        "sleeper");
    run.thread(
        [&] {
          for (unsigned n = 1; n <= news; ++n) {
            ready.store(n, protocol.publish);
            if (parked.load(protocol.ask) == 0) continue;
            if (parked.exchange(0, kAcqRel) == 1 && protocol.notifies) parked.notify_one();
          }
        },
        "waker");
    run.after();
  };
}

/// What exploring finds; both modes must find the same, the systematic one to the end.
Failure explored(Protocol protocol) {
  const Result random = interleave::explore({.executions = 3'000}, parking(protocol, 2));
  const Result systematic = interleave::explore({.mode = Options::Mode::kSystematic,
                                                 .executions = 1'000'000,
                                                 .preemptions = 3,
                                                 .stale_loads = 2},
                                                parking(protocol, 2));
  EXPECT_EQ(random.failure, systematic.failure) << random.report << systematic.report;
  EXPECT_TRUE(!systematic.ok() || systematic.complete) << "gave up";
  return systematic.failure;
}

TEST(Park, NoWakeUpIsLost) { EXPECT_EQ(explored({}), Failure::kNone); }

TEST(Park, LostWithoutTheSecondLook) {
  EXPECT_EQ(explored({.looks_again = false}), Failure::kDeadlock);
}

TEST(Park, LostWithoutTheNotification) {
  EXPECT_EQ(explored({.notifies = false}), Failure::kDeadlock);
}

TEST(Park, LostWithAnyOfTheFourOrdersWeakened) {
  EXPECT_EQ(explored({.announce = kRelease}), Failure::kDeadlock);
  EXPECT_EQ(explored({.look = kAcquire}), Failure::kDeadlock);
  EXPECT_EQ(explored({.publish = kRelease}), Failure::kDeadlock);
  EXPECT_EQ(explored({.ask = kAcquire}), Failure::kDeadlock);
}

TEST(Park, ReportNamesTheSleeper) {
  const Result result = interleave::explore({}, parking({.notifies = false}, 1));
  EXPECT_NE(result.report.find("sleeps:    T1 sleeper      parked.wait(1, acquire)"),
            std::string::npos)
      << result.report;
  EXPECT_NE(result.report.find("has ended: T2 waker"), std::string::npos) << result.report;
}

/// Two sleepers on one word, one waker.
Failure two_sleepers(bool all) {
  const auto scenario = [=](interleave::Run& run) {
    Word open{0};
    for (int t = 0; t < 2; ++t) {
      run.thread([&] {
        while (open.load(kAcquire) == 0) open.wait(0, kAcquire);
      });
    }
    run.thread([&] {
      open.store(1, kRelease);
      all ? open.notify_all() : open.notify_one();
    });
    run.after();
  };
  return interleave::explore({.mode = Options::Mode::kSystematic, .executions = 1'000'000},
                             scenario)
      .failure;
}

TEST(Park, NotifyOneWakesOnlyOne) {
  EXPECT_EQ(two_sleepers(true), Failure::kNone);
  EXPECT_EQ(two_sleepers(false), Failure::kDeadlock);
}

TEST(Park, NotifyOneWakesAnyOfThem) {
  std::array<int, 2> woken{};
  const auto scenario = [&](interleave::Run& run) {
    Word open{0};
    int first = -1;
    for (int t = 0; t < 2; ++t) {
      run.thread([&, t] {
        open.wait(0, kAcquire);
        if (first < 0) first = t;
        open.notify_one();
      });
    }
    run.thread([&] {
      open.store(1, kRelease);
      open.notify_one();
    });
    run.after([&] { ++woken[first]; });
  };
  // Without preemptions both fall asleep before the store, or come after the notification.
  const Result result =
      interleave::explore({.mode = Options::Mode::kSystematic, .preemptions = 0}, scenario);
  EXPECT_TRUE(result.complete) << result.report;
  EXPECT_EQ(woken[0], woken[1]);
}

TEST(Park, NotifyingAnotherWordWakesNobody) {
  const Result result = interleave::explore({}, [](interleave::Run& run) {
    Word open{0}, other{0};
    run.thread([&] { open.wait(0, kAcquire); });
    run.thread([&] {
      open.store(1, kRelease);
      other.notify_all();
    });
    run.after();
  });
  EXPECT_EQ(result.failure, Failure::kDeadlock);
}

}  // namespace
}  // namespace postroom
