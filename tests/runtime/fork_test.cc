// Machines in processes that were forked off.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include "numa/topology.h"
#include "runtime/nest.h"
#include "tests/runtime/testing.h"

namespace postroom {
namespace {

// Whether `body` is true in a child, which has ten seconds.
template <class Body>
bool is_true_in_a_child(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(10);
    _exit(body() ? 0 : 1);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool runs(Machine& machine) {
  int sum = 0;
  machine.run([&](Processor& self) {
    if (self.id() != 0) return self.send(0, self.id());
    for (int i = 1; i < self.count(); ++i) sum += self.receive<int>(i);
  });
  return sum == machine.processors() * (machine.processors() - 1) / 2;
}

bool refuses_to_run(Machine& machine) {
  try {
    machine.run([](Processor&) {});
  } catch (const std::logic_error& error) {
    return std::string(error.what()).find("forked off") != std::string::npos;
  }
  return false;
}

TEST(Fork, AChildDoesNotRunTheMachineOfItsParent) {
  for (const MachineOptions& way : ways_to_carry(4)) {
    Machine machine(way);
    ASSERT_TRUE(runs(machine));
    EXPECT_TRUE(is_true_in_a_child(
        [&] { return machine.threads() == 1 ? runs(machine) : refuses_to_run(machine); }));
    EXPECT_TRUE(runs(machine));
  }
}

TEST(Fork, AChildDestroysTheMachineOfItsParentAndMakesItsOwn) {
  for (const MachineOptions& way : ways_to_carry(4)) {
    std::optional<Machine> machine(way);
    ASSERT_TRUE(runs(*machine));
    EXPECT_TRUE(is_true_in_a_child([&] {
      machine.reset();
      Machine own(way);
      return runs(own) && is_true_in_a_child(
                              [&] { return own.threads() == 1 ? runs(own) : refuses_to_run(own); });
    }));
    EXPECT_TRUE(runs(*machine));
  }
}

// Another thread of its parent is at work, with a machine that starts no threads.
TEST(Fork, AChildDoesNotRunAMachineThatIsAtWork) {
  for (const int processors : {1, 3}) {
    std::optional<Machine> machine(MachineOptions{.processors = processors, .threads = 1});
    std::atomic<bool> at_work{false};
    std::atomic<bool> may_end{false};
    std::thread caller([&] {
      machine->run([&](Processor& self) {
        at_work = true;
        while (!may_end) self.yield();
      });
    });
    while (!at_work) std::this_thread::yield();
    EXPECT_TRUE(is_true_in_a_child([&] {
      const bool refuses = refuses_to_run(*machine) && refuses_to_run(*machine);
      machine.reset();
      Machine own({.processors = processors, .threads = 1});
      return refuses && runs(own);
    }));
    may_end = true;
    caller.join();
    EXPECT_TRUE(runs(*machine));
    EXPECT_TRUE(is_true_in_a_child([&] { return runs(*machine); }));
  }
}

// The child goes on with the program that has forked it, and the run ends in both processes.
TEST(Fork, AProgramForksAChildOfAMachineWithoutThreads) {
  Machine machine({.processors = 3, .threads = 1});
  pid_t child = -1;
  bool refuses = false;
  machine.run([&](Processor& self) {
    if (self.id() == 1) child = fork();
    if (child == 0) alarm(10);
    if (child == 0 && self.id() == 1) refuses = refuses_to_run(machine);
    self.barrier();
  });
  if (child == 0) _exit(refuses && runs(machine) ? 0 : 1);
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_TRUE(runs(machine));
}

// Another thread of its parent is reading what a box looks like all the time.
TEST(Fork, AChildLooksAtBoxesAnew) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "its heap may be locked for ever in a child";
#endif
  std::atomic<bool> may_end{false};
  std::thread reader([&] {
    while (!may_end) (void)Topology::synthetic("package:2 core:2 pu:2");
  });
  for (int i = 0; i < 10; ++i) {
    EXPECT_TRUE(is_true_in_a_child([] {
      Machine own({.processors = 2, .threads = 1});
      return Topology::synthetic("core:3 pu:1").leaf_count() == 3 && runs(own);
    }));
  }
  may_end = true;
  reader.join();
}

// Another thread of its parent is about to wait for a machine all the time.
TEST(Fork, AChildWaitsForMachinesAnew) {
  const int inner = 0, outer = 0;
  const Nest nest = Nest().with(&outer);
  std::atomic<bool> may_end{false};
  std::thread waits([&] {
    while (!may_end) const NestedWait wait(nest, &inner);
  });
  for (int repeat = 0; repeat < 100; ++repeat) {
    EXPECT_TRUE(is_true_in_a_child([&] {
      const NestedWait wait(Nest().with(&inner), &outer);  // no circle: nobody else waits here
      return true;
    }));
  }
  may_end = true;
  waits.join();
}

// While its parent's machine is at work.
TEST(Fork, AProgramForksAChildThatMakesAMachine) {
  Machine machine({.processors = 2, .threads = 2});
  machine.run([&](Processor& self) {
    if (self.id() == 0) {
      EXPECT_TRUE(is_true_in_a_child([&] {
        Machine own({.processors = 3});
        return runs(own) && refuses_to_run(machine);
      }));
    }
    self.barrier();
  });
}

}  // namespace
}  // namespace postroom
