// Small lists from a root or to it, of processors that share threads: what comes out, how far ahead
// who runs may be, and what programs get that are wrong or fail in the middle.
#include "collectives/algorithms/by_slots.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "collectives/algorithm.h"
#include "collectives/broadcast.h"
#include "collectives/gather.h"
#include "collectives/reduce.h"
#include "collectives/scatter.h"
#include "collectives/scatterv.h"
#include "numa/topology.h"
#include "runtime/errors.h"
#include "runtime/group.h"
#include "runtime/machine.h"
#include "runtime/virtual_clock.h"
#include "tests/collectives/shared_threads.h"
#include "tests/collectives/testing.h"

namespace postroom {
namespace {

Number value(int source, int call, std::size_t index) {
  return Number(source) << 48 | Number(call) << 24 | index;
}

Numbers list_of(int source, int call, std::size_t size) {
  Numbers list(size);
  for (std::size_t i = 0; i < size; ++i) list[i] = value(source, call, i);
  return list;
}

void check_broadcast(Processor& self, int root, int call, std::size_t n) {
  Numbers list = self.id() == root ? list_of(root, call, n) : Numbers(n);
  broadcast(self, root, list);
  EXPECT_EQ(list, list_of(root, call, n));
}

void check_scatter(Processor& self, int root, int call, std::size_t n) {
  const std::size_t all = n * static_cast<std::size_t>(self.count());
  Numbers block(n);
  scatter(self, root, self.id() == root ? list_of(root, call, all) : Numbers(), block);
  const Numbers whole = list_of(root, call, all);
  const auto own = whole.begin() + static_cast<std::ptrdiff_t>(self.id() * n);
  EXPECT_TRUE(std::ranges::equal(block, std::span(own, n)));
}

/// Blocks of up to n elements, some of none.
void check_scatterv(Processor& self, int root, int call, std::size_t n) {
  std::vector<std::size_t> counts;
  std::size_t begin = 0;
  std::size_t all = 0;
  for (int q = 0; q < self.count(); ++q) {
    if (q == self.id()) begin = all;
    all += counts.emplace_back(static_cast<std::size_t>(q + call) % 4 * n / 3);
  }
  const bool is_root = self.id() == root;
  Numbers block(counts[self.id()]);
  scatterv(self, root, is_root ? list_of(root, call, all) : Numbers(),
           is_root ? counts : std::vector<std::size_t>(), block, Algorithm::slots);
  Numbers expected(block.size());
  for (std::size_t i = 0; i < block.size(); ++i) expected[i] = value(root, call, begin + i);
  EXPECT_EQ(block, expected);
}

void check_gather(Processor& self, int root, int call, std::size_t n) {
  Numbers all(self.id() == root ? n * static_cast<std::size_t>(self.count()) : 0);
  gather(self, root, list_of(self.id(), call, n), all);
  Numbers expected(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    expected[i] = value(static_cast<int>(i / n), call, i % n);
  }
  EXPECT_EQ(all, expected);
}

void check_reduce(Processor& self, int root, int call, std::size_t n, bool in_place) {
  const auto line = [&](int q, std::size_t i) {
    return Line{static_cast<std::uint32_t>(2 * q + 3), static_cast<std::uint32_t>(q + call + i)};
  };
  std::vector<Line> in(n);
  std::vector<Line> expected(n);
  for (std::size_t i = 0; i < n; ++i) {
    in[i] = line(self.id(), i);
    expected[i] = line(0, i);
    for (int q = 1; q < self.count(); ++q) expected[i] = then(expected[i], line(q, i));
  }
  if (self.id() != root) return reduce(self, root, in, std::vector<Line>(), then);
  std::vector<Line> out(n);
  if (in_place) {
    reduce(self, root, in, in, then);
  } else {
    reduce(self, root, in, out, then);
  }
  EXPECT_EQ(in_place ? in : out, expected);
}

/// The same call at all processors, drawn.
void check_drawn(Processor& self, int call, std::mt19937_64& draw) {
  const int root = static_cast<int>(draw() % self.count());
  const std::size_t sizes[] = {0, 1, 2, 9, 70, 300, 3000};
  const std::size_t n = sizes[draw() % std::size(sizes)];
  switch (draw() % 6) {
    case 0:
      return check_broadcast(self, root, call, n);
    case 1:
      return check_scatter(self, root, call, n);
    case 2:
      return check_gather(self, root, call, n);
    case 3:
      return check_scatterv(self, root, call, n);
    case 4:
      return check_reduce(self, root, call, n, call % 2 == 0);
    default:
      if (draw() % 8 == 0) self.barrier();
  }
}

TEST(BySlots, AreChosenForAllThatFitsIntoASlot) {
  Machine({.processors = 6, .threads = 2}).run([](Processor& self) {
    constexpr std::int64_t kSlot = 16 << 10;
    EXPECT_EQ(choose_broadcast(self, 0), Algorithm::slots);
    EXPECT_EQ(choose_broadcast(self, kSlot), Algorithm::slots);
    EXPECT_EQ(choose_broadcast(self, kSlot + 1), Algorithm::turns);
    EXPECT_EQ(choose_scatter(self, kSlot / 6), Algorithm::slots);
    EXPECT_EQ(choose_scatter(self, kSlot / 6 + 1), Algorithm::turns);
    EXPECT_EQ(choose_scatterv(self), Algorithm::linear);
    EXPECT_EQ(choose_gather(self, kSlot / 3), Algorithm::slots);
    EXPECT_EQ(choose_gather(self, kSlot / 3 + 1), Algorithm::turns);
    EXPECT_EQ(choose_reduce(self, kSlot / 3), Algorithm::slots);
    EXPECT_EQ(choose_reduce(self, kSlot / 3 + 1), Algorithm::turns);
  });
}

TEST(BySlots, AreChosenForAScattervOfSomeProcessors) {
  for (const auto& [p, choice] :
       {std::pair(15, Algorithm::linear), std::pair(16, Algorithm::slots),
        std::pair(256, Algorithm::slots), std::pair(257, Algorithm::linear)}) {
    Machine({.processors = p, .threads = 2}).run([p = p, choice = choice](Processor& self) {
      EXPECT_EQ(choose_scatterv(self), choice);
      const std::vector<std::size_t> counts(static_cast<std::size_t>(p), 1);
      const Numbers mine = scatterv(self, 1, list_of(1, 0, static_cast<std::size_t>(p)), counts);
      EXPECT_EQ(mine, Numbers{value(1, 0, static_cast<std::size_t>(self.id()))});
    });
  }
}

TEST(BySlots, TooManyProcessorsForASlotOfSizesAreRefused) {
  Machine({.processors = 1025, .threads = 2}).run([](Processor& self) {
    if (self.id() != 7) return;
    Numbers mine(1);
    EXPECT_EQ(refusal([&] { scatterv(self, 0, Numbers(), {}, mine, Algorithm::slots); }),
              "scatterv: slots of 16400 bytes is not allowed; at most 16384, 16 for each "
              "processor");
  });
}

/// All that goes by slots, each with a list of so many bytes.
std::vector<std::string> refusals(Processor& self, std::size_t bytes) {
  const std::vector<std::uint8_t> in(bytes);
  std::vector<std::uint8_t> out(bytes);
  std::vector<std::uint8_t> all(bytes * static_cast<std::size_t>(self.count()));
  return {refusal([&] { broadcast(self, 0, out, Algorithm::slots); }),
          refusal([&] { scatter(self, 0, all, out, Algorithm::slots); }),
          refusal([&] { gather(self, 0, in, all, Algorithm::slots); }),
          refusal([&] { reduce(self, 0, in, out, std::plus<>(), Algorithm::slots); })};
}

TEST(BySlots, OthersRefuseThem) {
  const auto expect_refused = [](Processor& self) {
    std::vector<std::string> texts = refusals(self, 8);
    const std::vector<std::size_t> counts(static_cast<std::size_t>(self.count()), 1);
    const Numbers all(counts.size());
    Numbers mine(1);
    texts.push_back(refusal([&] { scatterv(self, 0, all, counts, mine, Algorithm::slots); }));
    for (const std::string& text : texts) {
      EXPECT_EQ(text.substr(text.find(':')),
                ": slots is not allowed; only where all processors of a machine share threads of "
                "one node, without a trace or a clock");
    }
  };
  const auto box = std::make_shared<const Topology>(Topology::synthetic("numa:2 core:2 pu:1"));
  const auto clock = std::make_shared<VirtualClock>(Rational(2));
  for (const MachineOptions& options :
       {MachineOptions{.processors = 1}, MachineOptions{.processors = 3, .threads = 3},
        MachineOptions{.processors = 3, .threads = 2, .trace = true},
        MachineOptions{.processors = 3, .threads = 2, .clock = clock},
        MachineOptions{.processors = 8, .threads = 4, .pin = false, .topology = box}}) {
    Machine(options).run(expect_refused);
  }
  Machine({.processors = 3, .threads = 2}).run([&](Processor& self) {
    Group all(self, std::vector{0, 1, 2});
    expect_refused(all);
  });
}

TEST(BySlots, AWallClockThatIsGivenIsTheDefault) {
  Machine machine({.processors = 3, .threads = 2, .clock = std::make_shared<WallClock>()});
  machine.run([](Processor& self) {
    int number = self.id() + 5;
    broadcast(self, 1, number, Algorithm::slots);
    EXPECT_EQ(number, 6);
    EXPECT_GT(self.now(), 0);
  });
}

/// Whose address nobody gets by asking for it.
struct Hidden {
  int number = 0;
  Hidden* operator&() { return nullptr; }              // NOLINT(google-runtime-operator)
  const Hidden* operator&() const { return nullptr; }  // NOLINT(google-runtime-operator)
};
/// An operator of the same kind.
struct Sum {
  Hidden operator()(const Hidden& a, const Hidden& b) const { return {a.number + b.number}; }
  const Sum* operator&() const { return nullptr; }  // NOLINT(google-runtime-operator)
};

TEST(BySlots, AddressesOfValuesAreNotAskedOfThem) {
  machine_of(4).run([](Processor& self) {
    Hidden number{self.id()};
    broadcast(self, 2, number);
    EXPECT_EQ(number.number, 2);
    const auto sum = reduce(self, 0, Hidden{self.id()}, Sum());
    EXPECT_EQ(sum.value_or(Hidden{6}).number, 6);
    const std::vector<Hidden> all = gather(self, 0, Hidden{self.id()});
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i].number, static_cast<int>(i));
  });
}

