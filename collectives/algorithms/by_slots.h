// `slots`: small lists that come from a root or go to one, of processors that share threads.
//
// Each list lies for a moment in memory of a thread (Processor::hand_out and hand_in), so nobody
// waits for others to come; who runs goes on for many calls. What goes in and comes out is as in
// collectives/broadcast.h and so on; arguments are checked there.
//
// Cost: no messages, so no rounds and no bytes of the model (collectives/models/cost.h). Instead,
// with lists of m bytes (blocks of a scatter or gather), for p processors on t threads
// (..._by_slots_work):
//
//   operation   lists copied                       combined   a slot takes at most
//   broadcast   1 in, by the root, p - 1 out       -          m = 16 KiB
//   scatter     p in, by the root, p - 1 out, and  -          p m = 16 KiB
//               its own, but where that is in place
//   scatterv    p sizes of 16 bytes in, p - 1      -          1,024 sizes
//               out; then the blocks like those of            all blocks = 16 KiB
//               scatter, or, where no slot takes
//               them, by turns (by_turns.h)
//   gather      p in, p out, by the root           -          ⌈p/t⌉ m = 16 KiB
//   reduce      p in, 1 out, by the root           p - 1      ⌈p/t⌉ m = 16 KiB
//
// Of a reduce each thread combines the lists of its own processors, the root those of the threads,
// in the order of the processors. Source: our own; the single-writer flags of MPI's shared-memory
// collectives, with pages in place of a flag for each call (runtime/slots.h).
// Errors: std::invalid_argument, at all, where processors do not share threads of one node, where a
// record is kept, in a group, and for lists too large for a slot (of scatterv: for more than 1,024
// processors). Lists of sizes that do not fit are SizeMismatchError, different calls or roots
// DisagreementError, on one processor that found it or from Machine::run.
#pragma once

#include <cstddef>
#include <cstdint>

#include "collectives/models/shared_work.h"
#include "collectives/parts/blocks.h"
#include "collectives/parts/operator.h"
#include "runtime/processor.h"

namespace postroom {

/// Whether a slot takes the lists of a root, of so many bytes together; whether it takes those that
/// go to a root, of so many bytes for each processor.
inline bool fits_out(const Processor& self, std::size_t bytes) {
  return bytes < self.hand_limits().out;
}
inline bool fits_in(const Processor& self, std::size_t bytes) {
  return bytes < self.hand_limits().in;
}
/// What the root of a scatterv tells each processor takes.
inline constexpr std::size_t kScattervSizeBytes = 16;
/// Whether it takes the sizes of a scatterv.
inline bool sizes_fit_out(const Processor& self) {
  return fits_out(self, static_cast<std::size_t>(self.count()) * kScattervSizeBytes);
}
[[noreturn]] void throw_does_not_fit(const char* operation, std::size_t bytes, std::size_t limit,
                                     const char* whose);
/// Throw std::invalid_argument where it does not. Inline, so that it costs nothing where that was
/// asked before.
inline void require_fits_out(const char* operation, const Processor& self, std::size_t bytes) {
  if (!fits_out(self, bytes)) [[unlikely]] {
    throw_does_not_fit(operation, bytes, self.hand_limits().out, "all lists of the root");
  }
}
inline void require_fits_in(const char* operation, const Processor& self, std::size_t bytes) {
  if (!fits_in(self, bytes)) [[unlikely]] {
    throw_does_not_fit(operation, bytes, self.hand_limits().in, "the list of each processor");
  }
}
void require_sizes_fit_out(const char* operation, const Processor& self);

/// Precondition of each: the lists fit; of scatterv: their sizes do.
void broadcast_by_slots(Processor& self, int root, Bytes data, Where where);
/// `all` is used on `root` only.
void scatter_by_slots(Processor& self, int root, const Blocks& blocks, ConstBytes all, Bytes mine,
                      Where where);
/// `all` and `blocks` are used on `root` only.
void scatterv_by_slots(Processor& self, int root, const Blocks& blocks, ConstBytes all, Bytes mine,
                       Where where);
/// `all` is used on `root` only.
void gather_by_slots(Processor& self, int root, ConstBytes mine, Bytes all, Where where);
/// `out` is used on `root` only.
void reduce_by_slots(Processor& self, int root, ConstBytes in, Bytes out, const Operator& op,
                     Where where);

/// With `bytes` in a list, or in a block of a scatter or gather.
SharedWork broadcast_by_slots_work(int processors, std::int64_t bytes);
SharedWork scatter_by_slots_work(int processors, std::int64_t bytes);
SharedWork scatterv_by_slots_work(const Blocks& blocks);
SharedWork gather_by_slots_work(int processors, std::int64_t bytes);
SharedWork reduce_by_slots_work(int processors, std::int64_t bytes);

}  // namespace postroom
