// Reduce: the elements of all processors combined, on one.
//
// MPI_Reduce; the first half of combine in [P]. p processors, lists of m bytes:
//
//   algorithm               rounds                 bytes
//   binomial                ⌈log2 p⌉               m ⌈log2 p⌉; ranges that are halved
//   lambda_tree(lambda=λ)   of the tree for λ;     m times the rounds; ranges cut as by the tree of
//                           T_λ(p) units of time   [P], section 2
//   shared                  2 (p - 1)              2 (p - 1) ⌈m/p⌉, in whole lines; each combines a
//                                                  slice of all lists
//   slots, turns            0                      0; by_slots.h and by_turns.h say what they cost
//
// Element i of the result is in[i] of processor 0 ⊕ in[i] of processor 1 ⊕ … in this order, so the
// operator need not commute (see collectives/parts/operator.h). Called by all processors, with
// the same root, size, operator and algorithm. Processors between the root and the leaves allocate
// one list; what is received is read in place. `shared` is for processors that share memory. Wrong
// arguments are std::invalid_argument before any message is sent; sizes that differ between
// processors are SizeMismatchError, or DeadlockError where `automatic` is another algorithm for
// each.
//
//   reduce(self, 0, in, out, std::plus<>());            // out is ignored except on processor 0
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "collectives/algorithm.h"
#include "collectives/models/cost.h"
#include "collectives/models/time_model.h"
#include "collectives/parts/operator.h"
#include "collectives/same_elements.h"
#include "runtime/processor.h"

namespace postroom {

/// `in` has the same size on all processors, of whole elements. `out` is ignored except on `root`,
/// where it has the size of `in` and may be `in` itself but not overlap it otherwise.
void reduce_bytes(Processor& self, int root, ConstBytes in, Bytes out, const Operator& op,
                  Algorithm algorithm = Algorithm::automatic, Where where = Where::current());

template <Elements In, WritableElements Out, class Op>
requires SameElements<In, Out> && Combines<Op, std::ranges::range_value_t<In>>
void reduce(Processor& self, int root, const In& in, Out&& out, Op op,
            Algorithm algorithm = Algorithm::automatic, Where where = Where::current()) {
  reduce_bytes(self, root, bytes_of(in), writable_bytes_of(out),
               Operator::of<std::ranges::range_value_t<In>>(op), algorithm, where);
}
template <Elements In, ConstElements Out, class... Rest>
void reduce(Processor&, int, const In&, Out&&, const Rest&...) = delete;  // `out` is const
template <Elements A, class B>
requires OtherElements<A, B>
void reduce(Processor&, int, const A&, B&&, ...) = delete;  // elements of two types
/// A single value of each processor; the result on `root`, nothing elsewhere.
template <Value T, Combines<T> Op>
[[nodiscard]] std::optional<T> reduce(Processor& self, int root, T value, Op op,
                                      Algorithm algorithm = Algorithm::automatic,
                                      Where where = Where::current()) {
  const Bytes bytes = writable_bytes_of(value);
  reduce_bytes(self, root, bytes, bytes, Operator::of<T>(op), algorithm, where);
  return self.id() == root ? std::optional<T>(value) : std::nullopt;
}
void reduce(Anything, ...) = delete;  // self, root, in, out, operator; or a value, operator

/// What reduce has, besides automatic.
std::span<const Algorithm> reduce_algorithms();
/// What Algorithm::automatic stands for in a call of `self`; on the wall clock by messages; in a
/// model: see choice.h.
Algorithm choose_reduce(const Processor& self, std::int64_t bytes);
Algorithm choose_reduce(int processors, std::int64_t bytes, bool shares_memory = true);
Algorithm choose_reduce(int processors, std::int64_t bytes, const TimeModel& model);
Cost reduce_cost(int processors, std::int64_t bytes, Algorithm algorithm = Algorithm::automatic);
/// When all have their result: see time_model.h.
double reduce_time(int processors, std::int64_t bytes, const Algorithm& algorithm,
                   const TimeModel& model);

}  // namespace postroom
