#include "runtime/machine.h"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/runtime/testing.h"

namespace postroom {
namespace {

TEST(Machine, RunsTheProgramOnceOnEveryProcessor) {
  for (const int p : kCounts) {
    for (const MachineOptions& way : ways_to_carry(p)) {
      Machine machine(way);
      ASSERT_EQ(machine.processors(), p);
      std::vector<int> runs(p);
      machine.run([&](Processor& self) {
        EXPECT_EQ(self.count(), p);
        ++runs[self.id()];
      });
      EXPECT_EQ(runs, std::vector<int>(p, 1));
    }
  }
}

TEST(Machine, RunsManyProgramsOneAfterTheOther) {
  Machine machine({.processors = 3});
  std::vector<int> runs(3);
  for (int i = 0; i < 2000; ++i) machine.run([&](Processor& self) { ++runs[self.id()]; });
  EXPECT_EQ(runs, std::vector<int>(3, 2000));
}

TEST(Machine, OneProcessorRunsOnTheCallersThread) {
  Machine machine({.processors = 1});
  std::thread::id id;
  machine.run([&](Processor&) { id = std::this_thread::get_id(); });
  EXPECT_EQ(id, std::this_thread::get_id());
}

TEST(Machine, ZeroProcessorsMeansAsManyAsTheBoxGives) {
  EXPECT_GE(Machine({.processors = 0}).processors(), 1);
}

TEST(Machine, RefusesANegativeNumberOfProcessors) {
  EXPECT_EQ(thrown<std::invalid_argument>([] { Machine({.processors = -2}); }),
            "processors: -2 is not allowed; 1 to 1048576, or 0 for as many as the box gives");
}

TEST(Machine, RefusesMoreProcessorsThanFitAnyMemory) {
  EXPECT_EQ(
      thrown<std::invalid_argument>([] { Machine({.processors = 1'000'000'000}); }),
      "processors: 1000000000 is not allowed; 1 to 1048576, or 0 for as many as the box gives");
}

TEST(Machine, RefusesMoreProcessorsThanFitTheMemoryThatThereIs) {
  const auto with_little_memory = [] {
    constexpr rlim_t kLeft = rlim_t{200} << 20;
    rlimit limit{};
    getrlimit(RLIMIT_AS, &limit);
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    limit.rlim_cur = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) + kLeft;
    setrlimit(RLIMIT_AS, &limit);
    const std::string refused =
        thrown<std::invalid_argument>([] { Machine({.processors = 100'000}); });
    std::fprintf(stderr, "%s\n", refused.c_str());
    std::_Exit(0);
  };
  EXPECT_EXIT(with_little_memory(), testing::ExitedWithCode(0),
              "processors: 100000 is not allowed; 1 to 2[0-9]{4}: each takes 8 KiB of memory and "
              "more, and (19.|200) MiB are available");
}

TEST(Machine, RefusesAnEmptyProgram) {
  Machine machine({.processors = 2});
  EXPECT_EQ(thrown<std::invalid_argument>([&] { machine.run(nullptr); }),
            "program: an empty one is not allowed");
}

TEST(Machine, SeveralCallersTakeTurns) {
  Machine machine({.processors = 2});
  int runs = 0;
  std::vector<std::thread> callers;
  for (int c = 0; c < 4; ++c) {
    callers.emplace_back([&] {
      for (int i = 0; i < 100; ++i) {
        machine.run([&](Processor& self) {
          if (self.id() == 0) ++runs;
        });
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(runs, 400);
}

TEST(Machine, RefusesARunInsideItsOwnProgram) {
  Machine machine({.processors = 2});
  const std::string text = failure_of(machine, 1, [&](Processor& self) {
    if (self.id() == 1) machine.run([](Processor&) {});
  });
  EXPECT_NE(text.find("from inside a program of the same machine"), std::string::npos) << text;
}

TEST(Machine, RefusesARunInsideItsOwnProgramByWayOfAnother) {
  Machine outer({.processors = 2});
  Machine inner({.processors = 2, .threads = 2});
  for (const int caller : {0, 1}) {
    const std::string text = failure_of(outer, 0, [&](Processor& self) {
      if (self.id() == 1) return;
      inner.run([&](Processor& in) {
        if (in.id() == caller) outer.run([](Processor&) {});
      });
    });
    EXPECT_NE(text.find("from inside a program of the same machine"), std::string::npos) << text;
  }
}

TEST(Machine, RefusesToBeTooDeepInside) {
  std::function<void(int)> run_inside = [&](int depth) {
    if (depth == 0) return;
    Machine({.processors = 1}).run([&](Processor&) { run_inside(depth - 1); });
  };
  run_inside(8);
  EXPECT_THROW(run_inside(9), ProcessorError);
}

// Each of so many machines is at work and calls a run of the next one. Only the last to do so is
// told that nobody could go on; then the others can.
TEST(Machine, RefusesARunInACircleOfMachinesThatWaitForEachOther) {
  for (const std::size_t count : {2, 3}) {
    std::vector<std::unique_ptr<Machine>> machines;
    for (std::size_t i = 0; i < count; ++i) {
      machines.push_back(std::make_unique<Machine>(MachineOptions{.processors = 2}));
    }
    std::atomic<std::size_t> at_work = 0;
    std::atomic<int> inside = 0;
    std::atomic<int> refused = 0;
    const auto run = [&](std::size_t machine) {
      machines[machine]->run([&](Processor& self) {
        if (self.id() == 0) return;
        ++at_work;
        while (at_work < count) self.yield();
        try {
          machines[(machine + 1) % count]->run([&](Processor&) { ++inside; });
        } catch (const std::logic_error& error) {
          EXPECT_NE(std::string(error.what()).find("neither could go on"), std::string::npos);
          ++refused;
        }
      });
    };
    std::vector<std::thread> callers;
    for (std::size_t i = 0; i < count; ++i) callers.emplace_back(run, i);
    for (std::thread& caller : callers) caller.join();
    EXPECT_EQ(refused, 1);
    EXPECT_EQ(inside, 2 * static_cast<int>(count - 1));
  }
}

// Programs of several machines wait for one that calls no other.
TEST(Machine, ProgramsOfSeveralMachinesTakeTurnsWithAThird) {
  Machine third({.processors = 2});
  Machine first({.processors = 2});
  Machine second({.processors = 2});
  std::atomic<int> runs = 0;
  const auto run_often = [&](Machine& machine) {
    for (int i = 0; i < 20; ++i) {
      machine.run([&](Processor&) { third.run([&](Processor&) { ++runs; }); });
    }
  };
  std::thread caller([&] { run_often(first); });
  run_often(second);
  caller.join();
  EXPECT_EQ(runs, 2 * 20 * 2 * 2);
}

TEST(Machine, RunsInsideTheProgramOfAnotherMachine) {
  Machine outer({.processors = 2});
  std::vector<int> sums(2);
  outer.run([&](Processor& self) {
    Machine inner({.processors = 2});
    inner.run([&](Processor& in) {
      if (in.id() == 0) in.send(1, 20 + self.id());
      if (in.id() == 1) sums[self.id()] = in.receive<int>(0);
    });
  });
  EXPECT_EQ(sums, (std::vector<int>{20, 21}));
}

TEST(Machine, PlacesProcessorsOnASyntheticTopology) {
  const auto topology = std::make_shared<const Topology>(Topology::synthetic("numa:2 core:2 pu:2"));
  Machine machine({.processors = 16, .topology = topology});
  int sum = 0;
  machine.run([&](Processor& self) {
    if (self.id() == 0) {
      for (int i = 1; i < 16; ++i) sum += self.receive<int>(i);
    } else {
      self.send(0, self.id());
    }
  });
  EXPECT_EQ(sum, 120);
  EXPECT_EQ(machine.topology().leaf_count(), 8);
}

std::vector<std::thread::id> threads_of(Machine& machine) {
  std::vector<std::thread::id> threads(static_cast<std::size_t>(machine.processors()));
  machine.run([&](Processor& self) {
    threads[static_cast<std::size_t>(self.id())] = std::this_thread::get_id();
  });
  return threads;
}

// Whatever the number of processors: those of a leaf share a thread, and no others do.
TEST(Machine, ThreadsCarryTheProcessorsThatArePlacedOnTheirLeaf) {
  const auto box = std::make_shared<const Topology>(Topology::synthetic("numa:2 core:2 pu:1"));
  for (int processors = 1; processors <= 13; ++processors) {
    Machine machine({.processors = processors, .topology = box});
    const std::vector<int>& leaf = machine.placement().leaf_of_processor;
    const std::vector<std::thread::id> thread = threads_of(machine);
    ASSERT_EQ(leaf.size(), thread.size());
    EXPECT_TRUE(std::is_sorted(leaf.begin(), leaf.end()));
    for (std::size_t i = 1; i < leaf.size(); ++i) {
      EXPECT_EQ(leaf[i - 1] == leaf[i], thread[i - 1] == thread[i])
          << processors << " processors, processor " << i;
    }
  }
}

// Where threads can be pinned, also with as many threads as were asked for.
TEST(Machine, ProcessorsOfAThreadArePlacedOnOneLeaf) {
  for (int threads = 1; threads <= 3; ++threads) {
    for (int processors = threads; processors <= 8; ++processors) {
      Machine machine({.processors = processors, .threads = threads});
      const std::vector<int>& leaf = machine.placement().leaf_of_processor;
      const std::vector<std::thread::id> thread = threads_of(machine);
      for (std::size_t i = 1; i < leaf.size(); ++i) {
        if (thread[i - 1] != thread[i]) continue;
        EXPECT_EQ(leaf[i - 1], leaf[i]) << processors << " on " << threads << ", processor " << i;
      }
    }
  }
}

TEST(Machine, MailboxesOfSeveralNodesGrowAndServeEveryRun) {
  const auto topology = std::make_shared<const Topology>(Topology::synthetic("numa:2 core:1 pu:1"));
  Machine machine({.processors = 2, .topology = topology});
  for (int run = 0; run < 3; ++run) {
    machine.run([&](Processor& self) {
      const int other = 1 - self.id();
      const std::vector<int> few(100, self.id());
      const auto send_all = [&] {
        for (int i = 0; i < 500; ++i) self.send(other, i);
        self.send(other, few);
      };
      const auto receive_all = [&] {
        for (int i = 0; i < 500; ++i) EXPECT_EQ(self.receive<int>(other), i);
        std::vector<int> got(100);
        self.receive(other, got);
        EXPECT_EQ(got, std::vector<int>(100, other));
      };
      if (self.id() == 0) send_all();
      receive_all();
      if (self.id() == 1) send_all();
    });
  }
}

TEST(Machine, LeavesTheCallersBindingAsItWas) {
  cpu_set_t before;
  cpu_set_t after;
  sched_getaffinity(0, sizeof(before), &before);
  Machine machine({.processors = 2});
  machine.run([](Processor&) {});
  sched_getaffinity(0, sizeof(after), &after);
  EXPECT_TRUE(CPU_EQUAL(&before, &after));
}

// Also where it is made by a program whose threads are pinned.
TEST(Machine, ThreadsThatAreNotPinnedMayRunWhereTheProcessMay) {
  cpu_set_t outside;
  sched_getaffinity(0, sizeof(outside), &outside);
  Machine outer({.processors = 2});
  std::unique_ptr<Machine> inner[2];
  outer.run([&](Processor& self) {
    inner[self.id()] =
        std::make_unique<Machine>(MachineOptions{.processors = 3, .threads = 3, .pin = false});
  });
  for (const auto& machine : inner) {
    machine->run([&](Processor&) {
      cpu_set_t here;
      sched_getaffinity(0, sizeof(here), &here);
      EXPECT_TRUE(CPU_EQUAL(&here, &outside));
    });
  }
}

TEST(Machine, MachinesSideBySideArePinnedToOtherLeaves) {
  if (Topology::this_machine_once()->leaf_count() < 4) GTEST_SKIP() << "on fewer than four CPUs";
  const std::vector<int> alone = place(*Topology::this_machine_once(), 2).leaf_of_processor;
  Machine first({.processors = 2});
  EXPECT_EQ(first.placement().leaf_of_processor, alone);
  {
    Machine second({.processors = 2});
    for (const int leaf : second.placement().leaf_of_processor) {
      EXPECT_EQ(std::ranges::count(alone, leaf), 0);
    }
  }
  Machine unpinned({.processors = 2, .pin = false});
  EXPECT_EQ(unpinned.placement().leaf_of_processor, alone);
}

TEST(Machine, ACallerThatIsPinnedStaysSo) {
  cpu_set_t before;
  sched_getaffinity(0, sizeof(before), &before);
  Machine machine({.processors = 2});
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &before)) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof(one), &one);
    machine.run([](Processor& self) { self.barrier(); });
    cpu_set_t after;
    sched_getaffinity(0, sizeof(after), &after);
    EXPECT_TRUE(CPU_EQUAL(&one, &after));
  }
  sched_setaffinity(0, sizeof(before), &before);
}

TEST(Machine, BarrierLetsNobodyThroughBeforeAllHaveCome) {
  for (const int p : kCounts) {
    for (const MachineOptions& way : ways_to_carry(p)) {
      Machine machine(way);
      std::vector<int> step(p);
      machine.run([&](Processor& self) {
        for (int i = 1; i <= 20; ++i) {
          step[self.id()] = i;
          self.barrier();
          for (const int other : step) ASSERT_EQ(other, i);  // a race, were the barrier none
          self.barrier();
        }
      });
    }
  }
}

}  // namespace
}  // namespace postroom
