// Small lists that come from a root or go to one, of processors that take turns on threads:
// Processor::hand_out and hand_in.
//
// Each list lies for a moment in memory of a thread (runtime/slots.h), so nobody waits for others
// to come; who runs goes on for many calls. `automatic` takes these where Processor::takes_turns()
// on a box of one node, for lists that fit into a slot. What goes in and comes out is as in
// collectives/broadcast.h and so on; arguments are checked there.
//
// Cost: each list is copied twice, whatever p and the number t of threads; of a reduce each thread
// combines the lists of its own processors, the root those of the t threads: p - 1 times in all, in
// the order of the processors. No messages, hence no rounds. Source: our own; the single-writer
// flags of MPI's shared-memory collectives, with pages in place of a flag for each call.
// Errors: lists of sizes that do not fit are SizeMismatchError, different calls or roots
// DisagreementError, on one processor that found it or from Machine::run.
#pragma once

#include <cstddef>

#include "collectives/algorithm.h"
#include "collectives/blocks.h"
#include "collectives/operator.h"
#include "runtime/processor.h"

namespace postroom {

/// Whether lists of a root that have so many bytes together go by slots; whether those of so many
/// bytes for each processor do that go to a root.
inline bool goes_out_by_slots(const Processor& self, const Algorithm& algorithm,
                              std::size_t bytes) {
  return bytes < self.hand_limits().out && algorithm.is_automatic();
}
inline bool goes_in_by_slots(const Processor& self, const Algorithm& algorithm, std::size_t bytes) {
  return bytes < self.hand_limits().in && algorithm.is_automatic();
}

void broadcast_by_slots(Processor& self, int root, Bytes data, Where where);
/// `all` is used on `root` only.
void scatter_by_slots(Processor& self, int root, const Blocks& blocks, ConstBytes all, Bytes mine,
                      Where where);
/// `all` is used on `root` only.
void gather_by_slots(Processor& self, int root, ConstBytes mine, Bytes all, Where where);
/// `out` is used on `root` only.
void reduce_by_slots(Processor& self, int root, ConstBytes in, Bytes out, const Operator& op,
                     Where where);

}  // namespace postroom
