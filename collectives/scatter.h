// Scatter: one processor's list, block by block, to all.
//
// MPI_Scatter; scatter in [F], one-to-all personalized communication. p processors, blocks of b
// bytes:
//
//   algorithm   rounds      bytes       how
//   binomial    ⌈log2 p⌉    b (p - 1)   the blocks of a subtree of a binomial tree at once
//   linear      p - 1       b (p - 1)   the root sends to one after another
//   farthest_first, like linear         the same, the farthest in a fat tree first; [F], section 3
//   slots       0           0           through memory of shared threads, see by_slots.h
//   turns       0           0           one processor of each such thread for all, see by_turns.h
//
// Called by all processors, with the same root, sizes and algorithm. `binomial` allocates the
// blocks of the subtree on the processors between the root and the leaves; the root sends straight
// from `all`, but for one message that may run over its end. Wrong arguments are
// std::invalid_argument before any message is sent; sizes that differ between processors are
// SizeMismatchError, or DeadlockError where `automatic` is another algorithm for each.
//
//   std::vector<int> mine(block);
//   scatter(self, 0, all, mine);             // mine: block self.id() of all on processor 0
#pragma once

#include <cstdint>
#include <span>

#include "collectives/algorithm.h"
#include "collectives/models/cost.h"
#include "collectives/models/time_model.h"
#include "collectives/same_elements.h"
#include "runtime/processor.h"

namespace postroom {

/// `mine` has the same size on all processors and is overwritten. `all` is ignored except on
/// `root`, where it holds count() times as much, the blocks in the order of the processors; there
/// `mine` may be the root's own block of `all` and may not overlap it otherwise.
void scatter_bytes(Processor& self, int root, ConstBytes all, Bytes mine,
                   Algorithm algorithm = Algorithm::automatic, Where where = Where::current());

template <Elements All, WritableElements Mine>
requires SameElements<All, Mine>
void scatter(Processor& self, int root, const All& all, Mine&& mine,
             Algorithm algorithm = Algorithm::automatic, Where where = Where::current()) {
  scatter_bytes(self, root, bytes_of(all), writable_bytes_of(mine), algorithm, where);
}
template <Elements All, ConstElements Mine, class... Rest>
void scatter(Processor&, int, const All&, Mine&&, const Rest&...) = delete;  // `mine` is const
template <Elements A, class B>
requires OtherElements<A, B>
void scatter(Processor&, int, const A&, B&&, ...) = delete;  // elements of two types
void scatter(Anything, ...) = delete;  // self, root, all, mine; blocks that differ: scatterv

/// What scatter has, besides automatic.
std::span<const Algorithm> scatter_algorithms();
/// What Algorithm::automatic stands for in a call of `self`; on the wall clock by messages; in a
/// model: see choice.h.
Algorithm choose_scatter(const Processor& self, std::int64_t block_bytes);
Algorithm choose_scatter(int processors, std::int64_t block_bytes, bool shares_memory = true);
Algorithm choose_scatter(int processors, std::int64_t block_bytes, const TimeModel& model);
Cost scatter_cost(int processors, std::int64_t block_bytes,
                  Algorithm algorithm = Algorithm::automatic);
/// When all have their result: see time_model.h.
double scatter_time(int processors, std::int64_t block_bytes, const Algorithm& algorithm,
                    const TimeModel& model);

}  // namespace postroom
