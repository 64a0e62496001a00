// Prefix sums: the operator does not commute, so every result shows the order of its parts.
#include "collectives/scan.h"

#include <functional>

#include "tests/collectives/testing.h"

namespace postroom {
namespace {

TEST(Scan, CombinesAllUpToThisProcessor) {
  for_each_machine([](Machine& machine) {
    machine.run([](Processor& self) {
      for (const std::size_t size : sizes_for(self.count())) {
        const std::vector<Word> in = words_of(self.id(), size);
        std::vector<Word> out(size, word('?'));
        scan(self, in, out, join, Algorithm::hillis_steele);
        EXPECT_EQ(out, joined(0, self.id() + 1, size)) << "processor " << self.id();
        EXPECT_EQ(in, words_of(self.id(), size)) << "processor " << self.id();

        for (const Algorithm algorithm :
             {Algorithm::automatic, Algorithm::shared, Algorithm::turns}) {
          std::vector<Word> other(size, word('?'));
          if (!runs(algorithm, [&] { scan(self, in, other, join, algorithm); })) continue;
          EXPECT_EQ(other, out) << algorithm << ", processor " << self.id();
          std::vector<Word> both = in;
          scan(self, both, both, join, algorithm);
          EXPECT_EQ(both, out) << algorithm << " in place, processor " << self.id();
        }
      }
    });
  });
}

TEST(Exscan, CombinesAllBeforeThisProcessor) {
  for_each_machine([](Machine& machine) {
    machine.run([](Processor& self) {
      for (const std::size_t size : sizes_for(self.count())) {
        const std::vector<Word> in = words_of(self.id(), size);
        const std::vector<Word> untouched(size, word('?'));
        std::vector<Word> out = untouched;
        exscan(self, in, out, join, Algorithm::hillis_steele);
        EXPECT_EQ(out, self.id() == 0 ? untouched : joined(0, self.id(), size))
            << "processor " << self.id();
        EXPECT_EQ(in, words_of(self.id(), size)) << "processor " << self.id();

        for (const Algorithm algorithm :
             {Algorithm::automatic, Algorithm::shared, Algorithm::turns}) {
          std::vector<Word> other = untouched;
          if (!runs(algorithm, [&] { exscan(self, in, other, join, algorithm); })) continue;
          EXPECT_EQ(other, out) << algorithm << ", processor " << self.id();
          std::vector<Word> both = in;
          exscan(self, both, both, join, algorithm);
          EXPECT_EQ(both, self.id() == 0 ? in : out)
              << algorithm << " in place, processor " << self.id();
        }
      }
    });
  });
}

TEST(Scan, OfSingleValuesReturnsTheSum) {
  machine_of(8).run([](Processor& self) {
    const int q = self.id();
    EXPECT_EQ(scan(self, q + 1, std::plus<>()), (q + 1) * (q + 2) / 2);
    EXPECT_EQ(exscan(self, q + 1, std::plus<>(), 0), q * (q + 1) / 2);
    EXPECT_EQ(exscan(self, q + 1, std::plus<>(), 100), q == 0 ? 100 : q * (q + 1) / 2);
  });
}

TEST(Scan, RefusesWrongArguments) {
  machine_of(3).run([](Processor& self) {
    std::vector<std::int32_t> in(4);
    std::vector<std::int32_t> out(4);
    const std::plus<> plus;
    EXPECT_EQ(refusal([&] { scan(self, in, std::span(out).first(3), plus); }),
              "scan: out of 12 bytes is not allowed; 16, as many as in");
    EXPECT_EQ(refusal([&] { exscan(self, in, std::span(out).first(1), plus); }),
              "exscan: out of 4 bytes is not allowed; 16, as many as in");
    EXPECT_EQ(
        refusal([&] { scan(self, std::span(in).first(2), std::span(in).subspan(1, 2), plus); }),
        "scan: in and out overlap in part, which is not allowed; the same or separate memory");
    EXPECT_EQ(refusal([&] { scan(self, in, out, plus, Algorithm::ring); }),
              "scan: ring is not allowed; automatic, hillis_steele, shared, turns");
    EXPECT_EQ(refusal([&] { exscan(self, in, out, plus, Algorithm::linear); }),
              "exscan: linear is not allowed; automatic, hillis_steele, shared, turns");
  });
}

}  // namespace
}  // namespace postroom
