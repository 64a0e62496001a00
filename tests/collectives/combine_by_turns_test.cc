// Collectives of processors that share threads: those that combine lists.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

#include "collectives/allreduce.h"
#include "collectives/reduce.h"
#include "collectives/reduce_scatter.h"
#include "collectives/scan.h"
#include "runtime/machine.h"
#include "tests/collectives/shared_threads.h"
#include "tests/collectives/testing.h"

namespace postroom {
namespace {

constexpr std::size_t kSizes[] = {0, 1, 3, 100, 1000, 5000};

Line line(int q, std::size_t i) {
  return Line{static_cast<std::uint32_t>(2 * q + 3), static_cast<std::uint32_t>(q + i)};
}

// Lists that just fit where they are copied, and some that do not.
TEST(CombineByTurns, CopiesWhatFits) {
  on_few_threads([](Machine& machine) {
    machine.run([](Processor& self) {
      const std::size_t most = (self.hand_limits().pooled - 1) / sizeof(Number);
      for (const std::size_t n : {most, most + 1, most - 1, most}) {
        Numbers in(n);
        std::iota(in.begin(), in.end(), Number(self.id()));
        Numbers out(n);
        allreduce(self, in, out, std::plus<>());
        Numbers expected(n);
        for (int q = 0; q < self.count(); ++q) {
          for (std::size_t i = 0; i < n; ++i) expected[i] += Number(q) + i;
        }
        EXPECT_EQ(out, expected);
      }
    });
  });
}

TEST(CombineByTurns, CombinesInTheOrderOfTheProcessors) {
  on_few_threads([](Machine& machine) {
    machine.run([](Processor& self) {
      for (const std::size_t n : kSizes) {
        std::vector<Line> in(n);
        std::vector<Line> expected(n);
        for (std::size_t i = 0; i < n; ++i) {
          in[i] = line(self.id(), i);
          expected[i] = line(0, i);
          for (int q = 1; q < self.count(); ++q) expected[i] = then(expected[i], line(q, i));
        }
        const int root = static_cast<int>(n) % self.count();
        std::vector<Line> out(n);
        allreduce(self, in, out, then);
        EXPECT_EQ(out, expected);
        std::vector<Line> at_root(self.id() == root ? n : 0);
        reduce(self, root, in, at_root, then);
        if (self.id() == root) {
          EXPECT_EQ(at_root, expected);
        }
        std::vector<Line> in_place = in;
        if (self.id() == root) {
          reduce(self, root, in_place, in_place, then);
          EXPECT_EQ(in_place, expected);
        } else {
          reduce(self, root, in, std::span<Line>(), then);
        }
        in_place = in;
        allreduce(self, in_place, in_place, then);
        EXPECT_EQ(in_place, expected);
      }
    });
  });
}

TEST(CombineByTurns, ScansInTheOrderOfTheProcessors) {
  on_few_threads([](Machine& machine) {
    machine.run([](Processor& self) {
      for (const std::size_t n : {0, 1, 3, 100, 5000}) {
        std::vector<Line> in(n);
        std::vector<Line> before(n);
        std::vector<Line> with(n);
        for (std::size_t i = 0; i < n; ++i) {
          in[i] = with[i] = line(0, i);
          for (int q = 1; q <= self.id(); ++q) {
            in[i] = line(q, i);
            before[i] = with[i];
            with[i] = then(before[i], in[i]);
          }
        }
        std::vector<Line> out(n);
        scan(self, in, out, then);
        EXPECT_EQ(out, with);
        std::vector<Line> in_place = in;
        scan(self, in_place, in_place, then);
        EXPECT_EQ(in_place, with);
        std::vector<Line> exclusive(n);
        exscan(self, in, exclusive, then);
        EXPECT_EQ(exclusive, before);
        in_place = in;
        exscan(self, in_place, in_place, then);
        EXPECT_EQ(in_place, self.id() == 0 ? in : before);
      }
    });
  });
}

TEST(CombineByTurns, CombinesBlocksOfDifferentSizes) {
  on_few_threads([](Machine& machine) {
    machine.run([](Processor& self) {
      const int p = self.count();
      const int me = self.id();
      // q elements for processor q.
      std::vector<std::size_t> counts(static_cast<std::size_t>(p));
      std::iota(counts.begin(), counts.end(), 0);
      const std::size_t all = std::reduce(counts.begin(), counts.end());
      std::vector<Line> in(all);
      for (std::size_t i = 0; i < all; ++i) in[i] = line(me, i);
      std::vector<Line> mine(counts[me]);
      reduce_scatter(self, in, mine, counts, then);
      const std::size_t begin = std::reduce(counts.begin(), counts.begin() + me);
      for (std::size_t i = 0; i < mine.size(); ++i) {
        Line expected = line(0, begin + i);
        for (int q = 1; q < p; ++q) expected = then(expected, line(q, begin + i));
        EXPECT_EQ(mine[i], expected);
      }
    });
  });
}

TEST(CombineByTurns, AllHaveTheSameSumToTheLastBit) {
  Machine machine({.processors = 9, .threads = 2});
  std::vector<double> sums(9);
  machine.run([&](Processor& self) {
    const double mine = 1.0 / (3 + self.id());
    double sum = 0;
    allreduce(self, std::span(&mine, 1), std::span(&sum, 1), std::plus<>());
    sums[self.id()] = sum;
  });
  EXPECT_EQ(sums, std::vector<double>(9, sums.front()));
}

}  // namespace
}  // namespace postroom
