// Alltoall by the digits of the distance that a block has to go.
//
// Source: [I], section 3 and appendix A, for any number n of processors, radix 2 <= r <= n and k
// ports. A block goes j processors further; w = ⌈log_r n⌉ subphases, one for each digit of j in
// radix r:
//
//   phase 1   rotate: tmp[j] = send[(i + j) mod n] on processor i
//   phase 2   subphase x, step z: the blocks whose digit x is z go together to processor i + z r^x;
//             k steps share a round
//   phase 3   rotate back: receive[j] = tmp[(i - j) mod n]
//
// See collectives/alltoall.h.
#pragma once

#include <cstdint>

#include "collectives/models/cost.h"
#include "collectives/models/time_model.h"
#include "collectives/parts/blocks.h"
#include "runtime/processor.h"

namespace postroom {

/// With one copy of all blocks more at the beginning and one more at the end than
/// alltoall_bruck_unrotated, but messages are packed in longer runs. `blocks` are equal and lay out
/// `send` and `receive`. Precondition: radix >= 2, ports >= 1.
void alltoall_bruck(Processor& self, ConstBytes send, Bytes receive, const Blocks& blocks,
                    int radix, int ports, Where where);
/// Phase 2 alone. Block j of a processor i is send[(i + j) mod n] until it has moved, which a lower
/// digit of j tells, and afterwards lies in receive[(i - j) mod n], where phase 3 would put it.
void alltoall_bruck_unrotated(Processor& self, ConstBytes send, Bytes receive, const Blocks& blocks,
                              int radix, int ports, Where where);
/// Of both.
Cost alltoall_bruck_cost(int processors, std::int64_t block_bytes, int radix, int ports);
double alltoall_bruck_time(int processors, std::int64_t block_bytes, int radix, int ports,
                           const TimeModel& model);

}  // namespace postroom
