// MachineOptions::schedule_seed: with one thread, a seed and a program give the same order of
// events in each run of each machine; many seeds give many orders. And canaries: programs whose
// results depend on the order are found out by some seed.
#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <vector>

#include "runtime/processor.h"
#include "tests/runtime/testing.h"

namespace postroom {
namespace {

MachineOptions on_one_thread(int processors, std::uint64_t seed) {
  return {.processors = processors, .threads = 1, .schedule_seed = seed};
}

/// Who did something, and what.
struct Event {
  int processor;
  int step;
  friend bool operator==(const Event&, const Event&) = default;
};
using Events = std::vector<Event>;

Events turns(Machine& machine) {
  Events events;
  machine.run([&](Processor& self) {
    for (int i = 0; i < 3; ++i) {
      events.push_back({self.id(), i});
      self.yield();
    }
  });
  return events;
}

/// Messages of all kinds: in a cell, in a note, lent; and a barrier.
Events messages(Machine& machine) {
  Events events;
  machine.run([&](Processor& self) {
    int step = 0;
    const auto note = [&] { events.push_back({self.id(), step++}); };
    const int next = (self.id() + 1) % self.count();
    const int last = (self.id() + self.count() - 1) % self.count();
    for (const std::size_t count : {1u, 100u, 1000u}) {
      std::vector<int> out(count, self.id());
      std::vector<int> in(count);
      note();
      Pending sent = self.start_send(next, out);
      note();
      self.receive(last, in);
      note();
      sent.wait();
      EXPECT_EQ(in, std::vector(count, last));
    }
    self.barrier();
    note();
  });
  return events;
}

/// Looks at receives that were started, in vain and not, and takes the one that comes first.
Events looks(Machine& machine) {
  Events events;
  machine.run([&](Processor& self) {
    if (self.id() != 0) {
      if (self.id() % 2 == 0) self.yield();
      return self.send(0, self.id());
    }
    const auto others = static_cast<std::size_t>(self.count() - 1);
    std::vector<int> in(others);
    std::vector<Pending> left;
    for (std::size_t i = 0; i < others; ++i) {
      left.push_back(self.start_receive(static_cast<int>(i) + 1, std::span(in).subspan(i, 1)));
    }
    int looked = 0;
    while (!left[0].ready() && !left[1].ready()) ++looked;
    events.push_back({0, looked});
    while (!left.empty()) {
      const std::size_t first = *wait_any(std::span(left));
      events.push_back({1, static_cast<int>(first)});
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(first));
    }
  });
  return events;
}

using Program = Events (*)(Machine&);
constexpr Program kPrograms[] = {turns, messages, looks};

TEST(ScheduleSeed, GivesTheSameOrderAgainInOneMachineAndInAnother) {
  for (const Program program : kPrograms) {
    for (const std::uint64_t seed : {1u, 5u, 77u}) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      Machine machine(on_one_thread(7, seed));
      const Events first = program(machine);
      EXPECT_EQ(program(machine), first);
      for (const Program other : kPrograms) (void)other(machine);
      EXPECT_EQ(program(machine), first);
      Machine another(on_one_thread(7, seed));
      EXPECT_EQ(program(another), first);
    }
  }
}

// Of a run in which a processor failed, too, nothing is left.
TEST(ScheduleSeed, GivesTheSameOrderAfterAFailure) {
  Machine machine(on_one_thread(7, 5));
  const Events first = messages(machine);
  const std::string text = failure_of(machine, 3, [](Processor& self) {
    self.send((self.id() + 1) % self.count(), 1);
    if (self.id() == 3) throw std::runtime_error("planned");
    (void)self.receive<int>((self.id() + 2) % self.count());
  });
  EXPECT_NE(text.find("planned"), std::string::npos) << text;
  EXPECT_EQ(messages(machine), first);
}

TEST(ScheduleSeed, AnotherSeedGivesAnotherOrder) {
  for (const Program program : kPrograms) {
    Machine machine(on_one_thread(7, 5));
    Machine another(on_one_thread(7, 6));
    EXPECT_NE(program(machine), program(another));
  }
}

