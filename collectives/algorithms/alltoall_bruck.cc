#include "collectives/algorithms/alltoall_bruck.h"

#include <algorithm>

#include "collectives/models/time_replay.h"
#include "collectives/parts/arguments.h"
#include "collectives/parts/round.h"
#include "collectives/parts/scratch.h"

namespace postroom {
namespace {

// The blocks of one step: those among 0 … n-1 whose digit in front of `distance` (a power of the
// radix) is `digit`. They come in runs of `distance` blocks, one every radix * distance, the last
// one cut off by n.
class Step {
 public:
  Step(int n, int radix, std::int64_t distance, int digit)
      : n_(n), distance_(distance), period_(radix * distance), first_(digit * distance) {}

  int target(int processor) const { return static_cast<int>((processor + first_) % n_); }
  int source(int processor) const { return static_cast<int>((processor + n_ - first_) % n_); }
  std::size_t blocks() const {
    std::size_t count = 0;
    for_each_run([&](int, int length) { count += static_cast<std::size_t>(length); });
    return count;
  }
  void pack(const Blocks& blocks, ConstBytes tmp, Bytes packed) const {
    for_each_run([&](int begin, int length) {
      const ConstBytes run = blocks.of(tmp, begin, length);
      copy_bytes(run, packed.first(run.size()));
      packed = packed.subspan(run.size());
    });
  }
  void unpack(const Blocks& blocks, ConstBytes packed, Bytes tmp) const {
    for_each_run([&](int begin, int length) {
      const Bytes run = blocks.of(tmp, begin, length);
      copy_bytes(packed.first(run.size()), run);
      packed = packed.subspan(run.size());
    });
  }

  template <class Visit>
  void for_each_block(Visit visit) const {
    for_each_run([&](int begin, int length) {
      for (int block = begin; block < begin + length; ++block) visit(block);
    });
  }

 private:
  template <class Visit>
  void for_each_run(Visit visit) const {
    for (std::int64_t begin = first_; begin < n_; begin += period_) {
      visit(static_cast<int>(begin), static_cast<int>(std::min(distance_, n_ - begin)));
    }
  }

  std::int64_t n_;
  std::int64_t distance_;
  std::int64_t period_;
  std::int64_t first_;
};

/// Calls visit(power of the radix, first digit, last digit) for each round of phase 2: digits that
/// no block has, in the last subphase, do not occur.
template <class Visit>
void for_each_round(int n, int radix, int ports, Visit visit) {
  for (std::int64_t distance = 1; distance < n; distance *= radix) {
    const auto last = static_cast<int>(std::min<std::int64_t>(radix - 1, (n - 1) / distance));
    for (int z = 1, end; z <= last; z = end + 1) {
      end = ports > last - z ? last : z + ports - 1;
      visit(distance, z, end);
    }
  }
}

}  // namespace

void alltoall_bruck(Processor& self, ConstBytes send, Bytes receive, const Blocks& blocks,
                    int radix, int ports, Where where) {
  const int n = self.count();
  const int me = self.id();
  if (n == 1) return copy_bytes(send, receive);

  // Phase 1.
  Scratch tmp(self, blocks.total());
  blocks.pack(send, me, n, tmp.bytes());

  // Phase 2. Until phase 3 `receive` is free to take in what arrives packed.
  Scratch packed(self, blocks.total());
  Round round;
  for_each_round(n, radix, ports, [&](std::int64_t distance, int first, int last) {
    std::size_t begin = 0;
    for (int z = first; z <= last; ++z) {
      const Step step(n, radix, distance, z);
      const std::size_t bytes = step.blocks() * blocks.bytes(0);
      step.pack(blocks, tmp.bytes(), packed.bytes(begin, bytes));
      round.send(step.target(me), packed.bytes(begin, bytes));
      round.receive(step.source(me), receive.subspan(begin, bytes));
      begin += bytes;
    }
    round.run(self, where);
    begin = 0;
    for (int z = first; z <= last; ++z) {
      const Step step(n, radix, distance, z);
      step.unpack(blocks, receive.subspan(begin), tmp.bytes());
      begin += step.blocks() * blocks.bytes(0);
    }
  });

  // Phase 3.
  for (int j = 0; j < n; ++j) {
    copy_bytes(blocks.of(ConstBytes(tmp.bytes()), (me + n - j) % n), blocks.of(receive, j));
  }
}

void alltoall_bruck_unrotated(Processor& self, ConstBytes send, Bytes receive, const Blocks& blocks,
                              int radix, int ports, Where where) {
  const int n = self.count();
  const int me = self.id();
  const std::size_t block_bytes = blocks.bytes(0);
  copy_bytes(blocks.of(send, me), blocks.of(receive, me));

  const auto place = [&](int block) { return blocks.of(receive, (me + n - block) % n); };
  Round round;
  for_each_round(n, radix, ports, [&](std::int64_t distance, int first, int last) {
    const auto held = [&](int block) {
      const bool has_moved = block % distance != 0;
      return has_moved ? ConstBytes(place(block)) : blocks.of(send, (me + block) % n);
    };
    std::size_t count = 0;
    for (int z = first; z <= last; ++z) count += Step(n, radix, distance, z).blocks();
    Scratch outgoing(self, count * block_bytes);
    Scratch incoming(self, count * block_bytes);
    std::size_t begin = 0;
    for (int z = first; z <= last; ++z) {
      const Step step(n, radix, distance, z);
      const std::size_t bytes = step.blocks() * block_bytes;
      Bytes packed = outgoing.bytes(begin, bytes);
      round.send(step.target(me), packed);
      round.receive(step.source(me), incoming.bytes(begin, bytes));
      step.for_each_block([&](int block) {
        copy_bytes(held(block), packed.first(block_bytes));
        packed = packed.subspan(block_bytes);
      });
      begin += bytes;
    }
    round.run(self, where);
    ConstBytes packed = incoming.bytes();
    for (int z = first; z <= last; ++z) {
      Step(n, radix, distance, z).for_each_block([&](int block) {
        copy_bytes(packed.first(block_bytes), place(block));
        packed = packed.subspan(block_bytes);
      });
    }
  });
}

Cost alltoall_bruck_cost(int processors, std::int64_t block_bytes, int radix, int ports) {
  Cost cost;
  for_each_round(processors, radix, ports, [&](std::int64_t distance, int first, int) {
    // The first step of a round never has fewer blocks than the next ones.
    const std::size_t blocks = Step(processors, radix, distance, first).blocks();
    cost += Cost::round(static_cast<std::int64_t>(blocks) * block_bytes);
  });
  return cost;
}

double alltoall_bruck_time(int processors, std::int64_t block_bytes, int radix, int ports,
                           const TimeModel& model) {
  TimeReplay replay(model, 1, std::min(ports, radix));
  std::vector<std::int64_t> sizes;
  std::vector<Time> arrivals;
  for_each_round(processors, radix, ports, [&](std::int64_t distance, int first, int last) {
    sizes.clear();
    arrivals.clear();
    for (int z = first; z <= last; ++z) {
      const Step step(processors, radix, distance, z);
      sizes.push_back(static_cast<std::int64_t>(step.blocks()) * block_bytes);
      arrivals.push_back(replay.send(0, sizes.back()));
    }
    for (std::size_t i = 0; i < sizes.size(); ++i) replay.receive(0, sizes[i], arrivals[i]);
  });
  return replay.finish_ns();
}

}  // namespace postroom
