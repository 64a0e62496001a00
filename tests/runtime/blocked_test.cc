// Who waits for long uses no processor time: after a tenth of a second in whatever there is to wait
// for, all threads of a machine together take less than a hundredth of a core.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <functional>
#include <memory>
#include <source_location>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "runtime/atomics.h"
#include "runtime/errors.h"
#include "runtime/machine.h"
#include "runtime/postal_clock.h"
#include "runtime/rooted_call.h"
#include "tests/runtime/testing.h"

namespace postroom {
namespace {

using namespace std::chrono_literals;

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

constexpr auto kFirst = 100ms;
constexpr auto kLook = 300ms;
constexpr int kLooks = 3;

// The part of a core that this process uses, while the thread that asks sleeps. Of several looks
// the least: on a box with other load a thread may come late, and only then spin for its
// millisecond.
double part_of_a_core() {
  std::this_thread::sleep_for(kFirst);
  double least = 1;
  for (int look = 0; look < kLooks && least >= 0.01; ++look) {
    const double before = processor_seconds();
    std::this_thread::sleep_for(kLook);
    const std::chrono::duration<double> time = kLook;
    least = std::min(least, (processor_seconds() - before) / time.count());
  }
  return least;
}

using Look = std::function<void()>;

void idle(const Look& look) {
  Machine machine({.processors = 8});
  machine.run([](Processor& self) { self.barrier(); });
  look();
}

void receive(const Look& look) {
  Machine machine({.processors = 3, .threads = 3});
  machine.run([&](Processor& self) {
    if (self.id() != 0) return (void)self.receive<int>(0);
    look();
    for (const int to : {1, 2}) self.send(to, 1);
  });
}

void receive_on_shared_threads(const Look& look) {
  Machine machine({.processors = 9, .threads = 3});
  machine.run([&](Processor& self) {
    if (self.id() != 0) return (void)self.receive<int>(0);
    look();
    for (int to = 1; to < self.count(); ++to) self.send(to, 1);
  });
}

void barrier(const Look& look) {
  Machine machine({.processors = 3, .threads = 3});
  machine.run([&](Processor& self) {
    if (self.id() == 0) look();
    self.barrier();
  });
}

void return_of_a_loan(const Look& look) {
  Machine machine({.processors = 2, .threads = 2});
  machine.run([&](Processor& self) {
    const std::array<int, 1000> lent{};
    if (self.id() == 1) return self.lend(0, lent).wait();
    const Borrowed borrowed = self.borrow_bytes(1);
    look();
  });
}

// The root is the only one of its thread that does not wait.
void slots(const Look& look) {
  Machine machine({.processors = 9, .threads = 3});
  machine.run([&](Processor& self) {
    std::array<std::byte, 8> list{};
    ASSERT_LT(list.size(), self.hand_limits().out);
    const RootedCall call{RootedCall::Kind::kBroadcast, 4, list.size()};
    const bool is_root = self.id() == call.root;
    if (is_root) look();
    self.hand_out(call, is_root ? ConstBytes(list) : ConstBytes(), list.size(), 0,
                  is_root ? Bytes() : Bytes(list), std::source_location::current());
  });
}

// The sender is as far ahead of the receiver as it may be.
void credit(const Look& look) {
  constexpr int kMessages = 80'000;
  constexpr int kNearlyTooMany = 65'000;
  Machine machine({.processors = 2, .threads = 2});
  std::atomic<int> sent = 0;
  machine.run([&](Processor& self) {
    if (self.id() == 1) {
      for (; sent < kMessages; ++sent) self.send(0, sent.load());
      return;
    }
    for (int looks = 0; sent < kNearlyTooMany && looks < 60'000; ++looks) {
      std::this_thread::sleep_for(1ms);
    }
    look();
    EXPECT_LT(sent, kMessages);
    for (int i = 0; i < kMessages; ++i) EXPECT_EQ(self.receive<int>(1), i);
  });
}

void arrival_on(int threads, const Look& look) {
  Machine machine(
      {.processors = 2, .threads = threads, .clock = std::make_shared<PostalClock>(1000, 1ms)});
  std::thread beside(look);
  machine.run([&](Processor& self) {
    if (self.id() == 0) return self.send(1, 1);
    EXPECT_EQ(self.receive<int>(0), 1);
  });
  beside.join();
}
void arrival(const Look& look) { arrival_on(2, look); }
void arrival_on_a_shared_thread(const Look& look) { arrival_on(1, look); }

// Unwound processors wait until what they lent is no longer read.
void unwound_lenders_on(const MachineOptions& options, const Look& look) {
  Machine machine(options);
  const int last = machine.processors() - 1;
  EXPECT_THROW(machine.run([&](Processor& self) {
    const std::array<int, 1000> lent{};
    if (2 * self.id() > last) {
      const Pending loan = self.lend(0, lent);
      EXPECT_EQ(self.receive<int>(0), 1);
      throw std::runtime_error("planted");
    }
    if (self.id() != 0) return;
    std::vector<Borrowed> borrowed;
    for (int lender = last / 2 + 1; lender <= last; ++lender) {
      borrowed.push_back(self.borrow_bytes(lender));
    }
    for (int lender = last / 2 + 1; lender <= last; ++lender) self.send(lender, 1);
    look();
  }),
               ProcessorError);
}
void unwound_lender(const Look& look) { unwound_lenders_on({.processors = 2, .threads = 2}, look); }
void unwound_lenders_on_a_shared_thread(const Look& look) {
  unwound_lenders_on({.processors = 6, .threads = 2}, look);
}

struct Kind {
  const char* name;
  void (*wait)(const Look& look);
};

class Blocked : public ::testing::TestWithParam<Kind> {};

INSTANTIATE_TEST_SUITE_P(
    Waits, Blocked,
    ::testing::Values(Kind{"Idle", idle}, Kind{"Receive", receive},
                      Kind{"ReceiveOnSharedThreads", receive_on_shared_threads},
                      Kind{"Barrier", barrier}, Kind{"ReturnOfALoan", return_of_a_loan},
                      Kind{"Slots", slots}, Kind{"Credit", credit}, Kind{"Arrival", arrival},
                      Kind{"ArrivalOnASharedThread", arrival_on_a_shared_thread},
                      Kind{"UnwoundLender", unwound_lender},
                      Kind{"UnwoundLendersOnASharedThread", unwound_lenders_on_a_shared_thread}),
    [](const auto& kind) { return std::string(kind.param.name); });

TEST_P(Blocked, UsesLessThanAHundredthOfACore) {
  double part = 1;
  GetParam().wait([&] { part = part_of_a_core(); });
#if defined(__SANITIZE_ADDRESS__)
  constexpr double kMost = 0.02;  // not optimised
#else
  constexpr double kMost = 0.01 * kSlowness;
#endif
  EXPECT_LT(part, kMost);
}

// A canary: the look sees what another thread uses.
TEST(BlockedCanary, WhoLooksAgainAndAgainUsesMore) {
  std::atomic<bool> done = false;
  std::thread other([&] {
    while (!done) pause();
  });
  EXPECT_GT(part_of_a_core(), 0.01);
  done = true;
  other.join();
}

}  // namespace
}  // namespace postroom
