// Each processor fails at each call that a collective makes: all the others end, those that come
// back from it have the right list, and the caller learns which one it was.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "collectives/allreduce.h"
#include "collectives/reduce.h"
#include "collectives/reduce_scatter.h"
#include "collectives/scan.h"
#include "numa/topology.h"
#include "runtime/errors.h"
#include "tests/collectives/all_collectives.h"
#include "tests/collectives/failing_processor.h"
#include "tests/collectives/testing.h"

namespace postroom {
namespace {

using Program = std::function<void(Processor&)>;

/// How many calls each processor makes when nothing fails.
std::vector<int> calls_of(Machine& machine, const Program& program) {
  std::vector<int> calls(machine.processors());
  machine.run([&](Processor& self) {
    FailingProcessor counting(self, FailingProcessor::kNever);
    program(counting);
    calls[self.id()] = counting.calls();
  });
  return calls;
}

void fail_at(Machine& machine, const Program& program, int processor, int call) {
  const auto start = std::chrono::steady_clock::now();
  try {
    machine.run([&](Processor& self) {
      FailingProcessor failing(self, self.id() == processor ? call : FailingProcessor::kNever);
      program(failing);
    });
    ADD_FAILURE() << "did not fail: processor " << processor << ", call " << call;
  } catch (const ProcessorError& error) {
    EXPECT_EQ(error.processor(), processor);
    EXPECT_NE(error.caused_by<PlannedFailure>(), nullptr) << error.what();
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

/// All processors of a small machine, a sample of a larger one with its first, its middle (the
/// root) and its last.
std::vector<int> processors_to_fail(int count, std::mt19937& random) {
  std::vector<int> all(count);
  std::iota(all.begin(), all.end(), 0);
  if (count <= 5) return all;
  std::vector<int> some{0, count / 2, count - 1};
  std::ranges::sample(all, std::back_inserter(some), 2, random);
  return some;
}

void fail_everywhere(Machine& machine, const Program& program, std::mt19937& random) {
  const std::vector<int> calls = calls_of(machine, program);
  for (const int processor : processors_to_fail(machine.processors(), random)) {
    EXPECT_GT(calls[processor], 0);
    for (int call = 0; call < calls[processor]; ++call) {
      fail_at(machine, program, processor, call);
      if (::testing::Test::HasFailure()) return;
    }
  }
  machine.run(program);  // the machine is as good as new
}

// Blocks that travel inside the mailbox, and blocks that are read in the sender's memory.
class Failure : public ::testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Sizes, Failure, ::testing::Values(1, 300));

TEST_P(Failure, OfAnyProcessorAtAnyCallEndsTheRun) {
  constexpr unsigned kSeed = 1997;
  std::mt19937 random(kSeed);
  for (const int p : {2, 3, 5, 8, 17}) {
    Machine& machine = p == 5 ? threaded_machine_of(p) : machine_of(p);
    for (const Collective& collective : all_collectives(p)) {
      if (collective.needs_shared_threads()) continue;  // makes no calls that could fail
      SCOPED_TRACE(collective.name + ", p = " + std::to_string(p) + ", seed " +
                   std::to_string(kSeed));
      const int root = collective.has_root ? p / 2 : 0;
      const auto program = [&](Processor& self) {
        const auto result = collective.result(self, root, GetParam());
        EXPECT_EQ(result, collective.expected(self.id(), root, GetParam()));
      };
      fail_everywhere(machine, program, random);
      if (HasFailure()) return;
    }
  }
}

// On a box of two nodes, where `teams` has leaders that others wait for, and `automatic` goes by
// the order of the box.
TEST_P(Failure, OfALeaderOfATeamEndsTheRun) {
  constexpr int p = 7;
  std::mt19937 random(1997);
  Machine machine({.processors = p,
                   .topology = std::make_shared<const Topology>(
                       Topology::synthetic("package:2 numa:1 core:4 pu:1"))});
  int with_teams = 0;
  for (const Collective& collective : all_collectives(p)) {
    if (collective.needs_shared_threads()) continue;
    if (collective.name.find("teams") != std::string::npos) ++with_teams;
    SCOPED_TRACE(collective.name);
    const int root = collective.has_root ? p / 2 : 0;
    const auto program = [&](Processor& self) {
      ASSERT_NE(self.box(), nullptr);
      const auto result = collective.result(self, root, GetParam());
      EXPECT_EQ(result, collective.expected(self.id(), root, GetParam()));
    };
    fail_everywhere(machine, program, random);
    if (HasFailure()) return;
  }
  EXPECT_GT(with_teams, 1);
}

// In shared memory a processor writes what others go on with.
TEST(OperatorFailure, LetsNobodyGoOn) {
  constexpr std::size_t kCount = 10'000;
  using List = std::vector<std::int64_t>;
  for (const int p : {2, 3, 5}) {
    for (Machine* const machine : {&machine_of(p), &threaded_machine_of(p)}) {
      for (int failing = 0; failing < p; ++failing) {
        const auto expect_stopped = [&](const char* name, const auto& call) {
          std::atomic<int> went_on = 0;
          try {
            machine->run([&](Processor& self) {
              const List in(kCount, self.id());
              List out(kCount);
              call(self, in, out, [&](std::int64_t a, std::int64_t b) {
                if (self.id() == failing) throw std::runtime_error("of the operator");
                return a + b;
              });
              ++went_on;
            });
            ADD_FAILURE() << name << " did not fail";
          } catch (const ProcessorError& error) {
            EXPECT_EQ(error.processor(), failing) << name;
            EXPECT_NE(std::string(error.what()).find("of the operator"), std::string::npos);
          }
          EXPECT_EQ(went_on, 0) << name << ", p = " << p << ", failing: " << failing;
        };
        const Algorithm shared = Algorithm::shared;
        expect_stopped("allreduce", [&](Processor& self, const List& in, List& out, auto op) {
          allreduce(self, in, out, op, shared);
        });
        expect_stopped("reduce", [&](Processor& self, const List& in, List& out, auto op) {
          reduce(self, p - 1, in, out, op, shared);
        });
        expect_stopped("scan", [&](Processor& self, const List& in, List& out, auto op) {
          scan(self, in, out, op, shared);
        });
        expect_stopped("exscan", [&](Processor& self, const List& in, List& out, auto op) {
          exscan(self, in, out, op, shared);
        });
        const std::vector<std::size_t> counts(static_cast<std::size_t>(p), kCount);
        expect_stopped("reduce_scatter", [&](Processor& self, const List&, List& out, auto op) {
          const List all(kCount * static_cast<std::size_t>(p), self.id());
          reduce_scatter(self, all, out, counts, op, shared);
        });
      }
    }
  }
}

// Whoever goes on after it has caught what its operator threw has left things half done: the run
// ends with an error, and the next run knows nothing of it.
TEST(OperatorFailure, EndsTheRunEvenIfItIsCaught) {
  constexpr int kProcessors = 4;
  const auto plus = [](int a, int b) { return a + b; };
  for (Machine* const machine : {&machine_of(kProcessors), &one_thread_machine_of(kProcessors)}) {
    for (const Algorithm& algorithm : {Algorithm::slots, Algorithm::turns, Algorithm::shared}) {
      const auto program = [&](Processor& self) {
        const auto throws = [](int, int) -> int { throw std::overflow_error("of the operator"); };
        try {
          (void)reduce(self, 0, 1 << self.id(), throws, algorithm);
        } catch (const std::overflow_error&) {
        }
        (void)reduce(self, 0, 1 << self.id(), plus, algorithm);
      };
      EXPECT_THROW(machine->run(program), ProcessorError) << to_string(algorithm);
      for (int run = 0; run < 3; ++run) {
        machine->run([&](Processor& self) {
          const auto sum = reduce(self, 0, 1 << self.id(), plus, algorithm);
          EXPECT_EQ(sum.value_or(15), 15) << to_string(algorithm);
        });
      }
    }
  }
}

}  // namespace
}  // namespace postroom
