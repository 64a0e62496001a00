// Many processors on few threads: stacks, turns, exceptions in between, and numbers that a laptop
// holds.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cfenv>
#include <chrono>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "runtime/light_machine.h"
#include "runtime/stack_switch.h"
#include "runtime/stacks.h"
#include "tests/runtime/testing.h"

namespace postroom {
namespace {

TEST(StackSwitch, GoesBackAndForth) {
  const Stacks stacks(2, 64 * 1024, /*guarded=*/true);
  StackContext thread;
  StackContext ping;
  StackContext pong;
  std::vector<int> order;
  ping.prepare(stacks.stack(0), [&] {
    for (int i = 0; i < 3; ++i) {
      order.push_back(i);
      StackContext::switch_to(ping, pong);
    }
    return &thread;
  });
  pong.prepare(stacks.stack(1), [&] {
    for (int i = 10; i < 13; ++i) {
      order.push_back(i);
      StackContext::switch_to(pong, ping);
    }
    return &thread;
  });
  StackContext::switch_to(thread, ping);
  EXPECT_EQ(order, (std::vector<int>{0, 10, 1, 11, 2, 12}));
  StackContext::switch_to(thread, pong);  // to its end
  EXPECT_EQ(order.size(), 6u);
}

TEST(StackSwitch, KeepsTheExceptionsOfEachStackApart) {
  const Stacks stacks(2, 64 * 1024, /*guarded=*/true);
  StackContext thread;
  StackContext contexts[2];
  std::vector<std::string> caught;
  for (int i = 0; i < 2; ++i) {
    StackContext& other = contexts[1 - i];
    contexts[i].prepare(stacks.stack(i), [&, i]() -> StackContext* {
      try {
        throw std::runtime_error(std::to_string(i));
      } catch (const std::runtime_error&) {
        if (i == 0) StackContext::switch_to(contexts[i], other);  // in the middle of handling
        try {
          throw;
        } catch (const std::runtime_error& again) {
          caught.emplace_back(again.what());
        }
      }
      return i == 0 ? &thread : &other;
    });
  }
  StackContext::switch_to(thread, contexts[0]);
  EXPECT_EQ(caught, (std::vector<std::string>{"1", "0"}));
  EXPECT_EQ(std::uncaught_exceptions(), 0);
}

TEST(Stacks, LieApart) {
  const Stacks stacks(3, 10'000, /*guarded=*/true);
  EXPECT_GE(stacks.stack(0).size(), 10'000u);
  for (int i = 0; i < 3; ++i) std::ranges::fill(stacks.stack(i), static_cast<std::byte>(i));
  EXPECT_EQ(stacks.stack(0).back(), std::byte{0});
  EXPECT_GT(stacks.stack(1).data() - stacks.stack(0).data(),
            static_cast<long>(stacks.stack(0).size()));
}

TEST(Stacks, KnowWhoseGuardAnAddressIs) {
  const Stacks stacks(3, 64 * 1024, /*guarded=*/true);
  for (int i = 0; i < 3; ++i) {
    const std::span<std::byte> stack = stacks.stack(i);
    EXPECT_EQ(stacks.guarded_by(stack.data() - 1), i);
    EXPECT_EQ(stacks.guarded_by(stack.data() - 64 * 1024), i);
    EXPECT_EQ(stacks.guarded_by(stack.data()), std::nullopt);
    EXPECT_EQ(stacks.guarded_by(&stack.back()), std::nullopt);
  }
  EXPECT_EQ(stacks.guarded_by(&stacks), std::nullopt);
  const Stacks bare(3, 64 * 1024, /*guarded=*/false);
  EXPECT_EQ(bare.guarded_by(bare.stack(1).data() - 1), std::nullopt);
}

TEST(Stacks, WithoutGuardsShowWhetherTheySufficed) {
  const Stacks stacks(3, 64 * 1024, /*guarded=*/false);
  StackContext thread;
  std::vector<bool> overrun;
  for (int i = 0; i < 3; ++i) {
    StackContext context;
    context.prepare(stacks.stack(i), [&, i] {
      std::byte* const lowest = stacks.stack(i).data();
      *lowest = std::byte{1};
      overrun.push_back(stacks.is_overrun(i));
      lowest[-1] = std::byte{1};
      overrun.push_back(stacks.is_overrun(i));
      return &thread;
    });
    StackContext::switch_to(thread, context);
  }
  EXPECT_EQ(overrun, (std::vector<bool>{false, true, false, true, false, true}));
}

#if !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)  // they report in their own words
TEST(StacksDeathTest, AGuardEndsTheProgramThatNeedsMore) {
  const Stacks stacks(2, 64 * 1024, /*guarded=*/true);
  EXPECT_DEATH(stacks.stack(1).data()[-1] = std::byte{1}, "");
}

// Touches only the lowest element of an array larger than a stack of 256 KiB and some pages.
[[gnu::noinline]] char far_below() {
  volatile char array[400'000];
  array[0] = 1;
  return array[0];
}

TEST(StacksDeathTest, SaysWhichProcessorNeedsMore) {
  EXPECT_EXIT(
      Machine({.processors = 5, .threads = 1, .stack_bytes = 256 * 1024}).run([](Processor& self) {
        if (self.id() == 3) far_below();
      }),
      testing::KilledBySignal(SIGSEGV),
      "processor 3 needs more than its stack of [23][0-9]{2} KiB");
}

TEST(StacksDeathTest, AThreadOfItsOwnHasTheStackThatIsAskedFor) {
  for (const int processor : {0, 1}) {
    EXPECT_EXIT(Machine({.processors = 2, .threads = 2, .stack_bytes = 256 * 1024})
                    .run([&](Processor& self) {
                      self.barrier();
                      if (self.id() == processor) far_below();
                    }),
                testing::KilledBySignal(SIGSEGV),
                "processor " + std::to_string(processor) +
                    " needs more than its stack of [23][0-9]{2} KiB");
  }
}

TEST(StacksDeathTest, ALightMachineSaysSoToo) {
  EXPECT_EXIT(LightMachine(5, std::make_shared<VirtualClock>(Rational(1))).run([](Processor& self) {
    self.barrier();
    if (self.id() == 3) far_below();
  }),
              testing::KilledBySignal(SIGSEGV),
              "processor 3 needs more than its stack of [23][0-9]{2} KiB");
}

// More than that, all of it written.
[[gnu::noinline]] int go_deep(int depth) {
  volatile char array[4096];
  for (volatile char& element : array) element = 1;
  return depth == 0 ? array[0] : go_deep(depth - 1) + array[0];
}

TEST(StacksDeathTest, WithoutGuardsSaysWhichProcessorNeedsMore) {
  constexpr int kProcessors = Stacks::kMostGuarded + 200;
  int begun = 0;  // in whatever order
  const auto program = [&](Processor& self) {
    const bool goes_deep = ++begun == kProcessors - 100;
    self.barrier();
    if (goes_deep) {
      EXPECT_NE(go_deep(85), 0);
    }
    self.barrier();
  };
  const std::string line = "processor [0-9]+ needs more than its stack of [23][0-9]{2} KiB";
  EXPECT_EXIT(Machine({.processors = kProcessors, .threads = 1}).run(program),
              testing::KilledBySignal(SIGABRT), line);
  EXPECT_EXIT(LightMachine(kProcessors, std::make_shared<VirtualClock>(Rational(1))).run(program),
              testing::KilledBySignal(SIGABRT), line);
}

TEST(StacksDeathTest, OtherFaultsAreLeftAlone) {
  EXPECT_EXIT(Machine({.processors = 5, .threads = 1}).run([](Processor&) {
    volatile int* const nothing = nullptr;
    *nothing = 1;
  }),
              testing::KilledBySignal(SIGSEGV), "^$");
}

TEST(StacksDeathTest, WhatIsSentEndsTheProcessToo) {
  EXPECT_EXIT(
      Machine({.processors = 5, .threads = 1}).run([](Processor&) { kill(getpid(), SIGSEGV); }),
      testing::KilledBySignal(SIGSEGV), "^$");
}

void the_programs_own(int) { _exit(7); }

TEST(StacksDeathTest, AHandlerOfTheProgramStays) {
  EXPECT_EXIT(
      {
        signal(SIGSEGV, the_programs_own);
        Machine({.processors = 5, .threads = 1}).run([](Processor&) { raise(SIGSEGV); });
      },
      testing::ExitedWithCode(7), "^$");
}
#endif

TEST(SharedThreads, AThreadOfItsOwnMayHaveALargerStack) {
  for (const int p : {1, 2, 3}) {
    Machine machine({.processors = p, .threads = p, .stack_bytes = 64 << 20});
    for (int turn = 0; turn < 3; ++turn) {
      std::vector<int> sums(p);
      machine.run([&](Processor& self) {
        volatile int large[8 << 20];  // 32 MiB
        large[0] = self.id();
        std::vector<int> in(100'000);
        self.exchange((self.id() + 1) % p, std::vector<int>(in.size(), int{large[0]}),
                      (self.id() + p - 1) % p, in);
        self.barrier();
        sums[self.id()] = in.back() + large[0];
      });
      for (int i = 0; i < p; ++i) EXPECT_EQ(sums[i], i + (i + p - 1) % p);
      EXPECT_THROW(machine.run([](Processor& self) {
        if (self.id() == 0) throw std::runtime_error("planned");
        self.barrier();
      }),
                   ProcessorError);
    }
  }
}

// As on a thread, an array of some hundreds of kilobytes fits.
TEST(SharedThreads, HaveStacksLikeThoseOfThreads) {
  for (const int p : {4, 64}) {
    Machine machine({.processors = p, .threads = 1});
    std::vector<long> sums(static_cast<std::size_t>(p));
    machine.run([&](Processor& self) {
      int numbers[250'000];
      std::iota(std::begin(numbers), std::end(numbers), self.id());
      self.barrier();
      sums[self.id()] = std::accumulate(std::begin(numbers), std::end(numbers), 0L);
    });
    for (int i = 0; i < p; ++i) EXPECT_EQ(sums[i], 250'000L * 249'999 / 2 + 250'000L * i);
  }
}

// Each rounds in its own way, whoever ran before it on the thread.
TEST(SharedThreads, KeepHowTheyRound) {
  constexpr std::array kWays = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  std::array<int, 2 * kWays.size()> found{};
  Machine machine({.processors = static_cast<int>(found.size()), .threads = 1});
  machine.run([&](Processor& self) {
    EXPECT_EQ(std::fegetround(), FE_TONEAREST) << self.id();
    std::fesetround(kWays[self.id() % kWays.size()]);
    for (int i = 0; i < 3; ++i) self.barrier();
    found[self.id()] = std::fegetround();
  });
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i], kWays[i % kWays.size()]) << i;
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

// The processors pass their numbers on in a ring; every one must have its turn again and again.
long ring_sum(Machine& machine) {
  std::vector<long> sums(static_cast<std::size_t>(machine.processors()));
  machine.run([&](Processor& self) {
    const int next = (self.id() + 1) % self.count();
    const int last = (self.id() + self.count() - 1) % self.count();
    int token = self.id();
    for (int step = 0; step < 5; ++step) {
      self.send(next, token);
      token = self.receive<int>(last);
      sums[self.id()] += token;
      self.barrier();
    }
  });
  return std::accumulate(sums.begin(), sums.end(), 0L);
}

/// Real time, in which nothing is waited for.
void compute(std::chrono::microseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) continue;
}

// Who has something to take at any time waits for nothing; the others of its thread run all the
// same.
TEST(SharedThreads, WhoNeverWaitsLetsTheOthersRun) {
  using std::chrono::microseconds;
  Machine machine({.processors = 3, .threads = 2});  // 0 and 1; 2
  ends_soon([&] {
    machine.run([](Processor& self) {
      int value = 0;
      if (self.id() == 2) {
        Pending enough = self.start_receive(0, value);
        while (!enough.ready()) self.send(0, 7);
        enough.wait();
        self.send(0, -1);
      } else if (self.id() == 1) {
        self.receive(0, value);
        self.send(0, value);
      } else {
        self.send(1, 1);
        compute(microseconds(10'000));  // many messages of 2 are there
        int answer = 0;
        std::array<Pending, 2> pending{self.start_receive(2, value), self.start_receive(1, answer)};
        while (*wait_any(pending) == 0) {
          compute(microseconds(2));
          pending[0] = self.start_receive(2, value);
        }
        self.send(2, 0);
        pending[0].wait();
        while (value != -1) self.receive(2, value);
      }
    });
  });
}

TEST(SharedThreads, TenThousandProcessors) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  constexpr int p =
      1000;  // one knows 8,128 contexts at most, the other adds a stack of its own to each
#else
  constexpr int p = 10'000;
#endif
  Machine machine({.processors = p});
  EXPECT_LE(machine.threads(), machine.topology().leaf_count());
  for (int repeat = 0; repeat < 2; ++repeat) EXPECT_EQ(ring_sum(machine), 5L * p * (p - 1) / 2);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(SharedThreads, AHundredThousandProcessors) {
  constexpr int p = 100'000;
  Machine machine({.processors = p});
  std::vector<char> got(p);
  machine.run([&](Processor& self) {
    self.barrier();
    // A broadcast on the binomial tree.
    int word = self.id() == 0 ? 42 : 0;
    int bit = 1;
    while (bit < self.count()) bit <<= 1;
    for (bit >>= 1; bit > 0; bit >>= 1) {
      if (self.id() % (2 * bit) == 0 && self.id() + bit < self.count())
        self.send(self.id() + bit, word);
      if (self.id() % (2 * bit) == bit) word = self.receive<int>(self.id() - bit);
    }
    got[self.id()] = word == 42;
  });
  EXPECT_EQ(std::count(got.begin(), got.end(), 1), p);
}
#endif

TEST(SharedThreads, RefusesMoreThreadsThanProcessors) {
  EXPECT_EQ(thrown<std::invalid_argument>([] { Machine({.processors = 3, .threads = 4}); }),
            "threads: 4 is not allowed; 1 to 3 (the processors), or 0 for as many as are useful");
}

TEST(SharedThreads, RefusesStacksOnWhichNothingRuns) {
  EXPECT_EQ(thrown<std::invalid_argument>(
                [] { Machine({.processors = 3, .threads = 1, .stack_bytes = 4096}); }),
            "stack_bytes: 4096 is not allowed; at least 16384, or 0 for what suits so many "
            "processors");
  for (const std::size_t bytes :
       {~std::size_t{0}, ~std::size_t{0} - 100'000, std::size_t{1} << 62}) {
    EXPECT_THROW(Machine({.processors = 3, .threads = 1, .stack_bytes = bytes}), std::bad_alloc);
  }
}

TEST(SharedThreads, ADeadlockAmongThousandsIsFoundAndCutShort) {
  Machine machine({.processors = 2000});
  const std::string text = thrown<DeadlockError>([&] {
    machine.run([](Processor& self) { (void)self.receive<int>((self.id() + 1) % self.count()); });
  });
  EXPECT_NE(text.find("more"), std::string::npos) << text;
}

}  // namespace
}  // namespace postroom
