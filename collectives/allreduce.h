// Allreduce: the elements of all processors combined, on all.
//
// MPI_Allreduce; combine (global combine) in [P]. p processors, lists of m bytes:
//
//   algorithm                  rounds                               bytes
//   recursive_doubling         log2 p, or ⌊log2 p⌋ + 2 when p is    m times the rounds
//                              no power of two
//   halving_doubling           2 log2 p, and 2 more when p is no    about 2 m (p - 1) / p for a
//                              power of two                         power of two, else 2 m more
//   reduce_broadcast           2 ⌈log2 p⌉                           m times the rounds
//   ring                       2 (p - 1)                            2 (p - 1) ⌈m/p⌉, in whole lines
//   lambda_tree(lambda=λ)      twice those of the tree for λ;       m times the rounds
//                              2 T_λ(p) units of time
//   postal_combine(lambda=λ)   ⌈log2 p⌉ for λ = 1; T_λ(p) units     m times the rounds
//                              of time for a whole λ
//   shared                     p - 1                                2 (p - 1) ⌈m/p⌉, in whole lines
//   block_circulant(blocks=n)  2 (n - 1 + ⌈log2 p⌉)                 about 2 m (p - 1) / p
//   turns                      0                                    0; by_turns.h: what it costs
//   teams                      of all teams, one after another      the same; allreduce_by_teams.h
//
// Element i of the result is in[i] of processor 0 ⊕ in[i] of processor 1 ⊕ … in this order, so the
// operator need not commute (see collectives/parts/operator.h), and it is the same, bit by
// bit, on all processors, with floating point too. There are three exceptions, for which the
// operator must commute, and for which `automatic` stands only if that is known (collectives/parts/
// commuting.h): `block_circulant` and `ring` combine in an order of their own, and with
// `postal_combine` processor q begins with its own element and goes on cyclically, so that floating
// point may be rounded differently on each processor.
//
// On a box of several NUMA nodes or packages, `automatic` is `teams`, which combines inside each,
// and takes as few lists as there can be from one to another. By name it can be had on any box, as
// one team where all are near each other, and so the cost below counts it; not under the clock of a
// model.
//
// Called by all processors, with the same size, operator and algorithm. `recursive_doubling`
// allocates one list, but not for two processors with an `out` of their own; `block_circulant` for
// its messages up to about one and for its blocks 8 p bytes, and for all processors together 4 p
// ⌈log2 p⌉ bytes, which are kept; `shared` is for processors that share memory: each combines a
// slice of all lists. Wrong arguments are std::invalid_argument before any message is sent; sizes
// that differ between processors are SizeMismatchError, or DeadlockError where `automatic` is
// another algorithm for each.
//
//   allreduce(self, in, out, std::plus<>());
//   const double greatest = allreduce(self, mine, Maximum());
#pragma once

#include <cstdint>
#include <span>

#include "collectives/algorithm.h"
#include "collectives/models/cost.h"
#include "collectives/models/time_model.h"
#include "collectives/parts/operator.h"
#include "collectives/same_elements.h"
#include "runtime/processor.h"

namespace postroom {

/// `in` and `out` have the same size on all processors, of whole elements; they may be one and the
/// same but not overlap otherwise.
void allreduce_bytes(Processor& self, ConstBytes in, Bytes out, const Operator& op,
                     Algorithm algorithm = Algorithm::automatic, Where where = Where::current());

template <Elements In, WritableElements Out, class Op>
requires SameElements<In, Out> && Combines<Op, std::ranges::range_value_t<In>>
void allreduce(Processor& self, const In& in, Out&& out, Op op,
               Algorithm algorithm = Algorithm::automatic, Where where = Where::current()) {
  allreduce_bytes(self, bytes_of(in), writable_bytes_of(out),
                  Operator::of<std::ranges::range_value_t<In>>(op), algorithm, where);
}
template <Elements In, ConstElements Out, class... Rest>
void allreduce(Processor&, const In&, Out&&, const Rest&...) = delete;  // `out` is const
template <Elements A, class B>
requires OtherElements<A, B>
void allreduce(Processor&, const A&, B&&, ...) = delete;  // elements of two types
/// A single value of each processor.
template <Value T, Combines<T> Op>
[[nodiscard]] T allreduce(Processor& self, T value, Op op,
                          Algorithm algorithm = Algorithm::automatic,
                          Where where = Where::current()) {
  const Bytes bytes = writable_bytes_of(value);
  allreduce_bytes(self, bytes, bytes, Operator::of<T>(op), algorithm, where);
  return value;
}
void allreduce(Anything, ...) = delete;  // self, in, out, operator; or self, value, operator

/// What allreduce has, besides automatic.
std::span<const Algorithm> allreduce_algorithms();
/// Whether it combines in the order of the processors; if not, the operator must commute.
bool allreduce_keeps_order(Algorithm algorithm);
/// What Algorithm::automatic stands for, for any operator, in a call of `self`; on the wall clock
/// by messages; in a model: see choice.h.
Algorithm choose_allreduce(const Processor& self, std::int64_t bytes);
Algorithm choose_allreduce(int processors, std::int64_t bytes, bool shares_memory = true);
Algorithm choose_allreduce(int processors, std::int64_t bytes, const TimeModel& model);
/// The same for an operator that commutes.
Algorithm choose_commuting_allreduce(const Processor& self, std::int64_t bytes);
Algorithm choose_commuting_allreduce(int processors, std::int64_t bytes, const TimeModel& model);
Cost allreduce_cost(int processors, std::int64_t bytes, Algorithm algorithm = Algorithm::automatic);
/// When all have their result: see time_model.h. Of `block_circulant` for elements of one byte:
/// larger ones are not cut, so that pieces are of other sizes, and it takes a few hundredths more
/// or less.
double allreduce_time(int processors, std::int64_t bytes, const Algorithm& algorithm,
                      const TimeModel& model);

}  // namespace postroom
