#include "collectives/algorithms/by_turns.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "collectives/parts/pooled.h"
#include "numa/cacheline.h"
#include "runtime/copy.h"

namespace postroom {
namespace {

using Word = std::uint64_t;

// From so many processors on an alltoall of words goes in tiles. Among 1,024 it takes 0.8 times as
// long then, among 64 as long; of 16 bytes, four targets at a time, 1.8 times (AMD Zen 4).
constexpr int kTiledProcessors = 128;
// The words that so many targets get from a source are on one line of its list.
constexpr int kTileTargets = kCacheLine / sizeof(Word);

/// Copies all of `from`, one list of a size that both have.
void copy_list(ConstBytes from, Bytes to) {
  if (!from.empty()) copy_memory(to.data(), from.data(), from.size(), from.size());
}

/// Blocks of which the compiler knows the size are copied in a fraction of the time.
template <class Copy>
void with_size(std::size_t bytes, Copy copy) {
  if (bytes == sizeof(Word))
    return copy([](std::byte* to, const std::byte* from) { std::memcpy(to, from, sizeof(Word)); });
  copy([bytes](std::byte* to, const std::byte* from) { copy_memory(to, from, bytes, bytes); });
}

/// Blocks of a word, for some targets of this thread at a time.
void copy_words_in_tiles(const Pool& pool, std::size_t total, Where where) {
  for (int first = pool.first(); first < pool.last(); first += kTileTargets) {
    const int targets = std::min(kTileTargets, pool.last() - first);
    std::array<std::byte*, kTileTargets> to;
    for (int t = 0; t < targets; ++t) to[t] = pooled_out(pool, first + t, total, where).data();
    for (int source = 0; source < pool.processors(); ++source) {
      const std::byte* const from = pool.in(source).data() + first * sizeof(Word);
      for (int t = 0; t < targets; ++t) {
        std::memcpy(to[t] + source * sizeof(Word), from + t * sizeof(Word), sizeof(Word));
      }
    }
  }
}

/// The most bytes that one puts in of an allgather. Of blocks that differ the largest is not looked
/// for: that would be p looks at each processor.
std::size_t most_bytes_of(const Blocks& blocks) {
  return blocks.equal() ? blocks.bytes(0) : blocks.total();
}

/// Copies the blocks of this thread's processors to their places at the root, whose own is
/// `of_root`.
void copy_to_root(const Pool& pool, int root, ConstBytes of_root, const Blocks& blocks,
                  Where where) {
  const Bytes to = pooled_out(pool, root, blocks.total(), where);
  for (int p = pool.first(); p < pool.last(); ++p) {
    const ConstBytes from = p == root ? of_root : pool.in(p);
    require_pooled_bytes(pool, p, from.size(), blocks.bytes(p), where);
    const Bytes block = blocks.of(to, p);
    if (from.data() != block.data()) copy_list(from, block);
  }
}

/// Copies to this thread's processors their blocks of `all`, the root's.
void copy_from_root(const Pool& pool, ConstBytes all, const Blocks& blocks, Where where) {
  for (int p = pool.first(); p < pool.last(); ++p) {
    const Bytes to = pooled_out(pool, p, blocks.bytes(p), where);
    const ConstBytes block = blocks.of(all, p);
    if (to.data() != block.data()) copy_list(block, to);
  }
}

/// What a root puts in whose counts nobody else knows.
struct RootsList {
  ConstBytes list;
  const Blocks* blocks;
};

const RootsList& roots_list(const Pool& pool, int root, Where where) {
  return *reinterpret_cast<const RootsList*>(
      pooled_in(pool, root, sizeof(RootsList), where).data());
}

/// The same of a processor that sends and receives.
struct Exchange {
  ConstBytes send;
  const Blocks* send_blocks;
  Bytes receive;
  const Blocks* receive_blocks;
};

const Exchange& exchange_of(const Pool& pool, int processor, Where where) {
  return *reinterpret_cast<const Exchange*>(
      pooled_in(pool, processor, sizeof(Exchange), where).data());
}

}  // namespace

void broadcast_by_turns(Processor& self, int root, Bytes data, Where where) {
  const auto copy = [&](const Pool& pool) {
    ConstBytes from = pooled_in(pool, root, data.size(), where);
    for (int p = pool.first(); p < pool.last(); ++p) {
      if (p == root) continue;
      const Bytes to = pooled_out(pool, p, data.size(), where);
      copy_list(from, to);
      from = to;
    }
  };
  const bool is_root = self.id() == root;
  together(self, {"broadcast", root}, {is_root ? data : ConstBytes(), is_root ? Bytes() : data},
           copy, where);
}

void scatter_by_turns(Processor& self, int root, const Blocks& blocks, ConstBytes all, Bytes mine,
                      Where where) {
  const auto copy = [&](const Pool& pool) {
    copy_from_root(pool, pooled_in(pool, root, blocks.total(), where), blocks, where);
  };
  together(self, {"scatter", root}, {self.id() == root ? all : ConstBytes(), mine}, copy, where);
}

void scatterv_by_turns(Processor& self, int root, const Blocks& blocks, ConstBytes all, Bytes mine,
                       Where where) {
  const RootsList own{all, &blocks};
  const auto copy = [&](const Pool& pool) {
    const RootsList& of_root = roots_list(pool, root, where);
    copy_from_root(pool, of_root.list, *of_root.blocks, where);
  };
  const ConstBytes in = self.id() == root ? std::as_bytes(std::span(&own, 1)) : ConstBytes();
  together(self, {"scatterv", root}, {in, mine}, copy, where);
}

void gather_by_turns(Processor& self, int root, ConstBytes mine, const Blocks& blocks, Bytes all,
                     Where where) {
  const auto copy = [&](const Pool& pool) {
    copy_to_root(pool, root, pool.in(root), blocks, where);
  };
  together(self, {"gather", root}, {mine, self.id() == root ? all : Bytes()}, copy, where);
}

void gatherv_by_turns(Processor& self, int root, ConstBytes mine, const Blocks& blocks, Bytes all,
                      Where where) {
  const RootsList own{mine, &blocks};
  const auto copy = [&](const Pool& pool) {
    const RootsList& of_root = roots_list(pool, root, where);
    copy_to_root(pool, root, of_root.list, *of_root.blocks, where);
  };
  const bool is_root = self.id() == root;
  together(self, {"gatherv", root},
           {is_root ? std::as_bytes(std::span(&own, 1)) : mine, is_root ? all : Bytes()}, copy,
           where);
}

void allgather_by_turns(Processor& self, const char* operation, ConstBytes mine,
                        const Blocks& blocks, Bytes all, Where where) {
  const std::size_t total = blocks.total();
  // Another thread may be reading a block that lies in place already.
  const auto copy_around = [&](ConstBytes from, Bytes to, int in_place) {
    const std::size_t begin = blocks.begin(in_place);
    const std::size_t end = blocks.begin(in_place + 1);
    copy_list(from.first(begin), to.first(begin));
    copy_list(from.subspan(end), to.subspan(end));
  };
  const auto copy = [&](const Pool& pool) {
    const Bytes first = pooled_out(pool, pool.first(), total, where);
    for (int p = 0; p < pool.processors(); ++p) {
      const ConstBytes from = pooled_in(pool, p, blocks.bytes(p), where);
      const Bytes block = blocks.of(first, p);
      if (from.data() != block.data()) copy_list(from, block);
    }
    for (int p = pool.first() + 1; p < pool.last(); ++p) {
      const Bytes to = pooled_out(pool, p, total, where);
      if (pool.in(p).data() == to.data() + blocks.begin(p)) {
        copy_around(first, to, p);
      } else {
        copy_list(first, to);
      }
    }
  };
  together(self, call_with(self, operation, most_bytes_of(blocks)), {mine, all}, copy, where);
}

void alltoall_by_turns(Processor& self, ConstBytes send, Bytes receive, const Blocks& blocks,
                       Where where) {
  const std::size_t total = blocks.total();
  const std::size_t bytes = blocks.bytes(0);
  const auto copy = [&](const Pool& pool) {
    for (int p = 0; p < pool.processors(); ++p) (void)pooled_in(pool, p, total, where);
    if (total == 0) return;
    if (bytes == sizeof(Word) && pool.processors() >= kTiledProcessors) {
      return copy_words_in_tiles(pool, total, where);
    }
    with_size(bytes, [&](auto copy_block) {
      for (int p = pool.first(); p < pool.last(); ++p) {
        std::byte* to = pooled_out(pool, p, total, where).data();
        const std::size_t begin = blocks.begin(p);
        for (int source = 0; source < pool.processors(); ++source, to += bytes) {
          copy_block(to, pool.in(source).data() + begin);
        }
      }
    });
  };
  together(self, call_with(self, "alltoall", total), {send, receive}, copy, where);
}

void alltoallv_by_turns(Processor& self, ConstBytes send, const Blocks& send_blocks, Bytes receive,
                        const Blocks& receive_blocks, Where where) {
  const Exchange own{send, &send_blocks, receive, &receive_blocks};
  const auto copy = [&](const Pool& pool) {
    for (int p = pool.first(); p < pool.last(); ++p) {
      const Exchange& mine = exchange_of(pool, p, where);
      for (int source = 0; source < pool.processors(); ++source) {
        const Exchange& theirs = exchange_of(pool, source, where);
        const Bytes to = mine.receive_blocks->of(mine.receive, source);
        const ConstBytes from = theirs.send_blocks->of(theirs.send, p);
        require_pooled_bytes(pool, source, from.size(), to.size(), where);
        copy_list(from, to);
      }
    }
  };
  together(self, {"alltoallv"}, {std::as_bytes(std::span(&own, 1)), {}}, copy, where);
}

SharedWork broadcast_by_turns_work(int processors, std::int64_t bytes) {
  return {.copied_bytes = (processors - 1) * bytes};
}

SharedWork scatter_by_turns_work(const Blocks& blocks) {
  return {.copied_bytes = static_cast<std::int64_t>(blocks.total())};
}

SharedWork gather_by_turns_work(const Blocks& blocks) { return scatter_by_turns_work(blocks); }

SharedWork allgather_by_turns_work(const Blocks& blocks, int threads) {
  const auto total = static_cast<std::int64_t>(blocks.total());
  const std::int64_t put_in = copies_when_put_in(blocks.processors(), threads,
                                                 static_cast<std::int64_t>(most_bytes_of(blocks)))
                                  ? total
                                  : 0;
  return {.copied_bytes = blocks.processors() * total + put_in};
}

SharedWork alltoall_by_turns_work(const Blocks& blocks, int threads) {
  const auto total = static_cast<std::int64_t>(blocks.total());
  const int times = copies_when_put_in(blocks.processors(), threads, total) ? 2 : 1;
  return {.copied_bytes = times * blocks.processors() * total};
}

SharedWork alltoallv_by_turns_work(std::int64_t bytes) { return {.copied_bytes = bytes}; }

}  // namespace postroom
