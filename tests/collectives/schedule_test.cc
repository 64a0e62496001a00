// Every collective and every router under many orders of messages: with one thread a seed decides
// who runs next, so each seed is an execution of its own, and the same one again. Results are those
// of plain loops.
//
// Every failure names its seed; SCHEDULE_SEED=N in the environment makes N the first one
// (tools/test --test_env=SCHEDULE_SEED=17 //tests/collectives:schedule_test).
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "collectives/algorithm.h"
#include "collectives/barrier.h"
#include "collectives/route.h"
#include "numa/topology.h"
#include "runtime/group.h"
#include "runtime/machine.h"
#include "runtime/processor.h"
#include "tests/collectives/all_collectives.h"
#include "tests/collectives/route_patterns.h"
#include "tests/collectives/routers.h"

namespace postroom {
namespace {

// 8 bytes each: inside a cell of the mailbox, in a note of it, lent.
constexpr std::size_t kBlocks[] = {1, 70, 300};

std::uint64_t first_seed() {
  const char* const given = std::getenv("SCHEDULE_SEED");
  if (given == nullptr) return 1;
  const std::string_view text = given;
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc() || end != text.data() + text.size() || seed == 0) {
    throw std::invalid_argument("SCHEDULE_SEED: '" + std::string(text) +
                                "' is not allowed; a whole number, at least 1");
  }
  return seed;
}

/// Calls test(machine) on a machine of one thread for each of so many seeds, up to a failure.
void under_seeds(int processors, int seeds, const std::function<void(Machine&)>& test) {
  const std::uint64_t first = first_seed();
  for (int k = 0; k < seeds && !::testing::Test::HasFailure(); ++k) {
    const std::uint64_t seed = first + static_cast<std::uint64_t>(k);
    SCOPED_TRACE("p = " + std::to_string(processors) + ", SCHEDULE_SEED=" + std::to_string(seed));
    Machine machine({.processors = processors, .threads = 1, .schedule_seed = seed});
    test(machine);
  }
}

/// A run that throws is a failure here, where the seed is known.
void run(Machine& machine, const Machine::Program& program) {
  try {
    machine.run(program);
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what();
  }
}

using List = std::vector<std::int64_t>;

void expect_same(const List& result, const List& expected, const std::string& where) {
  if (result == expected) return;
  if (result.size() != expected.size()) {
    ADD_FAILURE() << where << ": " << result.size() << " elements, not " << expected.size();
    return;
  }
  const auto [got, right] = std::ranges::mismatch(result, expected);
  ADD_FAILURE() << where << ": element " << got - result.begin() << " is " << *got << ", not "
                << *right;
}

/// Calls it with every size and several roots, one call right behind the other, so that what one
/// leaves behind would meet the next.
void check_results(Processor& self, const Collective& collective) {
  std::vector<int> roots{self.count() - 1};
  if (collective.has_root) roots = {self.count() / 2, 0, self.count() - 1};
  for (const std::size_t count : kBlocks) {
    for (const int root : roots) {
      const std::string where = collective.name + " of " + std::to_string(count) + ", root " +
                                std::to_string(root) + ", processor " + std::to_string(self.id());
      try {
        expect_same(collective.result(self, root, count),
                    collective.expected(self.id(), root, count), where);
      } catch (const std::invalid_argument&) {
        // What goes through slots is refused where it is too large.
        if (!collective.name.ends_with(" slots") || count == 1) throw;
      }
    }
  }
}

struct Load {
  int processors;
  int seeds;
};
void PrintTo(const Load& load, std::ostream* out) { *out << load.processors << " processors"; }

class Schedule : public ::testing::TestWithParam<Load> {};
INSTANTIATE_TEST_SUITE_P(Processors, Schedule,
                         ::testing::Values(Load{2, 150}, Load{3, 120}, Load{4, 90}, Load{5, 90},
                                           Load{8, 40}, Load{13, 12}));

TEST_P(Schedule, EveryCollectiveIsRightUnderEveryOrder) {
  const auto [p, seeds] = GetParam();
  const std::vector<Collective> all = all_collectives(p);
  under_seeds(p, seeds, [&](Machine& machine) {
    for (const Collective& collective : all) {
      run(machine, [&](Processor& self) { check_results(self, collective); });
    }
  });
}

TEST_P(Schedule, NobodyLeavesABarrierBeforeAllHaveCome) {
  const auto [p, seeds] = GetParam();
  under_seeds(p, seeds, [](Machine& machine) {
    for (const Algorithm algorithm : barrier_algorithms()) {
      std::vector<int> came(static_cast<std::size_t>(machine.processors()));
      run(machine, [&](Processor& self) {
        for (int round = 1; round <= 3; ++round) {
          came[static_cast<std::size_t>(self.id())] = round;
          barrier(self, algorithm);
          EXPECT_GE(*std::ranges::min_element(came), round) << algorithm;
        }
      });
    }
  });
}

TEST_P(Schedule, EveryRouterIsRightUnderEveryOrder) {
  const auto [p, seeds] = GetParam();
  constexpr std::uint64_t kPatternSeed = 7;
  const std::vector<Pattern> patterns{all_to_one_pattern(p, 37, p / 2), empty_pattern(p),
                                      uniform_pattern(p, 1000, kPatternSeed),
                                      transpose_pattern(p, 7), skewed_pattern(p, kPatternSeed)};
  under_seeds(p, seeds, [&](Machine& machine) {
    for (const Pattern& pattern : patterns) {
      const auto elements = elements_of(pattern);
      const auto expected = expected_of(pattern);
      const Relation relation{pattern.most_sent(), pattern.most_received()};
      run(machine, [&](Processor& self) {
        const auto id = static_cast<std::size_t>(self.id());
        for (const Algorithm& router : kRouters) {
          for (const RouteOptions& options :
               {RouteOptions{router, std::nullopt}, RouteOptions{router, relation}}) {
            EXPECT_TRUE(route(self, elements[id], pattern.targets[id], options) == expected[id])
                << router << ", " << pattern.name << ", processor " << id;
          }
        }
      });
    }
  });
}

// Where `teams` has leaders, and `automatic` goes by the order of the box.
TEST(ScheduleOnABoxOfTwoNodes, EveryCollectiveIsRightUnderEveryOrder) {
  constexpr int p = 7;
  const auto box =
      std::make_shared<const Topology>(Topology::synthetic("package:2 numa:1 core:4 pu:1"));
  const std::vector<Collective> all = all_collectives(p);
  const std::uint64_t first = first_seed();
  for (std::uint64_t seed = first; seed < first + 40 && !HasFailure(); ++seed) {
    SCOPED_TRACE("SCHEDULE_SEED=" + std::to_string(seed));
    Machine machine({.processors = p, .threads = 1, .schedule_seed = seed, .topology = box});
    for (const Collective& collective : all) {
      if (collective.needs_shared_threads()) continue;  // those share them on one node alone
      run(machine, [&](Processor& self) {
        ASSERT_NE(self.box(), nullptr);
        check_results(self, collective);
      });
    }
  }
}

// Two groups at once, whose members stand in another order than their numbers.
TEST(ScheduleOfGroups, EveryCollectiveIsRightUnderEveryOrder) {
  constexpr int p = 10;
  const std::vector<std::vector<int>> members{{4, 0, 8, 2, 6}, {9, 7, 5, 3, 1}};
  const std::vector<Collective> all = all_collectives(p / 2);
  under_seeds(p, 40, [&](Machine& machine) {
    for (const Collective& collective : all) {
      if (collective.needs_shared_threads()) continue;
      run(machine, [&](Processor& self) {
        Group group(self, members[static_cast<std::size_t>(self.id() % 2)]);
        check_results(group, collective);
      });
    }
  });
}

}  // namespace
}  // namespace postroom
