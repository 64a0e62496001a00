// On a box of several NUMA nodes or packages: what crosses from one to another crosses once, and
// every subtree is finished inside before anything crosses its border. Counted from traces on
// made-up boxes.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "collectives/algorithm.h"
#include "collectives/allgather.h"
#include "collectives/allreduce.h"
#include "collectives/alltoall.h"
#include "collectives/alltoallv.h"
#include "collectives/broadcast.h"
#include "collectives/route.h"
#include "fat_trees/box_tree.h"
#include "numa/placement.h"
#include "runtime/group.h"
#include "runtime/machine.h"
#include "runtime/virtual_clock.h"
#include "tests/collectives/testing.h"
#include "tests/numa/boxes.h"

namespace postroom {
namespace {

/// A machine that stands on a made-up box, carried by two threads.
struct Stand {
  Stand(const Topology& topology, int processors)
      : box(box_tree_of(topology, place(topology, processors).leaf_of_processor)),
        machine({.processors = processors,
                 .threads = std::min(2, processors),
                 .topology = std::make_shared<const Topology>(topology),
                 .trace = true}) {}

  BoxTree box;
  Machine machine;
};

void for_each_stand(const std::function<void(Stand&)>& test) {
  const std::pair<const char*, int> boxes[] = {
      {"numa:4 core:8 pu:2", 64},
      {"numa:4 core:8 pu:2", 32},
      {"package:2 numa:2 core:1 pu:1", 4},
      {"package:3 core:5 pu:1", 15},
      {"package:2 numa:2 core:3 pu:1", 12},
      {"package:3 numa:2 l3:2 core:2 pu:1", 23},
      {"numa:2 core:2 pu:1", 7},  // more than there are leaves
  };
  for (const auto& [description, processors] : boxes) {
    SCOPED_TRACE(description + (", p = " + std::to_string(processors)));
    Stand stand(Topology::synthetic(description), processors);
    ASSERT_TRUE(stand.box.has_order());
    test(stand);
  }
  for (const OddBox& odd : odd_boxes()) {
    if (odd.topology.leaf_count() == 1) continue;
    SCOPED_TRACE(odd.name);
    Stand stand(odd.topology, odd.topology.leaf_count());
    test(stand);
  }
}

/// What crossed the border of a subtree.
struct Crossings {
  int in = 0, out = 0;
  std::size_t bytes_in = 0;
};

Crossings crossings(const Stand& stand, int node) {
  const auto [first, last] = stand.box.tree.leaves(node);
  const auto inside = [first = first, last = last](int leaf) {
    return first <= leaf && leaf < last;
  };
  Crossings count;
  for (const Trace::Message& message : stand.machine.trace().messages()) {
    if (!inside(message.source) && inside(message.target)) {
      ++count.in;
      count.bytes_in += message.bytes;
    }
    if (inside(message.source) && !inside(message.target)) ++count.out;
  }
  return count;
}

/// Calls visit(node, holds) for the subtrees that are far from others; `holds(processor)`.
template <class Visit>
void for_each_far_subtree(const BoxTree& box, const Visit& visit) {
  for (int level = box.far_level - 1; level < box.tree.levels(); ++level) {
    for (int node = box.tree.nodes(level).first; node < box.tree.nodes(level).second; ++node) {
      const auto [first, last] = box.tree.leaves(node);
      SCOPED_TRACE("processors " + std::to_string(first) + " to " + std::to_string(last - 1));
      visit(node, [first = first, last = last](int p) { return first <= p && p < last; });
    }
  }
}

/// Small lists travel within mailboxes, large ones are lent.
constexpr std::size_t kLengths[] = {1, 2500};

constexpr Algorithm kByTeams[] = {Algorithm::automatic, Algorithm::teams};

TEST(BoxOrder, AutomaticGoesByTeams) {
  for_each_stand([](Stand& stand) {
    stand.machine.run([&](Processor& self) {
      for (const std::int64_t bytes : {1, 20'000}) {
        for (const Algorithm& choice :
             {choose_broadcast(self, bytes), choose_allreduce(self, bytes),
              choose_allgather(self, bytes)}) {
          EXPECT_EQ(choice == Algorithm::teams, stand.box.has_order()) << choice;
        }
      }
    });
  });
}

/// Calls visit(node, holds) for each third cache.
template <class Visit>
void for_each_cache(const BoxTree& box, const Visit& visit) {
  const auto [begin, end] = box.tree.nodes(box.cache_level - 1);
  for (int node = begin; node < end; ++node) {
    const auto [first, last] = box.tree.leaves(node);
    SCOPED_TRACE("processors " + std::to_string(first) + " to " + std::to_string(last - 1));
    visit(node, [first = first, last = last](int p) { return first <= p && p < last; });
  }
}

constexpr const char* kManyCaches = "package:1 l3:4 core:4 pu:1";
constexpr std::size_t kMostBytesByCaches = std::size_t{1} << 20;

TEST(BoxOrder, InANodeOfSeveralCachesTeamsAreForThatWhichAllReadAtOnce) {
  Stand stand(Topology::synthetic(kManyCaches), 16);
  ASSERT_TRUE(stand.box.has_caches());
  stand.machine.run([](Processor& self) {
    constexpr std::int64_t kMost = kMostBytesByCaches;
    for (const std::int64_t bytes : {std::int64_t{8}, kMost / 16, kMost, kMost + 1}) {
      const Algorithm broadcast = choose_broadcast(16, bytes);
      EXPECT_EQ(choose_broadcast(self, bytes),
                broadcast == Algorithm::linear && bytes <= kMost ? Algorithm::teams : broadcast);
      const Algorithm allgather = choose_allgather(16, bytes);
      EXPECT_EQ(choose_allgather(self, bytes), allgather == Algorithm::shared && 16 * bytes <= kMost
                                                   ? Algorithm::teams
                                                   : allgather);
      EXPECT_EQ(choose_allreduce(self, bytes), choose_allreduce(16, bytes));
      EXPECT_EQ(choose_alltoall(self, bytes), choose_alltoall(16, bytes));
    }
    EXPECT_EQ(choose_broadcast(self, kMost), Algorithm::teams);
    EXPECT_EQ(choose_allgather(self, kMost / 16), Algorithm::teams);
  });
  // Fewer, and one cache for all.
  for (const auto& [description, p] : {std::pair{kManyCaches, 15}, {"l3:1 core:16 pu:1", 16}}) {
    Stand other(Topology::synthetic(description), p);
    other.machine.run([](Processor& self) {
      EXPECT_TRUE(self.is_flat());
      EXPECT_EQ(self.box(), nullptr);
    });
  }
}

TEST(BoxOrder, ProcessorsThatTakeTurnsInANodeOfSeveralCachesGoByTurns) {
  Machine machine({.processors = 32,
                   .threads = 2,
                   .pin = false,
                   .topology = std::make_shared<const Topology>(Topology::synthetic(kManyCaches))});
  machine.run([](Processor& self) {
    EXPECT_NE(self.box(), nullptr);
    EXPECT_EQ(choose_broadcast(self, 8), Algorithm::slots);
    EXPECT_EQ(choose_broadcast(self, kMostBytesByCaches), Algorithm::turns);
    EXPECT_EQ(choose_allgather(self, 1 << 14), Algorithm::turns);
  });
}

TEST(BoxOrder, CachesAreEnteredOnce) {
  for (const auto& [description, p] :
       {std::pair{kManyCaches, 16}, {"package:2 numa:1 l3:4 core:4 pu:1", 32}}) {
    SCOPED_TRACE(description);
    Stand stand(Topology::synthetic(description), p);
    for (const int root : {0, p / 2 + 1, p - 1}) {
      constexpr std::size_t kLength = kMostBytesByCaches / sizeof(std::int64_t);
      stand.machine.run([&](Processor& self) {
        std::vector<std::int64_t> data =
            self.id() == root ? elements(root, 0, kLength) : unset(kLength);
        broadcast(self, root, data);
        EXPECT_EQ(data, elements(root, 0, kLength));
      });
      for_each_cache(stand.box, [&](int node, const auto& holds) {
        EXPECT_EQ(crossings(stand, node).in, holds(root) ? 0 : 1);
      });
    }
  }
  Stand stand(Topology::synthetic(kManyCaches), 16);
  for (const Algorithm& algorithm : kByTeams) {
    constexpr std::size_t kLength = kMostBytesByCaches / sizeof(std::int64_t) / 16;
    stand.machine.run([&](Processor& self) {
      std::vector<std::int64_t> all = unset(16 * kLength);
      allgather(self, elements(self.id(), 0, kLength), all, algorithm);
      EXPECT_EQ(all, elements_of_all(16, kLength));
    });
    for_each_cache(stand.box, [&](int node, const auto&) {
      EXPECT_EQ(crossings(stand, node).bytes_in, 12 * kLength * sizeof(std::int64_t));
    });
  }
  // By name, the reduction too.
  stand.machine.run([](Processor& self) {
    const std::uint64_t sum = allreduce(self, std::uint64_t{1}, std::plus<>(), Algorithm::teams);
    EXPECT_EQ(sum, 16U);
  });
  int lists = 0;
  for_each_cache(stand.box, [&](int node, const auto&) { lists += crossings(stand, node).in; });
  EXPECT_EQ(lists, 2 * (4 - 1));
}

TEST(BoxOrder, TeamsAreNotForAModel) {
  Machine machine({.processors = 3, .clock = std::make_shared<VirtualClock>(2)});
  machine.run([](Processor& self) {
    int token = 0;
    std::vector<int> all(3);
    EXPECT_EQ(refusal([&] { broadcast(self, 0, token, Algorithm::teams); }),
              "broadcast: teams is not allowed; these processors do not share memory");
    EXPECT_EQ(refusal([&] { (void)allreduce(self, token, std::plus<>(), Algorithm::teams); }),
              "allreduce: teams is not allowed; these processors do not share memory");
    EXPECT_EQ(refusal([&] { (void)allgather(self, token, Algorithm::teams); }),
              "allgather: teams is not allowed; these processors do not share memory");
  });
}

TEST(BoxOrder, BroadcastEntersEverySubtreeOnce) {
  for_each_stand([](Stand& stand) {
    const int p = stand.machine.processors();
    for (const int root : {0, p / 2, p - 1}) {
      for (const std::size_t length : kLengths) {
        for (const Algorithm& algorithm : kByTeams) {
          stand.machine.run([&](Processor& self) {
            std::vector<std::int64_t> data =
                self.id() == root ? elements(root, 0, length) : unset(length);
            broadcast(self, root, data, algorithm);
            EXPECT_EQ(data, elements(root, 0, length));
          });
          if (!stand.box.has_order()) continue;
          for_each_far_subtree(stand.box, [&](int node, const auto& holds) {
            EXPECT_EQ(crossings(stand, node).in, holds(root) ? 0 : 1);
          });
        }
      }
    }
  });
}

/// Maps x to slope · x + offset; one after the other is associative and does not commute.
struct Map {
  std::uint64_t slope = 1, offset = 0;
  friend bool operator==(const Map&, const Map&) = default;
};
Map then(const Map& first, const Map& second) {
  return {first.slope * second.slope, first.offset * second.slope + second.offset};
}
std::vector<Map> maps_of(int source, std::size_t count) {
  std::vector<Map> maps(count);
  for (std::size_t i = 0; i < count; ++i) {
    maps[i] = {static_cast<std::uint64_t>(source) * 2 + 3, static_cast<std::uint64_t>(source) + i};
  }
  return maps;
}

/// Of k subtrees that meet, k - 1 have to be heard by the others, and k - 1 have to be told.
void expect_fewest_lists(const Stand& stand) {
  const FatTree& tree = stand.box.tree;
  if (!stand.box.has_order()) return;
  std::vector<int> lists(static_cast<std::size_t>(tree.levels() + 1));
  for (const Trace::Message& message : stand.machine.trace().messages()) {
    ++lists[static_cast<std::size_t>(tree.level(message.source, message.target))];
  }
  for (int level = stand.box.far_level; level <= tree.levels(); ++level) {
    const int meet = tree.nodes(level - 1).second - tree.nodes(level - 1).first;
    const int nodes = tree.nodes(level).second - tree.nodes(level).first;
    EXPECT_EQ(lists[static_cast<std::size_t>(level)], 2 * (meet - nodes)) << "level " << level;
  }
}

TEST(BoxOrder, AllreduceTakesTheFewestListsAcross) {
  for_each_stand([](Stand& stand) {
    const int p = stand.machine.processors();
    for (const std::size_t length : kLengths) {
      std::vector<Map> expected(length);
      for (int source = 0; source < p; ++source) {
        std::ranges::transform(expected, maps_of(source, length), expected.begin(), then);
      }
      for (const bool in_place : {false, true}) {
        for (const Algorithm& algorithm : kByTeams) {
          stand.machine.run([&](Processor& self) {
            std::vector<Map> in = maps_of(self.id(), length);
            std::vector<Map> out(in_place ? 0 : length);
            std::vector<Map>& result = in_place ? in : out;
            allreduce(self, in, result, then, algorithm);
            EXPECT_TRUE(result == expected);
          });
          expect_fewest_lists(stand);
        }
      }
    }
  });
}

TEST(BoxOrder, AllgatherTakesEveryBlockIntoASubtreeOnce) {
  for_each_stand([](Stand& stand) {
    const int p = stand.machine.processors();
    for (const std::size_t length : {std::size_t{1}, std::size_t{300}}) {
      for (const bool in_place : {false, true}) {
        const Algorithm algorithm = in_place ? Algorithm::automatic : Algorithm::teams;
        stand.machine.run([&](Processor& self) {
          const std::vector<std::int64_t> mine = elements(self.id(), 0, length);
          std::vector<std::int64_t> all = unset(length * static_cast<std::size_t>(p));
          const auto own =
              std::span(all).subspan(static_cast<std::size_t>(self.id()) * length, length);
          std::ranges::copy(mine, own.begin());
          if (in_place) {
            allgather(self, own, all, algorithm);
          } else {
            allgather(self, mine, all, algorithm);
          }
          EXPECT_EQ(all, elements_of_all(p, length));
        });
        if (!stand.box.has_order()) continue;
        for_each_far_subtree(stand.box, [&](int node, const auto&) {
          const auto outside = static_cast<std::size_t>(p - stand.box.tree.size(node));
          EXPECT_EQ(crossings(stand, node).bytes_in, outside * length * sizeof(std::int64_t));
        });
      }
    }
  });
}

/// No processor sends to a nearer one after a farther one, in each of `times` rounds of everything.
void expect_nearest_first(const Stand& stand, std::size_t least_bytes, int times) {
  std::map<int, std::vector<int>> levels;
  for (const Trace::Message& message : stand.machine.trace().messages()) {
    if (message.bytes < least_bytes) continue;
    levels[message.source].push_back(stand.box.tree.level(message.source, message.target));
  }
  for (const auto& [source, sent] : levels) {
    int begins = 1;
    for (std::size_t i = 1; i < sent.size(); ++i) begins += sent[i] < sent[i - 1] ? 1 : 0;
    EXPECT_LE(begins, times) << "processor " << source;
  }
  EXPECT_EQ(levels.empty(), stand.machine.processors() == 1);
}

TEST(BoxOrder, AlltoallServesTheNearestFirst) {
  static constexpr std::size_t kLength = 70;  // above the blocks that `bruck` hands on
  for_each_stand([](Stand& stand) {
    const int p = stand.machine.processors();
    const std::vector<std::size_t> counts(static_cast<std::size_t>(p), kLength);
    for (const bool sizes_are_listed : {false, true}) {
      stand.machine.run([&](Processor& self) {
        std::vector<std::int64_t> send, expected;
        for (int other = 0; other < p; ++other) {
          std::ranges::copy(elements(self.id(), other, kLength), std::back_inserter(send));
          std::ranges::copy(elements(other, self.id(), kLength), std::back_inserter(expected));
        }
        std::vector<std::int64_t> receive = unset(send.size());
        if (sizes_are_listed) {
          alltoallv(self, send, counts, receive, counts);
        } else {
          alltoall(self, send, receive);
        }
        EXPECT_EQ(receive, expected);
      });
      if (stand.box.has_order()) expect_nearest_first(stand, 1, 1);
      for_each_far_subtree(stand.box, [&](int node, const auto&) {
        const auto inside = static_cast<std::size_t>(stand.box.tree.size(node));
        const std::size_t pairs = inside * (static_cast<std::size_t>(p) - inside);
        EXPECT_EQ(crossings(stand, node).bytes_in, pairs * kLength * sizeof(std::int64_t));
      });
    }
  });
}

TEST(BoxOrder, RoutersServeTheNearestFirst) {
  static constexpr std::size_t kEach = 60;
  for_each_stand([](Stand& stand) {
    if (!stand.box.has_order()) return;
    const auto p = static_cast<std::size_t>(stand.machine.processors());
    const Relation relation{kEach * p, kEach * p};
    const auto routed = [&](const RouteOptions& options) {
      stand.machine.run([&](Processor& self) {
        std::vector<std::int64_t> mine;
        std::vector<int> targets;
        for (std::size_t k = 0; k < kEach * p; ++k) {
          targets.push_back(static_cast<int>(k % p));
          mine.push_back(element(self.id(), targets.back(), k));
        }
        std::vector<std::int64_t> expected;
        for (std::size_t source = 0; source < p; ++source) {
          for (std::size_t k = static_cast<std::size_t>(self.id()); k < kEach * p; k += p) {
            expected.push_back(element(static_cast<int>(source), self.id(), k));
          }
        }
        EXPECT_EQ(route(self, mine, targets, options), expected);
      });
    };
    routed({.algorithm = Algorithm::two_transpose, .relation = relation});
    expect_nearest_first(stand, 1, 2);
    routed({.algorithm = Algorithm::one_phase});
    expect_nearest_first(stand, kEach * sizeof(std::int64_t), 1);
    routed({});  // direct
  });
}

TEST(BoxOrder, GroupsHaveTheirPartOfTheBox) {
  Stand stand(Topology::synthetic("numa:3 core:4 pu:1"), 12);
  const std::vector<int> members{1, 2, 3, 5, 6, 10};
  stand.machine.run([&](Processor& self) {
    EXPECT_FALSE(self.is_flat());
    if (std::ranges::find(members, self.id()) == members.end()) return;
    Group group(self, members);
    EXPECT_FALSE(group.is_flat());
    ASSERT_NE(group.box(), nullptr);
    EXPECT_TRUE(group.box()->has_order());
    std::vector<std::int64_t> data = unset(3000);
    if (group.id() == 4) data = elements(6, 0, 3000);
    broadcast(group, 4, data);
    EXPECT_EQ(data, elements(6, 0, 3000));
  });
  for_each_far_subtree(stand.box, [&](int node, const auto& holds) {
    EXPECT_EQ(crossings(stand, node).in, holds(6) ? 0 : 1);
  });
  stand.machine.run([&](Processor& self) {
    Group backwards(self, {11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0});
    EXPECT_EQ(backwards.box(), nullptr);
    std::int64_t sum = self.id();
    const std::int64_t all = allreduce(backwards, sum, std::plus<>());
    EXPECT_EQ(all, 66);
  });
}

}  // namespace
}  // namespace postroom
