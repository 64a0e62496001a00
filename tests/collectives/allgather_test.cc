#include "collectives/allgather.h"

#include <algorithm>
#include <bit>

#include "collectives/allgatherv.h"
#include "tests/collectives/testing.h"

namespace postroom {
namespace {

// Every algorithm that works on so many processors.
std::vector<Algorithm> algorithms_for(int processors) {
  std::vector<Algorithm> list{Algorithm::automatic};
  for (const Algorithm algorithm : allgather_algorithms()) {
    const bool power_of_two = std::has_single_bit(static_cast<unsigned>(processors));
    if (algorithm != Algorithm::recursive_doubling || power_of_two) list.push_back(algorithm);
  }
  for (int ports = 2; ports < processors; ++ports) {
    const bool some = ports <= 4 || ports == 7 || ports >= processors - 2;
    if (processors <= 16 || some) list.push_back(Algorithm::circulant(ports));
    if (processors > 16 || !some) continue;
    list.push_back(Algorithm::circulant_unrotated(ports));
    list.push_back(Algorithm::circulant_least_bytes(ports));
  }
  list.push_back(Algorithm::circulant(1'000'000'000));  // more than there are processors
  return list;
}

TEST(Allgather, GivesEveryProcessorTheBlocksInOrder) {
  for_each_machine([](Machine& machine) {
    for (const Algorithm algorithm : algorithms_for(machine.processors())) {
      SCOPED_TRACE(to_string(algorithm));
      machine.run([&](Processor& self) {
        for (const std::size_t size : sizes_for(self.count())) {
          std::vector<std::int64_t> all = unset(self.count() * size);
          const auto call = [&] { allgather(self, elements(self.id(), 0, size), all, algorithm); };
          if (!runs(algorithm, call)) continue;
          EXPECT_EQ(all, elements_of_all(self.count(), size)) << "processor " << self.id();
        }
      });
    }
  });
}

// Blocks of single bytes: with several ports the last round cuts them into parts of any size.
TEST(Allgather, CutsBlocksAnywhere) {
  for (const int p : {7, 13, 16}) {
    for (const Algorithm algorithm : algorithms_for(p)) {
      SCOPED_TRACE(to_string(algorithm));
      machine_of(p).run([&](Processor& self) {
        for (std::size_t size = 0; size < 12; ++size) {
          std::string all(p * size, '-');
          std::string expected;
          for (int q = 0; q < p; ++q) {
            for (std::size_t i = 0; i < size; ++i) expected += static_cast<char>('A' + q + i);
          }
          const auto call = [&] {
            allgather(self, expected.substr(self.id() * size, size), all, algorithm);
          };
          if (!runs(algorithm, call)) continue;
          EXPECT_EQ(all, expected) << "processor " << self.id();
        }
      });
    }
  }
}

TEST(Allgather, LetsTheOwnBlockLieInItsPlace) {
  for (const Algorithm algorithm : algorithms_for(8)) {
    machine_of(8).run([&](Processor& self) {
      std::vector<std::int64_t> all = unset(8 * 3);
      const auto mine = std::span(all).subspan(self.id() * 3, 3);
      std::ranges::copy(elements(self.id(), 0, 3), mine.begin());
      allgather(self, mine, all, algorithm);
      EXPECT_EQ(all, elements_of_all(8, 3));
    });
  }
}

TEST(Allgather, OfSingleValuesReturnsAList) {
  machine_of(5).run([](Processor& self) {
    EXPECT_EQ(allgather(self, self.id() * 0.5), (std::vector<double>{0, 0.5, 1, 1.5, 2}));
    EXPECT_EQ(allgather(self, self.id() == 3),
              (std::vector<bool>{false, false, false, true, false}));
  });
}

TEST(Allgather, TakesLargeBlocks) {
  for (const Algorithm algorithm : algorithms_for(4)) {
    machine_of(4).run([&](Processor& self) {
      std::vector<std::int64_t> all = unset(4 * 50'000);
      allgather(self, elements(self.id(), 0, 50'000), all, algorithm);
      EXPECT_EQ(all, elements_of_all(4, 50'000));
    });
  }
}

TEST(Allgather, RefusesWrongArguments) {
  machine_of(3).run([](Processor& self) {
    const std::vector<std::int32_t> mine(2);
    std::vector<std::int32_t> all(6);
    std::vector<std::int32_t> short_list(5);
    EXPECT_EQ(
        refusal([&] { allgather(self, mine, short_list); }),
        "allgather: all of 20 bytes is not allowed; 24, a block like mine for each processor");
    EXPECT_EQ(refusal([&] { allgather(self, std::span(all).subspan(1, 2), all); }),
              "allgather: mine and all overlap, which is not allowed; separate memory, or mine is "
              "the own block of all");
    EXPECT_EQ(refusal([&] { allgather(self, mine, all, Algorithm::recursive_doubling); }),
              "allgather: recursive_doubling on 3 processors is not allowed; a power of two");
    for (const int ports : {-1, 0}) {
      for (const Algorithm algorithm :
           {Algorithm::circulant(ports), Algorithm::circulant_unrotated(ports),
            Algorithm::circulant_least_bytes(ports)}) {
        EXPECT_EQ(refusal([&] { allgather(self, mine, all, algorithm); }),
                  "allgather: ports " + std::to_string(ports) + " is not allowed; at least 1");
      }
    }
    EXPECT_EQ(refusal([&] { allgather(self, mine, all, Algorithm::binomial); }),
              "allgather: binomial is not allowed; automatic, circulant, ring, "
              "recursive_doubling, gather_broadcast, shared, circulant_least_bytes, "
              "circulant_unrotated, flooding, queueless, turns, teams");
  });
}

// Uneven counts, some of them 0; `shift` moves them around.
std::vector<std::size_t> uneven_counts(int processors, std::size_t largest, int shift) {
  std::vector<std::size_t> counts;
  for (int q = 0; q < processors; ++q) {
    counts.push_back(static_cast<std::size_t>((q + shift) * 7 % 5) * largest / 4);
  }
  return counts;
}

TEST(Allgatherv, GivesEveryProcessorTheBlocksInOrder) {
  for_each_machine([](Machine& machine) {
    std::vector<Algorithm> algorithms{Algorithm::automatic};
    std::ranges::copy(allgatherv_algorithms(), std::back_inserter(algorithms));
    algorithms.push_back(Algorithm::block_circulant(5));
    for (const Algorithm algorithm : algorithms) {
      SCOPED_TRACE(to_string(algorithm));
      machine.run([&](Processor& self) {
        for (const std::size_t size : sizes_for(self.count())) {
          for (int shift = 0; shift < 5; ++shift) {
            const std::vector<std::size_t> counts = uneven_counts(self.count(), size, shift);
            std::vector<std::int64_t> expected;
            for (int q = 0; q < self.count(); ++q) {
              std::ranges::copy(elements(q, 0, counts[q]), std::back_inserter(expected));
            }
            std::vector<std::int64_t> all = unset(expected.size());
            const auto call = [&] {
              allgatherv(self, elements(self.id(), 0, counts[self.id()]), all, counts, algorithm);
            };
            if (!runs(algorithm, call)) continue;
            EXPECT_EQ(all, expected) << "processor " << self.id();
            const auto found =
                allgatherv(self, elements(self.id(), 0, counts[self.id()]), algorithm);
            EXPECT_EQ(found.all, expected) << "processor " << self.id();
            EXPECT_EQ(found.counts, counts) << "processor " << self.id();
          }
        }
      });
    }
  });
}

TEST(Allgatherv, LetsTheOwnBlockLieInItsPlace) {
  for (const Algorithm algorithm : allgatherv_algorithms()) {
    machine_of(3).run([&](Processor& self) {
      const std::vector<std::size_t> counts{2, 0, 1};
      std::vector<int> all{-1, -1, -1};
      const auto mine = std::span(all).subspan(self.id() == 0 ? 0 : 2, counts[self.id()]);
      std::ranges::fill(mine, self.id());
      if (!runs(algorithm, [&] { allgatherv(self, mine, all, counts, algorithm); })) return;
      EXPECT_EQ(all, (std::vector<int>{0, 0, 2}));
    });
  }
}

TEST(Allgatherv, RefusesWrongArguments) {
  machine_of(3).run([](Processor& self) {
    const std::vector<std::size_t> counts{2, 2, 2};
    const std::vector<std::int32_t> mine(2);
    std::vector<std::int32_t> all(6);
    EXPECT_EQ(refusal([&] { allgatherv(self, mine, all, std::span(counts).first(2)); }),
              "allgatherv: counts of 2 numbers is not allowed; 3, one for each processor");
    EXPECT_EQ(refusal([&] { allgatherv(self, all, all, counts); }),
              "allgatherv: mine of 24 bytes is not allowed; 8, the own one of counts");
    EXPECT_EQ(refusal([&] { allgatherv(self, mine, std::span(all).first(5), counts); }),
              "allgatherv: all of 20 bytes is not allowed; 24, the sum of counts");
    EXPECT_EQ(refusal([&] { allgatherv(self, std::span(all).subspan(1, 2), all, counts); }),
              "allgatherv: mine and all overlap, which is not allowed; separate memory, or mine is "
              "the own block of all");
    EXPECT_EQ(refusal([&] { allgatherv(self, mine, all, counts, Algorithm::circulant(2)); }),
              "allgatherv: ports 2 is not allowed; 1 to 1");
    EXPECT_EQ(refusal([&] { (void)allgatherv(self, mine, Algorithm::circulant(2)); }),
              "allgatherv: ports 2 is not allowed; 1 to 1");
    EXPECT_EQ(refusal([&] { allgatherv(self, mine, all, counts, Algorithm::linear); }),
              "allgatherv: linear is not allowed; automatic, circulant, ring, shared, "
              "block_circulant, turns");
    EXPECT_EQ(refusal([&] { allgatherv(self, mine, all, counts, Algorithm::block_circulant(0)); }),
              "allgatherv: blocks 0 is not allowed; 1 to 1000000000");
  });
}

}  // namespace
}  // namespace postroom
