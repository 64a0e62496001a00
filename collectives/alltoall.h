// Alltoall: a block of each processor for each processor.
//
// MPI_Alltoall; index in [I], transpose in [H], total exchange in [F]. p processors, blocks of b
// bytes:
//
//   algorithm                 rounds                   bytes                 source
//   bruck(radix=r, ports=k)   <= ⌈(r-1)/k⌉ ⌈log_r p⌉   about b p/r a round   [I], section 3
//   pairwise                  p - 1                    b (p - 1)             [H], one phase
//   shared                    p - 1                    b (p - 1)             each reads from all
//   tiled                     R + C - 1                b (2 p - R)           each copies a tile
//   fat_tree                  p + O(log p)             b (p + O(log p))      [F], section 5
//   turns                     0                        0                     by_turns.h
//
// `bruck_unrotated(radix=r, ports=k)` is `bruck` without its first and last phase, which only copy:
// blocks are found, and put into place, by index arithmetic. The exact numbers of both are those of
// alltoall_cost. With one port, radix 2 has the fewest rounds and pairwise the least data. `tiled`:
// p = R C, R the largest divisor with R² <= p; of a prime number p - 1 rounds and b (p - 1) bytes.
// `shared` serves the nearest first on a box of several NUMA nodes (partner_order.h).
//
// Called by all processors, with the same sizes and algorithm. `bruck` allocates twice as much as
// `send`, `bruck_unrotated` in each round two messages for each port, together about as much as
// `send` with one port and radix 2; the others receive straight into place. Wrong arguments are
// std::invalid_argument before any message is sent; sizes that differ between processors are
// SizeMismatchError, or DeadlockError where `automatic` is another algorithm for each.
//
//   alltoall(self, send, receive);   // receive: block self.id() of processor 0, of processor 1, …
#pragma once

#include <cstdint>
#include <ranges>
#include <span>

#include "collectives/algorithm.h"
#include "collectives/models/cost.h"
#include "collectives/models/time_model.h"
#include "collectives/parts/arguments.h"
#include "collectives/same_elements.h"
#include "runtime/processor.h"

namespace postroom {

/// `send` and `receive` hold count() blocks of equal size each, the same on all processors, and may
/// not overlap. Block j of `send` goes to processor j; block i of `receive` comes from processor i.
void alltoall_bytes(Processor& self, ConstBytes send, Bytes receive,
                    Algorithm algorithm = Algorithm::automatic, Where where = Where::current());

template <Elements Send, WritableElements Receive>
requires SameElements<Send, Receive>
void alltoall(Processor& self, const Send& send, Receive&& receive,
              Algorithm algorithm = Algorithm::automatic, Where where = Where::current()) {
  if constexpr (sizeof(std::ranges::range_value_t<Send>) > 1) {  // a block has no part of one
    require_equal_blocks("alltoall", "send", std::ranges::size(send), self.count(), "elements");
  }
  alltoall_bytes(self, bytes_of(send), writable_bytes_of(receive), algorithm, where);
}
template <Elements Send, ConstElements Receive, class... Rest>
void alltoall(Processor&, const Send&, Receive&&, const Rest&...) = delete;  // `receive` is const
template <Elements A, class B>
requires OtherElements<A, B>
void alltoall(Processor&, const A&, B&&, ...) = delete;  // elements of two types
void alltoall(Anything, ...) = delete;  // self, send, receive; blocks that differ: alltoallv

/// What alltoall has, besides automatic.
std::span<const Algorithm> alltoall_algorithms();
/// What Algorithm::automatic stands for in a call of `self`; on the wall clock by messages; in a
/// model: see choice.h.
Algorithm choose_alltoall(const Processor& self, std::int64_t block_bytes);
Algorithm choose_alltoall(int processors, std::int64_t block_bytes, bool shares_memory = true);
Algorithm choose_alltoall(int processors, std::int64_t block_bytes, const TimeModel& model);
Cost alltoall_cost(int processors, std::int64_t block_bytes,
                   Algorithm algorithm = Algorithm::automatic);
/// When all have their result: see time_model.h.
double alltoall_time(int processors, std::int64_t block_bytes, const Algorithm& algorithm,
                     const TimeModel& model);

}  // namespace postroom
