// Broadcast: one processor's list to all.
//
// MPI_Bcast; broadcast in [P], one-to-all broadcast in [F]. p processors, m bytes:
//
//   algorithm               rounds                bytes              source
//   binomial                ⌈log2 p⌉              m ⌈log2 p⌉         [P], section 2, with λ = 1
//   linear                  p - 1                 m (p - 1)
//   flooding                1                     m                  [F], section 2.1; p - 1 ports
//   lambda_tree(lambda=λ)   of the tree for λ;    m times the        [P], section 2
//                           T_λ(p) units of time  rounds
//   level_tree              of the tree for the   m times the        level_tree.h
//                           λ of the clock        rounds
//   scatter_allgather       2 ⌈log2 p⌉            2 (p - 1) ⌈m/p⌉    van de Geijn and others
//   block_circulant         n - 1 + ⌈log2 p⌉      m / n times the    J. L. Träff
//     (blocks=n)                                  rounds
//   repeat, pack, pipeline (blocks=n, lambda=λ),  see                Bar-Noy and Kipnis
//     d_tree(radix=d, blocks=n)                   broadcast_blocks.h
//   slots, turns            0                     0; by_slots.h and by_turns.h say what they cost
//   teams                   of all teams, one     the same           broadcast_by_teams.h
//                           after another
//
// λ is the latency of a message, in units of the time that its sender needs for it; a message is
// the list, or the block where lists are cut. The tree of the last ones, with its times, can be had
// as a BlockPlan, that of `lambda_tree` in other constructions and orders with
// broadcast_lambda_tree.h.
//
// Where λ depends on the level at which two processors meet (runtime/latency_by_level.h),
// `level_tree` knows it; without that it is `lambda_tree` for the λ of the clock, on the wall clock
// `binomial`. The times of algorithms that cut lists are predicted by the λ of the last level then.
//
// On a box of several NUMA nodes or packages, `automatic` is `teams`, which enters each of them
// once and takes one of the others inside; in one node of several third caches too, for lists that
// all would read from the root at once (choice.h). By name it can be had on any box, as one team
// where all are near each other, and so the cost below counts it; not under the clock of a model.
//
// Called by all processors, with the same root, sizes and algorithm. Large lists are read straight
// from the memory of the processor that passes them on, by several at the same time, which makes
// `linear` the faster one for them in shared memory. Neither `linear` nor `binomial` allocates
// anything; others have a tree of p processors made. Wrong arguments are std::invalid_argument
// before any message is sent; sizes that differ between processors are SizeMismatchError, or
// DeadlockError where `automatic` is another algorithm for each.
//
//   std::vector<double> weights(n);          // filled on processor 0, overwritten on the others
//   broadcast(self, 0, weights);
#pragma once

#include <cstdint>
#include <span>

#include "collectives/algorithm.h"
#include "collectives/models/cost.h"
#include "collectives/models/time_model.h"
#include "runtime/processor.h"

namespace postroom {

/// `data` has the same size on all processors; it is read on `root` and overwritten on the others.
void broadcast_bytes(Processor& self, int root, Bytes data,
                     Algorithm algorithm = Algorithm::automatic, Where where = Where::current());

template <WritableElements R>
void broadcast(Processor& self, int root, R&& data, Algorithm algorithm = Algorithm::automatic,
               Where where = Where::current()) {
  broadcast_bytes(self, root, writable_bytes_of(data), algorithm, where);
}
template <ConstElements R, class... Rest>
void broadcast(Processor&, int, R&&, const Rest&...) = delete;  // the list is const
/// A single value.
template <WritableValue T>
void broadcast(Processor& self, int root, T& value, Algorithm algorithm = Algorithm::automatic,
               Where where = Where::current()) {
  broadcast_bytes(self, root, writable_bytes_of(value), algorithm, where);
}
template <Value T, class... Rest>
void broadcast(Processor&, int, const T&, const Rest&...) = delete;  // const, or no Algorithm
void broadcast(Anything, ...) = delete;  // self, root, data; copied byte by byte: a struct, no pair

/// What broadcast has, besides automatic.
std::span<const Algorithm> broadcast_algorithms();
/// What Algorithm::automatic stands for in a call of `self`; on the wall clock by messages; in a
/// model: see choice.h.
Algorithm choose_broadcast(const Processor& self, std::int64_t bytes);
Algorithm choose_broadcast(int processors, std::int64_t bytes, bool shares_memory = true);
Algorithm choose_broadcast(int processors, std::int64_t bytes, const TimeModel& model);
Cost broadcast_cost(int processors, std::int64_t bytes, Algorithm algorithm = Algorithm::automatic);
/// When all have their result: see time_model.h.
double broadcast_time(int processors, std::int64_t bytes, const Algorithm& algorithm,
                      const TimeModel& model);

}  // namespace postroom
