#include "runtime/group.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/virtual_clock.h"
#include "tests/runtime/testing.h"

namespace postroom {
namespace {

/// Every way of a message, around a ring; checks what arrives.
void go_around(Processor& self) {
  const int to = (self.id() + 1) % self.count();
  const int from = (self.id() + self.count() - 1) % self.count();
  for (const std::size_t length : {1u, 100u}) {
    const std::vector<int> mine(length, self.id());
    const std::vector<int> expected(length, from);
    std::vector<int> in(length);
    Pending sending = self.start_send(to, mine);
    self.receive(from, in);
    sending.wait();
    EXPECT_EQ(in, expected);

    in.assign(length, -1);
    Pending receiving = self.start_receive(from, in);
    if (self.count() > 1) {
      if (self.id() == 0) self.send(to, mine);
      receiving.wait();
      if (self.id() != 0) self.send(to, mine);
    } else {
      Pending to_itself = self.start_send(to, mine);
      receiving.wait();
      to_itself.wait();
    }
    EXPECT_EQ(in, expected);

    Pending lending = self.lend(to, mine);
    {
      const Borrowed borrowed = self.borrow_bytes(from);
      EXPECT_EQ(borrowed.as<int>()[length - 1], from);
    }
    lending.wait();

    in.assign(length, -1);
    self.exchange(to, mine, from, in);
    EXPECT_EQ(in, expected);

    std::vector<int> before(length);
    std::vector<int> after(length);
    if (self.count() > 2) {
      const std::vector<Outgoing> out{{to, bytes_of(mine)}, {from, bytes_of(mine)}};
      const std::vector<Incoming> both{{from, writable_bytes_of(before)},
                                       {to, writable_bytes_of(after)}};
      self.exchange_bytes(out, both);
      EXPECT_EQ(before, expected);
      EXPECT_EQ(after, std::vector<int>(length, to));
    }
    self.barrier();
  }
}

TEST(Group, IsAProcessorLikeAnyOther) {
  for (const MachineOptions& way : ways_to_carry(7)) {
    Machine machine(way);
    for (const std::vector<int>& members :
         {std::vector<int>{3}, {6, 0}, {5, 1, 3}, {6, 5, 4, 3, 2, 1, 0}, {2, 6, 0, 3, 1}}) {
      machine.run([&](Processor& self) {
        const auto rank = std::ranges::find(members, self.id());
        if (rank == members.end()) return;
        Group group(self, members);
        EXPECT_EQ(group.id(), rank - members.begin());
        EXPECT_EQ(group.count(), static_cast<int>(members.size()));
        EXPECT_EQ(group.members(), members);
        go_around(group);
      });
    }
  }
}

TEST(Group, LendsAndReads) {
  Machine machine({.processors = 3});
  machine.run([](Processor& self) {
    if (self.id() == 1) return;
    Group group(self, {2, 0});
    const std::vector<int> data(1000, 7);
    std::vector<int> place(1000);
    if (group.id() == 0) {
      group.lend_both_bytes(1, bytes_of(data), writable_bytes_of(place)).wait();
      EXPECT_EQ(place, data);
      group.send(1, data);
    } else {
      Borrowed both = group.borrow_bytes(0);
      std::ranges::copy(both.bytes(), both.place().begin());
      both.give_back();
      group.read(0, sizeof(int) * data.size(), [&](ConstBytes message) {
        EXPECT_TRUE(std::ranges::equal(message, bytes_of(data)));
      });
    }
  });
}

TEST(Group, SeveralAtOnceAndOneInsideAnother) {
  constexpr int p = 12;
  for (const MachineOptions& way : ways_to_carry(p)) {
    Machine machine(way);
    machine.run([&](Processor& self) {
      std::vector<int> column;
      for (int id = self.id() % 3; id < p; id += 3) column.push_back(id);
      std::vector<int> row;
      for (int id = self.id() / 3 * 3; id < self.id() / 3 * 3 + 3; ++id) row.push_back(id);
      Group columns(self, column);
      Group rows(self, row);
      for (int turn = 0; turn < 3; ++turn) {
        go_around(columns);
        go_around(rows);
      }
      if (columns.id() == 0) return;
      Group inner(columns, {3, 1, 2});  // all of the column but its first, in another order
      go_around(inner);
      EXPECT_EQ(inner.members()[static_cast<std::size_t>(inner.id())], columns.id());
    });
  }
}

TEST(Group, TheListMayBeShared) {
  const auto members = std::make_shared<const std::vector<int>>(std::vector<int>{1, 0});
  Machine machine({.processors = 3});
  machine.run([&](Processor& self) {
    if (self.id() == 2) return;
    Group group(self, members);
    EXPECT_EQ(&group.members(), members.get());
    go_around(group);
  });
}

// --- Errors.

TEST(Group, NamesWhatIsWrongWithTheMembers) {
  Machine machine({.processors = 4, .threads = 1});
  const auto refusal = [&](std::vector<int> members) {
    return failure_of(machine, 1, [&](Processor& self) {
      if (self.id() == 1) Group(self, members);
    });
  };
  EXPECT_EQ(refusal({1, 4}), "processor 1: group member: 4 is not a processor; 0 to 3 are");
  EXPECT_EQ(refusal({-1, 1}), "processor 1: group member: -1 is not a processor; 0 to 3 are");
  EXPECT_EQ(refusal({1, 2, 1}), "processor 1: group member: 1 is named twice; each at most once");
  EXPECT_EQ(refusal({0, 2}),
            "processor 1: group members: 1 is not among the 2 given; only members make a group");
  EXPECT_EQ(refusal({}),
            "processor 1: group members: 1 is not among the 0 given; only members make a group");
}

TEST(Group, OfOneIsAListAndNoListIsRefused) {
  Machine({.processors = 1}).run([](Processor& self) {
    EXPECT_EQ(Group(self, {0}).count(), 1);
    EXPECT_EQ(refusal([&] { Group(self, Group::Members()); }),
              "group members: null is not allowed; a list of ranks");
  });
}

TEST(Group, RefusesRanksBeyondItsOwn) {
  Machine machine({.processors = 9, .threads = 1});
  const std::vector<int> data(3);
  const auto failure = [&](const std::function<void(Group&)>& call) {
    return failure_of(machine, 8, [&](Processor& self) {
      if (self.id() != 8) return;
      Group group(self, {8, 4, 2});
      call(group);
    });
  };
  std::vector<int> in(3);
  const std::string what = " 3 is not a rank of the group; 0 to 2 are (";
  const auto expect = [&](const std::string& role, const std::function<void(Group&)>& call) {
    const std::string text = failure(call);
    EXPECT_EQ(text.find("processor 8: " + role + what), 0u) << text;
  };
  expect("send target:", [&](Group& g) { g.send(3, data); });
  expect("receive source:", [&](Group& g) { g.receive(3, in); });
  expect("start_send target:", [&](Group& g) { g.start_send(3, data).wait(); });
  expect("start_receive source:", [&](Group& g) { g.start_receive(3, in).wait(); });
  expect("lend borrower:", [&](Group& g) { g.lend(3, data).wait(); });
  expect("borrow lender:", [&](Group& g) { (void)g.borrow_bytes(3); });
  expect("exchange target:", [&](Group& g) { g.exchange(3, data, 1, in); });
  expect("exchange source:", [&](Group& g) { g.exchange(1, data, 3, in); });
}

TEST(Group, ReportsSpeakOfTheMachinesNumbers) {
  Machine machine({.processors = 9, .threads = 1});
  const std::string deadlock = thrown<DeadlockError>([&] {
    machine.run([](Processor& self) {
      if (self.id() != 8 && self.id() != 4) return;
      Group group(self, {8, 4});
      (void)group.receive<int>(1 - group.id());
    });
  });
  EXPECT_NE(deadlock.find("processor 4 waits for processor 8 in receive"), std::string::npos);
  EXPECT_NE(deadlock.find("processor 8 waits for processor 4 in receive"), std::string::npos);
  EXPECT_NE(deadlock.find("group_test.cc"), std::string::npos);

  Machine tracing({.processors = 9, .threads = 1, .trace = true});
  tracing.run([](Processor& self) {
    if (self.id() != 8 && self.id() != 4) return;
    Group group(self, {8, 4});
    const Operation operation(group, "greeting");
    if (group.id() == 0) group.send(1, 1);
    if (group.id() == 1) (void)group.receive<int>(0);
  });
  const Trace::Message& message = tracing.trace().messages().at(0);
  EXPECT_EQ(message.source, 8);
  EXPECT_EQ(message.target, 4);
  EXPECT_STREQ(message.operation, "greeting");
}

// --- Barriers.

TEST(Group, ABarrierWaitsForItsMembersAlone) {
  for (const MachineOptions& way : ways_to_carry(8)) {
    Machine machine(way);
    std::vector<int> come(8);
    machine.run([&](Processor& self) {
      if (self.id() % 2 == 0) return;  // never come
      Group odd(self, {7, 5, 3, 1});
      for (int turn = 1; turn <= 20; ++turn) {
        come[self.id()] = turn;
        odd.barrier();
        for (const int id : odd.members()) EXPECT_EQ(come[id], turn);
        odd.barrier();
      }
    });
  }
}

TEST(Group, ABarrierUnderVirtualTimeLinesItsMembersUp) {
  for (const int threads : {1, 2}) {
    const auto clock = std::make_shared<VirtualClock>(Rational(9, 5));
    Machine machine({.processors = 9, .threads = threads, .clock = clock, .trace = true});
    machine.run([](Processor& self) {
      std::vector<int> own;  // 8 6 4 2 0, or 7 5 3 1
      for (int id = 8 - self.id() % 2; id >= 0; id -= 2) own.push_back(id);
      std::ranges::rotate(own, own.begin() + 1);
      Group group(self, own);
      self.compute(self.id());
      group.barrier();
      EXPECT_EQ(self.now(), (8 - self.id() % 2) * 5);
    });
    EXPECT_TRUE(machine.trace().messages().empty());
  }
}

// Under a trace by the wall clock a barrier is messages, in a group as well.
TEST(Group, ABarrierLeavesItsMessagesInATrace) {
  Machine machine({.processors = 9, .trace = true});
  machine.run([](Processor& self) {
    if (self.id() % 2 == 0) Group(self, {8, 6, 4, 2, 0}).barrier();
  });
  EXPECT_EQ(machine.trace().rounds(), 3);
  EXPECT_EQ(machine.trace().messages().size(), 15u);
}

}  // namespace
}  // namespace postroom
