#include "collectives/reduce_scatter.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "tests/collectives/testing.h"

namespace postroom {
namespace {

// Uneven counts, some of them 0.
std::vector<std::size_t> counts_for(int processors, std::size_t largest) {
  std::vector<std::size_t> counts;
  for (int q = 0; q < processors; ++q) {
    counts.push_back(static_cast<std::size_t>(q * 7 % 5) * largest / 4);
  }
  return counts;
}

std::size_t sum(std::span<const std::size_t> counts) {
  return std::reduce(counts.begin(), counts.end());
}

TEST(ReduceScatter, GivesEveryProcessorItsBlockOfTheSum) {
  for_each_machine([](Machine& machine) {
    const int p = machine.processors();
    for (const Algorithm algorithm :
         {Algorithm::automatic, Algorithm::pairwise, Algorithm::shared,
          Algorithm::recursive_doubling, Algorithm::block_circulant(1),
          Algorithm::block_circulant(2), Algorithm::block_circulant(5), Algorithm::turns}) {
      SCOPED_TRACE(to_string(algorithm));
      machine.run([&](Processor& self) {
        for (const std::size_t size : sizes_for(p)) {
          const std::vector<std::size_t> counts = counts_for(p, size);
          const std::vector<std::int64_t> in = elements(self.id(), 3, sum(counts));
          const std::size_t begin = sum(std::span(counts).first(self.id()));
          std::vector<std::int64_t> expected(counts[self.id()], 0);
          for (int q = 0; q < p; ++q) {
            for (std::size_t i = 0; i < expected.size(); ++i) {
              expected[i] += element(q, 3, begin + i);
            }
          }
          std::vector<std::int64_t> out = unset(expected.size());
          const auto call = [&] {
            reduce_scatter(self, in, out, counts, std::plus<>(), algorithm);
          };
          if (!runs(algorithm, call)) continue;
          EXPECT_EQ(out, expected) << "processor " << self.id();
          EXPECT_EQ(in, elements(self.id(), 3, in.size()));
        }
      });
    }
  });
}

TEST(ReduceScatter, KeepsTheOrderOfTheProcessors) {
  for_each_machine([](Machine& machine) {
    const int p = machine.processors();
    machine.run([&](Processor& self) {
      const std::vector<std::size_t> counts(static_cast<std::size_t>(p), 2);
      for (const Algorithm algorithm : {Algorithm::pairwise, Algorithm::shared,
                                        Algorithm::recursive_doubling, Algorithm::turns}) {
        std::vector<Word> out(2, word('?'));
        const std::vector<Word> in = words_of(self.id(), 2 * static_cast<std::size_t>(p));
        const auto call = [&] { reduce_scatter(self, in, out, counts, join, algorithm); };
        if (!runs(algorithm, call)) continue;
        const std::vector<Word> all = joined(0, p, 2 * static_cast<std::size_t>(p));
        EXPECT_TRUE(std::ranges::equal(out, std::span(all).subspan(2 * self.id(), 2))) << algorithm;
      }
    });
  });
}

TEST(ReduceScatter, RefusesWrongArguments) {
  machine_of(3).run([](Processor& self) {
    const std::vector<std::size_t> counts{2, 2, 2};
    std::vector<std::int32_t> in(6);
    std::vector<std::int32_t> out(2);
    const std::plus<> plus;
    EXPECT_EQ(refusal([&] { reduce_scatter(self, in, out, std::span(counts).first(2), plus); }),
              "reduce_scatter: counts of 2 numbers is not allowed; 3, one for each processor");
    EXPECT_EQ(refusal([&] { reduce_scatter(self, std::span(in).first(5), out, counts, plus); }),
              "reduce_scatter: in of 20 bytes is not allowed; 24, the sum of counts");
    EXPECT_EQ(refusal([&] { reduce_scatter(self, in, std::span(out).first(1), counts, plus); }),
              "reduce_scatter: out of 4 bytes is not allowed; 8, the own one of counts");
    EXPECT_EQ(refusal([&] { reduce_scatter(self, in, std::span(in).first(2), counts, plus); }),
              "reduce_scatter: in and out overlap, which is not allowed; separate memory");
    EXPECT_EQ(refusal([&] {
                reduce_scatter(self, in, out, counts, plus, Algorithm::block_circulant(0));
              }),
              "reduce_scatter: blocks 0 is not allowed; 1 to 1000000000");
    EXPECT_EQ(refusal([&] { reduce_scatter(self, in, out, counts, plus, Algorithm::ring); }),
              "reduce_scatter: ring is not allowed; automatic, pairwise, recursive_doubling, "
              "shared, block_circulant, turns");
  });
}

}  // namespace
}  // namespace postroom
