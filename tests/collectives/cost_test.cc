// Costs: what the formulas say is what a trace of a real run counts and what the paper's numbers
// are.
#include "collectives/models/cost.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <sstream>

#include "collectives/allgather.h"
#include "collectives/allgatherv.h"
#include "collectives/allreduce.h"
#include "collectives/alltoall.h"
#include "collectives/broadcast.h"
#include "collectives/gather.h"
#include "collectives/reduce.h"
#include "collectives/scatter.h"
#include "numa/rounding.h"
#include "tests/collectives/all_collectives.h"
#include "tests/collectives/testing.h"

namespace postroom {
namespace {

Cost counted(Machine& machine, const Machine::Program& program) {
  machine.run(program);
  const Trace& trace = machine.trace();
  return {trace.rounds(), static_cast<std::int64_t>(trace.volume())};
}

// The trace gives a message the round in which it was sent. So where a processor receives from
// several others, one after another, it can count fewer rounds than one port takes.
bool receives_one_after_another(const Collective& collective) {
  return collective.name.starts_with("gather ") || collective.name.starts_with("gatherv ") ||
         collective.name.starts_with("reduce ") ||
         collective.name.starts_with("allreduce lambda_tree") ||
         collective.name == "allgather gather_broadcast";
}

// With blocks of different sizes the cost takes them all for the largest; it does not know how long
// the elements are that allreduce cannot cut.
bool is_about(const Collective& collective) {
  return collective.name.starts_with("broadcast block_circulant") ||
         collective.name == "broadcast scatter_allgather" ||
         collective.name.starts_with("allreduce block_circulant");
}

TEST(Cost, IsWhatTheTraceCounts) {
  for (const int p : kCounts) {
    Machine& machine = tracing_machine_of(p);
    for (const Collective& collective : all_collectives(p)) {
      if (collective.needs_shared_threads()) continue;
      for (const std::size_t count : {0, 1, 31, 65}) {
        for (int root = 0; root<(collective.has_root ? p : 1); root += p> 8 ? 5 : 1) {
          SCOPED_TRACE(collective.name + ", p = " + std::to_string(p) + ", root " +
                       std::to_string(root) + ", count " + std::to_string(count));
          const Cost run =
              counted(machine, [&](Processor& self) { collective.call(self, root, count); });
          const Cost cost = collective.cost(root, count);
          if (receives_one_after_another(collective)) {
            EXPECT_LE(run.rounds, cost.rounds);
            EXPECT_LE(run.bytes, cost.bytes);
          } else if (is_about(collective)) {
            EXPECT_EQ(run.rounds, cost.rounds);
            EXPECT_NEAR(static_cast<double>(run.bytes), static_cast<double>(cost.bytes),
                        static_cast<double>(8 * cost.rounds * p));
          } else {
            EXPECT_EQ(run, cost);
          }
        }
      }
    }
  }
}

// The same without a margin, where all blocks are of one size.
TEST(Cost, OfEqualBlocksIsExact) {
  for (const int p : kCounts) {
    std::vector<char> of_all(static_cast<std::size_t>(5 * p));
    EXPECT_EQ(counted(tracing_machine_of(p),
                      [&](Processor& self) {
                        auto own = of_all;
                        broadcast(self, 0, own, Algorithm::scatter_allgather);
                      }),
              broadcast_cost(p, std::ssize(of_all), Algorithm::scatter_allgather));
    for (const int blocks : {1, 3, 4, 7}) {
      for (const int block_bytes : {1, 5}) {
        const Algorithm algorithm = Algorithm::block_circulant(blocks);
        SCOPED_TRACE(to_string(algorithm) + ", p = " + std::to_string(p));
        std::vector<char> list(static_cast<std::size_t>(blocks * block_bytes));
        EXPECT_EQ(counted(tracing_machine_of(p),
                          [&](Processor& self) {
                            auto own = list;
                            broadcast(self, 0, own, algorithm);
                          }),
                  broadcast_cost(p, std::ssize(list), algorithm));
        list.resize(list.size() * static_cast<std::size_t>(p));
        EXPECT_EQ(counted(tracing_machine_of(p),
                          [&](Processor& self) {
                            auto own = list;
                            allreduce(self, own, own, std::bit_xor<>(), algorithm);
                          }),
                  allreduce_cost(p, std::ssize(list), algorithm));
      }
    }
  }
}

// What receives from several one after another is the mirror of what sends to them, of which the
// trace counts all.
TEST(Cost, TowardsARootIsThatOfItsMirror) {
  for (const int p : kCounts) {
    for (const std::int64_t bytes : {0, 1, 8, 1000}) {
      SCOPED_TRACE("p = " + std::to_string(p) + ", " + std::to_string(bytes) + " bytes");
      for (const Algorithm& algorithm :
           {Algorithm::binomial, Algorithm::linear, Algorithm::farthest_first}) {
        EXPECT_EQ(gather_cost(p, bytes, algorithm), scatter_cost(p, bytes, algorithm)) << algorithm;
      }
      const Cost tree = broadcast_cost(p, bytes, Algorithm::binomial);
      EXPECT_EQ(reduce_cost(p, bytes, Algorithm::binomial), tree);
      EXPECT_EQ(allgather_cost(p, bytes, Algorithm::gather_broadcast),
                gather_cost(p, bytes, Algorithm::binomial) +
                    broadcast_cost(p, p * bytes, Algorithm::binomial));
      for (const Rational& latency : {Rational(1), Rational(9, 5), Rational(4)}) {
        const Algorithm by_latency = Algorithm::lambda_tree(latency);
        const Cost reduced = reduce_cost(p, bytes, by_latency);
        EXPECT_EQ(reduced.bytes, reduced.rounds * bytes);
        EXPECT_EQ(reduced.rounds, broadcast_cost(p, bytes, by_latency).rounds) << by_latency;
        EXPECT_EQ(allreduce_cost(p, bytes, by_latency),
                  reduced + broadcast_cost(p, bytes, by_latency));
      }
    }
  }
}

// They send no messages, and so have nothing that a trace could count; what they cost instead is in
// shared_work_test.cc.
TEST(Cost, OfWhatNeedsSharedThreadsIsNoneAndATraceRefusesIt) {
  constexpr int p = 5;
  int seen = 0;
  for (const Collective& collective : all_collectives(p)) {
    if (!collective.needs_shared_threads()) continue;
    SCOPED_TRACE(collective.name);
    ++seen;
    for (const std::size_t count : {0, 1, 65}) {
      EXPECT_EQ(collective.cost(/*root=*/0, count), Cost());
      const Cost run = counted(tracing_machine_of(p), [&](Processor& self) {
        expect_shared_threads_needed([&] { collective.call(self, 0, count); });
      });
      EXPECT_EQ(run, Cost());
      EXPECT_TRUE(tracing_machine_of(p).trace().messages().empty());
    }
  }
  EXPECT_EQ(seen, 5 + 14);  // exscan, too
}

TEST(Cost, OfAutomaticIsThatOfTheChoice) {
  for (const int p : kCounts) {
    for (const std::int64_t bytes : {0, 8, 1000, 100'000}) {
      EXPECT_EQ(broadcast_cost(p, bytes), broadcast_cost(p, bytes, choose_broadcast(p, bytes)));
      EXPECT_EQ(gather_cost(p, bytes), gather_cost(p, bytes, choose_gather(p, bytes)));
      EXPECT_EQ(scatter_cost(p, bytes), scatter_cost(p, bytes, choose_scatter(p, bytes)));
      EXPECT_EQ(allgather_cost(p, bytes), allgather_cost(p, bytes, choose_allgather(p, bytes)));
      EXPECT_EQ(alltoall_cost(p, bytes), alltoall_cost(p, bytes, choose_alltoall(p, bytes)));
      EXPECT_EQ(allreduce_cost(p, bytes), allreduce_cost(p, bytes, choose_allreduce(p, bytes)));
    }
  }
}

TEST(Cost, RefusesWhatIsNoSize) {
  EXPECT_EQ(refusal([] { (void)broadcast_cost(0, 8); }),
            "broadcast: processors 0 is not allowed; at least 1");
  EXPECT_EQ(refusal([] { (void)alltoall_cost(-3, 8); }),
            "alltoall: processors -3 is not allowed; at least 1");
  EXPECT_EQ(refusal([] { (void)gather_cost(3, -1); }),
            "gather: bytes -1 is not allowed; at least 0");
  EXPECT_EQ(refusal([] { (void)allgatherv_cost({}, 8); }),
            "allgatherv: processors 0 is not allowed; at least 1");
}

TEST(Cost, OfAllgatherRespectsTheLowerBounds) {
  for (const int p : kCounts) {
    const auto least_bytes = [&](std::int64_t block) { return (p - 1) * block; };
    for (const std::int64_t block : {0, 1, 7, 64}) {
      for (const Algorithm algorithm :
           {Algorithm::circulant(), Algorithm::ring, Algorithm::gather_broadcast}) {
        const Cost cost = allgather_cost(p, block, algorithm);
        EXPECT_GE(cost.rounds, doubling_rounds(p)) << algorithm << ", p = " << p;
        EXPECT_GE(cost.bytes, least_bytes(block)) << algorithm << ", p = " << p;
      }
    }
  }
}

// --- The numbers of the papers. ---

/// The rows of a table in tests/golden: numbers, and words as 0.
std::vector<std::vector<int>> golden(const std::string& name) {
  std::ifstream file("tests/golden/" + name);
  EXPECT_TRUE(file) << name;
  std::vector<std::vector<int>> rows;
  std::string line;
  std::getline(file, line);  // the names of the columns
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::vector<int>& row = rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(std::atoi(cell.c_str()));
  }
  return rows;
}

TEST(Cost, OfMorePortsThanAnybodyHas) {
  EXPECT_EQ(allgather_cost(100'000, 8, Algorithm::circulant(65'535)).rounds, 2);
  EXPECT_EQ(allgather_cost(300'000, 8, Algorithm::circulant(65'537)).rounds, 2);
  EXPECT_EQ(allgather_cost(300'000, 8, Algorithm::circulant(299'999)).rounds, 1);
}

