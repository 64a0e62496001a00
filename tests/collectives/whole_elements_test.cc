// Lists of whose elements the processors do not get equal numbers are refused, also where their
// bytes would divide: a block has no part of an element. So are lists of bytes that end in a part
// of one.
#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "collectives/allgather.h"
#include "collectives/allgatherv.h"
#include "collectives/allreduce.h"
#include "collectives/alltoall.h"
#include "collectives/alltoallv.h"
#include "collectives/gather.h"
#include "collectives/gatherv.h"
#include "collectives/reduce.h"
#include "collectives/reduce_scatter.h"
#include "collectives/scan.h"
#include "collectives/scatter.h"
#include "collectives/scatterv.h"
#include "tests/collectives/testing.h"

namespace postroom {
namespace {

constexpr int kProcessors = 4;
constexpr std::size_t kElements = 6;  // 24 bytes: 6 for each processor
static_assert(kElements % kProcessors != 0 && kElements * sizeof(int) % kProcessors == 0);

TEST(WholeElements, AlltoallNamesThem) {
  machine_of(kProcessors).run([](Processor& self) {
    const std::vector<int> send(kElements, self.id());
    std::vector<int> receive(kElements);
    for (const Algorithm& algorithm : alltoall_algorithms()) {
      EXPECT_EQ(refusal([&] { alltoall(self, send, receive, algorithm); }),
                "alltoall: send of 6 elements is not allowed; a multiple of 4, one block for each "
                "processor");
    }
    EXPECT_EQ(receive, std::vector<int>(kElements));
  });
}

TEST(WholeElements, NoBlockOfAnySizeFits) {
  machine_of(kProcessors).run([](Processor& self) {
    std::vector<int> list(kElements);
    for (std::size_t size = 0; size <= kElements; ++size) {
      std::vector<int> block(size);
      const std::vector<std::size_t> counts(kProcessors, size);
      const std::vector<std::pair<std::string, std::function<void()>>> calls{
          {"scatter", [&] { scatter(self, self.id(), list, block); }},
          {"gather", [&] { gather(self, self.id(), block, list); }},
          {"scatterv", [&] { scatterv(self, self.id(), list, counts, block); }},
          {"gatherv", [&] { gatherv(self, self.id(), block, list, counts); }},
          {"allgather", [&] { allgather(self, block, list); }},
          {"allgatherv", [&] { allgatherv(self, block, list, counts); }},
          {"reduce_scatter", [&] { reduce_scatter(self, list, block, counts, std::plus<>()); }},
          {"alltoallv, from", [&] { alltoallv(self, list, counts, block, counts); }},
          {"alltoallv, to", [&] { alltoallv(self, block, counts, list, counts); }}};
      for (const auto& [name, call] : calls) {
        EXPECT_NE(refusal(call).find("is not allowed"), std::string::npos) << name << ", " << size;
      }
    }
  });
}

TEST(WholeElements, ScansCutNone) {
  machine_of(kProcessors).run([](Processor& self) {
    std::vector<int> in(kElements);
    std::iota(in.begin(), in.end(), 0x01020304);
    std::vector<int> expected(in);
    for (int& element : expected) element *= self.id() + 1;
    for (const Algorithm& algorithm : scan_algorithms()) {
      std::vector<int> out(kElements);
      const auto call = [&] { scan(self, in, out, std::plus<>(), algorithm); };
      if (!runs(algorithm, call)) continue;
      EXPECT_EQ(out, expected) << to_string(algorithm) << ", processor " << self.id();
    }
  });
}

TEST(WholeElements, BytesEndInNoPartOfOne) {
  struct Three {
    char letters[3];
  };
  const std::plus<> plus;
  const auto first = [](const Three& a, const Three&) { return a; };
  const Operator ints = Operator::of<int>(plus);
  const Operator threes = Operator::of<Three>(first);
  machine_of(kProcessors).run([&](Processor& self) {
    for (const auto& [op, size, element] : {std::tuple(&ints, 7, 4), std::tuple(&threes, 8, 3)}) {
      const std::vector<std::byte> in(size);
      std::vector<std::byte> out(size, std::byte{9});
      const std::string wrong = ": in of " + std::to_string(size) +
                                " bytes is not allowed; a multiple of " + std::to_string(element) +
                                ", the size of an element";
      for (const Algorithm& algorithm : allreduce_algorithms()) {
        EXPECT_EQ(refusal([&] { allreduce_bytes(self, in, out, *op, algorithm); }),
                  "allreduce" + wrong);
      }
      EXPECT_EQ(refusal([&] { reduce_bytes(self, 1, in, out, *op); }), "reduce" + wrong);
      EXPECT_EQ(refusal([&] { scan_bytes(self, in, out, *op); }), "scan" + wrong);
      EXPECT_EQ(refusal([&] { exscan_bytes(self, in, out, *op); }), "exscan" + wrong);
      EXPECT_EQ(out, std::vector<std::byte>(size, std::byte{9}));
    }
  });
}

}  // namespace
}  // namespace postroom
