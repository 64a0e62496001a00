// Collectives of processors that share threads: for whom they are, and those that move lists.
#include "collectives/algorithms/by_turns.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "collectives/algorithm.h"
#include "collectives/allgather.h"
#include "collectives/allgatherv.h"
#include "collectives/allreduce.h"
#include "collectives/alltoall.h"
#include "collectives/alltoallv.h"
#include "collectives/broadcast.h"
#include "collectives/gather.h"
#include "collectives/gatherv.h"
#include "collectives/reduce.h"
#include "collectives/reduce_scatter.h"
#include "collectives/scan.h"
#include "collectives/scatter.h"
#include "collectives/scatterv.h"
#include "numa/topology.h"
#include "runtime/group.h"
#include "runtime/machine.h"
#include "runtime/virtual_clock.h"
#include "tests/collectives/shared_threads.h"
#include "tests/collectives/testing.h"

namespace postroom {
namespace {

Number value(int source, std::size_t index) { return Number(source) << 32 | index; }

Numbers list_of(int source, std::size_t size) {
  Numbers list(size);
  for (std::size_t i = 0; i < size; ++i) list[i] = value(source, i);
  return list;
}

constexpr std::size_t kSizes[] = {0, 1, 3, 100, 1000, 5000};

TEST(ByTurns, IsForProcessorsThatShareThreadsAndKeepNoRecord) {
  Machine({.processors = 3, .threads = 2}).run([](Processor& self) {
    EXPECT_TRUE(self.takes_turns());
  });
  Machine({.processors = 3, .threads = 3}).run([](Processor& self) {
    EXPECT_FALSE(self.takes_turns());
  });
  Machine({.processors = 3, .threads = 2, .trace = true}).run([](Processor& self) {
    EXPECT_FALSE(self.takes_turns());
  });
}

TEST(ByTurns, AreChosenOnABoxOfOneNode) {
  const auto on_box = [](const std::string& description, const auto& body) {
    Machine({.processors = 8,
             .threads = 4,
             .pin = false,
             .topology = std::make_shared<const Topology>(Topology::synthetic(description))})
        .run(body);
  };
  on_box("numa:1 core:4 pu:1", [](Processor& self) {
    EXPECT_EQ(choose_allgather(self, 8), Algorithm::turns);
    EXPECT_EQ(choose_allreduce(self, 8), Algorithm::turns);
    EXPECT_EQ(choose_alltoall(self, 8), Algorithm::turns);
    EXPECT_EQ(choose_alltoallv(self), Algorithm::turns);
    EXPECT_EQ(choose_scan(self, 8), Algorithm::turns);
    const std::vector<std::size_t> counts(8, 1);
    EXPECT_EQ(choose_allgatherv(self, counts, 8), Algorithm::turns);
    EXPECT_EQ(choose_reduce_scatter(self, counts, 8), Algorithm::turns);
  });
  on_box("numa:2 core:2 pu:1", [](Processor& self) {
    EXPECT_TRUE(self.takes_turns());
    EXPECT_EQ(choose_broadcast(self, 8), Algorithm::teams);
    EXPECT_EQ(choose_allreduce(self, 8), Algorithm::teams);
    EXPECT_EQ(choose_allgather(self, 8), Algorithm::teams);
    const std::vector<std::size_t> counts(8, 1);
    for (const Algorithm choice :
         {choose_scatter(self, 8), choose_gather(self, 8), choose_reduce(self, 8),
          choose_scan(self, 8), choose_alltoall(self, 8), choose_alltoallv(self),
          choose_allgatherv(self, counts, 8), choose_reduce_scatter(self, counts, 8)}) {
      EXPECT_NE(choice, Algorithm::turns);
      EXPECT_NE(choice, Algorithm::teams);
    }
    // They can be had there, too.
    for (const Algorithm algorithm : {Algorithm::automatic, Algorithm::turns}) {
      const Number mine = self.id();
      Numbers all(8);
      allgather(self, std::span(&mine, 1), all, algorithm);
      for (Number i = 0; i < 8; ++i) EXPECT_EQ(all[i], i);
    }
  });
}

TEST(ByTurns, FewProcessorsScanAndExchangeByMessages) {
  Machine({.processors = 7, .threads = 2}).run([](Processor& self) {
    EXPECT_EQ(choose_alltoallv(self), Algorithm::shared);
    EXPECT_EQ(choose_scan(self, 1023), Algorithm::hillis_steele);
    EXPECT_EQ(choose_scan(self, 1024), Algorithm::turns);
  });
}

TEST(ByTurns, OthersRefuseThem) {
  const auto expect_refused = [](Processor& self) {
    const auto p = static_cast<std::size_t>(self.count());
    const std::vector<std::size_t> counts(p, 1);
    const Numbers one(1);
    const Numbers for_all(p);
    Numbers out(1);
    Numbers all(p);
    const std::plus<> plus;
    constexpr Algorithm turns = Algorithm::turns;
    for (const auto& [operation, call] :
         std::initializer_list<std::pair<const char*, std::function<void()>>>{
             {"broadcast", [&] { broadcast(self, 0, out, turns); }},
             {"scatter", [&] { scatter(self, 0, for_all, out, turns); }},
             {"gather", [&] { gather(self, 0, one, all, turns); }},
             {"scatterv", [&] { scatterv(self, 0, for_all, counts, out, turns); }},
             {"gatherv", [&] { gatherv(self, 0, one, all, counts, turns); }},
             {"allgather", [&] { allgather(self, one, all, turns); }},
             {"allgatherv", [&] { allgatherv(self, one, all, counts, turns); }},
             {"alltoall", [&] { alltoall(self, for_all, all, turns); }},
             {"alltoallv", [&] { alltoallv(self, for_all, counts, all, counts, turns); }},
             {"reduce", [&] { reduce(self, 0, one, out, plus, turns); }},
             {"allreduce", [&] { allreduce(self, one, out, plus, turns); }},
             {"reduce_scatter", [&] { reduce_scatter(self, for_all, out, counts, plus, turns); }},
             {"scan", [&] { scan(self, one, out, plus, turns); }},
             {"exscan", [&] { exscan(self, one, out, plus, turns); }}}) {
      EXPECT_EQ(refusal(call),
                operation + std::string(": turns is not allowed; only where all processors "
                                        "of a machine share threads, without a trace or a "
                                        "clock"));
    }
  };
  const auto clock = std::make_shared<VirtualClock>(Rational(2));
  for (const MachineOptions& options :
       {MachineOptions{.processors = 1}, MachineOptions{.processors = 3, .threads = 3},
        MachineOptions{.processors = 3, .threads = 2, .trace = true},
        MachineOptions{.processors = 3, .threads = 2, .clock = clock}}) {
    Machine(options).run(expect_refused);
  }
  Machine({.processors = 3, .threads = 2}).run([&](Processor& self) {
    Group all(self, std::vector{0, 1, 2});
    expect_refused(all);
  });
}

TEST(ByTurns, MovesLists) {
  on_few_threads([](Machine& machine) {
    machine.run([](Processor& self) {
      const int p = self.count();
      const int me = self.id();
      for (const std::size_t n : kSizes) {
        const int root = static_cast<int>(n) % p;
        Numbers list = me == root ? list_of(root, n) : Numbers(n);
        broadcast(self, root, list);
        EXPECT_EQ(list, list_of(root, n));

        const Numbers whole = list_of(root, n * p);
        Numbers block(n);
        scatter(self, root, whole, block);
        const Numbers mine = list_of(me, n);
        Numbers all(n * p);
        gather(self, root, mine, all);
        Numbers everywhere(n * p);
        allgather(self, mine, everywhere);
        Numbers in_place(n * p);
        std::ranges::copy(mine, in_place.begin() + me * n);
        allgather(self, std::span(in_place).subspan(me * n, n), in_place);
        EXPECT_EQ(in_place, everywhere);
        const Numbers send = list_of(me, n * p);
        Numbers received(n * p);
        alltoall(self, send, received);
        for (std::size_t i = 0; i < n; ++i) {
          EXPECT_EQ(block[i], value(root, me * n + i));
          for (int q = 0; q < p; ++q) {
            if (me == root) {
              EXPECT_EQ(all[q * n + i], value(q, i));
            }
            EXPECT_EQ(everywhere[q * n + i], value(q, i));
            EXPECT_EQ(received[q * n + i], value(q, me * n + i));
          }
        }
      }
    });
  });
}

// In tiles: the last tile of a thread is full, or not; three threads cut elsewhere.
TEST(ByTurns, MovesWordsAmongMany) {
  for (const int p : {127, 128, 131, 150}) {
    for (const int threads : {2, 3}) {
      Machine({.processors = p, .threads = threads}).run([](Processor& self) {
        const Numbers send = list_of(self.id(), static_cast<std::size_t>(self.count()));
        Numbers received(send.size());
        alltoall(self, send, received, Algorithm::turns);
        for (int source = 0; source < self.count(); ++source) {
          const auto me = static_cast<std::size_t>(self.id());
          ASSERT_EQ(received[static_cast<std::size_t>(source)], value(source, me));
        }
      });
    }
  }
}

TEST(ByTurns, GathersBlocksOfDifferentSizes) {
  on_few_threads([](Machine& machine) {
    machine.run([](Processor& self) {
      std::vector<std::size_t> counts(static_cast<std::size_t>(self.count()));
      std::iota(counts.begin(), counts.end(), 0);
      Numbers all(std::reduce(counts.begin(), counts.end()));
      allgatherv(self, list_of(self.id(), counts[self.id()]), all, counts);
      Numbers expected;
      for (int q = 0; q < self.count(); ++q) {
        const Numbers of_q = list_of(q, counts[q]);
        expected.insert(expected.end(), of_q.begin(), of_q.end());
      }
      EXPECT_EQ(all, expected);
    });
  });
}

TEST(ByTurns, OnlyTheRootHasToKnowTheSizes) {
  on_few_threads([](Machine& machine) {
    machine.run([](Processor& self) {
      const int p = self.count();
      const auto me = static_cast<std::size_t>(self.id());
      for (const std::size_t n : kSizes) {
        const int root = static_cast<int>(n) % p;
        const bool is_root = self.id() == root;
        // Up to n elements; some blocks have none.
        std::vector<std::size_t> counts;
        Numbers expected;
        for (int q = 0; q < p; ++q) {
          counts.push_back(static_cast<std::size_t>(q + 2) % 4 * n / 3);
          const Numbers of_q = list_of(q, counts.back());
          expected.insert(expected.end(), of_q.begin(), of_q.end());
        }
        const Numbers mine = list_of(self.id(), counts[me]);
        const std::vector<std::size_t> known = is_root ? counts : std::vector<std::size_t>();
        Numbers all(is_root ? expected.size() : 0);
        gatherv(self, root, mine, all, known, Algorithm::turns);
        EXPECT_EQ(all, is_root ? expected : Numbers());
        Numbers back(counts[me]);
        scatterv(self, root, all, known, back, Algorithm::turns);
        EXPECT_EQ(back, mine);
        // The same with blocks at the root in their places.
        const std::size_t begin = std::reduce(counts.begin(), counts.begin() + self.id());
        const auto place = is_root ? std::span(all).subspan(begin, counts[me]) : std::span(back);
        gatherv(self, root, place, all, known, Algorithm::turns);
        scatterv(self, root, all, known, place, Algorithm::turns);
        EXPECT_EQ(all, is_root ? expected : Numbers());
        EXPECT_EQ(back, mine);
      }
    });
  });
}

TEST(ByTurns, ExchangesBlocksOfDifferentSizes) {
  on_few_threads([](Machine& machine) {
    machine.run([](Processor& self) {
      const int p = self.count();
      const int me = self.id();
      // Of source + 2 target.
      std::vector<std::size_t> out_counts(static_cast<std::size_t>(p));
      std::vector<std::size_t> in_counts(static_cast<std::size_t>(p));
      Numbers send;
      Numbers expected;
      for (int q = 0; q < p; ++q) {
        out_counts[q] = static_cast<std::size_t>(me + 2 * q);
        in_counts[q] = static_cast<std::size_t>(q + 2 * me);
        for (std::size_t i = 0; i < out_counts[q]; ++i) send.push_back(value(me, 1000 * q + i));
        for (std::size_t i = 0; i < in_counts[q]; ++i) expected.push_back(value(q, 1000 * me + i));
      }
      Numbers received(expected.size());
      alltoallv(self, send, out_counts, received, in_counts);
      EXPECT_EQ(received, expected);
    });
  });
}

}  // namespace
}  // namespace postroom
