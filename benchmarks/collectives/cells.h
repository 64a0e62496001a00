// What is measured: operations, sizes, the data that goes in and what must come out.
//
// `block` is the number of elements in the whole list for latency, broadcast, reduce, allreduce and
// scan, and in one processor's block for the others. alltoallv moves as much as alltoall, but every
// processor sends a quarter of a block to each and all the rest to the last; reduce_scatter,
// scatterv, gatherv and allgatherv have blocks of these sizes.
//
// Includes nothing of Postroom, because the MPI competitors are built from it, too.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "benchmarks/collectives/peer.h"

namespace postroom::benchmarks {

enum class Operation {
  kNothing,  // what the clock adds to all the others
  kLatency,
  kBarrier,
  kBroadcast,
  kReduce,
  kAllreduce,
  kScan,
  kScatter,
  kGather,
  kAllgather,
  kAlltoall,
  kAlltoallv,
  kReduceScatter,
  kScatterv,
  kGatherv,
  kAllgatherv,
};

inline constexpr std::array<std::pair<Operation, std::string_view>, 16> kOperations{{
    {Operation::kNothing, "nothing"},
    {Operation::kLatency, "latency"},
    {Operation::kBarrier, "barrier"},
    {Operation::kBroadcast, "bcast"},
    {Operation::kReduce, "reduce"},
    {Operation::kAllreduce, "allreduce"},
    {Operation::kScan, "scan"},
    {Operation::kScatter, "scatter"},
    {Operation::kGather, "gather"},
    {Operation::kAllgather, "allgather"},
    {Operation::kAlltoall, "alltoall"},
    {Operation::kAlltoallv, "alltoallv"},
    {Operation::kReduceScatter, "reduce_scatter"},
    {Operation::kScatterv, "scatterv"},
    {Operation::kGatherv, "gatherv"},
    {Operation::kAllgatherv, "allgatherv"},
}};

inline constexpr std::size_t kBlockBytes[] = {8, 64, 512, 4096, 65536, 1 << 20, 16 << 20};

constexpr bool has_sizes(Operation operation) {
  return operation != Operation::kNothing && operation != Operation::kBarrier;
}

/// The `index`-th number that `source` sends in an iteration.
constexpr std::int64_t value(int source, std::size_t index, int iteration) {
  return (std::int64_t{iteration} << 40) + (std::int64_t{source} << 32) +
         static_cast<std::int64_t>(index);
}

/// The lists of one processor for one operation and block size.
class Cell {
 public:
  /// As many sets of lists take turns as fill `ring_bytes` on all processors together, at least one
  /// and at most sixteen.
  Cell(Peer& peer, Operation operation, std::size_t block, std::size_t ring_bytes = 0)
      : peer_(peer), operation_(operation), block_(block), p_(peer.count()), me_(peer.id()) {
    for (int other = 0; other < p_; ++other) {
      send_counts_.push_back(skewed(other));
      receive_counts_.push_back(skewed(me_));
    }
    const std::size_t set_bytes =
        (send_size() + receive_size()) * sizeof(std::int64_t) * static_cast<std::size_t>(p_);
    const std::size_t sets =
        ring_bytes == 0 ? 1 : ring_bytes / std::max<std::size_t>(set_bytes, 1) + 1;
    ring_.resize(std::min<std::size_t>(sets, 16));
    for (Lists& lists : ring_) {
      lists.send.resize(send_size());
      lists.receive.resize(receive_size());
    }
  }

  /// New data in the next set of lists, written by its owner, so that it lies in the owner's cache.
  void refresh(int iteration) {
    turn_ = static_cast<std::size_t>(iteration) % ring_.size();
    std::vector<std::int64_t>& send = ring_[turn_].send;
    for (std::size_t i = 0; i < send.size(); ++i) send[i] = value(me_, i, iteration);
  }

  void call() {
    std::vector<std::int64_t>& send = ring_[turn_].send;
    std::vector<std::int64_t>& receive = ring_[turn_].receive;
    switch (operation_) {
      case Operation::kNothing:
        return;
      case Operation::kLatency:
        if (me_ == 0) peer_.send(1, send);
        if (me_ <= 1) peer_.receive(1 - me_, receive);
        if (me_ == 1) peer_.send(0, send);
        return;
      case Operation::kBarrier:
        return peer_.barrier();
      case Operation::kBroadcast:
        return peer_.broadcast(me_ == 0 ? send : receive);
      case Operation::kReduce:
        return peer_.reduce(send, receive);
      case Operation::kAllreduce:
        return peer_.allreduce(send, receive);
      case Operation::kScan:
        return peer_.scan(send, receive);
      case Operation::kScatter:
        return peer_.scatter(send, receive);
      case Operation::kGather:
        return peer_.gather(send, receive);
      case Operation::kAllgather:
        return peer_.allgather(send, receive);
      case Operation::kAlltoall:
        return peer_.alltoall(send, receive);
      case Operation::kAlltoallv:
        return peer_.alltoallv(send, send_counts_, receive, receive_counts_);
      case Operation::kReduceScatter:
        return peer_.reduce_scatter(send, receive, send_counts_);
      case Operation::kScatterv:
        return peer_.scatterv(send, send_counts_, receive);
      case Operation::kGatherv:
        return peer_.gatherv(send, receive, send_counts_);
      case Operation::kAllgatherv:
        return peer_.allgatherv(send, receive, send_counts_);
    }
  }

