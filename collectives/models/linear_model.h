// Predicted times from rounds and bytes.
//
// Source: [I], sections 1.2 and 3.5. In the linear model a message of m bytes takes β + m τ, so an
// algorithm takes T = C1 β + C2 τ. The fitted model corrects both for what the linear one leaves
// out: T = g1 C1 ts + g2 C2 tc + g3, where g2 stands for congestion, g1 for the slowdown of sending
// and receiving at the same time, and g3 for what every call costs. Any unit of time.
//
//   const LinearModel sp1{.start_up = 29, .per_byte = 0.12};   // microseconds; the paper's machine
//   sp1.time(alltoall_cost(64, 128, Algorithm::bruck(8)));
#pragma once

#include "collectives/models/cost.h"

namespace postroom {

struct LinearModel {
  double start_up = 0;  ///< β, ts
  double per_byte = 0;  ///< τ, tc

  double time(const Cost& cost) const {
    return static_cast<double>(cost.rounds) * start_up + static_cast<double>(cost.bytes) * per_byte;
  }
};

struct FittedModel {
  LinearModel linear;
  double start_up_factor = 1;  ///< g1
  double byte_factor = 1;      ///< g2
  double constant = 0;         ///< g3

  double time(const Cost& cost) const {
    return start_up_factor * linear.time({cost.rounds, 0}) +
           byte_factor * linear.time({0, cost.bytes}) + constant;
  }
};

}  // namespace postroom
