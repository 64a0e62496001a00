// Each processor fails at each call that a router makes: all end, and none hangs.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "collectives/route.h"
#include "runtime/errors.h"
#include "runtime/machine.h"
#include "tests/collectives/failing_processor.h"

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

class RouteFailure : public ::testing::TestWithParam<Router> {};
INSTANTIATE_TEST_SUITE_P(Routers, RouteFailure, ::testing::ValuesIn(kRouters),
                         [](const auto& router) { return std::string(name_of(router.param)); });

TEST_P(RouteFailure, AtEachCallOnEachProcessorEndsAll) {
  for (const int p : {2, 3, 5, 8, 17}) {
    Machine machine({.processors = p});
    const Machine::Program program = [&](Processor& self) {
      const std::vector<std::uint64_t> elements(300, static_cast<std::uint64_t>(self.id()));
      int k = 0;
      const auto received =
          route(self, elements, [&](std::uint64_t) { return k++ % p; }, {GetParam()});
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

}  // namespace
}  // namespace postroom
