#include "collectives/alltoall.h"

#include <algorithm>

#include "collectives/alltoallv.h"
#include "tests/collectives/testing.h"

namespace postroom {
namespace {

// Every radix on few processors, some on many; one port, two, and more than there are processors.
std::vector<Algorithm> algorithms_for(int processors) {
  std::vector<Algorithm> list{Algorithm::automatic, Algorithm::pairwise, Algorithm::shared,
                              Algorithm::tiled,     Algorithm::fat_tree, Algorithm::turns};
  for (int radix = 2; radix <= std::max(2, processors); ++radix) {
    if (processors > 8 && radix > 4 && radix != 8 && radix != processors) continue;
    list.push_back(Algorithm::bruck(radix));
    list.push_back(Algorithm::bruck(radix, 2));
    list.push_back(Algorithm::bruck(radix, 2'000'000'000));
    list.push_back(Algorithm::bruck_unrotated(radix, 1 + radix % 2));
  }
  return list;
}

TEST(Alltoall, TransposesTheBlocks) {
  for_each_machine([](Machine& machine) {
    for (const Algorithm algorithm : algorithms_for(machine.processors())) {
      SCOPED_TRACE(to_string(algorithm));
      machine.run([&](Processor& self) {
        for (const std::size_t size : sizes_for(self.count())) {
          std::vector<std::int64_t> send;
          std::vector<std::int64_t> expected;
          for (int q = 0; q < self.count(); ++q) {
            std::ranges::copy(elements(self.id(), q, size), std::back_inserter(send));
            std::ranges::copy(elements(q, self.id(), size), std::back_inserter(expected));
          }
          const std::vector<std::int64_t> sent = send;
          std::vector<std::int64_t> receive = unset(expected.size());
          if (!runs(algorithm, [&] { alltoall(self, send, receive, algorithm); })) continue;
          EXPECT_EQ(receive, expected) << "processor " << self.id();
          EXPECT_EQ(send, sent) << "processor " << self.id();
        }
      });
    }
  });
}

TEST(Alltoall, TakesLargeBlocks) {
  for (const Algorithm algorithm : algorithms_for(3)) {
    machine_of(3).run([&](Processor& self) {
      constexpr std::size_t kSize = 40'000;
      std::vector<std::int64_t> send;
      std::vector<std::int64_t> expected;
      for (int q = 0; q < self.count(); ++q) {
        std::ranges::copy(elements(self.id(), q, kSize), std::back_inserter(send));
        std::ranges::copy(elements(q, self.id(), kSize), std::back_inserter(expected));
      }
      std::vector<std::int64_t> receive = unset(expected.size());
      if (!runs(algorithm, [&] { alltoall(self, send, receive, algorithm); })) return;
      EXPECT_EQ(receive, expected);
    });
  }
}

TEST(Alltoall, InTilesCostsWhatItsHeaderSays) {
  EXPECT_EQ(alltoall_cost(12, 5, Algorithm::tiled), (Cost{3 + 4 - 1, 5 * (24 - 3)}));
  EXPECT_EQ(alltoall_cost(16, 5, Algorithm::tiled), (Cost{4 + 4 - 1, 5 * (32 - 4)}));
  EXPECT_EQ(alltoall_cost(13, 5, Algorithm::tiled), (Cost{12, 60}));
}

TEST(Alltoall, RefusesWrongArguments) {
  machine_of(4).run([](Processor& self) {
    std::vector<std::int32_t> send(8);
    std::vector<std::int32_t> receive(8);
    EXPECT_EQ(refusal([&] { alltoall(self, std::vector<char>(7), std::vector<char>(7)); }),
              "alltoall: send of 7 bytes is not allowed; a multiple of 4, one block for each "
              "processor");
    EXPECT_EQ(refusal([&] { alltoall(self, send, std::span(receive).first(4)); }),
              "alltoall: receive of 16 bytes is not allowed; 32, as many as in send");
    EXPECT_EQ(refusal([&] { alltoall(self, send, send); }),
              "alltoall: send and receive overlap, which is not allowed; separate memory");
    for (const int radix : {-2, 0, 1, 5}) {
      EXPECT_EQ(refusal([&] { alltoall(self, send, receive, Algorithm::bruck(radix)); }),
                "alltoall: radix " + std::to_string(radix) + " is not allowed; 2 to 4");
    }
    for (const int ports : {-1, 0}) {
      EXPECT_EQ(refusal([&] { alltoall(self, send, receive, Algorithm::bruck(2, ports)); }),
                "alltoall: ports " + std::to_string(ports) + " is not allowed; at least 1");
    }
    EXPECT_EQ(refusal([&] { alltoall(self, send, receive, Algorithm::ring); }),
              "alltoall: ring is not allowed; automatic, bruck, pairwise, shared, tiled, "
              "bruck_unrotated, fat_tree, turns");
  });
}

// How much source sends to target; nothing for many pairs.
std::size_t uneven_count(int source, int target, std::size_t largest) {
  return static_cast<std::size_t>((3 * source + 5 * target) % 4) * largest / 3;
}

TEST(Alltoallv, TransposesBlocksOfAnySize) {
  for_each_machine([](Machine& machine) {
    machine.run([&](Processor& self) {
      for (const std::size_t size : sizes_for(self.count())) {
        std::vector<std::size_t> send_counts;
        std::vector<std::size_t> receive_counts;
        std::vector<std::int64_t> send;
        std::vector<std::int64_t> expected;
        for (int q = 0; q < self.count(); ++q) {
          send_counts.push_back(uneven_count(self.id(), q, size));
          receive_counts.push_back(uneven_count(q, self.id(), size));
          std::ranges::copy(elements(self.id(), q, send_counts.back()), std::back_inserter(send));
          std::ranges::copy(elements(q, self.id(), receive_counts.back()),
                            std::back_inserter(expected));
        }
        for (const Algorithm algorithm :
             {Algorithm::automatic, Algorithm::pairwise, Algorithm::shared, Algorithm::turns}) {
          std::vector<std::int64_t> receive = unset(expected.size());
          const auto call = [&] {
            alltoallv(self, send, send_counts, receive, receive_counts, algorithm);
          };
          if (!runs(algorithm, call)) continue;
          EXPECT_EQ(receive, expected) << algorithm << ", processor " << self.id();
          const auto found = alltoallv(self, send, send_counts, algorithm);
          EXPECT_EQ(found.all, expected) << algorithm << ", processor " << self.id();
          EXPECT_EQ(found.counts, receive_counts) << algorithm << ", processor " << self.id();
        }
      }
    });
  });
}

TEST(Alltoallv, RefusesWrongArguments) {
  machine_of(2).run([](Processor& self) {
    std::vector<std::int32_t> send(3);
    std::vector<std::int32_t> receive(3);
    const std::vector<std::size_t> one_two{1, 2};
    const std::vector<std::size_t> two_one{2, 1};
    const std::vector<std::size_t> three{1, 1, 1};
    EXPECT_EQ(refusal([&] { alltoallv(self, send, three, receive, one_two); }),
              "alltoallv: send_counts of 3 numbers is not allowed; 2, one for each processor");
    EXPECT_EQ(refusal([&] { alltoallv(self, send, one_two, receive, three); }),
              "alltoallv: receive_counts of 3 numbers is not allowed; 2, one for each processor");
    // The difference of two cuts that are out of order. The sum of all is right.
    const std::vector<std::size_t> wrapped{4, static_cast<std::size_t>(-1)};
    EXPECT_EQ(refusal([&] { alltoallv(self, send, wrapped, receive, one_two); }),
              "alltoallv: 18446744073709551615 for processor 1 in send_counts is not allowed; 0 to "
              "2305843009213693947");
    EXPECT_EQ(refusal([&] { alltoallv(self, send, one_two, receive, wrapped); }),
              "alltoallv: 18446744073709551615 for processor 1 in receive_counts is not allowed; 0 "
              "to 2305843009213693947");
    EXPECT_EQ(
        refusal([&] { alltoallv(self, std::span(send).first(2), one_two, receive, one_two); }),
        "alltoallv: send of 8 bytes is not allowed; 12, the sum of send_counts");
    EXPECT_EQ(refusal([&] { (void)alltoallv(self, std::span(send).first(2), one_two); }),
              "alltoallv: send of 8 bytes is not allowed; 12, the sum of send_counts");
    EXPECT_EQ(refusal([&] { (void)alltoallv(self, send, three); }),
              "alltoallv: send_counts of 3 numbers is not allowed; 2, one for each processor");
    EXPECT_EQ(refusal([&] { alltoallv(self, send, one_two, std::vector<int>(4), one_two); }),
              "alltoallv: receive of 16 bytes is not allowed; 12, the sum of receive_counts");
    EXPECT_EQ(refusal([&] { alltoallv(self, send, one_two, send, one_two); }),
              "alltoallv: send and receive overlap, which is not allowed; separate memory");
    const std::string own = refusal([&] { alltoallv(self, send, one_two, receive, two_one); });
    EXPECT_EQ(own, self.id() == 0
                       ? "alltoallv: own block in receive_counts of 8 bytes is not allowed; 4, as "
                         "in send_counts"
                       : "alltoallv: own block in receive_counts of 4 bytes is not allowed; 8, as "
                         "in send_counts");
    EXPECT_EQ(refusal([&] { alltoallv(self, send, one_two, receive, one_two, Algorithm::ring); }),
              "alltoallv: ring is not allowed; automatic, pairwise, shared, turns");
  });
  EXPECT_EQ(refusal([] { (void)alltoallv_cost(2, std::vector<std::size_t>(3), 8); }),
            "alltoallv: counts of 3 numbers is not allowed; 4, one for each pair of processors");
  EXPECT_EQ(refusal([] { (void)alltoallv_cost(2, std::vector<std::size_t>(4), 0); }),
            "alltoallv: element_bytes 0 is not allowed; at least 1");
  const std::size_t half = std::size_t{1} << 59;
  const std::vector<std::size_t> row = {0, 0, half, half};
  EXPECT_EQ(refusal([&] { (void)alltoallv_cost(2, row, 8); }),
            "alltoallv: 576460752303423488 for processor 1 in row 1 of counts is not allowed; 0 to "
            "576460752303423487");
  const std::vector<std::size_t> column = {half, 0, half, 0};
  EXPECT_EQ(
      refusal([&] {
        (void)alltoallv_time(2, column, 8, Algorithm::pairwise, TimeModel{.latency_ns = 1});
      }),
      "alltoallv: 576460752303423488 for processor 1 in column 0 of counts is not allowed; 0 to "
      "576460752303423487");
}

}  // namespace
}  // namespace postroom
