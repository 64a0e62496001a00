#include "collectives/algorithms/allgather_circulant.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "collectives/models/replay_rounds.h"
#include "collectives/parts/arguments.h"
#include "collectives/parts/round.h"
#include "collectives/parts/scratch.h"
#include "numa/rounding.h"

namespace postroom {
namespace {

// A part of the last round's table: `bytes` from `begin` on come from the processor `offset`
// further. Positions count from the receiver's own block.
struct Area {
  int offset;
  std::size_t begin;
  std::size_t bytes;
};
using Areas = std::vector<Area>;

// n1 of the paper: how many blocks a processor holds before the last round.
int blocks_before_last_round(int n, int ports) {
  std::int64_t n1 = 1;
  while (n1 * (ports + 1) < n) n1 *= ports + 1;
  return static_cast<int>(n1);
}

// The table of the n - n1 columns that are missing.
struct Table {
  int n1;
  std::size_t block_bytes;

  /// Cuts its bytes first … last-1 into areas of `area_bytes`. The area with the columns L … R is
  /// held by the processors with offsets R+1 … n1+L; it gets n1+L, as in the paper, or the next
  /// smaller one that no area behind it has. Empty when an area has no offset left.
  Areas cut(std::size_t first, std::size_t last, std::size_t area_bytes) const {
    const std::size_t begin_of_table = static_cast<std::size_t>(n1) * block_bytes;
    Areas areas;
    for (std::size_t begin = first; begin < last; begin += area_bytes) {
      const auto leftmost = static_cast<int>(begin / block_bytes);
      areas.push_back({n1 + leftmost, begin_of_table + begin, std::min(area_bytes, last - begin)});
    }
    for (std::size_t a = areas.size(); a-- > 0;) {
      Area& area = areas[a];
      if (a + 1 < areas.size()) area.offset = std::min(area.offset, areas[a + 1].offset - 1);
      const std::size_t held_until = static_cast<std::size_t>(n1 + area.offset) * block_bytes;
      if (area.offset < 1 || area.begin + area.bytes > held_until) return {};
    }
    return areas;
  }
};

std::vector<Areas> cut_equal_blocks(int n, int n1, std::size_t block_bytes,
                                    const CirculantOptions& options) {
  const Table table{n1, block_bytes};
  const auto k = static_cast<std::size_t>(options.ports);
  const auto n2 = static_cast<std::size_t>(n - n1);
  const std::size_t bytes = n2 * block_bytes;
  const std::size_t area = ceil_divide(bytes, k);
  if (Areas areas = table.cut(0, bytes, area); !areas.empty()) return {std::move(areas)};
  if (!options.least_bytes) return {table.cut(0, bytes, ceil_divide(n2, k) * block_bytes)};
  // An area of half the size spans so few columns that it always has a processor that holds it.
  const std::size_t half = (area + 1) / 2;
  const std::size_t middle = std::min(bytes, half * k);
  return {table.cut(0, middle, half), table.cut(middle, bytes, area - half)};
}

/// What `receiver` takes in in the last round, or the last two.
std::vector<Areas> areas_of(int receiver, const Blocks& blocks, int n1,
                            const CirculantOptions& options) {
  const int n = blocks.processors();
  if (options.ports > 1 && blocks.total() > 0) {
    return cut_equal_blocks(n, n1, blocks.bytes(0), options);
  }
  return {{{n1, blocks.bytes(receiver, n1), blocks.bytes((receiver + n1) % n, n - n1)}}};
}

// The blocks that a processor holds, from its own on, with the messages of a round. They lie in
// memory of their own, and at the end go into place.
class Rotated {
 public:
  Rotated(Processor& self, ConstBytes mine, const Blocks& blocks, Bytes all)
      : blocks_(blocks), me_(self.id()), all_(all), held_(self, blocks.total()) {
    copy_bytes(mine, held_.bytes(0, mine.size()));
  }

  void send(int target, std::size_t begin, std::size_t bytes) {
    round_.send(target, held_.bytes(begin, bytes));
  }
  void receive(int source, std::size_t begin, std::size_t bytes) {
    round_.receive(source, held_.bytes(begin, bytes));
  }
  void run(Processor& self, Where where) { round_.run(self, where); }
  void finish() { blocks_.unpack(held_.bytes(), me_, blocks_.processors(), all_); }

 private:
  const Blocks& blocks_;
  int me_;
  Bytes all_;
  Scratch held_;
  Round round_;
};

// The same, in place from the start: what runs over the end of the list is copied for its message.
class InPlace {
 public:
  InPlace(Processor& self, ConstBytes mine, const Blocks& blocks, Bytes all)
      : self_(self), begin_(blocks.begin(self.id())), all_(all) {
    copy_bytes(mine, blocks.of(all, self.id()));
  }

