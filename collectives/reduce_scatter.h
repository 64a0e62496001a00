// Reduce-scatter: the elements of all processors combined, one block of the result to each.
//
// MPI_Reduce_scatter. p processors, blocks of b bytes each:
//
//   algorithm                   rounds             bytes       source
//   pairwise                    p - 1              b (p - 1)   a direct message for each pair
//   recursive_doubling          about ⌈log2 p⌉     p b for each  an allreduce of all blocks
//   shared                      2 (p - 1)          2 b (p - 1)  each combines a slice of all lists
//   block_circulant(blocks=n)   n - 1 + ⌈log2 p⌉   b (p - 1)   J. L. Träff
//   turns                       0                  0           by_turns.h: what it costs
//
// With blocks of different sizes, and one much larger than the others, several pieces of each block
// (n > 1) move fewer bytes than one.
//
// Element i of the result is in[i] of processor 0 ⊕ in[i] of processor 1 ⊕ … All but
// `block_circulant` keep this order, so the operator need not commute. `block_circulant` combines
// as things arrive: there it must.
//
// `automatic` is `turns` where threads are shared; else `shared` for large lists in shared memory,
// `recursive_doubling` for very small ones, otherwise `pairwise`. Under the clock of a model it is
// that of the last two that takes less; `block_circulant` too, if the operator is known to commute
// (collectives/parts/commuting.h).
//
// Called by all processors, with the same counts, operator and algorithm. `pairwise` allocates one
// block, `recursive_doubling` twice as much as `in`, `block_circulant` as much as `in` and for its
// messages up to about as much again, and for all processors together 4 p ⌈log2 p⌉ bytes, which are
// kept. Wrong arguments are std::invalid_argument before any message is sent; counts that differ
// between processors are SizeMismatchError, unless they have the same sum: then `pairwise` and
// `shared` find that out, `block_circulant` and `turns` mostly, and `recursive_doubling` gives each
// processor the block that its own counts say.
//
//   const std::vector<std::size_t> counts(self.count(), 3);
//   reduce_scatter(self, in, out, counts, std::plus<>());   // in: 3 count() elements, out: 3
#pragma once

#include <cstddef>
#include <span>

#include "collectives/algorithm.h"
#include "collectives/models/cost.h"
#include "collectives/models/time_model.h"
#include "collectives/parts/operator.h"
#include "collectives/same_elements.h"
#include "runtime/processor.h"

namespace postroom {

/// Block i has counts[i] elements; `in` holds all of them, `out` is as large as block self.id() and
/// does not overlap `in`.
void reduce_scatter_bytes(Processor& self, ConstBytes in, Bytes out,
                          std::span<const std::size_t> counts, const Operator& op,
                          Algorithm algorithm = Algorithm::automatic,
                          Where where = Where::current());

template <Elements In, WritableElements Out, class Op>
requires SameElements<In, Out> && Combines<Op, std::ranges::range_value_t<In>>
void reduce_scatter(Processor& self, const In& in, Out&& out, std::span<const std::size_t> counts,
                    Op op, Algorithm algorithm = Algorithm::automatic,
                    Where where = Where::current()) {
  reduce_scatter_bytes(self, bytes_of(in), writable_bytes_of(out), counts,
                       Operator::of<std::ranges::range_value_t<In>>(op), algorithm, where);
}
template <Elements In, ConstElements Out, class... Rest>
void reduce_scatter(Processor&, const In&, Out&&, const Rest&...) = delete;  // `out` is const
template <Elements A, class B>
requires OtherElements<A, B>
void reduce_scatter(Processor&, const A&, B&&, ...) = delete;  // elements of two types
template <Elements A, Elements B, OtherCounts C>
void reduce_scatter(Processor&, const A&, B&&, const C&, ...) = delete;  // counts: std::size_t
void reduce_scatter(Anything, ...) = delete;  // self, in, out, counts, operator

/// What reduce_scatter has, besides automatic.
std::span<const Algorithm> reduce_scatter_algorithms();
/// What Algorithm::automatic stands for, for any operator, in a call of `self`; by messages; in a
/// model.
Algorithm choose_reduce_scatter(const Processor& self, std::span<const std::size_t> counts,
                                std::size_t element_bytes);
Algorithm choose_reduce_scatter(std::span<const std::size_t> counts, std::size_t element_bytes,
                                bool shares_memory = true);
Algorithm choose_reduce_scatter(std::span<const std::size_t> counts, std::size_t element_bytes,
                                const TimeModel& model);
/// The same for an operator that commutes.
Algorithm choose_commuting_reduce_scatter(const Processor& self,
                                          std::span<const std::size_t> counts,
                                          std::size_t element_bytes);
Algorithm choose_commuting_reduce_scatter(std::span<const std::size_t> counts,
                                          std::size_t element_bytes, const TimeModel& model);
Cost reduce_scatter_cost(std::span<const std::size_t> counts, std::size_t element_bytes,
                         Algorithm algorithm = Algorithm::automatic);
/// When all have their block: see time_model.h. O(p²), and for `block_circulant` with n blocks
/// O(n p²).
double reduce_scatter_time(std::span<const std::size_t> counts, std::size_t element_bytes,
                           const Algorithm& algorithm, const TimeModel& model);

}  // namespace postroom
