// Machines in processes that were forked off.
#include <sys/wait.h>
#include <unistd.h>

#include <optional>
#include <stdexcept>
#include <string>

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
