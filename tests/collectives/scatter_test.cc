#include "collectives/scatter.h"

#include "tests/collectives/testing.h"

namespace postroom {
namespace {

void check_all_roots_and_sizes(Machine& machine, Algorithm algorithm) {
  SCOPED_TRACE(to_string(algorithm));
  machine.run([&](Processor& self) {
    for (int root = 0; root < self.count(); ++root) {
      for (const std::size_t size : sizes_for(self.count())) {
        const std::vector<std::int64_t> all =
            self.id() == root ? elements_of_all(self.count(), size) : unset(1);
        std::vector<std::int64_t> mine = unset(size);
        if (!runs(algorithm, [&] { scatter(self, root, all, mine, algorithm); })) continue;
        EXPECT_EQ(mine, elements(self.id(), 0, size))
            << "root " << root << ", processor " << self.id();
      }
    }
  });
}

TEST(Scatter, GivesEveryProcessorItsBlock) {
  for_each_machine(scatter_algorithms(), check_all_roots_and_sizes);
}

TEST(Scatter, LetsTheRootsBlockLieInItsPlace) {
  for (const Algorithm algorithm : scatter_algorithms()) {
    machine_of(5).run([&](Processor& self) {
      std::vector<std::int64_t> all = elements_of_all(5, 3);
      if (self.id() != 2) std::ranges::fill(all, -1);
      const auto mine = std::span(all).subspan(self.id() * 3, 3);
      if (!runs(algorithm, [&] { scatter(self, 2, all, mine, algorithm); })) return;
      EXPECT_TRUE(std::ranges::equal(mine, elements(self.id(), 0, 3)));
    });
  }
}

TEST(Scatter, RefusesWrongArguments) {
  machine_of(3).run([](Processor& self) {
    std::vector<std::int32_t> mine(2);
    std::vector<std::int32_t> all(6);
    EXPECT_EQ(refusal([&] { scatter(self, -1, all, mine); }),
              "scatter: root -1 is not allowed; 0 to 2");
    EXPECT_EQ(refusal([&] { scatter(self, 0, all, mine, Algorithm::pairwise); }),
              "scatter: pairwise is not allowed; automatic, binomial, linear, farthest_first, "
              "slots, turns");
    if (self.id() != 1) return;  // the others may pass any list
    const std::vector<std::int32_t> long_list(7);
    EXPECT_EQ(refusal([&] { scatter(self, 1, long_list, mine); }),
              "scatter: all of 28 bytes is not allowed; 24, a block like mine for each processor");
    EXPECT_EQ(refusal([&] { scatter(self, 1, all, std::span(all).subspan(3, 2)); }),
              "scatter: mine and all overlap, which is not allowed; separate memory, or mine is "
              "the own block of all");
  });
}

}  // namespace
}  // namespace postroom
