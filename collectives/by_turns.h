// Collectives of processors that take turns on threads: Processor::together.
//
// Every processor puts in its lists and is switched away from once; the last of each thread to come
// copies, or combines, for all of that thread, straight from where the lists lie to where they are
// needed. So nobody sends messages to those of the same thread, and the threads meet twice, however
// many processors they carry. `automatic` takes these where Processor::takes_turns() on a box of
// one node; small lists that go to a root or come from one go by slots (collectives/by_slots.h),
// which let processors run ahead, where these keep all together. What goes in and comes out is as
// in collectives/broadcast.h and so on; arguments are checked there.
//
// Small lists that all read (allgather, alltoall, allreduce, reduce_scatter, scan) are copied when
// they are put in; then the threads meet once.
//
// Cost: each byte is copied once from where it lies, but for what a thread reads of others' lists
// for several of its processors: that comes to the first of them, and from there to the rest.
// Copies of small lists come to that.
// Errors: lists of sizes that do not fit are SizeMismatchError, thrown on one processor that found
// it.
#pragma once

#include <cstddef>
#include <string_view>

#include "collectives/algorithm.h"
#include "collectives/blocks.h"
#include "collectives/operator.h"
#include "runtime/processor.h"

namespace postroom {

/// Whether a call goes by turns. Not on a box of several nodes: there every subtree is to be
/// entered once (Processor::box()).
inline bool goes_by_turns(const Processor& self, const Algorithm& algorithm) {
  return algorithm.is_automatic() && self.takes_turns() && self.box() == nullptr;
}
/// Of few processors alltoallv, and scans of short lists, are faster by messages.
inline bool turns_pay_for_alltoallv(int processors) { return processors >= 8; }
inline bool turns_pay_for_scan(int processors, std::size_t bytes) {
  return processors >= 8 || bytes >= 1024;
}
/// A call for which each puts in at most so many bytes to be read, copied where they are few.
inline Pool::Call call_with(const Processor& self, const char* name, std::size_t most_bytes) {
  return {name, 0, most_bytes < self.hand_limits().pooled};
}
/// Whether an operation goes this way, by its name; `bytes` as of its cost.
bool has_turns(std::string_view operation, int processors, std::size_t bytes);

/// `data` of the root comes to that of all.
void broadcast_by_turns(Processor& self, int root, Bytes data, Where where);
/// `all` is used on `root` only.
void scatter_by_turns(Processor& self, int root, const Blocks& blocks, ConstBytes all, Bytes mine,
                      Where where);
/// `all` is used on `root` only.
void gather_by_turns(Processor& self, int root, ConstBytes mine, const Blocks& blocks, Bytes all,
                     Where where);
void allgather_by_turns(Processor& self, ConstBytes mine, const Blocks& blocks, Bytes all,
                        Where where);
/// Blocks of equal sizes.
void alltoall_by_turns(Processor& self, ConstBytes send, Bytes receive, const Blocks& blocks,
                       Where where);
void alltoallv_by_turns(Processor& self, ConstBytes send, const Blocks& send_blocks, Bytes receive,
                        const Blocks& receive_blocks, Where where);

/// `out` is used on `root` only.
void reduce_by_turns(Processor& self, int root, ConstBytes in, Bytes out, const Operator& op,
                     Where where);
void allreduce_by_turns(Processor& self, ConstBytes in, Bytes out, const Operator& op, Where where);
void reduce_scatter_by_turns(Processor& self, ConstBytes in, const Blocks& blocks, Bytes out,
                             const Operator& op, Where where);
void scan_by_turns(Processor& self, ConstBytes in, Bytes out, const Operator& op, Where where);
void exscan_by_turns(Processor& self, ConstBytes in, Bytes out, const Operator& op, Where where);

}  // namespace postroom