TEST(BySlots, TooLargeListsAreRefused) {
  Machine({.processors = 6, .threads = 2}).run([](Processor& self) {
    EXPECT_EQ(refusals(self, 16385),
              (std::vector<std::string>{
                  "broadcast: slots of 16385 bytes is not allowed; at most 16384, all lists of the "
                  "root",
                  "scatter: slots of 98310 bytes is not allowed; at most 16384, all lists of the "
                  "root",
                  "gather: slots of 16385 bytes is not allowed; at most 5461, the list of each "
                  "processor",
                  "reduce: slots of 16385 bytes is not allowed; at most 5461, the list of each "
                  "processor"}));
  });
}

TEST(BySlots, MovesAndCombinesListsInMixedCalls) {
  on_few_threads([](Machine& machine) {
    for (int run = 0; run < 2; ++run) {
      machine.run([&](Processor& self) {
        const std::uint64_t seed = 17 + run;
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::mt19937_64 draw(seed);
        for (int call = 0; call < 120; ++call) check_drawn(self, call, draw);
      });
    }
  });
}

TEST(BySlots, RunsManyPagesOfOneKind) {
  on_few_threads([](Machine& machine) {
    machine.run([](Processor& self) {
      const int last = self.count() - 1;
      for (int call = 0; call < 300; ++call) check_broadcast(self, 0, call, 1);
      for (int call = 0; call < 300; ++call) check_gather(self, last, call, 1);
      for (int call = 0; call < 300; ++call) check_reduce(self, 0, call, 1, false);
      for (int call = 0; call < 300; ++call) check_scatter(self, last, call, 1);
      for (int call = 0; call < 300; ++call) check_scatterv(self, last, call, 5);
    });
  });
}

