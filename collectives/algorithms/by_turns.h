// `turns`: collectives of processors that take turns on threads, one of each thread working for all
// of it: Processor::together.
//
// Every processor puts in its lists and is switched away from once; the last of each thread to come
// copies, or combines, for all of that thread, straight from where the lists lie to where they are
// needed. So nobody sends messages to those of the same thread, and the threads meet twice, however
// many processors they carry. Small lists that go to a root or come from one are faster by slots
// (collectives/algorithms/by_slots.h), which let processors run ahead, where these keep all
// together. What goes in and comes out is as in collectives/broadcast.h and so on; arguments are
// checked there.
//
// Small lists that all read (allgather, alltoall, allreduce, reduce_scatter, scan) are copied when
// they are put in; then the threads meet once.
//
// Cost: no messages, so no rounds and no bytes of the model (collectives/models/cost.h). Instead,
// with lists of m bytes (blocks of b bytes), for p processors on t threads (..._by_turns_work):
//
//   operation             bytes copied       bytes combined
//   broadcast             m (p - 1)          -
//   scatter, gather       b p                -
//   scatterv, gatherv     all blocks         -
//   allgather, alltoall   b p^2              -
//   reduce                -                  m (p - 1), a slice by each thread
//   allreduce             m (p - 1)          the same
//     of up to 4 KiB      m (p - t)          t m (p - 1), by each thread for its processors
//   scan                  m (p + 1)          m (p - 1)
//     of up to 4 KiB      m (p + t)          by each thread what is before its last processor's
//   exscan                m less than scan   the same
//   reduce_scatter        -                  b p (p - 1)
//
// Beside that, small lists that are copied when they are put in; less, blocks that lie in place.
// Lists from 16 MiB on, which go past the caches, are combined apart and copied: m more (reduce,
// allreduce), b p more (reduce_scatter).
//
// What a thread reads of others' lists for several of its processors (broadcast, allgather) comes
// to the first of them, and from there to the rest. An alltoall of many words goes in tiles: what
// some targets get from a source lies on one line.
// Source: our own; the shared-memory collectives of MPI, by one process for all of a core.
// Errors: std::invalid_argument, at all, where processors do not share threads, where a record is
// kept and in a group (Processor::takes_turns). Lists of sizes that do not fit are
// SizeMismatchError, thrown on one processor that found it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "collectives/models/shared_work.h"
#include "collectives/parts/blocks.h"
#include "collectives/parts/operator.h"
#include "runtime/processor.h"

namespace postroom {

/// `data` of the root comes to that of all.
void broadcast_by_turns(Processor& self, int root, Bytes data, Where where);
/// `all` is used on `root` only.
void scatter_by_turns(Processor& self, int root, const Blocks& blocks, ConstBytes all, Bytes mine,
                      Where where);
/// `all` and `blocks` are used on `root` only.
void scatterv_by_turns(Processor& self, int root, const Blocks& blocks, ConstBytes all, Bytes mine,
                       Where where);
/// `all` is used on `root` only.
void gather_by_turns(Processor& self, int root, ConstBytes mine, const Blocks& blocks, Bytes all,
                     Where where);
/// `all` and `blocks` are used on `root` only.
void gatherv_by_turns(Processor& self, int root, ConstBytes mine, const Blocks& blocks, Bytes all,
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

/// On a box of one node; nothing lies in place but where `in_place` says so: that a processor's two
/// lists are one.
SharedWork broadcast_by_turns_work(int processors, std::int64_t bytes);
/// Of scatterv, too, and of gatherv.
SharedWork scatter_by_turns_work(const Blocks& blocks);
SharedWork gather_by_turns_work(const Blocks& blocks);
SharedWork allgather_by_turns_work(const Blocks& blocks, int threads);
/// Blocks of equal sizes.
SharedWork alltoall_by_turns_work(const Blocks& blocks, int threads);
/// `bytes` that all have for all.
SharedWork alltoallv_by_turns_work(std::int64_t bytes);
SharedWork reduce_by_turns_work(int processors, std::int64_t bytes);
SharedWork allreduce_by_turns_work(int processors, int threads, std::int64_t bytes, bool in_place);
SharedWork reduce_scatter_by_turns_work(const Blocks& blocks, int threads);
SharedWork scan_by_turns_work(int processors, int threads, std::int64_t bytes, bool in_place);
SharedWork exscan_by_turns_work(int processors, int threads, std::int64_t bytes, bool in_place);

}  // namespace postroom
