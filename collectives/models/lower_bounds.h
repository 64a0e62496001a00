// What no algorithm for alltoall (index) and allgather (concatenation) can do better, in the round
// model with k ports.
//
// Source: [I], section 2. n processors, blocks of b bytes. Beside the bounds on rounds (C1) and on
// bytes (C2) alone there are compound ones for alltoall: who takes few rounds moves blocks over
// several hops, so more bytes. The paper gives the order of magnitude for Theorems 2.7 and 2.9;
// here is the number behind it. In r rounds at most k^f (r over f) processors can be reached from
// one with f hops (Lemma 2.8), so a processor's n - 1 blocks make at least as many hops as when the
// shortest ways are filled first, and some port carries 1/k of the average.
//
// Errors: std::invalid_argument for less than one processor or port, and for fewer bytes than none;
// std::overflow_error for a bound of 2^63 bytes or more.
//
//   least_alltoall_bytes_in_rounds(64, 1, 1, 6);   // 192: bruck(2) is optimal for 6 rounds
#pragma once

#include <cstdint>

namespace postroom {

/// ⌈log(k+1) n⌉: Propositions 2.1 (allgather) and 2.3 (alltoall).
std::int64_t least_rounds(int processors, int ports);

/// ⌈b (n-1) / k⌉: Propositions 2.2 (allgather) and 2.4 (alltoall).
std::int64_t least_bytes(int processors, std::int64_t block_bytes, int ports);

/// The fewest bytes of an alltoall that takes `rounds` rounds, or fewer: Theorems 2.5 (n a power of
/// k+1, least_rounds: b n / (k+1) log(k+1) n), 2.7 (any n, least_rounds) and 2.9 (one port, any
/// number of rounds). Throws std::invalid_argument for fewer rounds than least_rounds.
std::int64_t least_alltoall_bytes_in_rounds(int processors, std::int64_t block_bytes, int ports,
                                            std::int64_t rounds);

/// The fewest rounds of an alltoall in which no processor moves more than b (n-1) / k bytes:
/// ⌈(n-1) / k⌉. Theorem 2.6.
std::int64_t least_alltoall_rounds_for_least_bytes(int processors, int ports);

}  // namespace postroom
