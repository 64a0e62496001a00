// Gatherv and scatterv, which is the same backwards: what they give and what they refuse.
#include "collectives/gatherv.h"

#include <algorithm>
#include <array>
#include <memory>
#include <set>

#include "collectives/scatterv.h"
#include "runtime/errors.h"
#include "runtime/light_machine.h"
#include "runtime/virtual_clock.h"
#include "tests/collectives/testing.h"
#include "tests/collectives/uneven_blocks.h"

namespace postroom {
namespace {

/// Calls test(self, root, counts, algorithm) for machines, algorithms, roots and sizes.
template <class Test>
void for_each_case(std::span<const Algorithm> algorithms, const Test& test) {
  for_each_machine(algorithms, [&](Machine& machine, Algorithm algorithm) {
    SCOPED_TRACE(to_string(algorithm));
    machine.run([&](Processor& self) {
      for (const int root : std::set{0, self.count() / 2, self.count() - 1}) {
        for (const std::size_t size : sizes_for(self.count())) {
          for (int shift = 0; shift < 5; ++shift) {
            test(self, root, uneven_counts(self.count(), size, shift), algorithm);
          }
        }
      }
    });
  });
}

TEST(Gatherv, GivesTheRootTheBlocksInOrder) {
  for_each_case(gatherv_algorithms(),
                [](Processor& self, int root, const Counts& counts, Algorithm algorithm) {
                  const bool is_root = self.id() == root;
                  const List expected = is_root ? blocks_of_all(counts) : unset(2);
                  List all = unset(expected.size());
                  const List mine = elements(self.id(), 0, own(self, counts));
                  const Counts known = is_root ? counts : Counts();
                  if (!runs(algorithm, [&] { gatherv(self, root, mine, all, known, algorithm); }))
                    return;
                  EXPECT_EQ(all, expected) << "root " << root << ", processor " << self.id();
                });
}

TEST(Gatherv, GivesTheRootTheSizes) {
  for_each_case(gatherv_algorithms(),
                [](Processor& self, int root, const Counts& counts, Algorithm algorithm) {
                  const List mine = elements(self.id(), 0, own(self, counts));
                  Gathered<std::int64_t> of_all;
                  if (!runs(algorithm, [&] { of_all = gatherv(self, root, mine, algorithm); }))
                    return;
                  EXPECT_EQ(of_all.all, self.id() == root ? blocks_of_all(counts) : List());
                  EXPECT_EQ(of_all.counts, self.id() == root ? counts : Counts());
                });
}

TEST(Scatterv, GivesEveryProcessorItsBlock) {
  for_each_case(scatterv_algorithms(),
                [](Processor& self, int root, const Counts& counts, Algorithm algorithm) {
                  const bool is_root = self.id() == root;
                  const List all = is_root ? blocks_of_all(counts) : unset(1);
                  const Counts known = is_root ? counts : Counts();
                  List mine = unset(own(self, counts));
                  if (!runs(algorithm, [&] { scatterv(self, root, all, known, mine, algorithm); }))
                    return;
                  EXPECT_EQ(mine, elements(self.id(), 0, own(self, counts))) << "root " << root;
                  EXPECT_EQ(scatterv(self, root, all, known, algorithm), mine) << "root " << root;
                });
}

/// Sends blocks of T to processor 1 and back.
template <class T, class Make>
void go_there_and_back(Processor& self, Algorithm algorithm, const Make& make) {
  std::vector<T> mine;
  for (int i = 0; i < 3 * self.id(); ++i) mine.push_back(make(self.id(), i));
  Gathered<T> blocks;
  if (!runs(algorithm, [&] { blocks = gatherv(self, 1, mine, algorithm); })) return;
  EXPECT_EQ(blocks.all.size(), self.id() == 1 ? 3u * (0 + 1 + 2 + 3 + 4) : 0u);
  EXPECT_TRUE(scatterv(self, 1, blocks.all, blocks.counts, algorithm) == mine) << algorithm;
}

TEST(Gatherv, AndScattervTakeElementsOfAnyType) {
  struct Three {
    std::array<char, 3> letters;
    bool operator==(const Three&) const = default;
  };
  for (const Algorithm algorithm : scatterv_algorithms()) {
    machine_of(5).run([&](Processor& self) {
      go_there_and_back<char>(self, algorithm, [](int id, int i) { return char('a' + id + i); });
      go_there_and_back<double>(self, algorithm, [](int id, int i) { return id + i / 8.0; });
      go_there_and_back<Word>(self, algorithm, word_of);
      go_there_and_back<Three>(self, algorithm, [](int id, int i) {
        return Three{{char('a' + id), char('a' + i), 'x'}};
      });
    });
  }
}

TEST(Gatherv, LetsTheRootsBlockLieInItsPlace) {
  const Counts counts{2, 0, 3, 1};
  for (const Algorithm algorithm : gatherv_algorithms()) {
    machine_of(4).run([&](Processor& self) {
      List all = unset(6);
      const auto place = std::span(all).subspan(2, 3);
      std::ranges::copy(elements(2, 0, 3), place.begin());
      const List other = elements(self.id(), 0, own(self, counts));
      const auto mine = self.id() == 2 ? std::span<const std::int64_t>(place) : other;
      if (!runs(algorithm, [&] { gatherv(self, 2, mine, all, counts, algorithm); })) return;
      if (self.id() == 2) {
        EXPECT_EQ(all, blocks_of_all(counts));
      }
    });
  }
}

TEST(Scatterv, LetsTheRootsBlockLieInItsPlace) {
  const Counts counts{2, 0, 3, 1};
  for (const Algorithm algorithm : scatterv_algorithms()) {
    machine_of(4).run([&](Processor& self) {
      List all = blocks_of_all(counts);
      List other = unset(own(self, counts));
      const auto mine = self.id() == 2 ? std::span(all).subspan(2, 3) : std::span(other);
      if (!runs(algorithm, [&] { scatterv(self, 2, all, counts, mine, algorithm); })) return;
      EXPECT_TRUE(std::ranges::equal(mine, elements(self.id(), 0, own(self, counts))));
    });
  }
}

TEST(Gatherv, AndScattervTakeLargeBlocks) {
  const Counts counts{50'000, 0, 7, 120'000, 1, 300};
  for (const Algorithm algorithm : scatterv_algorithms()) {
    for (Machine* machine : {&machine_of(6), &threaded_machine_of(6)}) {
      machine->run([&](Processor& self) {
        const List mine = elements(self.id(), 0, own(self, counts));
        Gathered<std::int64_t> of_all;
        if (!runs(algorithm, [&] { of_all = gatherv(self, 5, mine, algorithm); })) return;
        EXPECT_EQ(of_all.all, self.id() == 5 ? blocks_of_all(counts) : List());
        EXPECT_EQ(scatterv(self, 5, of_all.all, of_all.counts, algorithm), mine);
      });
    }
  }
}

TEST(Gatherv, RefusesWrongArguments) {
  machine_of(3).run([](Processor& self) {
    const Counts counts{2, 2, 2};
    const std::vector<std::int32_t> mine(2);
    std::vector<std::int32_t> all(6);
    EXPECT_EQ(refusal([&] { gatherv(self, 3, mine, all, counts); }),
              "gatherv: root 3 is not allowed; 0 to 2");
    EXPECT_EQ(refusal([&] { (void)gatherv(self, -1, mine); }),
              "gatherv: root -1 is not allowed; 0 to 2");
    const std::string ring =
        "gatherv: ring is not allowed; automatic, linear, binomial, shared, farthest_first, "
        "turns";
    EXPECT_EQ(refusal([&] { gatherv(self, 0, mine, all, counts, Algorithm::ring); }), ring);
    EXPECT_EQ(refusal([&] { (void)gatherv(self, 0, mine, Algorithm::ring); }), ring);
    if (self.id() != 1) return;  // the others may pass any list
    EXPECT_EQ(refusal([&] { gatherv(self, 1, mine, all, std::span(counts).first(2)); }),
              "gatherv: counts of 2 numbers is not allowed; 3, one for each processor");
    EXPECT_EQ(refusal([&] { gatherv(self, 1, all, all, counts); }),
              "gatherv: mine of 24 bytes is not allowed; 8, the own one of counts");
    EXPECT_EQ(refusal([&] { gatherv(self, 1, mine, std::span(all).first(5), counts); }),
              "gatherv: all of 20 bytes is not allowed; 24, the sum of counts");
    EXPECT_EQ(refusal([&] { gatherv(self, 1, std::span(all).first(2), all, counts); }),
              "gatherv: mine and all overlap, which is not allowed; separate memory, or mine is "
              "the own block of all");
    const Counts wrapped{5, 2, static_cast<std::size_t>(-1)};
    EXPECT_EQ(refusal([&] { gatherv(self, 1, mine, all, wrapped); }),
              "gatherv: 18446744073709551615 for processor 2 in counts is not allowed; 0 to "
              "2305843009213693944");
    EXPECT_EQ(refusal([&] { gatherv_bytes(self, 1, {}, {}, counts, 0); }),
              "gatherv: element_bytes 0 is not allowed; at least 1");
  });
  EXPECT_EQ(refusal([] { (void)gatherv_cost(0, {}, 8); }),
            "gatherv: processors 0 is not allowed; at least 1");
  EXPECT_EQ(refusal([] { (void)gatherv_cost(2, Counts(2), 8); }),
            "gatherv: root 2 is not allowed; 0 to 1");
}

TEST(Scatterv, RefusesWrongArguments) {
  machine_of(3).run([](Processor& self) {
    const Counts counts{2, 2, 2};
    std::vector<std::int32_t> mine(2);
    std::vector<std::int32_t> all(6);
    EXPECT_EQ(refusal([&] { scatterv(self, 3, all, counts, mine); }),
              "scatterv: root 3 is not allowed; 0 to 2");
    EXPECT_EQ(refusal([&] { (void)scatterv(self, -1, all, counts); }),
              "scatterv: root -1 is not allowed; 0 to 2");
    const std::string shared =
        "scatterv: shared is not allowed; automatic, linear, binomial, farthest_first, slots, "
        "turns";
    EXPECT_EQ(refusal([&] { scatterv(self, 0, all, counts, mine, Algorithm::shared); }), shared);
    EXPECT_EQ(refusal([&] { (void)scatterv(self, 0, all, counts, Algorithm::shared); }), shared);
    if (self.id() != 1) return;  // the others may pass any list
    const auto two_counts = std::span(counts).first(2);
    const std::string wrong_counts =
        "scatterv: counts of 2 numbers is not allowed; 3, one for each processor";
    EXPECT_EQ(refusal([&] { scatterv(self, 1, all, two_counts, mine); }), wrong_counts);
    EXPECT_EQ(refusal([&] { (void)scatterv(self, 1, all, two_counts); }), wrong_counts);
    const std::string wrong_all = "scatterv: all of 20 bytes is not allowed; 24, the sum of counts";
    EXPECT_EQ(refusal([&] { scatterv(self, 1, std::span(all).first(5), counts, mine); }),
              wrong_all);
    EXPECT_EQ(refusal([&] { (void)scatterv(self, 1, std::span(all).first(5), counts); }),
              wrong_all);
    EXPECT_EQ(refusal([&] { scatterv(self, 1, all, counts, std::span(mine).first(1)); }),
              "scatterv: mine of 4 bytes is not allowed; 8, the own one of counts");
    EXPECT_EQ(refusal([&] { scatterv(self, 1, all, counts, std::span(all).first(2)); }),
              "scatterv: mine and all overlap, which is not allowed; separate memory, or mine is "
              "the own block of all");
    EXPECT_EQ(refusal([&] { scatterv_bytes(self, 1, {}, counts, 0, {}); }),
              "scatterv: element_bytes 0 is not allowed; at least 1");
  });
  EXPECT_EQ(refusal([] { (void)scatterv_cost(0, {}, 8); }),
            "scatterv: processors 0 is not allowed; at least 1");
  EXPECT_EQ(refusal([] { (void)scatterv_cost(-1, Counts(2), 8); }),
            "scatterv: root -1 is not allowed; 0 to 1");
}

/// What the SizeMismatchError in which the run ends says.
std::string mismatch(const Machine::Program& program) {
  try {
    machine_of(7).run(program);
  } catch (const ProcessorError& error) {
    const auto* const cause = error.caused_by<SizeMismatchError>();
    return cause != nullptr ? cause->what() : error.what();
  }
  return "none";
}

// Processor 3 has two elements more than the root says: also where another one passes them on.
TEST(Gatherv, AndScattervSayWhoseBlockHasAnotherSize) {
  const Counts counts(7, 4);
  const auto size_at = [](const Processor& self) { return self.id() == 3 ? 6u : 4u; };
  const auto gather_by = [&](Algorithm algorithm) {
    return mismatch([&, algorithm](Processor& self) {
      gatherv(self, 0, List(size_at(self)), List(28), counts, algorithm);
    });
  };
  const auto scatter_by = [&](Algorithm algorithm) {
    return mismatch([&, algorithm](Processor& self) {
      scatterv(self, 0, List(28), counts, List(size_at(self)), algorithm);
    });
  };
  EXPECT_TRUE(
      gather_by(Algorithm::binomial)
          .starts_with("gatherv: the block of processor 3 has 48 bytes, but 32 are needed ("));
  EXPECT_TRUE(
      scatter_by(Algorithm::binomial)
          .starts_with("scatterv: the block of processor 3 has 32 bytes, but 48 are needed ("));
  EXPECT_TRUE(
      gather_by(Algorithm::linear)
          .starts_with("gatherv: receive from processor 3: the message has 48 bytes, but 32"));
  EXPECT_TRUE(
      scatter_by(Algorithm::linear)
          .starts_with("scatterv: receive from processor 0: the message has 32 bytes, but 48"));
}

TEST(Gatherv, ByATreeSaysWhoseMessageHasOtherBlocks) {
  const auto by_tree = [](const Counts& counts, std::size_t message_bytes) {
    return mismatch([&, message_bytes](Processor& self) {
      const Operation operation(self, "another one");
      if (self.id() == 1) return self.send(0, std::string(message_bytes, '\0'));
      if (self.id() == 0) gatherv(self, 0, List(), List(), counts, Algorithm::binomial);
    });
  };
  const std::string wrong =
      "gatherv: blocks from processor 1: the message has more or fewer than are needed";
  EXPECT_TRUE(by_tree(Counts(7), 7).starts_with(wrong));
  EXPECT_TRUE(by_tree(Counts(7), 9).starts_with(wrong));
}

TEST(Gatherv, AndScattervRunOnThousandsOfLightProcessors) {
  constexpr int kProcessors = 2000;
  const Rational lambda(9, 5);
  const auto clock = std::make_shared<VirtualClock>(lambda);
  LightMachine machine(kProcessors, clock);
  const Counts counts = uneven_counts(kProcessors, 4, 2);
  EXPECT_EQ(choose_gatherv(kProcessors, TimeModel::postal(lambda, 1)), Algorithm::binomial);
  for (const Algorithm algorithm : {Algorithm::automatic, Algorithm::linear}) {
    SCOPED_TRACE(to_string(algorithm));
    machine.run([&](Processor& self) {
      const List mine = elements(self.id(), 0, own(self, counts));
      const auto [all, found] = gatherv(self, 7, mine, algorithm);
      if (self.id() == 7) {
        EXPECT_EQ(all, blocks_of_all(counts));
      }
      EXPECT_EQ(scatterv(self, 7, all, found, algorithm), mine);
    });
  }
  // With no bytes in messages the root knows the sizes by itself.
  const auto sizes_clock = std::make_shared<VirtualClock>(lambda);
  LightMachine sizes_only(kProcessors, sizes_clock, Payload::none);
  List all(blocks_of_all(counts).size());
  sizes_only.run([&](Processor& self) {
    gatherv(self, 0, List(own(self, counts)), all, counts, Algorithm::linear);
  });
  EXPECT_NEAR(
      sizes_clock->finish().to_double(),
      gatherv_time(0, counts, kElementBytes, Algorithm::linear, TimeModel::postal(lambda, 1)),
      1e-3);
}

}  // namespace
}  // namespace postroom