TEST(Golden, IndexCosts) {
  const std::vector<std::vector<int>> rows = golden("index_cost.csv");
  EXPECT_GT(rows.size(), 100u);
  for (const std::vector<int>& row : rows) {
    const int n = row[0], k = row[1], r = row[2];
    const Cost expected{row[3], row[4]};
    const Algorithm algorithm = Algorithm::bruck(r, k);
    EXPECT_EQ(alltoall_cost(n, 1, algorithm), expected) << algorithm << ", n = " << n;
    if (k == 1 && r == n) {
      EXPECT_EQ(alltoall_cost(n, 1, Algorithm::pairwise), expected);
    }
    const Cost run = counted(tracing_machine_of(n), [&](Processor& self) {
      alltoall(self, std::vector<char>(n), std::vector<char>(n), algorithm);
    });
    EXPECT_EQ(run, expected) << algorithm << ", n = " << n;
  }
}

TEST(Golden, ConcatenationCosts) {
  const std::vector<std::vector<int>> rows = golden("concat_cost.csv");
  EXPECT_GT(rows.size(), 100u);
  for (const std::vector<int>& row : rows) {
    const int n = row[0], k = row[1], b = row[2];
    const Cost expected{row[3], row[4]};
    const Algorithm algorithm = Algorithm::circulant(k);
    EXPECT_EQ(allgather_cost(n, b, algorithm), expected)
        << algorithm << ", n = " << n << ", b = " << b;
    const Cost run = counted(tracing_machine_of(n), [&](Processor& self) {
      allgather(self, std::vector<char>(b), std::vector<char>(n * b), algorithm);
    });
    EXPECT_EQ(run, expected) << algorithm << ", n = " << n << ", b = " << b;
  }
}

