// Each kind of failure is found and named; its correct twin is not reported.
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <exception>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>

#include "tests/interleave/checked.h"
#include "tests/interleave/interleave.h"

namespace postroom {
namespace {

using interleave::check;
using interleave::Checked;
using interleave::explore;
using interleave::Options;
using interleave::Result;
using interleave::Scenario;
using Failure = interleave::Result::Failure;
using Int = Checked::Atomic<int>;

constexpr auto kRelaxed = std::memory_order_relaxed;
constexpr auto kAcquire = std::memory_order_acquire;
constexpr auto kRelease = std::memory_order_release;
constexpr auto kSystematic = Options::Mode::kSystematic;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Failure failure_of(const Scenario& scenario) {
  const Result result = explore({.executions = 500}, scenario);
  EXPECT_EQ(result.ok(), result.report.empty());
  return result.failure;
}

TEST(Finds, AFailedCheckEvenWhereNothingMayThrow) {
  const Result result = explore({}, [](interleave::Run& run) {
    Int x{0};
    interleave::name(&x, "the flag");
    run.thread([&]() noexcept { x.store(7); }, "writer");
    run.thread([&]() noexcept { check(x.load() == 0, "nobody wrote"); });
    run.after();
  });
  EXPECT_EQ(result.failure, Failure::kCheck);
  EXPECT_TRUE(contains(result.report, "check failed: nobody wrote")) << result.report;
  EXPECT_TRUE(contains(result.report, "failures_test.cc:")) << result.report;
  EXPECT_TRUE(contains(result.report, "T1 writer       the flag.store(7, seq_cst), was 0"))
      << result.report;
}

TEST(Finds, AnException) {
  const Result result = explore({}, [](interleave::Run& run) {
    run.thread([] { throw std::runtime_error("no more paper"); });
    run.after();
  });
  EXPECT_EQ(result.failure, Failure::kException);
  EXPECT_TRUE(contains(result.report, "T1 threw: no more paper")) << result.report;
}

TEST(Finds, ARaceOnPlainMemory) {
  const auto scenario = [](bool both_write) {
    return [=](interleave::Run& run) {
      Checked::Plain<int> x = 0;
      run.thread([&] { both_write ? void(x = 1) : void(int(x)); });
      run.thread([&] { both_write ? void(x = 2) : void(int(x)); });
      run.after();
    };
  };
  EXPECT_EQ(failure_of(scenario(true)), Failure::kRace);
  EXPECT_EQ(failure_of(scenario(false)), Failure::kNone);
}

TEST(Finds, ARaceWhereRangesOverlap) {
  const auto scenario = [](std::size_t begin) {
    return [=](interleave::Run& run) {
      std::byte bytes[16];
      run.thread([&] { Checked::writes(bytes, 8); });
      run.thread([&] { Checked::reads(bytes + begin, 16 - begin); });
      run.after([&] { Checked::reads(bytes, 16); });
    };
  };
  EXPECT_EQ(failure_of(scenario(7)), Failure::kRace);
  EXPECT_EQ(failure_of(scenario(8)), Failure::kNone);
}

TEST(Finds, AReadThatTheNextWriterDoesNotKnowOf) {
  // The writer comes after the reader in time only: the reader's last step is a relaxed store.
  const auto scenario = [](std::memory_order done) {
    return [=](interleave::Run& run) {
      Checked::Plain<int> x = 0;
      Checked::Atomic<bool> read{false};
      run.thread([&] {
        (void)int(x);
        read.store(true, done);
      });
      run.thread([&] {
        if (read.load(kAcquire)) x = 1;
      });
      run.after();
    };
  };
  EXPECT_EQ(failure_of(scenario(kRelaxed)), Failure::kRace);
  EXPECT_EQ(failure_of(scenario(kRelease)), Failure::kNone);
}

TEST(Finds, AnObjectThatIsUsedAfterDelete) {
  struct Node {
    Int atomic{0};
    Checked::Plain<int> plain = 0;
    std::byte bytes[8];
  };
  const auto scenario = [](int part) {
    return [=](interleave::Run& run) {
      auto* const node = new Node;
      run.thread([=] {
        delete node;
        if (part == 0) (void)node->atomic.load(kRelaxed);
        if (part == 1) (void)int(node->plain);
        if (part == 2) Checked::reads(node->bytes, 8);
        if (part == 3) node->atomic.notify_one();
      });
      run.after();
    };
  };
  for (int part = 0; part < 4; ++part) EXPECT_EQ(failure_of(scenario(part)), Failure::kDead);
  EXPECT_EQ(failure_of(scenario(4)), Failure::kNone);
}

TEST(Finds, AnObjectThatIsUsedAfterItsDestructor) {
  EXPECT_EQ(failure_of([](interleave::Run& run) {
              std::optional<Int> x(0);
              run.thread([&] {
                Int* const kept = &*x;
                x.reset();
                kept->store(1);
              });
              run.after();
            }),
            Failure::kDead);
}

TEST(Finds, AnObjectThatIsDeletedWhileAnotherThreadMayUseIt) {
  // Even if the other thread was faster this time.
  const auto scenario = [](std::memory_order done) {
    return [=](interleave::Run& run) {
      auto* const x = new Int(0);
      Checked::Atomic<bool> used{false};
      run.thread([&, x] {
        x->fetch_add(1, kRelaxed);
        used.store(true, done);
      });
      run.thread([&, x] {
        while (!used.load(kAcquire)) Checked::yield();
        delete x;
      });
      run.after();
    };
  };
  EXPECT_EQ(failure_of(scenario(kRelaxed)), Failure::kRace);
  EXPECT_EQ(failure_of(scenario(kRelease)), Failure::kNone);
}

TEST(Finds, AnObjectThatIsNotConstructedYetForItsReader) {
  const auto scenario = [](std::memory_order publish) {
    return [=](interleave::Run& run) {
      Checked::Atomic<Int*> published{nullptr};
      run.thread([&] { published.store(new Int(5), publish); });
      run.thread([&] {
        if (Int* const x = published.load(kAcquire)) check(x->load(kRelaxed) == 5, "its value");
      });
      run.after([&] { delete published.load(); });
    };
  };
  EXPECT_EQ(failure_of(scenario(kRelaxed)), Failure::kDead);
  EXPECT_EQ(failure_of(scenario(kRelease)), Failure::kNone);
}

TEST(Finds, MemoryThatIsDeletedTwice) {
  EXPECT_EQ(failure_of([](interleave::Run& run) {
              run.thread([] {
                void* volatile memory = ::operator new(8);
                ::operator delete(memory);
                ::operator delete(memory);
              });
              run.after();
            }),
            Failure::kDead);
}

TEST(Finds, ThreadsThatWaitForEachOther) {
  const Result result = explore({}, [](interleave::Run& run) {
    Int a{0}, b{0};
    run.thread([&] {
      while (a.load() == 0) Checked::yield();
      b.store(1);
    });
    run.thread([&] {
      b.wait(0);
      a.store(1);
    });
    run.after();
  });
  EXPECT_EQ(result.failure, Failure::kDeadlock);
  EXPECT_TRUE(contains(result.report, "spins:     T1")) << result.report;
  EXPECT_TRUE(contains(result.report, "sleeps:    T2")) << result.report;
}

TEST(Finds, ALockThatNobodyGivesBack) {
  // What changes nothing wakes no other spinner.
  const auto scenario = [](bool by_store) {
    return [=](interleave::Run& run) {
      Checked::Atomic<bool> taken{true};
      const auto take = [&] {
        if (!by_store) return !taken.exchange(true);
        taken.store(true);
        return !taken.load();
      };
      for (int t = 0; t < 2; ++t) {
        run.thread([&] {
          while (!take()) Checked::pause();
        });
      }
      run.after();
    };
  };
  EXPECT_EQ(failure_of(scenario(false)), Failure::kDeadlock);
  EXPECT_EQ(failure_of(scenario(true)), Failure::kDeadlock);
}

TEST(Finds, ALoopThatDoesNotEnd) {
  EXPECT_EQ(explore({.max_steps = 500},
                    [](interleave::Run& run) {
                      Int x{0};
                      run.thread([&] {
                        while (x.load() == 0) {
                        }
                      });
                      run.after();
                    })
                .failure,
            Failure::kNoEnd);
}

TEST(Finds, WrongScenarios) {
  EXPECT_EQ(failure_of([](interleave::Run&) {}), Failure::kMisuse);
  EXPECT_EQ(failure_of([](interleave::Run& run) {
              run.after();
              run.after();
            }),
            Failure::kMisuse);
  EXPECT_EQ(failure_of([](interleave::Run& run) {
              for (int t = 0; t < 5; ++t) run.thread([] {});
              run.after();
            }),
            Failure::kMisuse);
  EXPECT_EQ(failure_of([](interleave::Run& run) {
              Int x{0};
              Checked::writes(&x, sizeof(x));
              run.after();
            }),
            Failure::kMisuse);
  EXPECT_THROW(Int x{0}, std::logic_error);
}

// --- What must not be reported.

TEST(Accepts, LoopsThatYieldUntilSomethingHappens) {
  const Scenario scenario = [](interleave::Run& run) {
    Int turn{0};
    for (int t = 0; t < 3; ++t) {
      run.thread([&, t] {
        while (turn.load(kRelaxed) != t) Checked::pause();
        turn.store(t + 1, kRelaxed);
      });
    }
    run.after([&] { check(turn.load() == 3, "all had their turn"); });
  };
  EXPECT_EQ(failure_of(scenario), Failure::kNone);
  const Result systematic = explore({.mode = kSystematic, .preemptions = 1}, scenario);
  EXPECT_TRUE(systematic.complete) << systematic.report;
}

TEST(Accepts, LoopsThatLoadStaleValues) {
  // However many stale loads are allowed, a loop that yields sees the store in the end.
  const Result result = explore({.mode = kSystematic, .preemptions = 0, .stale_loads = 1'000},
                                [](interleave::Run& run) {
                                  Int x{0};
                                  run.thread([&] {
                                    while (x.load(kRelaxed) == 0) Checked::pause();
                                  });
                                  run.thread([&] { x.store(1, kRelaxed); });
                                  run.after();
                                });
  EXPECT_TRUE(result.complete) << result.report;
  EXPECT_LT(result.executions, 10);  // in the end: when it has yielded
}

TEST(Accepts, LongWaitsWithAChangeNowAndThen) {
  const Result result = explore({.executions = 500, .idle_turns = 12}, [](interleave::Run& run) {
    Int x{0};
    run.thread([&] {
      for (int i = 1; i <= 10; ++i) {
        for (int j = 0; j < 3; ++j) Checked::pause();
        x.store(i);
      }
    });
    run.thread([&] {
      while (x.load() < 10) Checked::pause();
    });
    run.after();
  });
  EXPECT_TRUE(result.ok()) << result.report;
}

TEST(Accepts, LoopsThatGiveUp) {
  // Both ends of a limited spin are explored: it sees the store, or it runs out.
  for (const Options::Mode mode : {Options::Mode::kRandom, kSystematic}) {
    int saw = 0, gave_up = 0;
    const Result result = explore({.mode = mode, .executions = 1'000}, [&](interleave::Run& run) {
      Int x{0};
      bool seen = false;
      run.thread([&] {
        for (int i = 0; i < 2 && !seen; ++i) {
          seen = x.load() == 1;
          if (!seen) Checked::pause();
        }
      });
      run.thread([&] { x.store(1); });
      run.after([&] { ++(seen ? saw : gave_up); });
    });
    EXPECT_TRUE(result.ok()) << result.report;
    EXPECT_GT(saw, 0);
    EXPECT_GT(gave_up, 0);
  }
}

TEST(Accepts, MemoryThatIsUsedAgain) {
  EXPECT_EQ(failure_of([](interleave::Run& run) {
              run.thread([] {
                for (int i = 0; i < 3; ++i) {
                  alignas(Int) std::byte storage[sizeof(Int)];
                  Checked::writes(storage, sizeof(storage));
                  Int* const x = new (storage) Int(i);
                  check(x->load() == i, "a new object");
                  x->~Atomic();
                }
              });
              run.after();
            }),
            Failure::kNone);
}

/// Goes through steps while its thread unwinds.
struct Unwound {
  Int& x;
  ~Unwound() {
    for (int i = 0; i < 2; ++i) {
      x.fetch_add(1);
      check(std::uncaught_exceptions() == 1, "the other thread's exceptions do not count");
    }
  }
};

TEST(Accepts, ThreadsThatAreInterruptedWhileTheyThrow) {
  EXPECT_EQ(failure_of([](interleave::Run& run) {
              Int x{0};
              for (int t = 0; t < 2; ++t) {
                run.thread([&, t] {
                  try {
                    const Unwound unwound{x};
                    throw t;
                  } catch (int) {
                    x.fetch_add(1);
                    try {
                      throw;
                    } catch (int again) {
                      check(again == t, "its own exception");
                    }
                  }
                });
              }
              run.after([&] { check(x.load() == 6, "all ran"); });
            }),
            Failure::kNone);
}

}  // namespace
}  // namespace postroom
