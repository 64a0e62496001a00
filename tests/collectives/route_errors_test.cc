// What route() refuses, in which words, and that nothing has been sent before.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "collectives/algorithm.h"
#include "collectives/route.h"
#include "runtime/errors.h"
#include "runtime/machine.h"
#include "tests/collectives/failing_processor.h"
#include "tests/collectives/routers.h"

namespace postroom {
namespace {

/// Runs `program` on a traced machine of 4; returns what its failure says and how much was sent.
template <class Cause>
std::pair<std::string, std::size_t> failure(const Machine::Program& program) {
  Machine machine({.processors = 4, .trace = true});
  try {
    machine.run(program);
  } catch (const ProcessorError& error) {
    EXPECT_NE(error.caused_by<Cause>(), nullptr) << error.what();
    return {error.what(), machine.trace().messages().size()};
  }
  return {"no failure", 0};
}

TEST(RouteErrors, BadDestinationIsNamedBeforeAnyMessage) {
  for (const Algorithm& router : kRouters) {
    for (const int bad : {-1, 4, 1'000'000'000}) {
      // All fail, so that none can have sent anything before.
      const auto [what, messages] = failure<std::invalid_argument>([&](Processor& self) {
        const std::vector<int> destinations{0, 3, bad, 1};
        (void)route(self, destinations, destinations, router);
      });
      EXPECT_NE(
          what.find("destination of element 2: " + std::to_string(bad) + " is not allowed; 0 to 3"),
          std::string::npos)
          << what;
      EXPECT_EQ(messages, 0u);
    }
  }
}

TEST(RouteErrors, LargeDestinationIsNotCutToAnInt) {
  const auto [what, messages] = failure<std::invalid_argument>([](Processor& self) {
    (void)route(self, std::vector<int>{7}, std::vector<std::uint64_t>{(1ull << 32) + 1});
  });
  EXPECT_NE(what.find("destination of element 0: 4294967297 is not"), std::string::npos) << what;
  EXPECT_EQ(messages, 0u);
}

TEST(RouteErrors, MoreElementsThanTheRelationSays) {
  for (const Algorithm& router : kRouters) {
    const auto [what, messages] = failure<std::invalid_argument>([&](Processor& self) {
      (void)route(self, std::vector<int>(5), std::vector<int>(5), {router, Relation{4, 100}});
    });
    EXPECT_NE(what.find("elements: 5 are not allowed; at most the relation's most_sent, 4"),
              std::string::npos)
        << what;
    EXPECT_EQ(messages, 0u);
  }
}

TEST(RouteErrors, ListOfDestinationsOfAnotherLength) {
  const auto [what, messages] = failure<std::invalid_argument>(
      [](Processor& self) { (void)route(self, std::vector<int>(5), std::vector<int>(4)); });
  EXPECT_NE(what.find("destinations: 4 are not allowed; one for each of the 5 elements"),
            std::string::npos)
      << what;
  EXPECT_EQ(messages, 0u);
}

TEST(RouteErrors, AlgorithmThatIsNoRouterIsNamedBeforeAnyMessage) {
  for (const Algorithm& other : {Algorithm::ring, Algorithm::bruck(4), Algorithm::pairwise}) {
    const std::string refusal = "route: " + to_string(other) +
                                " is not allowed; automatic, two_transpose, one_phase, direct, "
                                "turns";
    const auto [what, messages] = failure<std::invalid_argument>([&](Processor& self) {
      (void)route(self, std::vector<int>(5), std::vector<int>(5), other);
    });
    EXPECT_NE(what.find(refusal), std::string::npos) << what;
    EXPECT_EQ(messages, 0u);
    const auto [chosen, none] = failure<std::invalid_argument>([&](Processor& self) {
      (void)choose_route(self, {.algorithm = other, .relation = Relation{5, 20}});
    });
    EXPECT_NE(chosen.find(refusal), std::string::npos) << chosen;
    EXPECT_EQ(none, 0u);
  }
}

TEST(RouteErrors, DirectNeedsSharedMemory) {
  const auto [what, messages] = failure<std::invalid_argument>([](Processor& real) {
    SeparateProcessor self(real);
    (void)route(self, std::vector<int>(5), std::vector<int>(5), Algorithm::direct);
  });
  EXPECT_NE(what.find("route: direct is not allowed; these processors do not share memory"),
            std::string::npos)
      << what;
  EXPECT_EQ(messages, 0u);
}

TEST(RouteErrors, TurnsNeedThreadsThatAreShared) {
  // The machine keeps a trace, so processors would not take turns on any box.
  const auto [what, messages] = failure<std::invalid_argument>([](Processor& self) {
    (void)route(self, std::vector<int>(5), std::vector<int>(5), Algorithm::turns);
  });
  EXPECT_NE(what.find("route: turns is not allowed; only where all processors of a machine share "
                      "threads"),
            std::string::npos)
      << what;
  EXPECT_EQ(messages, 0u);
}

TEST(RouteErrors, MoreReceivedThanTheRelationSays) {
  const auto [what, messages] = failure<std::logic_error>([](Processor& self) {
    const RouteOptions options{Algorithm::two_transpose, Relation{100, 4}};
    (void)route(self, std::vector<int>(100), std::vector<int>(100, 2), options);
  });
  EXPECT_NE(what.find("bin 2 of the second transpose gets more than 2 elements"), std::string::npos)
      << what;
  EXPECT_NE(messages, 0u);
}

}  // namespace
}  // namespace postroom
