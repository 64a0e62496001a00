// Allgather: one block of each processor, all to all.
//
// MPI_Allgather; concatenation in [I], multinode broadcast in [F]. p processors, blocks of b bytes:
//
//   algorithm            rounds         bytes                      source
//   circulant(ports=k)   ⌈log(k+1) p⌉   ⌈b (p - 1) / k⌉            [I], section 4
//   ring                 p - 1          b (p - 1)                  flooding, as in [F], on a ring
//   recursive_doubling   log2 p         b (p - 1)                  [I], baseline; p a power of two
//   gather_broadcast     2 ⌈log2 p⌉     b (p - 1) + b p ⌈log2 p⌉   [I], baseline
//   shared               p - 1          b (p - 1)                  each reads from all, at once
//   flooding             1              b                          [F], section 4; p - 1 ports
//   queueless            p + O(log p)   b (p + O(log p))           [F], section 4.1; p / 2 ports
//   turns                0              0                          by_turns.h: what it costs
//   teams                of all teams, one after another           allgather_by_teams.h
//
// Both numbers of `circulant` are optimal; where the bytes can be more, allgather_circulant.h says.
// `circulant_least_bytes(ports=k)` takes a round more there instead. `circulant_unrotated(ports=k)`
// leaves the last rotation out: blocks go straight into place.
//
// On a box of several NUMA nodes or packages, `automatic` is `teams`, which takes each block into
// each of them once; in one node of several third caches too, instead of `shared` (choice.h). By
// name it can be had on any box, as one team where all are near each other, and so the cost below
// counts it; not under the clock of a model.
//
// Called by all processors, with the same sizes and algorithm. `circulant` and
// `circulant_least_bytes` allocate as much as `all` and copy it once more; `gather_broadcast`
// allocates up to half as much on processors that pass blocks on; the others receive straight into
// their place, but for messages of `circulant_unrotated` that run over the end of the list. Wrong
// arguments are std::invalid_argument before any message is sent; sizes that differ between
// processors are SizeMismatchError, or DeadlockError where `automatic` is another algorithm for
// each.
//
//   std::vector<int> all(self.count() * mine.size());
//   allgather(self, mine, all);              // all: block 0, block 1, … on every processor
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

#include "collectives/algorithm.h"
#include "collectives/models/cost.h"
#include "collectives/models/time_model.h"
#include "collectives/same_elements.h"
#include "runtime/processor.h"

namespace postroom {

/// `mine` has the same size on all processors; `all` holds count() times as much and gets the
/// blocks in the order of the processors. `mine` may be the processor's own block of `all` and may
/// not overlap it otherwise.
void allgather_bytes(Processor& self, ConstBytes mine, Bytes all,
                     Algorithm algorithm = Algorithm::automatic, Where where = Where::current());
/// The same as the whole of another operation, `name`, a literal: that is what reports and traces
/// say.
void allgather_as(const char* name, Processor& self, ConstBytes mine, Bytes all,
                  Algorithm algorithm, Where where);

template <Elements Mine, WritableElements All>
requires SameElements<Mine, All>
void allgather(Processor& self, const Mine& mine, All&& all,
               Algorithm algorithm = Algorithm::automatic, Where where = Where::current()) {
  allgather_bytes(self, bytes_of(mine), writable_bytes_of(all), algorithm, where);
}
template <Elements Mine, ConstElements All, class... Rest>
void allgather(Processor&, const Mine&, All&&, const Rest&...) = delete;  // `all` is const
template <Elements A, class B>
requires OtherElements<A, B>
void allgather(Processor&, const A&, B&&, ...) = delete;  // elements of two types
/// A single value of each processor; returns the list of them.
template <Value T>
requires std::default_initializable<T>
[[nodiscard]] std::vector<T> allgather(Processor& self, const T& mine,
                                       Algorithm algorithm = Algorithm::automatic,
                                       Where where = Where::current()) {
  if constexpr (std::same_as<T, bool>) {  // whose vector has no bytes
    const auto all = allgather(self, static_cast<unsigned char>(mine), algorithm, where);
    return {all.begin(), all.end()};
  } else {
    std::vector<T> all(static_cast<std::size_t>(self.count()));
    allgather_bytes(self, bytes_of(mine), writable_bytes_of(all), algorithm, where);
    return all;
  }
}
void allgather(Anything, ...) = delete;  // self, mine, all; or a value; of any sizes: allgatherv

/// What allgather has, besides automatic.
std::span<const Algorithm> allgather_algorithms();
/// What Algorithm::automatic stands for in a call of `self`; on the wall clock by messages; in a
/// model: see choice.h.
Algorithm choose_allgather(const Processor& self, std::int64_t block_bytes);
Algorithm choose_allgather(int processors, std::int64_t block_bytes, bool shares_memory = true);
Algorithm choose_allgather(int processors, std::int64_t block_bytes, const TimeModel& model);
Cost allgather_cost(int processors, std::int64_t block_bytes,
                    Algorithm algorithm = Algorithm::automatic);
/// When all have their result: see time_model.h.
double allgather_time(int processors, std::int64_t block_bytes, const Algorithm& algorithm,
                      const TimeModel& model);

}  // namespace postroom
