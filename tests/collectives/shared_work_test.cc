// What slots and turns combine is what a counting operator sees; what they copy is what their
// headers say.
#include "collectives/models/shared_work.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "collectives/algorithms/by_slots.h"
#include "collectives/algorithms/by_turns.h"
#include "collectives/allreduce.h"
#include "collectives/reduce.h"
#include "collectives/reduce_scatter.h"
#include "collectives/scan.h"
#include "numa/topology.h"
#include "runtime/machine.h"
#include "tests/collectives/shared_threads.h"

namespace postroom {
namespace {

/// Adds, and counts how often.
struct CountingPlus {
  std::atomic<std::int64_t>* times;

  Number operator()(Number a, Number b) const {
    // Relaxed: read after the run, whose end orders it.
    times->fetch_add(1, std::memory_order_relaxed);
    return a + b;
  }
};

/// Bytes that `program` combines on `machine`.
std::int64_t combined(Machine& machine,
                      const std::function<void(Processor&, const CountingPlus&)>& program) {
  std::atomic<std::int64_t> times = 0;
  machine.run([&](Processor& self) { program(self, CountingPlus{&times}); });
  return times * static_cast<std::int64_t>(sizeof(Number));
}

/// On machines of one node; `p` and `threads` are those of the machine.
void for_each_machine(const std::function<void(Machine&, int p, int threads)>& test) {
  const auto box = std::make_shared<const Topology>(Topology::synthetic("core:3 pu:1"));
  for (const int p : {2, 3, 5, 8, 17}) {
    for (int threads = 1; threads <= 3 && threads < p; ++threads) {
      SCOPED_TRACE("p = " + std::to_string(p) + ", threads " + std::to_string(threads));
      Machine machine({.processors = p, .threads = threads, .pin = false, .topology = box});
      test(machine, p, threads);
    }
  }
}

// Some are copied when they are put in, up to 512 each thread combines for its own processors.
constexpr std::size_t kSizes[] = {0, 1, 7, 100, 500, 512, 513, 3000};

std::int64_t bytes_of(std::size_t size) { return static_cast<std::int64_t>(size * sizeof(Number)); }

TEST(SharedWork, BySlotsAReduceCombinesWhatItSays) {
  for_each_machine([](Machine& machine, int p, int) {
    for (const std::size_t size : {0, 1, 7, 100}) {
      const std::int64_t found = combined(machine, [&](Processor& self, const CountingPlus& plus) {
        const Numbers in(size, 1);
        Numbers out(size);
        reduce(self, p / 2, in, out, plus, Algorithm::slots);
      });
      EXPECT_EQ(found, reduce_by_slots_work(p, bytes_of(size)).combined_bytes) << size;
    }
  });
}

TEST(SharedWork, ByTurnsReductionsCombineWhatTheySay) {
  for_each_machine([](Machine& machine, int p, int threads) {
    for (const std::size_t size : kSizes) {
      SCOPED_TRACE("size " + std::to_string(size));
      const std::int64_t bytes = bytes_of(size);
      EXPECT_EQ(combined(machine,
                         [&](Processor& self, const CountingPlus& plus) {
                           Numbers out(size);
                           reduce(self, p / 2, Numbers(size, 1), out, plus, Algorithm::turns);
                         }),
                reduce_by_turns_work(p, bytes).combined_bytes);
      for (const bool in_place : {false, true}) {
        SCOPED_TRACE(in_place ? "in place" : "apart");
        using Call = void (*)(Processor&, const Numbers&, Numbers&, const CountingPlus&);
        const auto count = [&](Call call) {
          return combined(machine, [&](Processor& self, const CountingPlus& plus) {
            Numbers in(size, 1);
            Numbers out(size);
            call(self, in, in_place ? in : out, plus);
          });
        };
        EXPECT_EQ(
            count([](Processor& self, const Numbers& in, Numbers& out, const CountingPlus& plus) {
              allreduce(self, in, out, plus, Algorithm::turns);
            }),
            allreduce_by_turns_work(p, threads, bytes, in_place).combined_bytes);
        EXPECT_EQ(
            count([](Processor& self, const Numbers& in, Numbers& out, const CountingPlus& plus) {
              scan(self, in, out, plus, Algorithm::turns);
            }),
            scan_by_turns_work(p, threads, bytes, in_place).combined_bytes);
        EXPECT_EQ(
            count([](Processor& self, const Numbers& in, Numbers& out, const CountingPlus& plus) {
              exscan(self, in, out, plus, Algorithm::turns);
            }),
            exscan_by_turns_work(p, threads, bytes, in_place).combined_bytes);
      }
    }
  });
}

TEST(SharedWork, ByTurnsAReduceScatterCombinesWhatItSays) {
  for_each_machine([](Machine& machine, int p, int threads) {
    std::vector<std::size_t> counts;
    std::size_t all = 0;
    for (int q = 0; q < p; ++q) all += counts.emplace_back(static_cast<std::size_t>(3 * q % 5));
    const std::int64_t found = combined(machine, [&](Processor& self, const CountingPlus& plus) {
      Numbers mine(counts[static_cast<std::size_t>(self.id())]);
      reduce_scatter(self, Numbers(all, 1), mine, counts, plus, Algorithm::turns);
    });
    EXPECT_EQ(found,
              reduce_scatter_by_turns_work(Blocks(counts, sizeof(Number)), threads).combined_bytes);
  });
}

/// Of five processors on two threads, three and two; lists up to 1,360 bytes are copied when they
/// are put in.
TEST(SharedWork, IsWhatTheHeadersSay) {
  using Work = SharedWork;
  EXPECT_EQ(broadcast_by_slots_work(5, 100), (Work{500, 0}));
  EXPECT_EQ(scatter_by_slots_work(5, 100), (Work{1000, 0}));
  const std::size_t few[] = {1, 0, 7, 2, 5};
  const std::size_t many[] = {1, 0, 7, 2, 2039};  // a word more than a slot takes
  EXPECT_EQ(scatterv_by_slots_work({few, 8}), (Work{9 * 16 + 240, 0}));
  EXPECT_EQ(scatterv_by_slots_work({many, 8}), (Work{9 * 16 + 16'392, 0}));
  EXPECT_EQ(gather_by_slots_work(5, 100), (Work{1000, 0}));
  EXPECT_EQ(reduce_by_slots_work(5, 100), (Work{600, 400}));

  const Blocks small(5, 100);  // 500 bytes in all
  const Blocks large(5, 10'000);
  EXPECT_EQ(broadcast_by_turns_work(5, 100), (Work{400, 0}));
  EXPECT_EQ(scatter_by_turns_work(small), (Work{500, 0}));
  EXPECT_EQ(gather_by_turns_work(small), (Work{500, 0}));
  EXPECT_EQ(scatter_by_turns_work({few, 8}), (Work{120, 0}));  // that of scatterv
  EXPECT_EQ(gather_by_turns_work({few, 8}), (Work{120, 0}));   // that of gatherv
  EXPECT_EQ(allgather_by_turns_work(small, 2), (Work{2500 + 500, 0}));
  EXPECT_EQ(allgather_by_turns_work(large, 2), (Work{250'000, 0}));
  EXPECT_EQ(alltoall_by_turns_work(small, 2), (Work{2500 + 2500, 0}));
  EXPECT_EQ(alltoall_by_turns_work(large, 2), (Work{250'000, 0}));
  EXPECT_EQ(alltoallv_by_turns_work(77), (Work{77, 0}));
  EXPECT_EQ(reduce_by_turns_work(5, 10'000), (Work{0, 40'000}));
  EXPECT_EQ(reduce_scatter_by_turns_work(small, 2), (Work{2500, 2000}));
  EXPECT_EQ(reduce_scatter_by_turns_work(large, 2), (Work{0, 200'000}));
  for (const bool in_place : {false, true}) {
    EXPECT_EQ(allreduce_by_turns_work(5, 2, 100, in_place), (Work{300 + 500, 800}));
    EXPECT_EQ(allreduce_by_turns_work(5, 2, 10'000, in_place), (Work{40'000, 40'000}));
    EXPECT_EQ(scan_by_turns_work(5, 2, 100, in_place), (Work{700 + 500, 200 + 400}));
    EXPECT_EQ(scan_by_turns_work(5, 2, 10'000, in_place), (Work{60'000, 40'000}));
    EXPECT_EQ(exscan_by_turns_work(5, 2, 10'000, in_place), (Work{50'000, 40'000}));
  }
  EXPECT_EQ(allreduce_by_turns_work(5, 2, 2000, false), (Work{6000, 16'000}));
  EXPECT_EQ(allreduce_by_turns_work(5, 2, 2000, true), (Work{8000, 8000}));
  constexpr std::int64_t kPastCaches = std::int64_t{16} << 20;
  EXPECT_EQ(reduce_by_turns_work(3, kPastCaches), (Work{kPastCaches, 2 * kPastCaches}));
}

}  // namespace
}  // namespace postroom
