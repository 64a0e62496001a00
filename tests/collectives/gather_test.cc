#include "collectives/gather.h"

#include "tests/collectives/testing.h"

namespace postroom {
namespace {

void check_all_roots_and_sizes(Machine& machine, Algorithm algorithm) {
  SCOPED_TRACE(to_string(algorithm));
  machine.run([&](Processor& self) {
    for (int root = 0; root < self.count(); ++root) {
      for (const std::size_t size : sizes_for(self.count())) {
        const std::vector<std::int64_t> mine = elements(self.id(), 0, size);
        std::vector<std::int64_t> all = unset(self.id() == root ? self.count() * size : 2);
        if (!runs(algorithm, [&] { gather(self, root, mine, all, algorithm); })) continue;
        EXPECT_EQ(all, self.id() == root ? elements_of_all(self.count(), size) : unset(2))
            << "root " << root << ", processor " << self.id();
      }
    }
  });
}

TEST(Gather, GivesTheRootTheBlocksInOrder) {
  for_each_machine(gather_algorithms(), check_all_roots_and_sizes);
}

TEST(Gather, LetsTheRootsBlockLieInItsPlace) {
  for (const Algorithm algorithm : gather_algorithms()) {
    machine_of(5).run([&](Processor& self) {
      std::vector<std::int64_t> all = unset(5 * 3);
      const auto mine = std::span(all).subspan(self.id() * 3, 3);
      std::ranges::copy(elements(self.id(), 0, 3), mine.begin());
      if (!runs(algorithm, [&] { gather(self, 2, mine, all, algorithm); })) return;
      if (self.id() == 2) {
        EXPECT_EQ(all, elements_of_all(5, 3));
      }
    });
  }
}

TEST(Gather, OfSingleValuesReturnsAList) {
  machine_of(7).run([](Processor& self) {
    const std::vector<int> all = gather(self, 4, self.id() * 10);
    EXPECT_EQ(all,
              self.id() == 4 ? (std::vector<int>{0, 10, 20, 30, 40, 50, 60}) : std::vector<int>{});
    EXPECT_EQ(gather(self, 4, self.id() == 1).size(), self.id() == 4 ? 7u : 0u);
  });
}

TEST(Gather, RefusesWrongArguments) {
  machine_of(3).run([](Processor& self) {
    const std::vector<std::int32_t> mine(2);
    std::vector<std::int32_t> all(6);
    EXPECT_EQ(refusal([&] { gather(self, 3, mine, all); }),
              "gather: root 3 is not allowed; 0 to 2");
    EXPECT_EQ(refusal([&] { gather(self, 0, mine, all, Algorithm::ring); }),
              "gather: ring is not allowed; automatic, binomial, linear, shared, farthest_first, "
              "slots, turns");
    if (self.id() != 1) return;  // the others may pass any list
    std::vector<std::int32_t> short_list(5);
    EXPECT_EQ(refusal([&] { gather(self, 1, mine, short_list); }),
              "gather: all of 20 bytes is not allowed; 24, a block like mine for each processor");
    const std::string overlap =
        "gather: mine and all overlap, which is not allowed; separate memory, or mine is the own "
        "block of all";
    EXPECT_EQ(refusal([&] { gather(self, 1, std::span(all).first(2), all); }), overlap);
    EXPECT_EQ(refusal([&] { gather(self, 1, std::span(all).subspan(1, 2), all); }), overlap);
  });
}

}  // namespace
}  // namespace postroom