  void send(int target, std::size_t begin, std::size_t bytes) {
    const std::size_t at = place(begin);
    if (at + bytes <= all_.size()) return round_.send(target, all_.subspan(at, bytes));
    const Bytes copy = new_copy(bytes);
    const std::size_t head = all_.size() - at;
    copy_bytes(all_.subspan(at), copy.first(head));
    copy_bytes(all_.first(bytes - head), copy.subspan(head));
    round_.send(target, copy);
  }
  void receive(int source, std::size_t begin, std::size_t bytes) {
    const std::size_t at = place(begin);
    if (at + bytes <= all_.size()) return round_.receive(source, all_.subspan(at, bytes));
    const Bytes copy = new_copy(bytes);
    received_.push_back({at, copy});
    round_.receive(source, copy);
  }
  void run(Processor& self, Where where) {
    round_.run(self, where);
    for (const Received& received : received_) {
      const std::size_t head = all_.size() - received.at;
      copy_bytes(received.copy.first(head), all_.subspan(received.at));
      copy_bytes(received.copy.subspan(head), all_.first(received.copy.size() - head));
    }
    received_.clear();
    copies_.clear();
  }
  void finish() {}

 private:
  struct Received {
    std::size_t at;
    ConstBytes copy;
  };

  Bytes new_copy(std::size_t bytes) {
    return copies_.emplace_back(std::make_unique<Scratch>(self_, bytes))->bytes();
  }
  std::size_t place(std::size_t begin) const {
    const std::size_t at = begin_ + begin;
    return at < all_.size() ? at : at - all_.size();
  }

  Processor& self_;
  std::size_t begin_;
  Bytes all_;
  std::vector<std::unique_ptr<Scratch>> copies_;
  std::vector<Received> received_;
  Round round_;
};

template <class Held>
void gather_all(Processor& self, Held&& held, const Blocks& blocks, const CirculantOptions& options,
                Where where) {
  const int n = self.count();
  const int me = self.id();
  const int n1 = blocks_before_last_round(n, options.ports);
  for (int count = 1; count < n1; count *= options.ports + 1) {
    for (int m = 1; m <= options.ports; ++m) {
      const int source = (me + m * count) % n;
      const int target = (me + n - m * count) % n;
      held.send(target, 0, blocks.bytes(me, count));
      held.receive(source, blocks.bytes(me, m * count), blocks.bytes(source, count));
    }
    held.run(self, where);
  }

  for (const Areas& areas : areas_of(me, blocks, n1, options)) {
    for (const Area& area : areas) {
      held.receive((me + area.offset) % n, area.begin, area.bytes);
    }
    for (const Area& area : areas) {
      const int target = (me + n - area.offset) % n;
      // With equal blocks all have the same areas; otherwise there is one area, with the same
      // offset for all.
      const Area theirs =
          blocks.equal() ? area : areas_of(target, blocks, n1, options).front().front();
      held.send(target, theirs.begin - blocks.bytes(target, theirs.offset), theirs.bytes);
    }
    held.run(self, where);
  }
  held.finish();
}

}  // namespace

void allgather_circulant(Processor& self, ConstBytes mine, const Blocks& blocks, Bytes all,
                         const CirculantOptions& options, Where where) {
  if (self.count() == 1) return copy_bytes(mine, all);
  if (options.rotated) {
    gather_all(self, Rotated(self, mine, blocks, all), blocks, options, where);
  } else {
    gather_all(self, InPlace(self, mine, blocks, all), blocks, options, where);
  }
}

Cost allgather_circulant_cost(const Blocks& blocks, const CirculantOptions& options) {
  const int n = blocks.processors();
  if (n == 1) return {};
  const int n1 = blocks_before_last_round(n, options.ports);
  Cost cost;
  for (int count = 1; count < n1; count *= options.ports + 1) {
    cost += Cost::round(blocks.most_bytes(count));
  }
  if (!blocks.equal()) return cost + Cost::round(blocks.most_bytes(n - n1));
  // No area of a round is larger than its first.
  for (const Areas& areas : areas_of(0, blocks, n1, options)) {
    cost += Cost::round(areas.front().bytes);
  }
  return cost;
}

void replay_circulant(TimeReplay& replay, const Blocks& blocks) {
  const int n = blocks.processors();
  for (int count = 1; count < n; count *= 2) {
    replay_round(
        replay, n, [&](int i) { return (i + n - count) % n; },
        [&](int i) { return blocks.bytes(i, std::min(count, n - count)); });
  }
}

double allgather_circulant_time(const Blocks& blocks, const CirculantOptions& options,
                                const TimeModel& model) {
  const int n = blocks.processors();
  if (n == 1) return 0;
  if (!blocks.equal()) {
    TimeReplay replay(model, n, model.ports);
    replay_circulant(replay, blocks);
    return replay.finish_ns();
  }
  TimeReplay replay(model, 1, options.ports);
  std::vector<std::int64_t> sizes;
  std::vector<Time> arrivals;
  const auto run_round = [&] {
    for (const std::int64_t size : sizes) arrivals.push_back(replay.send(0, size));
    for (std::size_t i = 0; i < sizes.size(); ++i) replay.receive(0, sizes[i], arrivals[i]);
    sizes.clear();
    arrivals.clear();
  };
  const int n1 = blocks_before_last_round(n, options.ports);
  for (int count = 1; count < n1; count *= options.ports + 1) {
    sizes.assign(static_cast<std::size_t>(options.ports),
                 static_cast<std::int64_t>(blocks.most_bytes(count)));
    run_round();
  }
  for (const Areas& areas : areas_of(0, blocks, n1, options)) {
    for (const Area& area : areas) sizes.push_back(static_cast<std::int64_t>(area.bytes));
    run_round();
  }
  return replay.finish_ns();
}

}  // namespace postroom
