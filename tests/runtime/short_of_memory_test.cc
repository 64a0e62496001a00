// A machine when memory ends: at its start, in a run, in a program. Whoever asked is told, nothing
// hangs, and the next one works.
#include <gtest/gtest.h>

#include <new>
#include <optional>
#include <system_error>
#include <vector>

#include "runtime/machine.h"
#include "tests/failing_heap.h"
#include "tests/runtime/testing.h"

namespace postroom {
namespace {

constexpr long kMostAllocations = 100'000;

/// Calls `call` again and again, each time with a later allocation that fails, until none does;
/// after each time `check`. Returns how many failed.
template <class Call, class Check>
long fail_each_allocation(Call call, Check check) {
  for (long number = 0; number < kMostAllocations; ++number) {
    bool happened = false;
    {
      const FailingAllocation failing(number);
      call();
      happened = failing.happened();
    }
    check();
    if (!happened) return number;
  }
  ADD_FAILURE() << "no end";
  return kMostAllocations;
}

int sum_of_ranks(Machine& machine) {
  int sum = 0;
  machine.run([&](Processor& self) {
    for (int i = 1; self.id() == 0 && i < self.count(); ++i) sum += self.receive<int>(i);
    if (self.id() != 0) self.send(0, self.id());
  });
  return sum;
}

TEST(ShortOfMemory, AMachineThatStarts) {
  for (const MachineOptions& way : ways_to_carry(4)) {
    std::optional<Machine> machine;
    const auto start = [&] {
      try {
        machine.emplace(way);
      } catch (const std::bad_alloc&) {
      } catch (const std::system_error&) {
      }
    };
    const auto check = [&] {
      if (machine) {
        EXPECT_EQ(sum_of_ranks(*machine), 6);
      }
      machine.reset();
    };
    EXPECT_GT(fail_each_allocation(start, check), 5);
  }
}

TEST(ShortOfMemory, AMachineThatRuns) {
  for (const MachineOptions& way : ways_to_carry(4)) {
    Machine machine(way);
    const auto run = [&] {
      try {
        machine.run([](Processor& self) {
          const std::vector<int> mine(2000, self.id());
          std::vector<int> theirs(2000);
          const Pending sending = self.start_send((self.id() + 1) % self.count(), mine);
          self.receive((self.id() + 3) % self.count(), theirs);
          EXPECT_EQ(theirs.back(), (self.id() + 3) % self.count());
          self.barrier();
        });
      } catch (const std::bad_alloc&) {
      } catch (const ProcessorError& error) {
        EXPECT_NE(error.caused_by<std::bad_alloc>(), nullptr);
      }
    };
    EXPECT_GT(fail_each_allocation(run, [&] { EXPECT_EQ(sum_of_ranks(machine), 6); }), 5);
  }
}

}  // namespace
}  // namespace postroom
