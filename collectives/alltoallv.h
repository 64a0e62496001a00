// Alltoall with blocks of different sizes.
//
// MPI_Alltoallv; index in [I], total exchange in [F], h-relation in [H] (collectives/route.h
// spreads an uneven one evenly). p processors:
//
//   algorithm   rounds   bytes                                                    source
//   pairwise    p - 1    Σ over i = 1 … p-1 of the largest block that goes from   [H], one phase
//                        a processor to the one i further
//   shared      p - 1    the same                                                 each reads all
//   turns       0        0                                                        by_turns.h
//
// Called by all processors, with counts that agree: what i sends to j is what j receives from i.
// Where no memory is given, sizes are sent first, by the same algorithm, as blocks of one
// std::size_t.
// Every block is received straight into its place. Wrong arguments are std::invalid_argument before
// any message is sent; counts that do not agree are SizeMismatchError.
//
//   const auto [all, counts] = alltoallv(self, send, send_counts);   // from processor 0, 1, …
#pragma once

#include <cstddef>
#include <cstdint>
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

/// `send` holds, one after another, send_counts[j] elements of `element_bytes` for each processor
/// j, `receive` gets receive_counts[i] from each processor i. They may not overlap.
void alltoallv_bytes(Processor& self, ConstBytes send, std::span<const std::size_t> send_counts,
                     Bytes receive, std::span<const std::size_t> receive_counts,
                     std::size_t element_bytes, Algorithm algorithm = Algorithm::automatic,
                     Where where = Where::current());

/// Counts are in elements.
template <Elements Send, WritableElements Receive>
requires SameElements<Send, Receive>
void alltoallv(Processor& self, const Send& send, std::span<const std::size_t> send_counts,
               Receive&& receive, std::span<const std::size_t> receive_counts,
               Algorithm algorithm = Algorithm::automatic, Where where = Where::current()) {
  alltoallv_bytes(self, bytes_of(send), send_counts, writable_bytes_of(receive), receive_counts,
                  sizeof(std::ranges::range_value_t<Send>), algorithm, where);
}
template <Elements Send, ConstElements Receive, class... Rest>
void alltoallv(Processor&, const Send&, std::span<const std::size_t>, Receive&&,
               const Rest&...) = delete;  // `receive` is const
template <Elements A, class C, class B>
requires OtherElements<A, B>
void alltoallv(Processor&, const A&, const C&, B&&, ...) = delete;  // elements of two types
template <Elements A, OtherCounts C, Elements B>
void alltoallv(Processor&, const A&, const C&, B&&, ...) = delete;  // counts: std::size_t
template <Elements A, class C, Elements B, OtherCounts D>
void alltoallv(Processor&, const A&, const C&, B&&, const D&, ...) = delete;  // counts: std::size_t

/// How many elements each processor sends to this one; arguments are those of alltoallv_bytes.
std::vector<std::size_t> received_counts(Processor& self, ConstBytes send,
                                         std::span<const std::size_t> send_counts,
                                         std::size_t element_bytes, Algorithm algorithm,
                                         Where where);

/// What all processors send to this one.
template <Elements Send, Gatherable T = std::ranges::range_value_t<Send>>
[[nodiscard]] Gathered<T> alltoallv(Processor& self, const Send& send,
                                    std::span<const std::size_t> send_counts,
                                    Algorithm algorithm = Algorithm::automatic,
                                    Where where = Where::current()) {
  Gathered<T> blocks;
  blocks.counts = received_counts(self, bytes_of(send), send_counts, sizeof(T), algorithm, where);
  blocks.all.resize(std::reduce(blocks.counts.begin(), blocks.counts.end()));
  alltoallv(self, send, send_counts, blocks.all, blocks.counts, algorithm, where);
  return blocks;
}
template <Elements A, OtherCounts C>
void alltoallv(Processor&, const A&, const C&) = delete;  // counts: std::size_t
void alltoallv(Anything, ...) = delete;  // self, send, counts, receive, counts; or two less

/// What alltoallv has, besides automatic.
std::span<const Algorithm> alltoallv_algorithms();
/// What Algorithm::automatic stands for in a call of `self`.
Algorithm choose_alltoallv(const Processor& self);
/// By messages, where processors share memory or not.
Algorithm choose_alltoallv(bool shares_memory = true);
/// Under the clock of a model: `shared`, since no message is sent later than by `pairwise`,
/// whatever the counts are, of which each processor knows but its own.
Algorithm choose_alltoallv(const TimeModel& model);
/// `counts` has a row for each processor: row i, column j is what i sends to j, in elements.
Cost alltoallv_cost(int processors, std::span<const std::size_t> counts, std::size_t element_bytes,
                    Algorithm algorithm = Algorithm::automatic);
/// When all have all blocks: see time_model.h. `counts` as above; O(p²).
double alltoallv_time(int processors, std::span<const std::size_t> counts,
                      std::size_t element_bytes, const Algorithm& algorithm,
                      const TimeModel& model);

}  // namespace postroom
