// What Algorithm::automatic stands for, by the name of the operation.
//
//   to_string(chosen_algorithm("alltoall", 64, 128, TimeModel::postal(9, 1e6)));   // "bruck(…)"
#pragma once

#include <cstdint>
#include <string_view>

#include "collectives/algorithm.h"
#include "collectives/models/time_model.h"
#include "runtime/processor.h"

namespace postroom {

/// In a call of `self`. `operation`: broadcast, reduce, allreduce (by an operator that commutes),
/// scan, scatter, gather, allgather, alltoall or barrier; `bytes` as of its cost. Throws
/// std::invalid_argument for another name, and as the cost does.
Algorithm chosen_algorithm(std::string_view operation, const Processor& self, std::int64_t bytes);
/// By messages, on the wall clock, on processors that share memory.
Algorithm chosen_algorithm(std::string_view operation, int processors, std::int64_t bytes);
/// Under the clock of a model.
Algorithm chosen_algorithm(std::string_view operation, int processors, std::int64_t bytes,
                           const TimeModel& model);

}  // namespace postroom
