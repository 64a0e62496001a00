// What is measured: operations, sizes, the data that goes in and what must come out.
//
// `block` is the number of elements in the whole list for latency, broadcast, reduce, allreduce and
// scan, and in one processor's block for the others. alltoallv moves as much as alltoall, but every
// processor sends a quarter of a block to each and all the rest to the last.
//
// Includes nothing of Postroom, because the MPI competitors are built from it, too.
#pragma once

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
};

inline constexpr std::array<std::pair<Operation, std::string_view>, 12> kOperations{{
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
  Cell(Peer& peer, Operation operation, std::size_t block)
      : peer_(peer), operation_(operation), block_(block), p_(peer.count()), me_(peer.id()) {
    for (int other = 0; other < p_; ++other) {
      send_counts_.push_back(skewed(other));
      receive_counts_.push_back(skewed(me_));
    }
    send_.resize(send_size());
    receive_.resize(receive_size());
  }

  /// New data, written by its owner, so that it lies in the owner's cache.
  void refresh(int iteration) {
    for (std::size_t i = 0; i < send_.size(); ++i) send_[i] = value(me_, i, iteration);
  }

  void call() {
    switch (operation_) {
      case Operation::kNothing:
        return;
      case Operation::kLatency:
        if (me_ == 0) peer_.send(1, send_);
        if (me_ <= 1) peer_.receive(1 - me_, receive_);
        if (me_ == 1) peer_.send(0, send_);
        return;
      case Operation::kBarrier:
        return peer_.barrier();
      case Operation::kBroadcast:
        return peer_.broadcast(me_ == 0 ? send_ : receive_);
      case Operation::kReduce:
        return peer_.reduce(send_, receive_);
      case Operation::kAllreduce:
        return peer_.allreduce(send_, receive_);
      case Operation::kScan:
        return peer_.scan(send_, receive_);
      case Operation::kScatter:
        return peer_.scatter(send_, receive_);
      case Operation::kGather:
        return peer_.gather(send_, receive_);
      case Operation::kAllgather:
        return peer_.allgather(send_, receive_);
      case Operation::kAlltoall:
        return peer_.alltoall(send_, receive_);
      case Operation::kAlltoallv:
        return peer_.alltoallv(send_, send_counts_, receive_, receive_counts_);
    }
  }

  /// Whether the last call left what it should.
  bool right(int iteration) const {
    std::size_t at = 0;
    for (int source = 0; at < receive_.size(); ++source) {
      const std::size_t here = operation_ == Operation::kAlltoallv ? skewed(me_) : block_;
      for (std::size_t i = 0; i < here; ++i, ++at) {
        if (receive_[at] != expected(source, i, iteration)) return false;
      }
    }
    return true;
  }

  /// How often a message goes from here to there in one call, one after another.
  int ways() const { return operation_ == Operation::kLatency ? 2 : 1; }

 private:
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
        return me_ == 0 ? all : 0;
      case Operation::kAlltoall:
      case Operation::kAlltoallv:
        return all;
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
        return me_ == 0 ? all : 0;
      case Operation::kAllgather:
      case Operation::kAlltoall:
        return all;
      case Operation::kAlltoallv:
        return skewed(me_) * static_cast<std::size_t>(p_);
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
      case Operation::kScatter:
        return value(0, static_cast<std::size_t>(me_) * block_ + i, iteration);
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
  std::vector<std::int64_t> send_;
  std::vector<std::int64_t> receive_;
  std::vector<std::size_t> send_counts_;
  std::vector<std::size_t> receive_counts_;
};

}  // namespace postroom::benchmarks
