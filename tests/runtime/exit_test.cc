// A program that calls exit ends the process with that code, wherever its machine is kept.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>

#include "runtime/light_machine.h"
#include "runtime/machine.h"
#include "runtime/virtual_clock.h"
#include "tests/runtime/testing.h"

namespace postroom {
namespace {

constexpr int kCode = 3;

/// The others wait for it; what is static is destroyed by exit, on its stack.
Machine::Program exit_at(int processor) {
  return [processor](Processor& self) {
    if (self.id() == processor) std::exit(kCode);
    self.barrier();
  };
}

class Exit : public ::testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(Exit, FromAMachine) {
  for (const MachineOptions& way : ways_to_carry(4)) {
    for (const int processor : {0, 3}) {
      EXPECT_EXIT(
          {
            static Machine machine(way);
            machine.run(exit_at(processor));
          },
          ::testing::ExitedWithCode(kCode), "");
    }
  }
}

TEST_F(Exit, FromALightMachine) {
  for (const int processor : {0, 50, 99}) {
    EXPECT_EXIT(
        {
          static LightMachine machine(100, std::make_shared<VirtualClock>(Rational(2)));
          machine.run(exit_at(processor));
        },
        ::testing::ExitedWithCode(kCode), "");
  }
}

}  // namespace
}  // namespace postroom
