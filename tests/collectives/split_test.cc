// Groups by color, ordered by key and id.
#include "collectives/split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "collectives/allgather.h"
#include "collectives/allreduce.h"
#include "runtime/errors.h"
#include "runtime/machine.h"
#include "tests/collectives/testing.h"
#include "tests/thrown.h"

namespace postroom {
namespace {

TEST(Split, OrdersByIdWithoutAKey) {
  for_each_machine([](Machine& machine) {
    machine.run([](Processor& self) {
      Group group = split(self, self.id() % 3);
      ASSERT_EQ(group.id(), self.id() / 3);
      for (int i = 0; i < group.count(); ++i) EXPECT_EQ(group.members()[i], 3 * i + self.id() % 3);
      int sum = 0;
      for (const int member : group.members()) sum += member;
      EXPECT_EQ(allreduce(group, self.id(), std::plus<>()), sum);
    });
  });
}

TEST(Split, OrdersByKeyThenById) {
  for_each_machine([](Machine& machine) {
    machine.run([](Processor& self) {
      const int p = self.count();
      Group all = split(self, -7, -(self.id() / 2));  // the last pair first, each pair by id
      std::vector<int> expected;
      for (int pair = (p - 1) / 2; pair >= 0; --pair) {
        for (int id = 2 * pair; id < std::min(p, 2 * pair + 2); ++id) expected.push_back(id);
      }
      EXPECT_EQ(all.members(), expected);
      EXPECT_EQ(allgather(all, self.id()), expected);
    });
  });
}

TEST(Split, TakesAnyColorAndKey) {
  machine_of(4).run([](Processor& self) {
    const int least = std::numeric_limits<int>::min();
    const int most = std::numeric_limits<int>::max();
    Group group = split(self, self.id() < 2 ? least : most, self.id() % 2 == 0 ? most : least);
    EXPECT_EQ(group.members(), self.id() < 2 ? (std::vector<int>{1, 0}) : (std::vector<int>{3, 2}));
  });
}

TEST(Split, SplitsAGroup) {
  machine_of(8).run([](Processor& self) {
    Group half = split(self, self.id() / 4);
    Group pair = split(half, half.id() / 2);
    EXPECT_EQ(pair.count(), 2);
    EXPECT_EQ(allreduce(pair, self.id(), std::plus<>()), 4 * (self.id() / 2) + 1);
  });
}

// By messages, and where threads are shared.
TEST(Split, IsWhatAReportNames) {
  for (const int threads : {3, 2, 1}) {
    Machine machine({.processors = 3, .threads = threads});
    const std::string report = thrown<DeadlockError>([&] {
      machine.run([](Processor& self) {
        if (self.id() != 1) (void)split(self, 0);
      });
    });
    EXPECT_NE(report.find("in split"), std::string::npos) << threads << ": " << report;
    EXPECT_EQ(report.find("allgather"), std::string::npos) << threads << ": " << report;
  }
}

}  // namespace
}  // namespace postroom
