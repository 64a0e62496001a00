// Gather: one block of each processor, all to one.
//
// MPI_Gather; the reverse of scatter in [F]. p processors, blocks of b bytes:
//
//   algorithm   rounds      bytes       how
//   binomial    ⌈log2 p⌉    b (p - 1)   the blocks of a subtree of a binomial tree at once
//   linear      p - 1       b (p - 1)   the root receives from one after another
//   shared      p - 1       b (p - 1)   all write to their places in the root's memory
//   farthest_first, like linear         scatter, farthest first, run backwards; [F], section 3
//   slots       0           0           through memory of shared threads, see by_slots.h
//   turns       0           0           one processor of each such thread for all, see by_turns.h
//
// Called by all processors, with the same root, sizes and algorithm. `binomial` allocates the
// blocks of the subtree on the processors between the root and the leaves; the root receives
// straight into `all`, but for one message that may run over its end. `shared` is for processors
// that share memory. Wrong arguments are std::invalid_argument before any message is sent; sizes
// that differ between processors are SizeMismatchError, or DeadlockError where `automatic` is
// another algorithm for each.
//
//   std::vector<int> all(self.id() == 0 ? self.count() * mine.size() : 0);
//   gather(self, 0, mine, all);              // all: block 0, block 1, … on processor 0
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

#include "collectives/algorithm.h"
#include "collectives/models/cost.h"
#include "collectives/models/time_model.h"
#include "collectives/same_elements.h"
#include "runtime/processor.h"

namespace postroom {

/// `mine` has the same size on all processors. `all` is ignored except on `root`, where it holds
/// count() times as much and gets the blocks in the order of the processors; there `mine` may be
/// the root's own block of `all` and may not overlap it otherwise.
void gather_bytes(Processor& self, int root, ConstBytes mine, Bytes all,
                  Algorithm algorithm = Algorithm::automatic, Where where = Where::current());

template <Elements Mine, WritableElements All>
requires SameElements<Mine, All>
void gather(Processor& self, int root, const Mine& mine, All&& all,
            Algorithm algorithm = Algorithm::automatic, Where where = Where::current()) {
  gather_bytes(self, root, bytes_of(mine), writable_bytes_of(all), algorithm, where);
}
template <Elements Mine, ConstElements All, class... Rest>
void gather(Processor&, int, const Mine&, All&&, const Rest&...) = delete;  // `all` is const
template <Elements A, class B>
requires OtherElements<A, B>
void gather(Processor&, int, const A&, B&&, ...) = delete;  // elements of two types
/// A single value of each processor; on `root` the list of them, elsewhere an empty one.
template <Value T>
requires std::default_initializable<T>
[[nodiscard]] std::vector<T> gather(Processor& self, int root, const T& mine,
                                    Algorithm algorithm = Algorithm::automatic,
                                    Where where = Where::current()) {
  if constexpr (std::same_as<T, bool>) {  // whose vector has no bytes
    const auto all = gather(self, root, static_cast<unsigned char>(mine), algorithm, where);
    return {all.begin(), all.end()};
  } else {
    std::vector<T> all(self.id() == root ? static_cast<std::size_t>(self.count()) : 0);
    gather_bytes(self, root, bytes_of(mine), writable_bytes_of(all), algorithm, where);
    return all;
  }
}
void gather(Anything, ...) = delete;  // self, root, mine, all; or a value; of any sizes: gatherv

/// What gather has, besides automatic.
std::span<const Algorithm> gather_algorithms();
/// What Algorithm::automatic stands for in a call of `self`; on the wall clock by messages; in a
/// model: see choice.h.
Algorithm choose_gather(const Processor& self, std::int64_t block_bytes);
Algorithm choose_gather(int processors, std::int64_t block_bytes, bool shares_memory = true);
Algorithm choose_gather(int processors, std::int64_t block_bytes, const TimeModel& model);
Cost gather_cost(int processors, std::int64_t block_bytes,
                 Algorithm algorithm = Algorithm::automatic);
/// When all have their result: see time_model.h.
double gather_time(int processors, std::int64_t block_bytes, const Algorithm& algorithm,
                   const TimeModel& model);

}  // namespace postroom