TEST(ScheduleSeed, WithoutOneFirstComeIsFirstServed) {
  Machine machine(on_one_thread(20, 0));
  const Events events = turns(machine);
  ASSERT_EQ(events.size(), 60u);
  for (int i = 0; i < 60; ++i)
    EXPECT_EQ(events[static_cast<std::size_t>(i)], (Event{i % 20, i / 20}));
}

// Several threads: what the processors of each have drawn is its own matter; all results are right.
TEST(ScheduleSeed, IsForSeveralThreadsToo) {
  for (const int threads : {2, 3, 7}) {
    Machine machine({.processors = 7, .threads = threads, .schedule_seed = 5});
    std::vector<int> sums(7);
    machine.run([&](Processor& self) {
      for (int q = 0; q < 7; ++q) self.send(q, self.id());
      for (int q = 0; q < 7; ++q) sums[static_cast<std::size_t>(self.id())] += self.receive<int>(q);
    });
    EXPECT_EQ(sums, std::vector(7, 21));
  }
}

// --- Canaries.

constexpr std::uint64_t kSeeds = 200;

/// How many of the seeds 1 … kSeeds give `result` of a run of `program` on so many processors.
template <class Program>
int seeds_with(int result, int processors, const Program& program) {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Machine machine(on_one_thread(processors, seed));
    found += program(machine) == result ? 1 : 0;
  }
  return found;
}

// Nothing says that processor 1 has written before processor 2 reads.
int reads_without_waiting(Machine& machine) {
  int shared = 0;
  int read = -1;
  machine.run([&](Processor& self) {
    if (self.id() == 1) shared = 42;
    if (self.id() == 2) read = shared;
  });
  return read;
}

TEST(ScheduleSeedCanary, AReadThatWaitsForNothingIsFoundOut) {
  Machine in_turn(on_one_thread(3, 0));
  EXPECT_EQ(reads_without_waiting(in_turn), 42);
  EXPECT_GT(seeds_with(0, 3, reads_without_waiting), 50);
  EXPECT_GT(seeds_with(42, 3, reads_without_waiting), 50);
}

// Processor 0 says that there is something to read before it has written it. On one thread that is
// seen only where it gives way after the message.
int writes_after_the_message(Machine& machine) {
  int shared = 0;
  int read = -1;
  machine.run([&](Processor& self) {
    if (self.id() == 0) {
      self.send(1, true);
      shared = 42;
    } else {
      (void)self.receive<bool>(0);
      read = shared;
    }
  });
  return read;
}

TEST(ScheduleSeedCanary, AWriteBehindTheMessageThatAnnouncesItIsFoundOut) {
  Machine in_turn(on_one_thread(2, 0));
  EXPECT_EQ(writes_after_the_message(in_turn), 42);
  EXPECT_GT(seeds_with(0, 2, writes_after_the_message), 20);
  EXPECT_GT(seeds_with(42, 2, writes_after_the_message), 20);
}

// The same for a message that is lent.
int writes_after_lending(Machine& machine) {
  int shared = 0;
  int read = -1;
  machine.run([&](Processor& self) {
    std::array<int, 1000> list{};
    if (self.id() == 0) {
      Pending lent = self.lend(1, list);
      shared = 42;
      lent.wait();
    } else {
      self.receive(0, list);
      read = shared;
    }
  });
  return read;
}

TEST(ScheduleSeedCanary, AWriteBehindALoanIsFoundOut) {
  EXPECT_GT(seeds_with(0, 2, writes_after_lending), 20);
  EXPECT_GT(seeds_with(42, 2, writes_after_lending), 20);
}

TEST(ScheduleSeedCanary, ManySeedsGiveManyOrders) {
  std::set<std::vector<int>> orders;
  std::vector<int> places(5);  // how often each processor was the first
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Machine machine(on_one_thread(5, seed));
    std::vector<int> order;
    machine.run([&](Processor& self) { order.push_back(self.id()); });
    ++places[static_cast<std::size_t>(order.front())];
    orders.insert(order);
  }
  EXPECT_GT(orders.size(), 80u);  // of 120; where all are equally likely, 97 are to be expected
  EXPECT_GT(*std::ranges::min_element(places), 20);  // of 40 each
}

}  // namespace
}  // namespace postroom
