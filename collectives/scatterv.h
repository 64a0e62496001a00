// Scatter with blocks of different sizes: one processor's list, block by block, to all.
//
// MPI_Scatterv. p processors, the blocks of all but the root together S bytes:
//
//   algorithm   rounds     bytes                      how
//   linear      p - 1      S                          the root sends to one after another
//   binomial    ⌈log2 p⌉   from S + 8 (p - 1), when   the blocks of a subtree of a binomial tree at
//                          all are equal, to          once, each behind its size
//                          S ⌈log2 p⌉ + 8 (p - 1),
//                          when one has all
//   farthest_first, like linear                       the same, the farthest in a fat tree first;
//                                                     [F], section 3
//   slots       0          0                          through memory of threads that several share,
//                                                     after the sizes, see by_slots.h
//   turns       0          0                          one processor of each such thread for
//                                                     all, see by_turns.h
//
// Called by all processors, with the same root and algorithm. Only the root has the list and knows
// how long the blocks are. The others say how long theirs is by the memory that they give; where
// none is given, sizes are scattered first, by the same algorithm, as blocks of one std::size_t.
// `binomial` allocates and copies all blocks on the root, and those of the subtree on the
// processors between the root and the leaves; otherwise the root sends straight from `all`. Wrong
// arguments are std::invalid_argument before any message is sent; a block of another size than its
// processor says is SizeMismatchError.
//
//   const std::vector<int> mine = scatterv(self, 0, all, counts);   // from processor 0, its lists
#pragma once

#include <cstddef>
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

/// `mine` is overwritten. `all` and `counts` are ignored except on `root`. There block i has
/// counts[i] elements of `element_bytes`, `all` is as large as all blocks together and holds them
/// in the order of the processors; `mine` may be the root's own block of `all` and may not overlap
/// it otherwise.
void scatterv_bytes(Processor& self, int root, ConstBytes all, std::span<const std::size_t> counts,
                    std::size_t element_bytes, Bytes mine,
                    Algorithm algorithm = Algorithm::automatic, Where where = Where::current());

/// `counts` are in elements.
template <Elements All, WritableElements Mine>
requires SameElements<All, Mine>
void scatterv(Processor& self, int root, const All& all, std::span<const std::size_t> counts,
              Mine&& mine, Algorithm algorithm = Algorithm::automatic,
              Where where = Where::current()) {
  scatterv_bytes(self, root, bytes_of(all), counts, sizeof(std::ranges::range_value_t<All>),
                 writable_bytes_of(mine), algorithm, where);
}
template <Elements All, ConstElements Mine, class... Rest>
void scatterv(Processor&, int, const All&, std::span<const std::size_t>, Mine&&,
              const Rest&...) = delete;  // `mine` is const
template <Elements A, class C, class B>
requires OtherElements<A, B>
void scatterv(Processor&, int, const A&, const C&, B&&, ...) = delete;  // elements of two types
template <Elements A, OtherCounts C>
void scatterv(Processor&, int, const A&, const C&, ...) = delete;  // counts: std::size_t

/// How many elements the own block has; arguments are those of scatterv_bytes.
std::size_t scattered_count(Processor& self, int root, ConstBytes all,
                            std::span<const std::size_t> counts, std::size_t element_bytes,
                            Algorithm algorithm, Where where);

/// The own block.
template <Elements All, Gatherable T = std::ranges::range_value_t<All>>
[[nodiscard]] std::vector<T> scatterv(Processor& self, int root, const All& all,
                                      std::span<const std::size_t> counts,
                                      Algorithm algorithm = Algorithm::automatic,
                                      Where where = Where::current()) {
  std::vector<T> mine(
      scattered_count(self, root, bytes_of(all), counts, sizeof(T), algorithm, where));
  scatterv(self, root, all, counts, mine, algorithm, where);
  return mine;
}
void scatterv(Anything, ...) = delete;  // self, root, all, counts, mine; or without mine

/// What scatterv has, besides automatic.
std::span<const Algorithm> scatterv_algorithms();
/// What Algorithm::automatic stands for in a call of `self`: on the wall clock `linear`, since no
/// processor but the root knows whether blocks are too long to be passed on; 16 to 256
/// that share threads take `slots`, which tell them.
Algorithm choose_scatterv(const Processor& self);
/// Under the clock of a model: what takes least for blocks with nothing in them. O(p).
Algorithm choose_scatterv(int processors, const TimeModel& model);
/// Of automatic that on the wall clock. O(p).
Cost scatterv_cost(int root, std::span<const std::size_t> counts, std::size_t element_bytes,
                   Algorithm algorithm = Algorithm::automatic);
/// When all have their result: see time_model.h, but for any root. O(p).
double scatterv_time(int root, std::span<const std::size_t> counts, std::size_t element_bytes,
                     const Algorithm& algorithm, const TimeModel& model);

}  // namespace postroom
