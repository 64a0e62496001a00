// What is special about the algorithms for processors that share memory: when they are chosen,
// where they are refused, slices, and copies that two sides make together.
#include <functional>
#include <memory>

#include "collectives/allgather.h"
#include "collectives/allreduce.h"
#include "collectives/alltoall.h"
#include "collectives/broadcast.h"
#include "collectives/gather.h"
#include "collectives/gatherv.h"
#include "collectives/parts/slices.h"
#include "collectives/reduce.h"
#include "collectives/scan.h"
#include "collectives/scatter.h"
#include "runtime/errors.h"
#include "runtime/virtual_clock.h"
#include "tests/collectives/failing_processor.h"
#include "tests/collectives/testing.h"

namespace postroom {
namespace {

TEST(Shared, IsRefusedWhereMemoryIsNotShared) {
  machine_of(3).run([](Processor& real) {
    SeparateProcessor self(real);
    std::vector<int> in(4);
    std::vector<int> out(12);
    std::vector<int> turned(12);
    const std::string because = ": shared is not allowed; these processors do not share memory";
    EXPECT_EQ(refusal([&] { allreduce(self, in, in, std::plus<>(), Algorithm::shared); }),
              "allreduce" + because);
    EXPECT_EQ(refusal([&] { reduce(self, 0, in, in, std::plus<>(), Algorithm::shared); }),
              "reduce" + because);
    EXPECT_EQ(refusal([&] { gather(self, 0, in, out, Algorithm::shared); }), "gather" + because);
    const std::vector<std::size_t> counts(3, 4);
    EXPECT_EQ(refusal([&] { gatherv(self, 0, in, out, counts, Algorithm::shared); }),
              "gatherv" + because);
    EXPECT_EQ(refusal([&] { scan(self, in, in, std::plus<>(), Algorithm::shared); }),
              "scan" + because);
    EXPECT_EQ(refusal([&] { alltoall(self, out, turned, Algorithm::tiled); }),
              "alltoall: tiled is not allowed; these processors do not share memory");
  });
}

TEST(Shared, AMessageIsNoPlaceToWriteTo) {
  Machine machine({.processors = 2});
  const auto program = [](Processor& self) {
    std::vector<char> in(256);  // two slices of 128
    std::vector<char> out(256);
    if (self.id() == 0) {
      allreduce(self, in, out, std::plus<>(), Algorithm::shared);
    } else {
      const Operation operation(self, "another one");
      self.send(0, std::span(in).first(128));
      (void)self.borrow_bytes(0);
    }
  };
  try {
    machine.run(program);
    FAIL();
  } catch (const ProcessorError& error) {
    EXPECT_EQ(error.processor(), 0);
    EXPECT_NE(error.caused_by<SizeMismatchError>(), nullptr) << error.what();
  }
}

TEST(Shared, IsNotWhatAutomaticMeansWhereMemoryIsNotShared) {
  machine_of(3).run([](Processor& real) {
    SeparateProcessor self(real);
    const std::vector<std::int64_t> in = elements(self.id(), 0, 50'000);
    std::vector<std::int64_t> out(in.size());
    allreduce(self, in, out, std::plus<>());
    EXPECT_EQ(out[7], element(0, 0, 7) + element(1, 0, 7) + element(2, 0, 7));
    std::vector<std::int64_t> all(3 * in.size());
    gather(self, 1, in, all);
    EXPECT_EQ(all[in.size() + 7], self.id() == 1 ? element(1, 0, 7) : 0);
  });
  for (const std::int64_t bytes : {8, 4096, 1 << 20}) {
    for (const int p : {2, 3, 16}) {
      EXPECT_NE(choose_allreduce(p, bytes, false), Algorithm::shared);
      EXPECT_NE(choose_reduce(p, bytes, false), Algorithm::shared);
      EXPECT_NE(choose_gather(p, bytes, false), Algorithm::shared);
    }
  }
}

// There the times of messages are those of the model; reading memory would cost nothing.
TEST(Shared, MemoryIsNotSharedUnderTheClockOfAModel) {
  Machine model({.processors = 3, .clock = std::make_shared<VirtualClock>(Rational(2))});
  model.run([](Processor& self) {
    EXPECT_FALSE(self.shares_memory());
    EXPECT_FALSE(self.is_flat());
  });
  machine_of(3).run([](Processor& self) {
    EXPECT_TRUE(self.shares_memory());
    EXPECT_EQ(self.is_flat(), self.box() == nullptr);
  });
  tracing_machine_of(3).run([](Processor& self) { EXPECT_TRUE(self.shares_memory()); });
}

TEST(Shared, IsWhatAutomaticMeansForLargeLists) {
  constexpr std::int64_t kLarge = 1 << 20;
  for (const int p : {2, 3, 16}) {
    EXPECT_EQ(choose_allreduce(p, kLarge), Algorithm::shared);
    EXPECT_EQ(choose_reduce(p, kLarge), Algorithm::shared);
    EXPECT_EQ(choose_scan(p, 16 * kLarge), Algorithm::shared);
    EXPECT_EQ(choose_allgather(p, kLarge), Algorithm::shared);
    EXPECT_EQ(choose_alltoall(p, kLarge), Algorithm::shared);
    EXPECT_EQ(choose_broadcast(p, kLarge), Algorithm::linear);
    EXPECT_EQ(choose_scatter(p, kLarge), Algorithm::linear);
    EXPECT_EQ(choose_gather(p, 16 * kLarge), Algorithm::shared);
  }
  EXPECT_EQ(choose_gather(3, kLarge), Algorithm::shared);
}

TEST(Slices, CutAListIntoWholeLinesAndElements) {
  for (const int p : kCounts) {
    for (const std::size_t element : {1, 8, 24, 48}) {
      for (const std::size_t count : {0, 1, 2, 63, 1000}) {
        const std::size_t bytes = count * element;
        const Slices slices(p, bytes, element);
        EXPECT_EQ(slices.begin(0), 0u);
        EXPECT_EQ(slices.begin(p), bytes);
        for (int slice = 0; slice < p; ++slice) {
          EXPECT_EQ(slices.begin(slice) % element, 0u);
          if (slices.begin(slice) != bytes) {
            EXPECT_EQ(slices.begin(slice) % kCacheLine, 0u);
          }
          EXPECT_LE(slices.bytes(slice), slices.most_bytes());
        }
      }
    }
  }
}

// Large enough for copies that both sides make, and for lists that go past the caches.
// The root has the larger slice, up to 256 KiB.
TEST(Shared, TwoProcessorsReduceListsOfAnySize) {
  for (const int threads : {1, 2}) {
    Machine machine({.processors = 2, .threads = threads});
    machine.run([](Processor& self) {
      for (const std::size_t count : {1, 8, 9, 100, 5000, 32768, 32769, 40000}) {
        for (const int root : {0, 1}) {
          const std::vector<std::int64_t> mine = elements(self.id(), 0, count);
          std::vector<std::int64_t> sum(self.id() == root ? count : 0);
          reduce(self, root, mine, sum, std::plus<>(), Algorithm::shared);
          for (std::size_t i = 0; i < sum.size(); ++i) {
            ASSERT_EQ(sum[i], element(0, 0, i) + element(1, 0, i)) << i << " of " << count;
          }
        }
      }
    });
  }
}

TEST(Shared, LargeListsArriveWhole) {
  constexpr std::size_t kCount = 2'200'001;
  for (const int threads : {1, 2}) {
    Machine machine({.processors = 2, .threads = threads});
    machine.run([&](Processor& self) {
      const int other = 1 - self.id();
      const std::vector<std::int64_t> mine = elements(self.id(), 0, kCount);
      std::vector<std::int64_t> got(kCount);
      self.exchange(other, mine, other, got);
      EXPECT_EQ(got, elements(other, 0, kCount));

      std::vector<std::int64_t> sum(kCount);
      allreduce(self, mine, sum, std::plus<>(), Algorithm::shared);
      for (std::size_t i = 0; i < kCount; ++i) {
        ASSERT_EQ(sum[i], element(0, 0, i) + element(1, 0, i));
      }
      std::vector<std::int64_t> all(self.id() == 0 ? 2 * kCount : 0);
      gather(self, 0, mine, all, Algorithm::shared);
      for (std::size_t i = 0; i < all.size(); ++i) {
        ASSERT_EQ(all[i], element(i < kCount ? 0 : 1, 0, i % kCount)) << i;
      }
      scan(self, mine, sum, std::plus<>());
      for (std::size_t i = 0; i < kCount; ++i) {
        ASSERT_EQ(sum[i], element(0, 0, i) + (self.id() == 1 ? element(1, 0, i) : 0));
      }
    });
  }
}

}  // namespace
}  // namespace postroom
