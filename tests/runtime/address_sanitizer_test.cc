// A program with the address sanitizer whose library is built without: it takes no exception on a
// processor's stack for an error.
#include <gtest/gtest.h>

#include <stdexcept>

#include "runtime/errors.h"
#include "runtime/machine.h"

namespace postroom {
namespace {

// Ends by an exception, so that nobody tidies up what the sanitizer has put around the array.
[[gnu::noinline]] void fill_and_throw(Processor& self) {
  volatile int array[100];
  for (int i = 0; i < 100; ++i) array[i] = i;
  self.barrier();
  if (array[99] == 99) throw std::runtime_error("thrown beside an array");
}

[[gnu::noinline]] int sum_of_array() {
  volatile int array[200];
  for (int i = 0; i < 200; ++i) array[i] = i;
  int sum = 0;
  for (int i = 0; i < 200; ++i) sum += array[i];
  return sum;
}

TEST(AddressSanitizer, KnowsTheStacksOfProcessorsThatShareAThread) {
  for (int round = 0; round < 50; ++round) {
    Machine machine({.processors = 4, .threads = 1});
    EXPECT_THROW(machine.run(fill_and_throw), ProcessorError);
    machine.run([](Processor& self) {
      try {
        fill_and_throw(self);
      } catch (const std::runtime_error&) {
      }
      EXPECT_EQ(sum_of_array(), 199 * 100);
      self.barrier();
    });
  }
}

}  // namespace
}  // namespace postroom