TEST(BySlots, ARootDoesNotWaitForWhoComesLater) {
  on_few_threads([](Machine& machine) {
    machine.run([](Processor& self) {
      constexpr int kAhead = 50;
      const int last = self.count() - 1;
      // The last one comes only when the root has made all its calls.
      if (self.id() == last) (void)self.receive<int>(0);
      for (int call = 0; call < kAhead; ++call) check_broadcast(self, 0, call, 3);
      if (self.id() == 0) self.send(last, 1);
      // Who hands in does not wait either.
      if (self.id() == 0) (void)self.receive<int>(last);
      for (int call = 0; call < kAhead; ++call) check_gather(self, 0, call, 3);
      if (self.id() == last) self.send(0, 1);
    });
  });
}

// --- Programs that are wrong.

void expect_error(const std::string& words, const Machine::Program& program) {
  expect_error_of(7, words, program, [](Processor& self) {
    check_broadcast(self, 2, 0, 5);
    check_reduce(self, 3, 0, 5, false);
  });
}

TEST(BySlots, SizesDiffer) {
  for (int other = 1; other < 7; ++other) {
    expect_error("bytes, but", [other](Processor& self) {
      Numbers list(self.id() == other ? 2 : 1);
      broadcast(self, 0, list);
      self.barrier();
    });
    expect_error("bytes, but", [other](Processor& self) {
      Numbers all(self.id() == 0 ? 7 : 0);
      gather(self, 0, Numbers(self.id() == other ? 2 : 1), all);
      self.barrier();
    });
  }
}

