// What a competitor has to offer: the operations that are measured, on lists of 64-bit numbers.
//
// One object on each processor (rank), which calls it in step with the others. Processor 0 is the
// root, the operator is the sum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace postroom::benchmarks {

using List = std::span<std::int64_t>;
using ConstList = std::span<const std::int64_t>;
using Counts = std::span<const std::size_t>;

class Peer {
 public:
  virtual ~Peer() = default;

  virtual int id() const = 0;
  virtual int count() const = 0;

  virtual void send(int target, ConstList data) = 0;
  virtual void receive(int source, List data) = 0;
  virtual void barrier() = 0;
  virtual void broadcast(List data) = 0;
  virtual void reduce(ConstList in, List out) = 0;
  virtual void allreduce(ConstList in, List out) = 0;
  virtual void scan(ConstList in, List out) = 0;
  virtual void scatter(ConstList all, List mine) = 0;
  virtual void gather(ConstList mine, List all) = 0;
  virtual void allgather(ConstList mine, List all) = 0;
  virtual void alltoall(ConstList send, List receive) = 0;
  virtual void alltoallv(ConstList send, Counts send_counts, List receive,
                         Counts receive_counts) = 0;
  /// One of `counts` for each processor.
  virtual void reduce_scatter(ConstList in, List out, Counts counts) = 0;
  virtual void scatterv(ConstList all, Counts counts, List mine) = 0;
  virtual void gatherv(ConstList mine, List all, Counts counts) = 0;
  virtual void allgatherv(ConstList mine, List all, Counts counts) = 0;
};

}  // namespace postroom::benchmarks
