// A machine when memory ends: at its start, in a run, in a program. Whoever asked is told, nothing
// hangs, and the next one works.
#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "numa/topology.h"
#include "runtime/light_machine.h"
#include "runtime/machine.h"
#include "runtime/virtual_clock.h"
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

/// Also on a box with two nodes, where mailboxes are placed.
std::vector<MachineOptions> ways_to_carry_four() {
  std::vector<MachineOptions> ways = ways_to_carry(4);
  ways.push_back(
      {.processors = 4,
       .threads = 4,
       .topology = std::make_shared<Topology>(Topology::synthetic("numa:2 core:2 pu:1"))});
  return ways;
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
  for (const MachineOptions& way : ways_to_carry_four()) {
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

void pass_round(Processor& self) {
  const std::vector<int> mine(2000, self.id());
  std::vector<int> theirs(2000);
  const Pending sending = self.start_send((self.id() + 1) % self.count(), mine);
  self.receive((self.id() + 3) % self.count(), theirs);
  EXPECT_EQ(theirs.back(), (self.id() + 3) % self.count());
  self.barrier();
}
void fail_on_one(Processor& self) {
  if (self.id() == 1) throw std::runtime_error("one");
  self.barrier();
}
void leave_messages(Processor& self) {
  for (int i = 0; i < self.count(); ++i) self.send(i, 100 + self.id());
}
void wait_in_a_circle(Processor& self) { (void)self.receive<int>((self.id() + 1) % self.count()); }

/// Runs one of the programs above, which may end as it does with memory, or for want of it.
template <class AnyMachine>
void run_short_of_memory(AnyMachine& machine, void (*program)(Processor&)) {
  try {
    machine.run(program);
  } catch (const std::bad_alloc&) {
  } catch (const ProcessorError& error) {
    EXPECT_TRUE(error.caused_by<std::bad_alloc>() != nullptr || program == fail_on_one);
  } catch (const UnreceivedError&) {
    EXPECT_EQ(program, leave_messages);
  } catch (const DeadlockError&) {
    EXPECT_EQ(program, wait_in_a_circle);
  }
}

// Whatever the run ends with, the next one works.
TEST(ShortOfMemory, AMachineThatRuns) {
  for (MachineOptions way : ways_to_carry_four()) {
    for (const bool trace : {false, true}) {
      way.trace = trace;
      for (const auto program : {pass_round, fail_on_one, leave_messages, wait_in_a_circle}) {
        Machine machine(way);
        const auto run = [&] { run_short_of_memory(machine, program); };
        EXPECT_GT(fail_each_allocation(run, [&] { EXPECT_EQ(sum_of_ranks(machine), 6); }), 0);
      }
    }
  }
}

void wait_for_all(Processor& self) {
  int sum = 0;
  for (int i = 0; i < self.count(); ++i) {
    if (i != self.id()) self.send(i, self.id());
  }
  for (int i = 0; i < self.count(); ++i) {
    if (i != self.id()) sum += self.receive<int>(i);
  }
  EXPECT_EQ(sum, self.count() * (self.count() - 1) / 2 - self.id());
}

TEST(ShortOfMemory, ALightMachine) {
  constexpr int kProcessors = 10;  // more than the stacks that are made at first
  for (const auto program : {wait_for_all, fail_on_one, leave_messages, wait_in_a_circle}) {
    long number = 0;
    for (bool happened = true; happened && number < kMostAllocations; number += kSlowness) {
      LightMachine machine(kProcessors, std::make_shared<VirtualClock>(2));
      {
        const FailingAllocation failing(number);
        run_short_of_memory(machine, program);
        happened = failing.happened();
      }
      machine.run(wait_for_all);
    }
    EXPECT_GT(number, 5);
  }
}

// A processor that has caught it leaves nothing half made.
TEST(ShortOfMemory, AMachineWhoseProgramCatchesIt) {
  for (const MachineOptions& way : ways_to_carry(2)) {
    long number = 0;
    for (bool happened = true; happened; ++number) {
      Machine machine(way);
      const FailingAllocation failing(number);
      try {
        machine.run([](Processor& self) {
          if (self.id() != 0) return;
          try {
            self.send(1, 7);
          } catch (const std::bad_alloc&) {
          }
          self.send(1, 8);
        });
      } catch (const std::bad_alloc&) {
      } catch (const ProcessorError& error) {
        EXPECT_NE(error.caused_by<std::bad_alloc>(), nullptr);
      } catch (const UnreceivedError&) {
      }
      happened = failing.happened();
    }
    EXPECT_GT(number, 2);
  }
}

// Who catches it goes on with whole tables.
TEST(ShortOfMemory, AProcessorThatBorrowsAndStartsToReceive) {
  const auto program = [](Processor& self) {
    const std::vector<int> mine(2000, self.id());
    std::vector<int> theirs(2000);
    const auto again_where_it_fails = [](const auto& call) {
      for (;;) {
        try {
          return call();
        } catch (const std::bad_alloc&) {
        }
      }
    };
    const int other = 1 - self.id();
    Pending lent = again_where_it_fails([&] { return self.start_send(other, mine); });
    {
      const Borrowed borrowed = again_where_it_fails([&] { return self.borrow_bytes(other); });
      EXPECT_EQ(borrowed.as<int>().back(), other);
    }
    lent.wait();
    Pending sent = again_where_it_fails([&] { return self.start_send(other, mine); });
    again_where_it_fails([&] { return self.start_receive(other, theirs); }).wait();
    EXPECT_EQ(theirs.back(), other);
    sent.wait();
  };
  for (const MachineOptions& way : ways_to_carry(2)) {
    long number = 0;
    for (bool happened = true; happened; ++number) {
      Machine machine(way);
      const FailingAllocation failing(number);
      try {
        machine.run(program);
      } catch (const std::bad_alloc&) {        // of the run itself
      } catch (const ProcessorError& error) {  // of the lists
        EXPECT_NE(error.caused_by<std::bad_alloc>(), nullptr);
      }
      happened = failing.happened();
    }
    EXPECT_GT(number, 4);
  }
}

}  // namespace
}  // namespace postroom
