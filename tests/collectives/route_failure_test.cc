// Each processor fails at each call that a router makes: all end, and none hangs.

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include "collectives/algorithm.h"
#include "collectives/route.h"
#include "runtime/errors.h"
#include "runtime/light_machine.h"
#include "runtime/machine.h"
#include "runtime/virtual_clock.h"
#include "tests/collectives/failing_processor.h"
#include "tests/collectives/routers.h"

namespace postroom {
namespace {

/// How many calls the router makes on processor `id` when nothing fails.
int calls_of(Machine& machine, int id, const Machine::Program& program) {
  int calls = 0;
  machine.run([&](Processor& self) {
    FailingProcessor counting(self, FailingProcessor::kNever);
    program(counting);
    if (self.id() == id) calls = counting.calls();
  });
  return calls;
}

class RouteFailure : public ::testing::TestWithParam<Algorithm> {};
INSTANTIATE_TEST_SUITE_P(Routers, RouteFailure, ::testing::ValuesIn(kRouters),
                         [](const auto& router) { return to_string(router.param); });

TEST_P(RouteFailure, AtEachCallOnEachProcessorEndsAll) {
  for (const int p : {2, 3, 5, 8, 17}) {
    Machine machine({.processors = p});
    const Machine::Program program = [&](Processor& self) {
      const std::vector<std::uint64_t> elements(300, static_cast<std::uint64_t>(self.id()));
      int k = 0;
      const auto next = [&](std::uint64_t) { return k++ % p; };
      const auto received = route(self, elements, next, GetParam());
      ASSERT_EQ(received.size(), [&] {
        std::size_t mine = 0;
        for (int i = 0; i < 300; ++i) mine += i % p == self.id();
        return mine * static_cast<std::size_t>(p);
      }());
    };
    const int calls = calls_of(machine, 0, program);
    ASSERT_GT(calls, 0);
    // All calls on the smaller machines, every third on the others.
    for (int failing = 0; failing<p; failing += p> 5 ? 3 : 1) {
      for (int call = 0; call<calls; call += p> 5 ? 3 : 1) {
        const auto start = std::chrono::steady_clock::now();
        try {
          machine.run([&](Processor& self) {
            FailingProcessor guarded(self, self.id() == failing ? call : FailingProcessor::kNever);
            program(guarded);
          });
          ADD_FAILURE() << "did not fail: processor " << failing << ", call " << call;
        } catch (const ProcessorError& error) {
          EXPECT_EQ(error.processor(), failing);
          EXPECT_NE(error.caused_by<PlannedFailure>(), nullptr) << error.what();
        }
        EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
      }
    }
    machine.run(program);  // usable as before
  }
}

// One of them sends what another could take for the address of a window.
TEST(RouteInDisagreement, WhereProcessorsNameDifferentRouters) {
  for (const int threads : {1, 3}) {
    Machine machine({.processors = 3, .threads = threads, .pin = false});
    for (const Algorithm& router : kRouters) {
      for (const Algorithm& other : kRouters) {
        if (router == other) continue;
        for (int run = 0; run < 5; ++run) {
          EXPECT_ANY_THROW(machine.run([&](Processor& self) {
            const std::vector<unsigned> mine = {1, 2, 3};
            const std::vector<int> to = {0, 1, 2};
            (void)route(self, mine, to, self.id() == 2 ? router : other);
          })) << router
              << " beside " << other;
        }
      }
    }
  }
}

// Nothing is written beyond what came is for, and nobody waits for ever.
TEST(RouteInDisagreement, WhereElementsHaveDifferentSizes) {
  for (const int threads : {1, 2, 4}) {
    Machine machine({.processors = 4, .threads = threads, .pin = false});
    for (const Algorithm& router : kRouters) {
      for (const std::size_t size : {1, 20, 1000}) {
        const auto sends = [&]<class T>(Processor& self, T element) {
          const std::vector<T> mine(size, element);
          std::vector<int> to(size);
          for (std::size_t i = 0; i < size; ++i) to[i] = static_cast<int>(i) % self.count();
          (void)route(self, mine, to, router);
        };
        EXPECT_ANY_THROW(machine.run([&](Processor& self) {
          self.id() == 3 ? sends(self, 1.5) : sends(self, 'a');
        })) << router
            << ", n = " << size;
      }
    }
  }
}

TEST(RouteInDisagreement, WhereMessagesCarryNoBytes) {
  for (const int p : {2, 3, 8}) {
    for (const std::size_t size : {3, 100, 5000}) {
      LightMachine machine(p, std::make_shared<VirtualClock>(Rational(2)), Payload::none);
      EXPECT_ANY_THROW(machine.run([&](Processor& self) {
        const std::vector<unsigned> mine(size, 7);
        const auto next = [&](unsigned) { return (self.id() + 1) % p; };
        (void)route(self, mine, next, Algorithm::two_transpose);
      }));
    }
  }
}

}  // namespace
}  // namespace postroom
