// Whether parts fill nodes, against all ways to put them together.
#include "collectives/models/node_cover.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "collectives/models/search_effort.h"

namespace postroom {
namespace {

struct Part {
  int size;
  bool is_fixed;
};

/// Puts each part into each node, and each loose one into none.
bool can_fill(const std::vector<Part>& parts, int node_size, std::vector<int>& fixed,
              std::vector<int>& all, std::size_t next = 0) {
  if (next == parts.size()) {
    return std::ranges::all_of(all, [&](int sum) { return sum >= node_size; });
  }
  const auto [size, is_fixed] = parts[next];
  for (std::size_t node = 0; node < all.size(); ++node) {
    if (is_fixed && fixed[node] + size > node_size) continue;
    if (is_fixed) fixed[node] += size;
    all[node] += size;
    const bool found = can_fill(parts, node_size, fixed, all, next + 1);
    if (is_fixed) fixed[node] -= size;
    all[node] -= size;
    if (found) return true;
  }
  return !is_fixed && can_fill(parts, node_size, fixed, all, next + 1);
}

/// Each node is full, parts that are fixed are all there and not cut.
void expect_filled(const std::vector<PlacedPart>& placed, NodeParts parts, int node_size,
                   int nodes) {
  std::vector<int> filled(nodes, 0);
  for (const PlacedPart& part : placed) {
    filled.at(part.node) += part.used;
    EXPECT_GT(part.used, 0);
    EXPECT_LE(part.used, part.size);
    EXPECT_TRUE(!part.is_fixed || part.used == part.size);
    EXPECT_GE(--(part.is_fixed ? parts.fixed : parts.loose).at(part.size), 0);
  }
  EXPECT_EQ(filled, std::vector(nodes, node_size));
  EXPECT_EQ(std::ranges::count(parts.fixed, 0), std::ssize(parts.fixed));
}

TEST(NodeCover, AgreesWithAllWaysToFillNodes) {
  constexpr std::uint32_t kSeed = 20261122;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  const auto draw = [&](int least, int most) {
    return std::uniform_int_distribution(least, most)(random);
  };
  int filled = 0;
  int not_filled = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const int node_size = draw(1, 13);
    const int nodes = draw(1, 3);
    NodeParts parts(node_size);
    std::vector<Part> list;
    for (int sum = 0; list.size() < 8 && sum < nodes * node_size + draw(0, 4);) {
      const Part part{draw(1, draw(1, node_size)), draw(0, 3) == 0};
      ++(part.is_fixed ? parts.fixed : parts.loose)[part.size];
      list.push_back(part);
      sum += part.size;
    }
    SearchEffort effort(std::int64_t{1} << 30);
    NodeCover cover(node_size, effort);
    const auto placed = cover.fill(parts, nodes);
    std::vector<int> fixed(nodes, 0);
    std::vector<int> all(nodes, 0);
    ASSERT_EQ(placed.has_value(), can_fill(list, node_size, fixed, all)) << "trial " << trial;
    if (placed) expect_filled(*placed, parts, node_size, nodes);
    ++(placed ? filled : not_filled);
  }
  EXPECT_GT(filled, 500);
  EXPECT_GT(not_filled, 500);
}

TEST(NodeCover, StopsWhenItHasDoneEnough) {
  NodeParts parts(12);
  parts.loose = {0, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9};
  SearchEffort effort(100);
  EXPECT_THROW((void)NodeCover(12, effort).fill(parts, 50), SearchTooLong);
}

}  // namespace
}  // namespace postroom
