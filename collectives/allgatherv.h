// Allgather with blocks of different sizes.
//
// MPI_Allgatherv; concatenation in [I] with blocks of different sizes. p processors, largest block
// B, all blocks together S:
//
//   algorithm   rounds     bytes                                    source
//   circulant   ⌈log2 p⌉   from S (p - 1) / p, when all are equal   [I], section 4, one port
//                          to S ⌈log2 p⌉, when one has all
//   ring        p - 1      B (p - 1)                                flooding, as in [F], on a ring
//   shared      p - 1      B (p - 1)                                each reads from all, at once
//   block_circulant(blocks=n):                                      J. L. Träff
//               n - 1 + q  S (p - 1) / p, when all are equal, and at
//                          most about S (n - 1 + q) / n; q = ⌈log2 p⌉
//   turns       0          0                                        by_turns.h: what it costs
//
// Called by all processors, with the same counts and algorithm. Where no memory is given, sizes are
// gathered first, by the same algorithm, as blocks of one std::size_t. `circulant` allocates as
// much as `all` and copies it once more; `block_circulant` allocates and copies its messages, up to
// about as much as `all` at a time, and for all processors together 4 p ⌈log2 p⌉ bytes, which are
// kept; the others receive straight into place. Wrong arguments are std::invalid_argument before
// any message is sent; counts that differ between processors are SizeMismatchError, but not always
// with `circulant`, `block_circulant` and `turns`, where several blocks are one message: where sums
// agree that should not, blocks are cut as the receiver's own counts say.
//
//   const auto [all, counts] = allgatherv(self, mine);   // block 0, block 1, …
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

/// Block i has counts[i] elements of `element_bytes`. `mine` is as large as block self.id(), `all`
/// as large as all blocks together; it gets the blocks in the order of the processors. `mine` may
/// be the processor's own block of `all` and may not overlap it otherwise.
void allgatherv_bytes(Processor& self, ConstBytes mine, Bytes all,
                      std::span<const std::size_t> counts, std::size_t element_bytes,
                      Algorithm algorithm = Algorithm::automatic, Where where = Where::current());

/// `counts` are in elements.
template <Elements Mine, WritableElements All>
requires SameElements<Mine, All>
void allgatherv(Processor& self, const Mine& mine, All&& all, std::span<const std::size_t> counts,
                Algorithm algorithm = Algorithm::automatic, Where where = Where::current()) {
  allgatherv_bytes(self, bytes_of(mine), writable_bytes_of(all), counts,
                   sizeof(std::ranges::range_value_t<Mine>), algorithm, where);
}
template <Elements Mine, ConstElements All, class... Rest>
void allgatherv(Processor&, const Mine&, All&&, const Rest&...) = delete;  // `all` is const
template <Elements A, class B>
requires OtherElements<A, B>
void allgatherv(Processor&, const A&, B&&, ...) = delete;  // elements of two types
template <Elements A, Elements B, OtherCounts C>
void allgatherv(Processor&, const A&, B&&, const C&, ...) = delete;  // counts: std::size_t

/// How long the blocks are of which each processor has one, of `count` elements.
std::vector<std::size_t> allgathered_counts(Processor& self, std::size_t count, Algorithm algorithm,
                                            Where where);

/// The blocks of all processors.
template <Elements Mine, Gatherable T = std::ranges::range_value_t<Mine>>
[[nodiscard]] Gathered<T> allgatherv(Processor& self, const Mine& mine,
                                     Algorithm algorithm = Algorithm::automatic,
                                     Where where = Where::current()) {
  Gathered<T> blocks;
  blocks.counts = allgathered_counts(self, std::ranges::size(mine), algorithm, where);
  blocks.all.resize(std::reduce(blocks.counts.begin(), blocks.counts.end()));
  allgatherv(self, mine, blocks.all, blocks.counts, algorithm, where);
  return blocks;
}
void allgatherv(Anything, ...) = delete;  // self, mine, all, counts; or without these two

/// What allgatherv has, besides automatic.
std::span<const Algorithm> allgatherv_algorithms();
/// What Algorithm::automatic stands for in a call of `self`.
Algorithm choose_allgatherv(const Processor& self, std::span<const std::size_t> counts,
                            std::size_t element_bytes);
/// By messages.
Algorithm choose_allgatherv(std::span<const std::size_t> counts, std::size_t element_bytes,
                            bool shares_memory = true);
/// Under the clock of a model.
Algorithm choose_allgatherv(std::span<const std::size_t> counts, std::size_t element_bytes,
                            const TimeModel& model);
Cost allgatherv_cost(std::span<const std::size_t> counts, std::size_t element_bytes,
                     Algorithm algorithm = Algorithm::automatic);
/// When all have all blocks: see time_model.h. O(p²), and for `block_circulant` with n blocks
/// O(n p²).
double allgatherv_time(std::span<const std::size_t> counts, std::size_t element_bytes,
                       const Algorithm& algorithm, const TimeModel& model);

}  // namespace postroom
