// `turns`: collectives of processors that take turns on threads, one of each thread working for all
// of it: Processor::together.
//
// Every processor puts in its lists and is switched away from once; the last of each thread to come
// copies, or combines, for all of that thread, straight from where the lists lie to where they are
// needed. So nobody sends messages to those of the same thread, and the threads meet twice, however
// many processors they carry. Small lists that go to a root or come from one are faster by slots
// (collectives/by_slots.h), which let processors run ahead, where these keep all together. What
// goes in and comes out is as in collectives/broadcast.h and so on; arguments are checked there.
//
// Small lists that all read (allgather, alltoall, allreduce, reduce_scatter, scan) are copied when
// they are put in; then the threads meet once.
//
// Cost: no messages, so no rounds and no bytes of the model (collectives/cost.h). Instead, with
// lists of m bytes (blocks of b bytes), for p processors on t threads:
//
//   operation             bytes copied   bytes combined
//   broadcast             m (p - 1)      -
//   scatter, gather       b p            -
//   allgather, alltoall   b p^2          -
//   reduce                -              m (p - 1), a slice by each thread
//   allreduce, scan       m p            the same; of small lists by each thread for its processors
//   reduce_scatter        -              b p (p - 1)
//
// What a thread reads of others' lists for several of its processors (broadcast, allgather) comes
// to the first of them, and from there to the rest. An alltoall of many words goes in tiles: what
// some targets get from a source lies on one line. Copies of small lists come to that.
// Source: our own; the shared-memory collectives of MPI, by one process for all of a core.
// Errors: std::invalid_argument, at all, where processors do not share threads, where a record is
// kept and in a group (Processor::takes_turns). Lists of sizes that do not fit are
// SizeMismatchError, thrown on one processor that found it.
#pragma once

#include <cstddef>

#include "collectives/blocks.h"
#include "collectives/operator.h"
#include "runtime/processor.h"

namespace postroom {

/// `data` of the root comes to that of all.
void broadcast_by_turns(Processor& self, int root, Bytes data, Where where);
/// `all` is used on `root` only.
void scatter_by_turns(Processor& self, int root, const Blocks& blocks, ConstBytes all, Bytes mine,
                      Where where);
/// `all` is used on `root` only.
void gather_by_turns(Processor& self, int root, ConstBytes mine, const Blocks& blocks, Bytes all,
                     Where where);
/// `operation`, a literal, is allgather or allgatherv.
void allgather_by_turns(Processor& self, const char* operation, ConstBytes mine,
                        const Blocks& blocks, Bytes all, Where where);
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
