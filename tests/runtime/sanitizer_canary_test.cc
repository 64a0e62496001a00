// Planted errors that the sanitizers must find in the configuration that they are built into: were
// they switched off by accident, this test would fail.
#include <gtest/gtest.h>

#include <climits>
#include <memory>
#include <thread>

#include "runtime/machine.h"

namespace postroom {
namespace {

#if defined(__SANITIZE_THREAD__)

// Two processors write one variable, and only after that does a message order them.
void race() {
  Machine machine({.processors = 2});
  int shared = 0;
  machine.run([&](Processor& self) {
    shared += self.id() + 1;
    if (self.id() == 0) self.send(1, 1);
    if (self.id() == 1) (void)self.receive<int>(0);
  });
  std::exit(shared == 3 ? 0 : 1);
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
