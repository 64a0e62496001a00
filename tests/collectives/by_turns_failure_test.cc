// Collectives of processors that share threads: what programs get that are wrong or fail in the
// middle.
#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "collectives/algorithm.h"
#include "collectives/allgather.h"
#include "collectives/allgatherv.h"
#include "collectives/allreduce.h"
#include "collectives/alltoallv.h"
#include "collectives/broadcast.h"
#include "collectives/gatherv.h"
#include "collectives/scatterv.h"
#include "runtime/machine.h"
#include "tests/collectives/shared_threads.h"
#include "tests/collectives/testing.h"

namespace postroom {
namespace {

void expect_error(const std::string& words, const Machine::Program& program) {
  expect_error_of(8, words, program, [](Processor& self) {
    int sum = 0;
    const int one = 1;
    allreduce(self, std::span(&one, 1), std::span(&sum, 1), std::plus<>());
    EXPECT_EQ(sum, 8);
  });
}

TEST(ByTurnsFailure, SizesDiffer) {
  // The second is too large to be copied like the others.
  for (const std::size_t size : {2, 1000}) {
    const std::string bytes = std::to_string(size * sizeof(Number));
    expect_error("allreduce: the list of processor 4 has " + bytes + " bytes, but 8 are needed",
                 [size](Processor& self) {
                   Numbers in(self.id() == 4 ? size : 1);
                   Numbers out(in.size());
                   // Whoever leads has to be one of the others: processor 4 comes first.
                   if (self.id() != 4) self.yield();
                   allreduce(self, in, out, std::plus<>());
                 });
  }
}

TEST(ByTurnsFailure, CountsDifferSoMuchThatOnlySomeAreCopied) {
  expect_error("has been told other sizes", [](Processor& self) {
    std::vector<std::size_t> counts(8, 1);
    if (self.id() == 4) counts[0] = 10'000;
    Numbers all(std::reduce(counts.begin(), counts.end()));
    allgatherv(self, Numbers(1), all, counts);
  });
}

TEST(ByTurnsFailure, CountsOfAnExchangeDiffer) {
  expect_error("alltoallv: the list of processor 4 has 16 bytes, but 8 are needed",
               [](Processor& self) {
                 std::vector<std::size_t> out(8, 1);
                 const std::vector<std::size_t> in(8, 1);
                 if (self.id() == 4) out[2] = 2;
                 Numbers received(8);
                 alltoallv(self, Numbers(self.id() == 4 ? 9 : 8), out, received, in);
               });
}

TEST(ByTurnsFailure, OneHasABlockOfAnotherSizeThanTheRootSays) {
  for (const int root : {1, 4, 6}) {
    for (const std::size_t size : {0, 2, 1000}) {
      const std::string bytes = std::to_string(size * sizeof(Number));
      const std::vector<std::size_t> counts(8, 1);
      const auto list = [=](Processor& self) { return Numbers(self.id() == 3 ? size : 1); };
      expect_error("gatherv: the list of processor 3 has " + bytes + " bytes, but 8 are needed",
                   [=](Processor& self) {
                     Numbers all(8);
                     gatherv(self, root, list(self), all, counts, Algorithm::turns);
                   });
      expect_error("scatterv: the list of processor 3 has " + bytes + " bytes, but 8 are needed",
                   [=](Processor& self) {
                     scatterv(self, root, Numbers(8), counts, list(self), Algorithm::turns);
                   });
    }
  }
}

TEST(ByTurnsFailure, OneHasAnotherRoot) {
  const std::vector<std::size_t> counts(8, 1);
  expect_error("is in ", [&](Processor& self) {
    Numbers all(8);
    gatherv(self, self.id() == 3 ? 3 : 0, Numbers(1), all, counts, Algorithm::turns);
  });
  expect_error("is in ", [&](Processor& self) {
    scatterv(self, self.id() == 3 ? 3 : 0, Numbers(8), counts, Numbers(1), Algorithm::turns);
  });
}

TEST(ByTurnsFailure, OneIsInAnotherCollective) {
  for (int other = 0; other < 8; ++other) {
    expect_error("is in ", [other](Processor& self) {
      Numbers list(5000);
      if (self.id() == other) {
        allgather(self, std::span<Number>(), std::span<Number>());
      } else {
        broadcast(self, 0, list);
      }
    });
    for (const std::size_t size : {1, 5000}) {
      expect_error("is in ", [other, size](Processor& self) {
        const Numbers in(size);
        Numbers out(size);
        if (self.id() == other) {
          self.barrier();
        } else {
          allreduce(self, in, out, std::plus<>());
        }
      });
    }
  }
}

TEST(ByTurnsFailure, OneIsMissing) {
  for (int missing = 0; missing < 8; ++missing) {
    expect_error(
        "waits for processor " + std::to_string(missing) + ", which has ended, in broadcast",
        [missing](Processor& self) {
          Numbers list(5000);
          if (self.id() != missing) broadcast(self, 0, list);
        });
  }
}

// On one thread, while another works on lists that are about to go; what is freed is found by the
// sanitizers.
TEST(ByTurnsFailure, AnOperatorThrows) {
  for (const std::size_t size : {1, 20'000}) {
    expect_error("on purpose", [size](Processor& self) {
      Numbers in(size);
      in.front() = static_cast<Number>(self.id());
      Numbers out(in.size());
      allreduce(self, in, out, [](Number a, Number b) -> Number {
        if (b == 5) throw std::runtime_error("on purpose");
        return a + b;
      });
    });
  }
}

}  // namespace
}  // namespace postroom
