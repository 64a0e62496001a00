// What is promised to allocate nothing does not, from the second call on: messages, and what
// automatic takes on the wall clock for small lists.
#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "collectives/allgather.h"
#include "collectives/allreduce.h"
#include "collectives/alltoall.h"
#include "collectives/barrier.h"
#include "collectives/broadcast.h"
#include "collectives/gather.h"
#include "collectives/reduce.h"
#include "collectives/scan.h"
#include "collectives/scatter.h"
#include "runtime/machine.h"
#include "runtime/processor.h"
#include "tests/failing_heap.h"

namespace postroom {
namespace {

/// Of one processor: a list, and two that are as long as those of all together.
struct Lists {
  std::vector<int> own, all, other;
};

struct Call {
  std::string name;
  std::function<void(Processor& self, Lists& lists)> make;
};

std::vector<Call> calls() {
  const std::plus<> sum;
  return {
      {"send and receive",
       [](Processor& self, Lists& lists) {
         if (self.id() == 0) self.send(1, lists.own);
         if (self.id() == 1) self.receive(0, lists.own);
       }},
      {"exchange",
       [](Processor& self, Lists& lists) {
         const int p = self.count();
         self.exchange((self.id() + 1) % p, lists.own, (self.id() + p - 1) % p,
                       std::span(lists.all).first(lists.own.size()));
       }},
      {"barrier", [](Processor& self, Lists&) { barrier(self); }},
      {"broadcast", [](Processor& self, Lists& lists) { broadcast(self, 0, lists.own); }},
      {"broadcast binomial",
       [](Processor& self, Lists& lists) { broadcast(self, 0, lists.own, Algorithm::binomial); }},
      {"broadcast linear",
       [](Processor& self, Lists& lists) { broadcast(self, 0, lists.own, Algorithm::linear); }},
      {"reduce",
       [=](Processor& self, Lists& lists) {
         reduce(self, 0, lists.own, self.id() == 0 ? std::span(lists.own) : std::span<int>(), sum);
       }},
      {"allreduce",
       [=](Processor& self, Lists& lists) { allreduce(self, lists.own, lists.own, sum); }},
      {"scan", [=](Processor& self, Lists& lists) { scan(self, lists.own, lists.own, sum); }},
      {"gather", [](Processor& self, Lists& lists) { gather(self, 0, lists.own, lists.all); }},
      {"scatter", [](Processor& self, Lists& lists) { scatter(self, 0, lists.all, lists.own); }},
      {"allgather", [](Processor& self, Lists& lists) { allgather(self, lists.own, lists.all); }},
      {"allgather ring",
       [](Processor& self, Lists& lists) {
         allgather(self, lists.own, lists.all, Algorithm::ring);
       }},
      {"alltoall", [](Processor& self, Lists& lists) { alltoall(self, lists.all, lists.other); }},
  };
}

// On threads of their own, and in turns on one.
TEST(Allocations, AreNoneOnceAProgramIsUnderWay) {
  for (const int processors : {2, 8}) {
    Machine machine({.processors = processors, .threads = processors == 2 ? 2 : 1});
    for (const Call& call : calls()) {
      for (const std::size_t count : {1, 2, 11}) {
        SCOPED_TRACE(call.name + " of " + std::to_string(count) + " on " +
                     std::to_string(processors));
        long allocations = -1;
        machine.run([&](Processor& self) {
          const std::size_t all = count * static_cast<std::size_t>(processors);
          Lists lists{std::vector<int>(count), std::vector<int>(all), std::vector<int>(all)};
          const auto often = [&] {
            for (int i = 0; i < 50; ++i) call.make(self, lists);
            self.barrier();
          };
          often();
          if (self.id() == 0) {
            allocations = allocations_in(often);
          } else {
            often();
          }
          self.barrier();
        });
        EXPECT_EQ(allocations, 0);
      }
    }
  }
}

}  // namespace
}  // namespace postroom
