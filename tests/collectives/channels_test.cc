// Messages of collectives and of programs never take each other's place, in whatever order they are
// sent and received.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "collectives/algorithm.h"
#include "collectives/algorithms/allreduce_postal.h"
#include "collectives/algorithms/broadcast_blocks.h"
#include "collectives/algorithms/broadcast_lambda_tree.h"
#include "collectives/algorithms/reduce_lambda_tree.h"
#include "collectives/allreduce.h"
#include "collectives/barrier.h"
#include "collectives/broadcast.h"
#include "collectives/models/combine_schedule.h"
#include "collectives/models/postal_tree.h"
#include "collectives/parts/operator.h"
#include "collectives/route.h"
#include "runtime/channel.h"
#include "runtime/errors.h"
#include "runtime/group.h"
#include "runtime/light_machine.h"
#include "runtime/machine.h"
#include "runtime/trace.h"
#include "runtime/virtual_clock.h"
#include "tests/collectives/all_collectives.h"
#include "tests/collectives/routers.h"
#include "tests/collectives/testing.h"

namespace postroom {
namespace {

// With more there are only more pairs of them, for which sanitizers take a minute.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr int kMost = 8;
#else
constexpr int kMost = 64;
#endif

int next_of(const Processor& self) { return (self.id() + 1) % self.count(); }
int last_of(const Processor& self) { return (self.id() + self.count() - 1) % self.count(); }

/// What `source` sends around a collective: the first list before it, the second one behind.
std::vector<std::int64_t> list_of(int source, int which, std::size_t count) {
  std::vector<std::int64_t> list(count);
  for (std::size_t i = 0; i < count; ++i) list[i] = element(source, 7 + which, i);
  return list;
}

/// Calls `collective` with two messages of the program around it, both received into what was
/// started before, or after it.
void with_messages_around(Processor& self, const Collective& collective, std::size_t count,
                          bool started) {
  const int root = self.count() / 2;
  // As many bytes as those of the collective have, often: what is mixed up is not found by sizes.
  std::array<std::vector<std::int64_t>, 2> in;
  for (auto& list : in) list.resize(count);
  const std::array out{list_of(self.id(), 0, count), list_of(self.id(), 1, count)};
  std::array<Pending, 2> receiving;
  for (std::size_t which = 0; started && which < 2; ++which) {
    receiving[which] = self.start_receive(last_of(self), in[which]);
  }
  Pending first = self.start_send(next_of(self), out[0]);
  ASSERT_EQ(collective.result(self, root, count), collective.expected(self.id(), root, count));
  Pending second = self.start_send(next_of(self), out[1]);
  for (std::size_t which = 0; which < 2; ++which) {
    if (started) {
      receiving[which].wait();
    } else {
      self.receive(last_of(self), in[which]);
    }
    ASSERT_EQ(in[which], list_of(last_of(self), static_cast<int>(which), count));
  }
  first.wait();
  second.wait();
}

class Channels : public ::testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Sizes, Channels, ::testing::Values(1, 300));

TEST_P(Channels, OfCollectivesAreApartFromThoseOfPrograms) {
  for_each_machine([&](Machine& machine) {
    if (machine.processors() > kMost) return;
    for (const Collective& collective : all_collectives(machine.processors())) {
      if (!is_allowed(machine, collective, GetParam())) continue;
      SCOPED_TRACE(collective.name);
      for (const bool started : {false, true}) {
        machine.run(
            [&](Processor& self) { with_messages_around(self, collective, GetParam(), started); });
      }
    }
  });
}

// In virtual time there is no message that waits in a mailbox for another one, so the clocks agree.
TEST_P(Channels, AreApartInVirtualTime) {
  for (const int p : {2, 5}) {
    const auto clock = std::make_shared<VirtualClock>(Rational(5, 2));
    Machine machine({.processors = p, .clock = clock});
    const auto light_clock = std::make_shared<VirtualClock>(Rational(5, 2));
    LightMachine light_machine(p, light_clock);
    for (const Collective& collective : all_collectives(p)) {
      if (collective.needs_shared_memory()) continue;
      SCOPED_TRACE(collective.name);
      for (const bool started : {false, true}) {
        const auto program = [&](Processor& self) {
          with_messages_around(self, collective, GetParam(), started);
        };
        machine.run(program);
        light_machine.run(program);
        EXPECT_EQ(clock->finish(), light_clock->finish());
      }
    }
  }
}

TEST(Channels, RoutersAndGroupsHaveTheSame) {
  for_each_machine([](Machine& machine) {
    machine.run([](Processor& self) {
      int in = -1;
      Pending receiving = self.start_receive(last_of(self), in);
      std::vector<int> elements;
      for (int target = 0; target < self.count(); ++target) elements.push_back(target);
      for (const Algorithm& router : kRouters) {
        const std::vector<int> mine = route(self, elements, std::identity(), router);
        ASSERT_EQ(mine, std::vector<int>(self.count(), self.id()));
      }
      Group turned(self, [&] {
        std::vector<int> members = elements;
        std::rotate(members.begin(), members.begin() + 1, members.end());
        return members;
      }());
      turned.barrier();
      ASSERT_EQ(allreduce(turned, 1, std::plus<>()), self.count());
      barrier(self, Algorithm::dissemination);
      self.barrier();
      self.send(next_of(self), self.id());
      receiving.wait();
      ASSERT_EQ(in, last_of(self));
    });
  });
}

// So have parts of collectives that may be called by themselves.
TEST(Channels, WhatIsCalledByItselfHasTheSame) {
  constexpr int kProcessors = 5;
  const auto tree = PostalTree::halving(kProcessors);
  const BlockPlan plan = BlockPlan::pipeline(Rational(2), 3, kProcessors);
  const CombineSchedule schedule(2, kProcessors);
  const std::plus<> plus;
  const std::vector<std::function<void(Processor&, std::vector<int>&)>> parts = {
      [&](Processor& self, std::vector<int>& list) {
        broadcast_lambda_tree(self, 0, writable_bytes_of(list), tree);
      },
      [&](Processor& self, std::vector<int>& list) {
        broadcast_blocks(self, 0, writable_bytes_of(list), plan);
      },
      [&](Processor& self, std::vector<int>& list) {
        allreduce_postal(self, bytes_of(list), writable_bytes_of(list), Operator::of<int>(plus),
                         schedule);
      },
      [&](Processor& self, std::vector<int>& list) {
        reduce_lambda_tree(self, 0, bytes_of(list), writable_bytes_of(list),
                           Operator::of<int>(plus), SplitRule::halving());
      }};
  for_each_machine([&](Machine& machine) {
    if (machine.processors() != kProcessors) return;
    for (std::size_t part = 0; part < parts.size(); ++part) {
      machine.run([&](Processor& self) {
        std::vector<int> in(6);
        std::vector<int> list(6, self.id() == 0 ? 1 : 0);
        Pending receiving = self.start_receive(last_of(self), in);
        parts[part](self, list);
        if (self.id() == 0) {
          ASSERT_EQ(list, std::vector<int>(6, 1)) << part;
        }
        self.send(next_of(self), std::vector<int>(6, 100 + self.id()));
        receiving.wait();
        ASSERT_EQ(in, std::vector<int>(6, 100 + last_of(self))) << part;
      });
    }
  });
}

// Where a trace is kept a barrier is messages like all others.
TEST(Channels, ABarrierOfMessagesHasTheSame) {
  for (const bool among : {false, true}) {
    Machine machine({.processors = 3, .trace = true});
    machine.run([&](Processor& self) {
      std::vector<std::byte> in(0);
      Pending receiving = self.start_receive(last_of(self), in);
      if (among) {
        Group(self, {0, 1, 2}).barrier();
      } else {
        self.barrier();
      }
      self.send(next_of(self), in);
      receiving.wait();
    });
    int of_barrier = 0;
    for (const Trace::Message& message : machine.trace().messages()) {
      of_barrier += operation_of(message) == "barrier" ? 1 : 0;
    }
    EXPECT_EQ(of_barrier, 6);
    EXPECT_EQ(machine.trace().messages().size(), 9u);
  }
}

TEST(Channels, WhatIsMixedUpEndsInAnErrorThatSaysSo) {
  // A receive is no part of a broadcast.
  const auto receives = [](Processor& self) {
    int value = 5;
    if (self.id() == 0) broadcast(self, 0, value, Algorithm::linear);
    if (self.id() == 1) self.receive(0, value);
  };
  // Nor is a broadcast the receiver of a message.
  const auto sends = [](Processor& self) {
    int value = 5;
    if (self.id() == 0) self.send(1, value);
    if (self.id() == 1) broadcast(self, 0, value, Algorithm::linear);
  };
  Machine machine({.processors = 2, .threads = 2});
  EXPECT_NE(thrown<DeadlockError>([&] {
              machine.run(receives);
            }).find("processor 1 waits for processor 0, which has ended, in receive"),
            std::string::npos);
  EXPECT_NE(thrown<DeadlockError>([&] {
              machine.run(sends);
            }).find("processor 1 waits for processor 0, which has ended, in broadcast"),
            std::string::npos);
  const auto left = [](Processor& self) {
    int value = 5;
    if (self.id() != 0) return;
    self.send(1, value);
    broadcast(self, 0, value, Algorithm::linear);
    broadcast(self, 0, value, Algorithm::linear);
  };
  const std::string program = "\n  1 from processor 0 to processor 1, the first of 4 bytes";
  const std::string operation =
      "\n  2 of a collective from processor 0 to processor 1, the first of 4 bytes";
  const std::string heavy = thrown<UnreceivedError>([&] { machine.run(left); });
  EXPECT_NE(heavy.find(program), std::string::npos) << heavy;
  EXPECT_NE(heavy.find(operation), std::string::npos) << heavy;
  LightMachine light(2, std::make_shared<VirtualClock>(Rational(2)));
  EXPECT_EQ(thrown<UnreceivedError>([&] { light.run(left); }),
            "3 messages were never received:" + program + operation);
}

}  // namespace
}  // namespace postroom
