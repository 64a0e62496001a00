// Bandwidths of a collective, as benchmarks of collectives usually give them.
//
// The algorithm bandwidth is all the data of the operation by its time: the list of a broadcast, or
// the parts of all processors of an alltoall. The bus bandwidth is what the busiest processor has
// to send or receive, whatever the algorithm, by the time; it can be compared with the speed of a
// link or of copying, whatever the number of processors. In bytes per nanosecond, which are GB/s.
//
//   operation                            data     bus bandwidth / algorithm bandwidth
//   broadcast, reduce, scan              m        1
//   allreduce                            m        2 (p - 1) / p
//   scatter, gather, allgather, alltoall p m      (p - 1) / p
//   reduce_scatter, scatterv, gatherv,
//   allgatherv                           p m      1 - the smallest block / (p m)
//   alltoallv, route                     p m      (p - 1) times the largest block / (p m)
#pragma once

#include <cstddef>
#include <optional>

#include "cli/simulate/simulated_operation.h"

namespace postroom::cli {

struct Bandwidth {
  double algorithm = 0;
  double bus = 0;
};

/// Nothing where no data moves or no time passes.
std::optional<Bandwidth> bandwidth(const SimulatedOperation& operation, int processors,
                                   std::size_t block_bytes, double time_ns);

}  // namespace postroom::cli
