// Reduce and allreduce: the operator does not commute, so every result shows the order of its
// parts.
#include "collectives/reduce.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "collectives/algorithms/reduce_lambda_tree.h"
#include "collectives/allreduce.h"
#include "tests/collectives/testing.h"

namespace postroom {
namespace {

void check_reduce(Machine& machine, Algorithm algorithm) {
  SCOPED_TRACE(to_string(algorithm));
  machine.run([&](Processor& self) {
    for (int root = 0; root<self.count(); root += self.count()> 8 ? 4 : 1) {
      for (const std::size_t size : sizes_for(self.count())) {
        std::vector<Word> out(self.id() == root ? size : 1, word('?'));
        if (!runs(algorithm,
                  [&] { reduce(self, root, words_of(self.id(), size), out, join, algorithm); }))
          continue;
        EXPECT_EQ(out,
                  self.id() == root ? joined(0, self.count(), size) : std::vector<Word>{word('?')})
            << "root " << root << ", processor " << self.id();
      }
    }
  });
}

TEST(Reduce, CombinesInTheOrderOfTheProcessorsOnAnyRoot) {
  for_each_machine([](Machine& machine) {
    check_reduce(machine, Algorithm::automatic);
    for (const Algorithm algorithm : reduce_algorithms()) check_reduce(machine, algorithm);
    for (const Rational latency : {Rational(1), Rational(9, 5), Rational(1000)}) {
      check_reduce(machine, Algorithm::lambda_tree(latency));
    }
  });
}

// Where less than half is kept, the root may lie in neither part of that size.
TEST(Reduce, OnATreeThatGivesMoreThanItKeeps) {
  const auto joins = [](const Word& a, const Word& b) { return join(a, b); };
  const auto op = Operator::of<Word>(joins);
  for (int p = 1; p <= 17; ++p) {
    for (const Rational latency : {Rational(1), Rational(3), Rational(1000)}) {
      const SplitRule rule = SplitRule::bottom_up(latency, p).giving_more();
      machine_of(p).run([&](Processor& self) {
        for (int root = 0; root < p; ++root) {
          const std::vector<Word> in = words_of(self.id(), 3);
          std::vector<Word> out(3);
          reduce_lambda_tree(self, root, std::as_bytes(std::span(in)),
                             std::as_writable_bytes(std::span(out)), op, rule);
          if (self.id() != root) continue;
          EXPECT_EQ(out, joined(0, p, 3)) << "root " << root << " of " << p;
        }
      });
    }
  }
}

TEST(Reduce, LeavesTheInputAloneAndMayOverwriteIt) {
  for (const Algorithm algorithm : reduce_algorithms()) {
    machine_of(5).run([&](Processor& self) {
      const std::vector<Word> in = words_of(self.id(), 40);
      std::vector<Word> out(40);
      if (!runs(algorithm, [&] { reduce(self, 3, in, out, join, algorithm); })) return;
      EXPECT_EQ(in, words_of(self.id(), 40));

      std::vector<Word> both = in;
      reduce(self, 3, both, both, join, algorithm);
      EXPECT_EQ(both, self.id() == 3 ? joined(0, 5, 40) : in);
    });
  }
}

TEST(Reduce, OfSingleValuesReturnsTheResultOnTheRoot) {
  machine_of(4).run([](Processor& self) {
    const std::optional<int> sum = reduce(self, 2, self.id() + 1, std::plus<>());
    EXPECT_EQ(sum, self.id() == 2 ? std::optional(10) : std::nullopt);
  });
}

TEST(Reduce, RefusesWrongArguments) {
  machine_of(3).run([](Processor& self) {
    std::vector<std::int32_t> in(4);
    std::vector<std::int32_t> out(4);
    EXPECT_EQ(refusal([&] { reduce(self, 3, in, out, std::plus<>()); }),
              "reduce: root 3 is not allowed; 0 to 2");
    EXPECT_EQ(
        refusal([&] { reduce(self, 0, in, out, std::plus<>(), Algorithm::linear); }),
        "reduce: linear is not allowed; automatic, binomial, shared, lambda_tree, slots, turns");
    EXPECT_EQ(refusal([&] { reduce(self, 0, in, out, std::plus<>(), Algorithm::lambda_tree(0)); }),
              "postal model: latency 0 is not allowed; at least 1");
    if (self.id() != 0) return;  // the others may pass any list
    EXPECT_EQ(refusal([&] { reduce(self, 0, in, std::span(out).first(3), std::plus<>()); }),
              "reduce: out of 12 bytes is not allowed; 16, as many as in");
    EXPECT_EQ(refusal([&] {
                reduce(self, 0, std::span(out).first(3), std::span(out).last(3), std::plus<>());
              }),
              "reduce: in and out overlap in part, which is not allowed; the same or separate "
              "memory");
  });
}

void check_allreduce(Machine& machine, Algorithm algorithm) {
  SCOPED_TRACE(to_string(algorithm));
  machine.run([&](Processor& self) {
    for (const std::size_t size : sizes_for(self.count())) {
      std::vector<Word> out(size, word('?'));
      if (!runs(algorithm,
                [&] { allreduce(self, words_of(self.id(), size), out, join, algorithm); }))
        continue;
      EXPECT_EQ(out, joined(0, self.count(), size)) << "processor " << self.id();

      std::vector<Word> both = words_of(self.id(), size);
      allreduce(self, both, both, join, algorithm);
      EXPECT_EQ(both, out) << "in place, processor " << self.id();
    }
  });
}

TEST(Allreduce, CombinesInTheOrderOfTheProcessors) {
  for_each_machine([](Machine& machine) {
    check_allreduce(machine, Algorithm::automatic);
    for (const Algorithm algorithm : allreduce_algorithms()) {
      if (allreduce_keeps_order(algorithm)) check_allreduce(machine, algorithm);
    }
  });
}

void check_sums(Machine& machine, Algorithm algorithm) {
  SCOPED_TRACE(to_string(algorithm));
  const int p = machine.processors();
  machine.run([&](Processor& self) {
    for (const std::size_t size : sizes_for(p)) {
      std::vector<std::int64_t> expected(size, 0);
      for (int q = 0; q < p; ++q) {
        for (std::size_t i = 0; i < size; ++i) expected[i] += element(q, 0, i);
      }
      std::vector<std::int64_t> list = elements(self.id(), 0, size);
      std::vector<std::int64_t> out = unset(size);
      allreduce(self, list, out, std::plus<>(), algorithm);
      EXPECT_EQ(out, expected) << "processor " << self.id();
      EXPECT_EQ(list, elements(self.id(), 0, size)) << "processor " << self.id();
      allreduce(self, list, list, std::plus<>(), algorithm);
      EXPECT_EQ(list, expected) << "in place, processor " << self.id();
    }
  });
}

TEST(Allreduce, InAnyOrderCombinesEachElementOnce) {
  for_each_machine([](Machine& machine) {
    for (const Algorithm algorithm :
         {Algorithm::ring, Algorithm::block_circulant(1), Algorithm::block_circulant(3),
          Algorithm::postal_combine(1), Algorithm::postal_combine(2),
          Algorithm::postal_combine(Rational(9, 5)), Algorithm::postal_combine(Rational(11, 5)),
          Algorithm::postal_combine(7)}) {
      check_sums(machine, algorithm);
    }
  });
}

TEST(Allreduce, ByThePostalCombineIsCyclic) {
  for (const int p : {1, 2, 3, 5, 13, 16}) {
    machine_of(p).run([&](Processor& self) {
      std::vector<Word> out(40, word('?'));  // large enough to be read in the sender's memory
      allreduce(self, words_of(self.id(), 40), out, join, Algorithm::postal_combine(3));
      std::vector<Word> expected = joined(self.id(), p, 40);
      const std::vector<Word> rest = joined(0, self.id(), 40);
      for (std::size_t i = 0; i < 40; ++i) expected[i] = join(expected[i], rest[i]);
      EXPECT_EQ(out, expected);
    });
  }
}

// 0.1 + 0.2 + … depends on how it is bracketed; all processors must have bracketed alike.
TEST(Allreduce, GivesTheSameBitsEverywhereInFloatingPoint) {
  for_each_machine([](Machine& machine) {
    for (const Algorithm algorithm : allreduce_algorithms()) {
      if (algorithm.name == Algorithm::Name::kPostalCombine) continue;
      std::vector<double> results(machine.processors());
      machine.run([&](Processor& self) {
        double& result = results[self.id()];
        (void)runs(algorithm, [&] {
          result = allreduce(self, 0.1 * (self.id() + 1), std::plus<>(), algorithm);
        });
      });
      EXPECT_EQ(results, std::vector<double>(results.size(), results[0])) << algorithm;
    }
  });
}

TEST(Allreduce, TakesAnyOperatorOnSingleValues) {
  machine_of(7).run([](Processor& self) {
    EXPECT_EQ(allreduce(self, (self.id() * 3) % 7, [](int a, int b) { return std::max(a, b); }), 6);
    const int offset = 5;  // captured
    EXPECT_EQ(allreduce(self, -offset, [&](int a, int b) { return a + b + offset; }), -5);
  });
}

TEST(Allreduce, OfTheLargestAndTheSmallest) {
  machine_of(7).run([](Processor& self) {
    const int third = (self.id() * 3) % 7 - 3;
    EXPECT_EQ(allreduce(self, third, Maximum()), 3);
    EXPECT_EQ(allreduce(self, third, Minimum()), -3);
    const std::optional<double> most = reduce(self, 0, 0.5 * third, Maximum());
    if (self.id() == 0) {
      EXPECT_EQ(most, 1.5);
    }
  });
}

TEST(Allreduce, TakesLargeLists) {
  for (const Algorithm algorithm : allreduce_algorithms()) {
    machine_of(3).run([&](Processor& self) {
      std::vector<std::int64_t> list = elements(self.id(), 0, 100'000);
      if (!runs(algorithm, [&] { allreduce(self, list, list, std::plus<>(), algorithm); })) return;
      for (std::size_t i = 0; i < list.size(); ++i) {
        ASSERT_EQ(list[i], element(0, 0, i) + element(1, 0, i) + element(2, 0, i));
      }
    });
  }
}

TEST(Allreduce, LetsTheExceptionOfAnOperatorPass) {
  for (const Algorithm algorithm : allreduce_algorithms()) {
    const auto failing = [](int a, int b) {
      if (a + b >= 6) throw std::domain_error("six");  // 2 + 4, the least there is
      return a + b;
    };
    EXPECT_THROW(machine_of(4).run([&](Processor& self) {
      (void)allreduce(self, 2 * self.id() + 2, failing, algorithm);
    }),
                 std::runtime_error);
  }
}

TEST(Allreduce, RefusesWrongArguments) {
  machine_of(3).run([](Processor& self) {
    std::vector<std::int32_t> in(4);
    std::vector<std::int32_t> out(4);
    EXPECT_EQ(refusal([&] { allreduce(self, in, std::span(out).first(3), std::plus<>()); }),
              "allreduce: out of 12 bytes is not allowed; 16, as many as in");
    EXPECT_EQ(refusal([&] {
                allreduce(self, std::span(in).first(3), std::span(in).last(3), std::plus<>());
              }),
              "allreduce: in and out overlap in part, which is not allowed; the same or separate "
              "memory");
    EXPECT_EQ(refusal([&] { allreduce(self, in, out, std::plus<>(), Algorithm::pairwise); }),
              "allreduce: pairwise is not allowed; automatic, recursive_doubling, "
              "halving_doubling, reduce_broadcast, ring, shared, lambda_tree, postal_combine, "
              "block_circulant, turns, teams");
    for (const Algorithm algorithm :
         {Algorithm::postal_combine(Rational(1, 2)), Algorithm::lambda_tree(Rational(1, 2))}) {
      EXPECT_EQ(refusal([&] { allreduce(self, in, out, std::plus<>(), algorithm); }),
                "postal model: latency 1/2 is not allowed; at least 1");
    }
    EXPECT_EQ(
        refusal([&] { allreduce(self, in, out, std::plus<>(), Algorithm::block_circulant(0)); }),
        "allreduce: blocks 0 is not allowed; 1 to 1000000000");
  });
}

}  // namespace
}  // namespace postroom
