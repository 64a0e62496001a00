// Planted errors that the sanitizers must find in the configuration that they are built into: were
// they switched off by accident, this test would fail.
#include <gtest/gtest.h>

#include <atomic>
#include <climits>
#include <memory>
#include <thread>

#include "runtime/machine.h"

namespace postroom {
namespace {

#if defined(__SANITIZE_THREAD__)

// Two processors write one variable, and only after both have done so does a message order them.
// Without the count, a processor that starts late might see what the other one did after its write.
void race() {
  Machine machine({.processors = 2});
  int shared = 0;
  std::atomic<int> writers = 0;
  machine.run([&](Processor& self) {
    shared += self.id() + 1;
    // Relaxed: the count must not order the two writes.
    writers.fetch_add(1, std::memory_order_relaxed);
    while (writers.load(std::memory_order_relaxed) != 2) std::this_thread::yield();
    if (self.id() == 0) self.send(1, 1);
    if (self.id() == 1) (void)self.receive<int>(0);
  });
  // Both values are possible: what matters is that the sanitizer has seen the race.
  std::exit(shared >= 1 && shared <= 3 ? 0 : 1);
}

TEST(ThreadSanitizerCanary, FindsARaceBetweenProcessors) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(race(), testing::ExitedWithCode(66), "data race");
}

#elif defined(__SANITIZE_ADDRESS__)

TEST(AddressSanitizerCanary, FindsAUseAfterFree) {
  EXPECT_DEATH(
      {
        auto value = std::make_unique<volatile int>(1);
        const volatile int* const left = value.get();
        value.reset();
        std::exit(*left);
      },
      "heap-use-after-free");
}

TEST(UndefinedBehaviourSanitizerCanary, FindsAnOverflow) {
  EXPECT_DEATH(
      {
        volatile int largest = INT_MAX;
        std::exit(largest + 1);
      },
      "signed integer overflow");
}

#else

TEST(SanitizerCanary, HasNothingToFindInThisConfiguration) {
  GTEST_SKIP() << "built without sanitizers";
}

#endif

}  // namespace
}  // namespace postroom
