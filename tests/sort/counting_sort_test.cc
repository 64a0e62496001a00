#include "sort/counting_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "collectives/algorithm.h"
#include "runtime/errors.h"
#include "runtime/machine.h"
#include "tests/sort/distributed.h"

namespace postroom {
namespace {

using Element = Indexed<std::uint32_t>;

/// Elements whose keys are below `digits`.
std::vector<Element> digit_elements(Distribution distribution, std::size_t n,
                                    std::uint32_t digits) {
  std::vector<Element> elements = indexed_keys<std::uint32_t>(distribution, n, /*seed=*/9);
  for (Element& element : elements) element.key = (element.key ^ element.key >> 16) % digits;
  return elements;
}

struct Case {
  std::string name;
  std::vector<Element> from;
  std::size_t digits;
  Algorithm algorithm;
  std::vector<Element> to = std::vector<Element>(from.size());
};

/// Keys of `distribution` below `digits`, for each of the routers.
void add_cases(std::vector<Case>& cases, Distribution distribution, std::size_t n,
               std::uint32_t digits) {
  for (const Algorithm& router : kRouters) {
    cases.push_back({.name = to_string(router) + ", " + to_string(distribution) +
                             ", n = " + std::to_string(n) + ", R = " + std::to_string(digits),
                     .from = digit_elements(distribution, n, digits),
                     .digits = digits,
                     .algorithm = router});
  }
}

/// Sorts all of them in one run, which is much quicker than one run each.
void sort_all(Machine& machine, std::vector<Case>& cases) {
  machine.run([&](Processor& self) {
    for (Case& one : cases) {
      const BlockDistribution blocks(one.from.size(), self.count());
      counting_sort(self, blocks, block_of(self, blocks, one.from), block_of(self, blocks, one.to),
                    one.digits, &Element::key, one.algorithm);
    }
  });
}

void check(int processors, std::vector<Case>& cases) {
  const std::vector<Case> before = cases;
  Machine machine({.processors = processors});
  sort_all(machine, cases);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    ASSERT_EQ(cases[i].to, stably_sorted(before[i].from)) << cases[i].name;
    ASSERT_EQ(cases[i].from, before[i].from) << cases[i].name;
  }
}

class CountingSort : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Processors, CountingSort, ::testing::ValuesIn(kProcessorCounts));

TEST_P(CountingSort, IsTheStableSortForAnyNumberOfDigits) {
  std::vector<Case> cases;
  for (const std::uint32_t digits : {1, 2, 3, 7, 8, 31, 256, 1000}) {
    for (const std::size_t n : {0, 1, 2, 3, 10, 33, 100, 777}) {
      add_cases(cases, Distribution::uniform, n, digits);
    }
  }
  check(GetParam(), cases);
}

TEST_P(CountingSort, IsTheStableSortForAnyDistribution) {
  std::vector<Case> cases;
  for (const Distribution distribution : kDistributions) add_cases(cases, distribution, 500, 64);
  check(GetParam(), cases);
}

TEST_P(CountingSort, CostIsWhatTheTraceCounts) {
  Machine machine({.processors = GetParam(), .trace = true});
  for (const std::size_t digits : {1, 8, 100}) {
    for (const std::size_t n : {0, 5, 200}) {
      std::vector<Case> one{{.name = "",
                             .from = digit_elements(Distribution::R, n, 1),
                             .digits = digits,
                             .algorithm = Algorithm::two_transpose}};
      sort_all(machine, one);
      const Cost traced{machine.trace().rounds(),
                        static_cast<std::int64_t>(machine.trace().volume())};
      EXPECT_EQ(traced, counting_sort_cost<Element>(BlockDistribution(n, GetParam()), digits));
    }
  }
}

TEST(CountingSortParts, PadsDigitsToAMultiple) {
  EXPECT_EQ(sorting::padded_digits(1, 1), 1u);
  EXPECT_EQ(sorting::padded_digits(1, 8), 8u);
  EXPECT_EQ(sorting::padded_digits(8, 8), 8u);
  EXPECT_EQ(sorting::padded_digits(9, 8), 16u);
}