  /// Whether the last call left what it should.
  bool right(int iteration) const {
    const std::vector<std::int64_t>& receive = ring_[turn_].receive;
    std::size_t at = 0;
    for (int source = 0; at < receive.size(); ++source) {
      const std::size_t here = received_from(source);
      for (std::size_t i = 0; i < here; ++i, ++at) {
        if (receive[at] != expected(source, i, iteration)) return false;
      }
    }
    return true;
  }

  /// How often a message goes from here to there in one call, one after another.
  int ways() const { return operation_ == Operation::kLatency ? 2 : 1; }

 private:
  struct Lists {
    std::vector<std::int64_t> send;
    std::vector<std::int64_t> receive;
  };

  std::size_t received_from(int source) const {
    switch (operation_) {
      case Operation::kAlltoallv:
      case Operation::kReduceScatter:
      case Operation::kScatterv:
        return skewed(me_);
      case Operation::kGatherv:
      case Operation::kAllgatherv:
        return skewed(source);
      default:
        return block_;
    }
  }

  // What everybody sends to `target` in alltoallv.
  std::size_t skewed(int target) const {
    const std::size_t little = block_ / 4;
    const auto others = static_cast<std::size_t>(p_ - 1);
    return target == p_ - 1 ? block_ * static_cast<std::size_t>(p_) - others * little : little;
  }

  std::size_t send_size() const {
    const std::size_t all = block_ * static_cast<std::size_t>(p_);
    switch (operation_) {
      case Operation::kNothing:
      case Operation::kBarrier:
        return 0;
      case Operation::kLatency:
        return me_ <= 1 ? block_ : 0;
      case Operation::kBroadcast:
        return me_ == 0 ? block_ : 0;
      case Operation::kScatter:
      case Operation::kScatterv:
        return me_ == 0 ? all : 0;
      case Operation::kAlltoall:
      case Operation::kAlltoallv:
      case Operation::kReduceScatter:
        return all;
      case Operation::kGatherv:
      case Operation::kAllgatherv:
        return skewed(me_);
      default:
        return block_;
    }
  }
  std::size_t receive_size() const {
    const std::size_t all = block_ * static_cast<std::size_t>(p_);
    switch (operation_) {
      case Operation::kNothing:
      case Operation::kBarrier:
        return 0;
      case Operation::kLatency:
        return me_ <= 1 ? block_ : 0;
      case Operation::kBroadcast:
        return me_ == 0 ? 0 : block_;
      case Operation::kReduce:
        return me_ == 0 ? block_ : 0;
      case Operation::kGather:
      case Operation::kGatherv:
        return me_ == 0 ? all : 0;
      case Operation::kAllgather:
      case Operation::kAllgatherv:
      case Operation::kAlltoall:
        return all;
      case Operation::kAlltoallv:
        return skewed(me_) * static_cast<std::size_t>(p_);
      case Operation::kReduceScatter:
      case Operation::kScatterv:
        return skewed(me_);
      default:
        return block_;
    }
  }

  // The i-th element of block `source` of what is received.
  std::int64_t expected(int source, std::size_t i, int iteration) const {
    switch (operation_) {
      case Operation::kLatency:
        return value(1 - me_, i, iteration);
      case Operation::kReduce:
      case Operation::kAllreduce:
      case Operation::kScan: {
        const std::int64_t processors = operation_ == Operation::kScan ? me_ + 1 : p_;
        return processors * value(0, i, iteration) + ((processors * (processors - 1) / 2) << 32);
      }
      case Operation::kReduceScatter: {
        const std::size_t first = static_cast<std::size_t>(me_) * (block_ / 4);
        const std::int64_t processors = p_;
        return processors * value(0, first + i, iteration) +
               ((processors * (processors - 1) / 2) << 32);
      }
      case Operation::kScatter:
        return value(0, static_cast<std::size_t>(me_) * block_ + i, iteration);
      case Operation::kScatterv:
        return value(0, static_cast<std::size_t>(me_) * (block_ / 4) + i, iteration);
      case Operation::kAlltoall:
        return value(source, static_cast<std::size_t>(me_) * block_ + i, iteration);
      case Operation::kAlltoallv:
        return value(source, static_cast<std::size_t>(me_) * (block_ / 4) + i, iteration);
      default:
        return value(source, i, iteration);
    }
  }

  Peer& peer_;
  Operation operation_;
  std::size_t block_;
  int p_;
  int me_;
  std::vector<Lists> ring_;
  std::size_t turn_ = 0;
  std::vector<std::size_t> send_counts_;
  std::vector<std::size_t> receive_counts_;
};

}  // namespace postroom::benchmarks
