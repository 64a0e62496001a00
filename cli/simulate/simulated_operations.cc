#include "cli/simulate/simulated_operations.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cli/common/command_line.h"
#include "cli/simulate/uneven_operations.h"
#include "cli/simulate/words_of.h"
#include "collectives/allgather.h"
#include "collectives/allgather_by_teams.h"
#include "collectives/allreduce.h"
#include "collectives/allreduce_by_teams.h"
#include "collectives/alltoall.h"
#include "collectives/barrier.h"
#include "collectives/broadcast.h"
#include "collectives/broadcast_by_teams.h"
#include "collectives/gather.h"
#include "collectives/models/lower_bounds.h"
#include "collectives/reduce.h"
#include "collectives/scan.h"
#include "collectives/scatter.h"

namespace postroom::cli {
namespace {

using Turn = OperationTurn;
using Data = OperationData;

constexpr std::string_view kBroadcast = "broadcast";
constexpr std::string_view kBroadcastOfMpi = "bcast";

bool is_root(const Turn& turn) { return turn.me == turn.root; }

std::size_t all_bytes(const Turn& turn) {
  return turn.block_bytes * static_cast<std::size_t>(turn.processors);
}

std::span<std::uint8_t> block_of(std::vector<std::uint8_t>& list, const Turn& turn, int i) {
  return std::span(list).subspan(static_cast<std::size_t>(i) * turn.block_bytes, turn.block_bytes);
}
std::span<const std::uint8_t> block_of(const std::vector<std::uint8_t>& list, const Turn& turn,
                                       int i) {
  return std::span(list).subspan(static_cast<std::size_t>(i) * turn.block_bytes, turn.block_bytes);
}

/// A block of this processor for each of the others.
void fill_for_all(const Turn& turn, std::vector<std::uint8_t>& list) {
  list.resize(all_bytes(turn));
  for (int to = 0; to < turn.processors; ++to) {
    fill_letters(block_of(list, turn, to), turn.me, to, turn.turn);
  }
}
/// Whether there is the block of each processor for `target`.
bool has_from_all(const Turn& turn, const std::vector<std::uint8_t>& list, int target) {
  for (int from = 0; from < turn.processors; ++from) {
    if (!has_letters(block_of(list, turn, from), from, target, turn.turn)) return false;
  }
  return true;
}
void fill_own(const Turn& turn, std::vector<std::uint8_t>& list, int target) {
  list.resize(turn.block_bytes);
  fill_letters(list, turn.me, target, turn.turn);
}

/// `add(in, out)` with the lists as words, or as bytes.
template <class Add>
void as_numbers(const Turn& turn, Data& data, Add add) {
  if (turn.adds_words()) {
    add(words_of(std::as_const(data.in)), words_of(data.out));
  } else {
    add(data.in, data.out);
  }
}

void prepare_broadcast(const Turn& turn, Data& data) {
  data.out.resize(turn.block_bytes);
  if (is_root(turn)) fill_letters(data.out, turn.root, 0, turn.turn);
}
void call_broadcast(Processor& self, const Turn& turn, Data& data, const Algorithm& algorithm) {
  broadcast(self, turn.root, data.out, algorithm);
}
bool right_broadcast(const Turn& turn, const Data& data) {
  return has_letters(data.out, turn.root, 0, turn.turn);
}

void prepare_reduce(const Turn& turn, Data& data) {
  data.in.resize(turn.block_bytes);
  fill_terms(data.in, turn);
  data.out.resize(is_root(turn) ? turn.block_bytes : 0);
}
void call_reduce(Processor& self, const Turn& turn, Data& data, const Algorithm& algorithm) {
  as_numbers(turn, data, [&](const auto& in, auto&& out) {
    reduce(self, turn.root, in, out, std::plus<>(), algorithm);
  });
}
bool right_reduce(const Turn& turn, const Data& data) {
  return !is_root(turn) || has_sums(data.out, turn, turn.processors);
}

void prepare_sums(const Turn& turn, Data& data) {
  data.in.resize(turn.block_bytes);
  fill_terms(data.in, turn);
  data.out.resize(turn.block_bytes);
}
void call_allreduce(Processor& self, const Turn& turn, Data& data, const Algorithm& algorithm) {
  as_numbers(turn, data, [&](const auto& in, auto&& out) {
    allreduce(self, in, out, std::plus<>(), algorithm);
  });
}
bool right_allreduce(const Turn& turn, const Data& data) {
  return has_sums(data.out, turn, turn.processors);
}
void call_scan(Processor& self, const Turn& turn, Data& data, const Algorithm& algorithm) {
  as_numbers(turn, data,
             [&](const auto& in, auto&& out) { scan(self, in, out, std::plus<>(), algorithm); });
}
bool right_scan(const Turn& turn, const Data& data) {
  return has_sums(data.out, turn, turn.me + 1);
}

void prepare_scatter(const Turn& turn, Data& data) {
  if (is_root(turn)) fill_for_all(turn, data.in);
  data.out.resize(turn.block_bytes);
}
void call_scatter(Processor& self, const Turn& turn, Data& data, const Algorithm& algorithm) {
  scatter(self, turn.root, data.in, data.out, algorithm);
}
bool right_scatter(const Turn& turn, const Data& data) {
  return has_letters(data.out, turn.root, turn.me, turn.turn);
}

void prepare_gather(const Turn& turn, Data& data) {
  fill_own(turn, data.in, turn.root);
  data.out.resize(is_root(turn) ? all_bytes(turn) : 0);
}
void call_gather(Processor& self, const Turn& turn, Data& data, const Algorithm& algorithm) {
  gather(self, turn.root, data.in, data.out, algorithm);
}
bool right_gather(const Turn& turn, const Data& data) {
  return !is_root(turn) || has_from_all(turn, data.out, turn.root);
}

void prepare_allgather(const Turn& turn, Data& data) {
  fill_own(turn, data.in, 0);
  data.out.resize(all_bytes(turn));
}
void call_allgather(Processor& self, const Turn&, Data& data, const Algorithm& algorithm) {
  allgather(self, data.in, data.out, algorithm);
}
bool right_allgather(const Turn& turn, const Data& data) { return has_from_all(turn, data.out, 0); }

void prepare_alltoall(const Turn& turn, Data& data) {
  fill_for_all(turn, data.in);
  data.out.resize(all_bytes(turn));
}
void call_alltoall(Processor& self, const Turn&, Data& data, const Algorithm& algorithm) {
  alltoall(self, data.in, data.out, algorithm);
}
bool right_alltoall(const Turn& turn, const Data& data) {
  return has_from_all(turn, data.out, turn.me);
}

void prepare_nothing(const Turn&, Data&) {}
void call_barrier(Processor& self, const Turn&, Data&, const Algorithm& algorithm) {
  barrier(self, algorithm);
}
bool right_always(const Turn&, const Data&) { return true; }
Cost cost_of_barrier(int processors, std::int64_t, Algorithm algorithm) {
  return barrier_cost(processors, algorithm);
}

double time_of_barrier(int processors, std::int64_t, const Algorithm& algorithm,
                       const TimeModel& model) {
  return barrier_time(processors, algorithm, model);
}

/// Of an operation that is made of messages alone: the same with and without a model.
template <Cost (*kCost)(int, std::int64_t, Algorithm)>
Cost cost_of(int processors, std::int64_t block_bytes, const Algorithm& algorithm,
             const TimeModel*) {
  return kCost(processors, block_bytes, algorithm);
}

Cost least_cost(int processors, std::int64_t block_bytes, int ports) {
  return {least_rounds(processors, ports), least_bytes(processors, block_bytes, ports)};
}

std::int64_t none(std::int64_t) { return 0; }
std::int64_t few(std::int64_t) { return 3; }
std::int64_t one_for_each(std::int64_t processors) { return 2 * processors; }
std::int64_t two_for_each(std::int64_t processors) { return 4 * processors; }
// Only the root holds one for each.
std::int64_t at_root(std::int64_t) { return 6; }

using Bound = SimulatedOperation::Bound;
using Block = SimulatedOperation::Block;

constexpr std::array kEvenOperations = {
    SimulatedOperation{kBroadcast, broadcast_algorithms, prepare_broadcast, call_broadcast,
                       right_broadcast, cost_of<broadcast_cost>, broadcast_time, few, Block::kList,
                       true, true, Bound::kOptimal, nullptr, broadcast_by_teams_cost},
    SimulatedOperation{"reduce", reduce_algorithms, prepare_reduce, call_reduce, right_reduce,
                       cost_of<reduce_cost>, reduce_time, few, Block::kList, true, true,
                       Bound::kOptimal},
    SimulatedOperation{"allreduce", allreduce_algorithms, prepare_sums, call_allreduce,
                       right_allreduce, cost_of<allreduce_cost>, allreduce_time, few, Block::kList,
                       false, false, Bound::kReachWhole, nullptr, allreduce_by_teams_cost},
    SimulatedOperation{"scan", scan_algorithms, prepare_sums, call_scan, right_scan,
                       cost_of<scan_cost>, scan_time, few, Block::kList, false, false,
                       Bound::kReach},
    SimulatedOperation{"scatter", scatter_algorithms, prepare_scatter, call_scatter, right_scatter,
                       cost_of<scatter_cost>, scatter_time, at_root, Block::kPart, true, true,
                       Bound::kReach},
    SimulatedOperation{"gather", gather_algorithms, prepare_gather, call_gather, right_gather,
                       cost_of<gather_cost>, gather_time, at_root, Block::kPart, true, true,
                       Bound::kReach},
    SimulatedOperation{"allgather", allgather_algorithms, prepare_allgather, call_allgather,
                       right_allgather, cost_of<allgather_cost>, allgather_time, one_for_each,
                       Block::kPart, false, false, Bound::kReach, least_cost,
                       allgather_by_teams_cost},
    SimulatedOperation{"alltoall", alltoall_algorithms, prepare_alltoall, call_alltoall,
                       right_alltoall, cost_of<alltoall_cost>, alltoall_time, two_for_each,
                       Block::kPart, false, false, Bound::kReach, least_cost},
    SimulatedOperation{"barrier", barrier_algorithms, prepare_nothing, call_barrier, right_always,
                       cost_of<cost_of_barrier>, time_of_barrier, none, Block::kNone, false, false,
                       Bound::kReach},
};

}  // namespace

std::span<const SimulatedOperation> simulated_operations() {
  static const std::vector<SimulatedOperation> all = [] {
    std::vector<SimulatedOperation> list(kEvenOperations.begin(), kEvenOperations.end());
    const std::span<const SimulatedOperation> uneven = uneven_operations();
    list.insert(list.end(), uneven.begin(), uneven.end());
    return list;
  }();
  return all;
}

std::string operation_names() {
  std::string names;
  for (const SimulatedOperation& operation : simulated_operations()) {
    names.append(names.empty() ? "" : ", ").append(operation.name);
    if (operation.name == kBroadcast) names.append(" (or ").append(kBroadcastOfMpi).append(")");
  }
  return names;
}

const SimulatedOperation& simulated_operation(std::string_view name, std::string_view also) {
  if (name == kBroadcastOfMpi) name = kBroadcast;
  std::vector<std::string_view> names;
  for (const SimulatedOperation& operation : simulated_operations()) {
    if (operation.name == name) return operation;
    names.push_back(operation.name);
  }
  if (!also.empty()) names.push_back(also);
  throw_unknown_name("OPERATION", name, names);
}

}  // namespace postroom::cli