TEST(BySlots, OneHasABlockOfAnotherSizeThanTheRootSays) {
  const std::vector<std::size_t> counts(7, 1);
  for (int other = 0; other < 7; ++other) {
    if (other == 3) continue;
    expect_error("scatterv: the list of processor " + std::to_string(other) +
                     " has 16 bytes, but 8 are needed",
                 [&](Processor& self) {
                   Numbers mine(self.id() == other ? 2 : 1);
                   scatterv(self, 3, Numbers(7), counts, mine, Algorithm::slots);
                   self.barrier();
                 });
  }
}

TEST(BySlots, OneIsInAnotherCall) {
  for (int other = 1; other < 7; ++other) {
    expect_error(" is in ", [other](Processor& self) {
      Numbers list(1);
      if (self.id() == other) {
        gather(self, other == 1 ? 2 : 1, list, Numbers());
      } else {
        broadcast(self, 0, list);
      }
      broadcast(self, 0, list);
      reduce(self, 0, list, list, std::plus<>());
    });
    expect_error(" is in broadcast with root ", [other](Processor& self) {
      Numbers list(1);
      broadcast(self, self.id() == other ? 1 : 0, list);
      reduce(self, 0, list, list, std::plus<>());
    });
  }
}

// Whole threads may be in other calls, and nobody needs what they have.
TEST(BySlots, AllOfAThreadWereInAnotherCall) {
  for (int threads = 2; threads <= 3; ++threads) {
    Machine machine({.processors = 6, .threads = threads});
    EXPECT_THROW(machine.run([&](Processor& self) {
      const Numbers one(1);
      if (self.id() < 6 / threads) {
        Numbers list(1);
        broadcast(self, 0, list);
      } else {
        gather(self, 0, one, Numbers());
      }
    }),
                 DisagreementError);
    machine.run([](Processor& self) { check_gather(self, 1, 0, 4); });
  }
}

TEST(BySlots, OneLeavesACallOut) {
  Machine machine({.processors = 5, .threads = 2});
  EXPECT_THROW(machine.run([](Processor& self) {
    Numbers list(1);
    if (self.id() != 3) broadcast(self, 0, list);
  }),
               DisagreementError);
}

