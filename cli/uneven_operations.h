// The operations whose blocks differ in size, as rows of the table in cli/simulated_operation.h.
//
// Sizes are given by one number m, as of the others, and p processors:
//
//   reduce_scatter, allgatherv   block j has m / 4, the last one all the rest of p m
//   alltoallv                    everybody sends so much to processor j
//   route                        everybody has p m for all, processor 0 gets twice as much as on
//                                average, the others less and less, the last next to nothing: Eq.
//                                (7) of [H] with h = 2 n/p; elements for different targets take
//                                turns
//
// Elements are words of 8 bytes where m is made of whole ones, otherwise bytes. Costs and times are
// for at most kMostUnevenProcessors, whose blocks are counted one by one; std::invalid_argument for
// more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cli/operation_data.h"
#include "collectives/algorithm.h"
#include "collectives/cost.h"
#include "collectives/time_model.h"
#include "runtime/processor.h"

namespace postroom::cli {

inline constexpr int kMostUnevenProcessors = 4096;

/// 8 or 1.
std::size_t uneven_element_bytes(std::size_t block_bytes);
/// Of reduce_scatter, allgatherv and alltoallv, in elements, by processor.
std::vector<std::size_t> skewed_counts(int processors, std::size_t block_bytes);
/// Of route.
std::vector<std::size_t> falling_counts(int processors, std::size_t block_bytes);

void prepare_reduce_scatter(const OperationTurn& turn, OperationData& data);
void call_reduce_scatter(Processor& self, const OperationTurn& turn, OperationData& data,
                         const Algorithm& algorithm);
bool right_reduce_scatter(const OperationTurn& turn, const OperationData& data);
Cost cost_of_reduce_scatter(int processors, std::int64_t block_bytes, Algorithm algorithm);
double time_of_reduce_scatter(int processors, std::int64_t block_bytes, const Algorithm& algorithm,
                              const TimeModel& model);
Algorithm choose_for_reduce_scatter(int processors, std::int64_t block_bytes,
                                    const TimeModel* model);

void prepare_allgatherv(const OperationTurn& turn, OperationData& data);
void call_allgatherv(Processor& self, const OperationTurn& turn, OperationData& data,
                     const Algorithm& algorithm);
bool right_allgatherv(const OperationTurn& turn, const OperationData& data);
Cost cost_of_allgatherv(int processors, std::int64_t block_bytes, Algorithm algorithm);
double time_of_allgatherv(int processors, std::int64_t block_bytes, const Algorithm& algorithm,
                          const TimeModel& model);
Algorithm choose_for_allgatherv(int processors, std::int64_t block_bytes, const TimeModel* model);

void prepare_alltoallv(const OperationTurn& turn, OperationData& data);
void call_alltoallv(Processor& self, const OperationTurn& turn, OperationData& data,
                    const Algorithm& algorithm);
bool right_alltoallv(const OperationTurn& turn, const OperationData& data);
Cost cost_of_alltoallv(int processors, std::int64_t block_bytes, Algorithm algorithm);
double time_of_alltoallv(int processors, std::int64_t block_bytes, const Algorithm& algorithm,
                         const TimeModel& model);
Algorithm choose_for_alltoallv(int processors, std::int64_t block_bytes, const TimeModel* model);

void prepare_route(const OperationTurn& turn, OperationData& data);
void call_route(Processor& self, const OperationTurn& turn, OperationData& data,
                const Algorithm& algorithm);
bool right_route(const OperationTurn& turn, const OperationData& data);
Cost cost_of_route(int processors, std::int64_t block_bytes, Algorithm algorithm);
double time_of_route(int processors, std::int64_t block_bytes, const Algorithm& algorithm,
                     const TimeModel& model);
Algorithm choose_for_route(int processors, std::int64_t block_bytes, const TimeModel* model);

}  // namespace postroom::cli
