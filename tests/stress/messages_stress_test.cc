// 10^8 messages of all kinds, for ThreadSanitizer and for memory that is ordered less strictly than
// that of x86: inside the mailbox, read in place, copied by both sides, between threads and on one.
//
// In pieces: --test_filter='*SmallOnes*', --test_env=STRESS_PERCENT=5 (of the messages; default
// 100).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <random>
#include <span>
#include <vector>

#include "collectives/allreduce.h"
#include "collectives/alltoall.h"
#include "runtime/machine.h"

namespace postroom {
namespace {

constexpr std::uint64_t kSeed = 20261121;

/// The part of `all` that STRESS_PERCENT asks for, at least 1.
int part_of(int all) {
  const char* const percent = std::getenv("STRESS_PERCENT");  // NOLINT(concurrency-mt-unsafe)
  const double part = percent == nullptr ? 1 : std::atof(percent) / 100;
  return std::max(1, static_cast<int>(all * part));
}

// Both send; small messages only, which is where most of the synchronisation is.
TEST(MessagesStress, SmallOnesBothWays) {
  const int each = part_of(35'000'000);
  Machine machine({.processors = 2, .threads = 2});
  machine.run([&](Processor& self) {
    const int other = 1 - self.id();
    for (int i = 0; i < each; ++i) {
      self.send(other, i);
      ASSERT_EQ(self.receive<int>(other), i);
    }
  });
}

// Runs of messages of drawn sizes, so that rings grow, loans are reused and senders run ahead.
TEST(MessagesStress, SizesThatAreDrawn) {
  const int runs = part_of(500'000);
  RecordProperty("seed", std::to_string(kSeed));
  Machine machine({.processors = 2, .threads = 2});
  machine.run([&](Processor& self) {
    std::mt19937_64 random(kSeed);  // the same on both sides
    std::vector<std::uint64_t> data(16'384);
    for (int run = 0; run < runs; ++run) {
      const int messages = 1 + static_cast<int>(random() % 59);
      const bool large = run % 512 == 0;
      for (int i = 0; i < messages; ++i) {
        const std::size_t count = large ? random() % data.size() : random() % 12;
        const std::span<std::uint64_t> list = std::span(data).first(count);
        const std::uint64_t first = random();
        if (self.id() == run % 2) {
          if (!list.empty()) list.front() = list.back() = first;
          self.send(1 - self.id(), list);
        } else {
          self.receive(1 - self.id(), list);
          if (!list.empty()) {
            ASSERT_TRUE(list.front() == first && list.back() == first) << "seed " << kSeed;
          }
        }
      }
    }
  });
}

// More processors than threads: messages within a thread and across.
TEST(MessagesStress, ManyProcessorsOnTwoThreads) {
  constexpr int kProcessors = 64;
  const int rounds = part_of(240'000);
  Machine machine({.processors = kProcessors, .threads = 2});
  machine.run([&](Processor& self) {
    const int next = (self.id() + 1) % self.count();
    const int last = (self.id() + self.count() - 1) % self.count();
    std::uint64_t token = static_cast<std::uint64_t>(self.id());
    for (int round = 0; round < rounds; ++round) {
      self.send(next, token);
      token = self.receive<std::uint64_t>(last);
      if (round % 1000 == 0) self.barrier();
    }
    ASSERT_EQ(token, static_cast<std::uint64_t>((self.id() + kProcessors - rounds % kProcessors) %
                                                kProcessors));
  });
}

// Lists that processors read and write in each other's memory.
TEST(MessagesStress, SharedLists) {
  const int rounds = part_of(40'000);
  Machine machine({.processors = 4, .threads = 4});
  machine.run([&](Processor& self) {
    std::vector<std::int64_t> in(1000);
    std::vector<std::int64_t> out(in.size());
    std::vector<std::int64_t> turned(in.size());
    for (int round = 0; round < rounds; ++round) {
      std::iota(in.begin(), in.end(), self.id() + round);
      allreduce(self, in, out, std::plus<>(), Algorithm::shared);
      ASSERT_EQ(out.back(), 4 * (in.back() - self.id()) + 6);
      alltoall(self, out, turned, round % 2 == 0 ? Algorithm::shared : Algorithm::tiled);
      ASSERT_EQ(turned.front(), out[static_cast<std::size_t>(self.id()) * out.size() / 4]);
    }
  });
}

}  // namespace
}  // namespace postroom