TEST(BySlots, ARootIsMissing) {
  for (int root = 0; root < 7; ++root) {
    expect_error("waits for processor " + std::to_string(root) + ", which has ended, in broadcast",
                 [root](Processor& self) {
                   Numbers list(3);
                   if (self.id() != root) broadcast(self, root, list);
                 });
  }
}

TEST(BySlots, OneIsMissingAtARoot) {
  for (int missing = 1; missing < 7; ++missing) {
    expect_error("processor 0 waits for processor " + std::to_string(missing) +
                     ", which has ended, in reduce",
                 [missing](Processor& self) {
                   Numbers list(3);
                   if (self.id() != missing) reduce(self, 0, list, list, std::plus<>());
                 });
  }
}

TEST(BySlots, OneIsFarBehindForGood) {
  for (int missing = 1; missing < 7; ++missing) {
    expect_error(
        "waits for processor " + std::to_string(missing) + ", which has ended, in broadcast",
        [missing](Processor& self) {
          Numbers list(3);
          for (int call = 0; call < (self.id() == missing ? 10 : 1000); ++call) {
            broadcast(self, 0, list);
          }
        });
  }
}

TEST(BySlots, TheyWaitForEachOther) {
  expect_error("processor 3 waits for processor 0 in receive", [](Processor& self) {
    Numbers list(3);
    if (self.id() == 3) (void)self.receive<int>(0);
    reduce(self, 0, list, list, std::plus<>());
    if (self.id() == 0) self.send(3, 1);
  });
}

TEST(BySlots, OneFailsWhileOthersGoOn) {
  for (int failing = 0; failing < 7; ++failing) {
    expect_error("on purpose", [failing](Processor& self) {
      Numbers list(3);
      for (int call = 0; call < 200; ++call) {
        if (self.id() == failing && call == 150) throw std::runtime_error("on purpose");
        broadcast(self, call % 7, list);
        reduce(self, call % 5, list, list, std::plus<>());
      }
    });
  }
}

// While processor 1 waits for the root, 0, whose thread also carries 2, which waits for something
// else and has started a receive: what comes for that from another thread may make nobody count as
// told of the root.
TEST(BySlots, WhatComesForAStartedReceiveMeanwhileLeavesNobodyBehind) {
  constexpr int kFar = 3;  // the first one of the other thread
  Machine machine({.processors = 2 * kFar, .threads = 2});
  for (int run = 0; run < 20; ++run) {
    std::atomic<bool> go = false;
    std::atomic<bool> sent = false;
    machine.run([&](Processor& self) {
      int first = self.id();
      int second = self.id();
      int early = 0;
      int late = 0;
      Pending started;
      if (self.id() == 2) {
        started = self.start_receive(kFar, early);
        self.receive(0, late);
      }
      if (self.id() == kFar) {
        while (!go) self.yield();
        self.send(2, 7);
        sent = true;
      }
      if (self.id() == 0) {
        self.yield();  // 1 comes to wait in the second broadcast, 2 in its receive
        go = true;
        while (!sent) std::this_thread::yield();  // and no other processor of this thread runs
      }
      broadcast(self, 1, first);
      if (self.id() == 0) self.send(2, 8);
      broadcast(self, 0, second);
      started.wait();
      EXPECT_EQ(first, 1);
      EXPECT_EQ(second, 0);
      EXPECT_EQ(early, self.id() == 2 ? 7 : 0);
      EXPECT_EQ(late, self.id() == 2 ? 8 : 0);
    });
  }
}

TEST(BySlots, AnOperatorThrows) {
  expect_error("on purpose", [](Processor& self) {
    Numbers list(3, static_cast<Number>(self.id()));
    reduce(self, 6, list, list, [](Number a, Number b) -> Number {
      if (a == 5 || b == 5) throw std::runtime_error("on purpose");
      return a + b;
    });
    self.barrier();
  });
}

}  // namespace
}  // namespace postroom
