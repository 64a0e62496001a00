#include "collectives/allgather_circulant.h"

#include <algorithm>
#include <vector>

#include "collectives/arguments.h"
#include "collectives/round.h"
#include "collectives/scratch.h"

namespace postroom {
namespace {

// A part of the last round's table: `bytes` from `begin` on come from the processor `offset`
// further. Positions count from the receiver's own block.
struct Area {
  int offset;
  std::size_t begin;
  std::size_t bytes;
};

// n1 of the paper: how many blocks a processor holds before the last round.
int blocks_before_last_round(int n, int ports) {
  int n1 = 1;
  while (n1 * (ports + 1) < n) n1 *= ports + 1;
  return n1;
}

/// Cuts the table of n - n1 columns of `block_bytes` into areas of `area_bytes`. The area with the
/// columns L … R is held by the processors with offsets R+1 … n1+L; it gets n1+L, as in the paper,
/// or the next smaller one that no area behind it has. Empty when an area has no offset left.
std::vector<Area> cut(int n, int n1, std::size_t block_bytes, std::size_t area_bytes) {
  const std::size_t table = static_cast<std::size_t>(n - n1) * block_bytes;
  const std::size_t begin_of_table = static_cast<std::size_t>(n1) * block_bytes;
  std::vector<Area> areas;
  for (std::size_t begin = 0; begin < table; begin += area_bytes) {
    const auto leftmost = static_cast<int>(begin / block_bytes);
    areas.push_back({n1 + leftmost, begin_of_table + begin, std::min(area_bytes, table - begin)});
  }
  for (std::size_t a = areas.size(); a-- > 0;) {
    Area& area = areas[a];
    if (a + 1 < areas.size()) area.offset = std::min(area.offset, areas[a + 1].offset - 1);
    const std::size_t held_until = (static_cast<std::size_t>(n1 + area.offset)) * block_bytes;
    if (area.offset < 1 || area.begin + area.bytes > held_until) return {};
  }
  return areas;
}

std::vector<Area> cut_equal_blocks(int n, int n1, std::size_t block_bytes, int ports) {
  const auto k = static_cast<std::size_t>(ports);
  const auto n2 = static_cast<std::size_t>(n - n1);
  std::vector<Area> areas = cut(n, n1, block_bytes, (block_bytes * n2 + k - 1) / k);
  if (areas.empty()) areas = cut(n, n1, block_bytes, (n2 + k - 1) / k * block_bytes);
  return areas;
}

/// What `receiver` takes in in the last round.
std::vector<Area> areas_of(int receiver, const Blocks& blocks, int n1, int ports) {
  const int n = blocks.processors();
  if (ports > 1 && blocks.total() > 0) return cut_equal_blocks(n, n1, blocks.bytes(0), ports);
  return {{n1, blocks.bytes(receiver, n1), blocks.bytes((receiver + n1) % n, n - n1)}};
}

}  // namespace

void allgather_circulant(Processor& self, ConstBytes mine, const Blocks& blocks, Bytes all,
                         int ports, Where where) {
  const int n = self.count();
  const int me = self.id();
  if (n == 1) return copy_bytes(mine, all);
  const int n1 = blocks_before_last_round(n, ports);

  Scratch held(blocks.total());  // block me, me+1, …
  copy_bytes(mine, held.bytes(0, mine.size()));
  Round round;
  for (int count = 1; count < n1; count *= ports + 1) {
    for (int m = 1; m <= ports; ++m) {
      const int source = (me + m * count) % n;
      const int target = (me + n - m * count) % n;
      round.send(target, held.bytes(0, blocks.bytes(me, count)));
      round.receive(source, held.bytes(blocks.bytes(me, m * count), blocks.bytes(source, count)));
    }
    round.run(self, where);
  }

  const std::vector<Area> areas = areas_of(me, blocks, n1, ports);
  for (const Area& area : areas) {
    round.receive((me + area.offset) % n, held.bytes(area.begin, area.bytes));
  }
  for (const Area& area : areas) {
    const int target = (me + n - area.offset) % n;
    // With equal blocks all have the same areas; otherwise there is one area, with the same offset
    // for all.
    const Area theirs = blocks.equal() ? area : areas_of(target, blocks, n1, ports).front();
    const std::size_t begin = theirs.begin - blocks.bytes(target, theirs.offset);
    round.send(target, held.bytes(begin, theirs.bytes));
  }
  round.run(self, where);
  blocks.unpack(held.bytes(), me, n, all);
}

Cost allgather_circulant_cost(const Blocks& blocks, int ports) {
  const int n = blocks.processors();
  if (n == 1) return {};
  const int n1 = blocks_before_last_round(n, ports);
  Cost cost;
  for (int count = 1; count < n1; count *= ports + 1) cost += Cost::round(blocks.most_bytes(count));
  // With equal blocks no area is larger than the first; otherwise there is but one.
  const bool cut = blocks.equal();
  return cost + Cost::round(cut ? areas_of(0, blocks, n1, ports).front().bytes
                                : blocks.most_bytes(n - n1));
}

}  // namespace postroom