TEST(CountingSortParts, PlacesGoOnIntoTheNextBlock) {
  const BlockDistribution blocks(7, 3);  // 3 2 2
  const std::vector<std::uint64_t> ranks{1, 0};
  const std::vector<std::uint64_t> counts{6, 1};
  sorting::DigitPlaces places(blocks, ranks, counts);
  std::vector<int> owners;
  std::vector<std::uint64_t> positions;
  for (int k = 0; k < 6; ++k) {
    const auto [owner, position] = places.next(0);
    owners.push_back(owner);
    positions.push_back(position);
  }
  EXPECT_EQ(owners, (std::vector<int>{0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(positions, (std::vector<std::uint64_t>{1, 2, 0, 1, 0, 1}));
  EXPECT_EQ(places.next(1).position, 0u);
}

// --- Errors.

/// What std::invalid_argument says that all processors of a machine of 3 throw; nothing may be
/// sent.
std::string refusal(const Machine::Program& program) {
  Machine machine({.processors = 3, .trace = true});
  try {
    machine.run(program);
  } catch (const ProcessorError& error) {
    EXPECT_TRUE(machine.trace().messages().empty());
    const auto* cause = error.caused_by<std::invalid_argument>();
    return cause == nullptr ? "another error" : cause->what();
  }
  return "not refused";
}

TEST(CountingSortParts, DigitOutOfRangeIsNamed) {
  EXPECT_EQ(refusal([](Processor& self) {
              const BlockDistribution blocks(6, self.count());
              const std::vector<std::uint32_t> from{3, 8};
              std::vector<std::uint32_t> to(2);
              counting_sort(self, blocks, from, std::span(to), 8, std::identity());
            }),
            "digit of element 1: 8 is not allowed; 0 to 7");
}

TEST(CountingSortParts, ListsOfAnotherSizeThanTheBlock) {
  const auto with_sizes = [](std::size_t from_size, std::size_t to_size, int processors,
                             std::size_t digits) {
    return refusal([=](Processor& self) {
      if (self.id() != 0) return;
      const BlockDistribution blocks(7, processors);
      const std::vector<std::uint32_t> from(from_size);
      std::vector<std::uint32_t> to(to_size);
      counting_sort(self, blocks, from, std::span(to), digits, std::identity());
    });
  };
  EXPECT_EQ(with_sizes(4, 3, 3, 8),
            "from: 4 elements are not allowed; 3, the block of processor 0");
  EXPECT_EQ(with_sizes(3, 2, 3, 8), "to: 2 elements are not allowed; 3, the block of processor 0");
  EXPECT_EQ(with_sizes(2, 2, 4, 8), "blocks: 4 are not allowed; 3, one for each processor");
  EXPECT_EQ(with_sizes(3, 3, 3, 0), "digits: 0 is not allowed; at least 1");
}

TEST(CountingSortParts, AlgorithmThatRouteRefuses) {
  const auto by = [](const Algorithm& algorithm) {
    return refusal([&](Processor& self) {
      const BlockDistribution blocks(6, self.count());
      const std::vector<std::uint32_t> from{3, 7};
      std::vector<std::uint32_t> to(2);
      counting_sort(self, blocks, from, std::span(to), 8, std::identity(), algorithm);
    });
  };
  EXPECT_EQ(by(Algorithm::ring),
            "route: ring is not allowed; automatic, two_transpose, one_phase, direct, turns");
  EXPECT_EQ(by(Algorithm::turns).find("route: turns is not allowed; only where all processors"),
            0u);
}

// n = 7 and n = 8 both give processor 0 four elements of two blocks.
TEST(CountingSortParts, ProcessorsThatDoNotAgreeOnTheNumber) {
  Machine machine({.processors = 2});
  try {
    machine.run([](Processor& self) {
      const BlockDistribution blocks(self.id() == 0 ? 7 : 8, 2);
      const std::vector<std::uint32_t> from(4);
      std::vector<std::uint32_t> to(4);
      counting_sort(self, blocks, from, std::span(to), 8, std::identity());
    });
    FAIL() << "not refused";
  } catch (const ProcessorError& error) {
    EXPECT_STREQ(error.what(),
                 "processor 0: blocks: of 7 elements are not allowed; the processors have 8");
  }
}

}  // namespace
}  // namespace postroom
