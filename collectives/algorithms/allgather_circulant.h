// Allgather by the circulant algorithm: every processor's list of blocks grows (k+1)-fold in a
// round.
//
// Source: [I], section 4 and appendix B (one port: the well-known doubling). d = ⌈log(k+1) n⌉
// rounds for n processors, n1 = (k+1)^(d-1), n2 = n - n1. In round i < d-1 a processor receives,
// from the processors m (k+1)^i further, 1 <= m <= k, all that they hold. In the last round the n2
// missing blocks, seen as a table of n2 columns and b rows, are cut column by column into k areas
// of ⌈b n2 / k⌉ bytes, each of which one processor holds as a whole. Rounds and bytes are then
// optimal. Where no such cut exists (b >= 3, k >= 3 and (k+1)^d - k < n < (k+1)^d) there is a
// choice: areas of whole columns, which costs at most b-1 bytes more; or two rounds for the table,
// with areas of half the size, and the fewest bytes. See collectives/allgather.h.
#pragma once

#include "collectives/models/cost.h"
#include "collectives/models/time_model.h"
#include "collectives/models/time_replay.h"
#include "collectives/parts/blocks.h"
#include "runtime/processor.h"

namespace postroom {

struct CirculantOptions {
  int ports = 1;
  /// In the special range a round more instead of some bytes more.
  bool least_bytes = false;
  /// Holds the blocks from its own on in memory of its own, so that each message lies in one piece,
  /// and rotates them into place at the end. Otherwise they go straight into place, and only
  /// messages that run over the end of the list are copied.
  bool rotated = true;
};

/// `blocks` lays out `all`. Precondition: 1 <= ports < max(2, n), and ports == 1 when the blocks
/// are not equal.
void allgather_circulant(Processor& self, ConstBytes mine, const Blocks& blocks, Bytes all,
                         const CirculantOptions& options, Where where);
Cost allgather_circulant_cost(const Blocks& blocks, const CirculantOptions& options);
double allgather_circulant_time(const Blocks& blocks, const CirculantOptions& options,
                                const TimeModel& model);

/// Replays it with one port, for blocks of any sizes.
void replay_circulant(TimeReplay& replay, const Blocks& blocks);

}  // namespace postroom
