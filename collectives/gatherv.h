// Gather with blocks of different sizes: one of each processor, all to one.
//
// MPI_Gatherv. p processors, the blocks of all but the root together S bytes:
//
//   algorithm   rounds     bytes                      how
//   linear      p - 1      S                          the root receives from one after another
//   binomial    ⌈log2 p⌉   from S + 8 (p - 1), when   the blocks of a subtree of a binomial tree at
//                          all are equal, to          once, each behind its size
//                          S ⌈log2 p⌉ + 8 (p - 1),
//                          when one has all
//   shared      p - 1      S                          all write to their places at the root
//   farthest_first, like linear                       scatterv, farthest first, run backwards
//   turns       0          0                          one processor of each thread that several
//                                                     share for all, see by_turns.h
//
// Called by all processors, with the same root and algorithm. Each gives its own block; only the
// root says how long the others are. Where it does not know, and gives no memory, sizes are
// gathered first, by the same algorithm, as blocks of one std::size_t. `binomial` allocates and
// copies the blocks of the subtree on all processors but the root; otherwise the root receives
// straight into `all`. `shared` is for processors that share memory. Wrong arguments
// are std::invalid_argument before any message is sent; a block of another size than the root says
// is SizeMismatchError.
//
//   const auto [all, counts] = gatherv(self, 0, mine);   // on processor 0 block 0, block 1, …
#pragma once

#include <cstddef>
#include <numeric>
#include <ranges>
#include <span>
#include <vector>

#include "collectives/algorithm.h"
#include "collectives/gathered.h"
#include "collectives/models/cost.h"
#include "collectives/models/time_model.h"
#include "collectives/same_elements.h"
#include "runtime/processor.h"

namespace postroom {

/// `all` and `counts` are ignored except on `root`. There block i has counts[i] elements of
/// `element_bytes`, `all` is as large as all blocks together and gets them in the order of the
/// processors; `mine` may be the root's own block of `all` and may not overlap it otherwise.
void gatherv_bytes(Processor& self, int root, ConstBytes mine, Bytes all,
                   std::span<const std::size_t> counts, std::size_t element_bytes,
                   Algorithm algorithm = Algorithm::automatic, Where where = Where::current());

/// `counts` are in elements.
template <Elements Mine, WritableElements All>
requires SameElements<Mine, All>
void gatherv(Processor& self, int root, const Mine& mine, All&& all,
             std::span<const std::size_t> counts, Algorithm algorithm = Algorithm::automatic,
             Where where = Where::current()) {
  gatherv_bytes(self, root, bytes_of(mine), writable_bytes_of(all), counts,
                sizeof(std::ranges::range_value_t<Mine>), algorithm, where);
}
template <Elements Mine, ConstElements All, class... Rest>
void gatherv(Processor&, int, const Mine&, All&&, const Rest&...) = delete;  // `all` is const
template <Elements A, class B>
requires OtherElements<A, B>
void gatherv(Processor&, int, const A&, B&&, ...) = delete;  // elements of two types
template <Elements A, Elements B, OtherCounts C>
void gatherv(Processor&, int, const A&, B&&, const C&, ...) = delete;  // counts: std::size_t

/// How long the blocks are of which each processor has one, of `count` elements: on `root` a number
/// for each, elsewhere none.
std::vector<std::size_t> gathered_counts(Processor& self, int root, std::size_t count,
                                         Algorithm algorithm, Where where);

/// On `root` the blocks of all processors, elsewhere nothing.
template <Elements Mine, Gatherable T = std::ranges::range_value_t<Mine>>
[[nodiscard]] Gathered<T> gatherv(Processor& self, int root, const Mine& mine,
                                  Algorithm algorithm = Algorithm::automatic,
                                  Where where = Where::current()) {
  Gathered<T> blocks;
  blocks.counts = gathered_counts(self, root, std::ranges::size(mine), algorithm, where);
  blocks.all.resize(std::reduce(blocks.counts.begin(), blocks.counts.end()));
  gatherv(self, root, mine, blocks.all, blocks.counts, algorithm, where);
  return blocks;
}
void gatherv(Anything, ...) = delete;  // self, root, mine, all, counts; or without these two

/// What gatherv has, besides automatic.
std::span<const Algorithm> gatherv_algorithms();
/// What Algorithm::automatic stands for in a call of `self`: on the wall clock `linear`. No
/// processor but the root knows whether blocks are too long to be passed on.
Algorithm choose_gatherv(const Processor& self);
/// Under the clock of a model: what takes least for blocks with nothing in them. O(p).
Algorithm choose_gatherv(int processors, const TimeModel& model);
/// Of automatic that on the wall clock. O(p).
Cost gatherv_cost(int root, std::span<const std::size_t> counts, std::size_t element_bytes,
                  Algorithm algorithm = Algorithm::automatic);
/// When all have their result: see time_model.h, but for any root. O(p).
double gatherv_time(int root, std::span<const std::size_t> counts, std::size_t element_bytes,
                    const Algorithm& algorithm, const TimeModel& model);

}  // namespace postroom
