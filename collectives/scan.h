// Scan: prefix sums over the processors, for any associative operator.
//
// MPI_Scan and MPI_Exscan; prefix sums in [H]. p processors, lists of m bytes:
//
//   algorithm       rounds      bytes         how
//   hillis_steele   ⌈log2 p⌉    m ⌈log2 p⌉    over windows of processors that double in each round
//   shared          p - 1       2 m (p-1)/p   each forms the sums of its slice of all lists
//   turns           0           0             one processor of each shared thread, by_turns.h
//
// Element i of the result of scan on processor q is in[i] of processor 0 ⊕ … ⊕ in[i] of processor
// q, of exscan the same without q. The operator need not commute (see
// collectives/parts/operator.h). Called by all processors, with the same size, operator and
// algorithm. With hillis_steele scan allocates at most one list, exscan two; `shared` allocates
// nothing that grows. Wrong arguments are std::invalid_argument before any message is sent; sizes
// that differ between processors are SizeMismatchError, or DeadlockError where `automatic` is
// another algorithm for each.
//
//   scan(self, in, out, std::plus<>());
//   const std::size_t first = exscan(self, my_count, std::plus<>(), 0);   // where my part begins
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include "collectives/algorithm.h"
#include "collectives/models/cost.h"
#include "collectives/models/time_model.h"
#include "collectives/parts/operator.h"
#include "collectives/same_elements.h"
#include "runtime/processor.h"

namespace postroom {

/// `in` and `out` have the same size on all processors, of whole elements; they may be one and the
/// same but not overlap otherwise.
void scan_bytes(Processor& self, ConstBytes in, Bytes out, const Operator& op,
                Algorithm algorithm = Algorithm::automatic, Where where = Where::current());
/// As scan_bytes; on processor 0, before which there is nobody, `out` is not touched.
void exscan_bytes(Processor& self, ConstBytes in, Bytes out, const Operator& op,
                  Algorithm algorithm = Algorithm::automatic, Where where = Where::current());

template <Elements In, WritableElements Out, class Op>
requires SameElements<In, Out> && Combines<Op, std::ranges::range_value_t<In>>
void scan(Processor& self, const In& in, Out&& out, Op op,
          Algorithm algorithm = Algorithm::automatic, Where where = Where::current()) {
  scan_bytes(self, bytes_of(in), writable_bytes_of(out),
             Operator::of<std::ranges::range_value_t<In>>(op), algorithm, where);
}
template <Elements In, ConstElements Out, class... Rest>
void scan(Processor&, const In&, Out&&, const Rest&...) = delete;  // `out` is const
template <Elements A, class B>
requires OtherElements<A, B>
void scan(Processor&, const A&, B&&, ...) = delete;  // elements of two types
/// A single value of each processor.
template <Value T, Combines<T> Op>
[[nodiscard]] T scan(Processor& self, T value, Op op, Algorithm algorithm = Algorithm::automatic,
                     Where where = Where::current()) {
  const Bytes bytes = writable_bytes_of(value);
  scan_bytes(self, bytes, bytes, Operator::of<T>(op), algorithm, where);
  return value;
}

/// On processor 0 `out` is not touched: what it has there is the sum of nothing.
template <Elements In, WritableElements Out, class Op>
requires SameElements<In, Out> && Combines<Op, std::ranges::range_value_t<In>>
void exscan(Processor& self, const In& in, Out&& out, Op op,
            Algorithm algorithm = Algorithm::automatic, Where where = Where::current()) {
  exscan_bytes(self, bytes_of(in), writable_bytes_of(out),
               Operator::of<std::ranges::range_value_t<In>>(op), algorithm, where);
}
template <Elements In, ConstElements Out, class... Rest>
void exscan(Processor&, const In&, Out&&, const Rest&...) = delete;  // `out` is const
template <Elements A, class B>
requires OtherElements<A, B>
void exscan(Processor&, const A&, B&&, ...) = delete;  // elements of two types
/// A single value of each processor; processor 0 gets `first`, which the others ignore.
template <Value T, Combines<T> Op>
[[nodiscard]] T exscan(Processor& self, T value, Op op, std::type_identity_t<T> first,
                       Algorithm algorithm = Algorithm::automatic, Where where = Where::current()) {
  T before = first;
  exscan_bytes(self, bytes_of(value), writable_bytes_of(before), Operator::of<T>(op), algorithm,
               where);
  return before;
}
void scan(Anything, ...) = delete;    // self, in, out, operator; or self, value, operator
void exscan(Anything, ...) = delete;  // self, in, out, operator; or self, value, operator, first

/// What scan and exscan have, besides automatic.
std::span<const Algorithm> scan_algorithms();
/// What Algorithm::automatic stands for in either, in a call of `self`; on the wall clock by
/// messages; in a model: see choice.h.
Algorithm choose_scan(const Processor& self, std::int64_t bytes);
Algorithm choose_scan(int processors, std::int64_t bytes, bool shares_memory = true);
Algorithm choose_scan(int processors, std::int64_t bytes, const TimeModel& model);
/// Of either.
Cost scan_cost(int processors, std::int64_t bytes, Algorithm algorithm = Algorithm::automatic);
/// When all have their result: see time_model.h.
double scan_time(int processors, std::int64_t bytes, const Algorithm& algorithm,
                 const TimeModel& model);

}  // namespace postroom