// Optimal in rounds and bytes, except where the paper says so, and there at most b - 1 bytes more.
TEST(Golden, ConcatenationIsOptimalExceptInTheSpecialRange) {
  int not_optimal = 0;
  for (int n = 2; n <= 100; ++n) {
    for (int k = 1; k < n; ++k) {
      std::int64_t rounds = 0;
      std::int64_t reached = 1;  // (k+1)^rounds
      for (; reached < n; reached *= k + 1) ++rounds;
      for (int b = 0; b <= 20; ++b) {
        const Cost cost = allgather_cost(n, b, Algorithm::circulant(k));
        const std::int64_t least_bytes = ceil_divide(b * (n - 1), k);
        const bool special = b >= 3 && k >= 3 && reached - k < n && n < reached;
        ASSERT_EQ(cost.rounds, rounds) << n << " " << k << " " << b;
        ASSERT_GE(cost.bytes, least_bytes) << n << " " << k << " " << b;
        ASSERT_LE(cost.bytes, least_bytes + (special ? b - 1 : 0)) << n << " " << k << " " << b;
        // The other choice in the special range: the least bytes, in a round more.
        const Cost other = allgather_cost(n, b, Algorithm::circulant_least_bytes(k));
        ASSERT_EQ(other.bytes, least_bytes) << n << " " << k << " " << b;
        ASSERT_EQ(other.rounds, rounds + (cost.bytes > least_bytes)) << n << " " << k << " " << b;
        ASSERT_EQ(allgather_cost(n, b, Algorithm::circulant_unrotated(k)), cost);
        not_optimal += cost.bytes > least_bytes;
      }
    }
  }
  EXPECT_GT(not_optimal, 0);  // the range is not empty
}

}  // namespace
}  // namespace postroom
