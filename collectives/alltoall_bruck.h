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

#include "collectives/blocks.h"
#include "collectives/cost.h"
#include "runtime/processor.h"

namespace postroom {

/// `blocks` are equal and lay out `send` and `receive`. Precondition: radix >= 2, ports >= 1.
void alltoall_bruck(Processor& self, ConstBytes send, Bytes receive, const Blocks& blocks,
                    int radix, int ports, Where where);
Cost alltoall_bruck_cost(int processors, std::int64_t block_bytes, int radix, int ports);

}  // namespace postroom
