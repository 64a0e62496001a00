#include "cli/simulate/uneven_operations.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>

#include "cli/simulate/words_of.h"
#include "collectives/algorithm.h"
#include "collectives/allgatherv.h"
#include "collectives/alltoallv.h"
#include "collectives/gatherv.h"
#include "collectives/reduce_scatter.h"
#include "collectives/route.h"
#include "collectives/route_cost.h"
#include "collectives/scatterv.h"

namespace postroom::cli {
namespace {

constexpr int kMostUnevenProcessors = 4096;
constexpr int kRoot = 0;

using Turn = OperationTurn;
using Data = OperationData;
using Counts = std::vector<std::size_t>;

std::size_t element_bytes(const Turn& turn) { return uneven_element_bytes(turn.block_bytes); }

std::size_t all_bytes(const Turn& turn) {
  return turn.block_bytes * static_cast<std::size_t>(turn.processors);
}

std::size_t own_bytes(const Turn& turn, const Data& data) {
  return data.counts[static_cast<std::size_t>(turn.me)] * element_bytes(turn);
}

/// Blocks of `counts` that this processor has for each of the others.
void fill_for_all(const Turn& turn, const Counts& counts, std::span<std::uint8_t> list) {
  for (int to = 0; to < turn.processors; ++to) {
    const std::size_t bytes = counts[static_cast<std::size_t>(to)] * element_bytes(turn);
    fill_letters(list.first(bytes), turn.me, to, turn.turn);
    list = list.subspan(bytes);
  }
}

/// Whether `list` is made of a block for `target` from each processor, of the sizes `counts`.
bool has_from_all(const Turn& turn, const Counts& counts, std::span<const std::uint8_t> list,
                  int target) {
  for (int from = 0; from < turn.processors; ++from) {
    const std::size_t bytes = counts[static_cast<std::size_t>(from)] * element_bytes(turn);
    if (bytes > list.size()) return false;
    if (!has_letters(list.first(bytes), from, target, turn.turn)) return false;
    list = list.subspan(bytes);
  }
  return list.empty();
}

/// The same from everybody.
Counts counts_from_all(const Turn& turn, const Counts& counts) {
  return Counts(counts.size(), counts[static_cast<std::size_t>(turn.me)]);
}

/// `run(in, out)` on elements of the size that the turn has.
template <class Run>
void as_elements(const Turn& turn, Data& data, Run run) {
  if (element_bytes(turn) == 1) {
    run(data.in, data.out);
  } else {
    run(words_of(std::as_const(data.in)), words_of(data.out));
  }
}

void check_processors(const char* operation, int processors) {
  if (processors <= kMostUnevenProcessors) return;
  throw std::invalid_argument(fmt::format("{}: {} processors are not allowed; at most {}",
                                          operation, processors, kMostUnevenProcessors));
}

Counts checked_counts(const char* operation, int processors, std::int64_t block_bytes) {
  check_processors(operation, processors);
  return skewed_counts(processors, static_cast<std::size_t>(block_bytes));
}

/// A row for each processor, all the same.
template <class Number>
std::vector<Number> matrix_of(const Counts& row) {
  std::vector<Number> matrix;
  matrix.reserve(row.size() * row.size());
  for (std::size_t i = 0; i < row.size(); ++i) matrix.insert(matrix.end(), row.begin(), row.end());
  return matrix;
}

std::size_t element_bytes_of(std::int64_t block_bytes) {
  return uneven_element_bytes(static_cast<std::size_t>(block_bytes));
}

void prepare_reduce_scatter(const Turn& turn, Data& data) {
  data.counts = skewed_counts(turn.processors, turn.block_bytes);
  data.in.resize(all_bytes(turn));
  Turn by_elements = turn;
  by_elements.words = true;
  fill_terms(data.in, by_elements);
  data.out.resize(own_bytes(turn, data));
}
void call_reduce_scatter(Processor& self, const Turn& turn, Data& data,
                         const Algorithm& algorithm) {
  as_elements(turn, data, [&](const auto& in, auto&& out) {
    reduce_scatter(self, in, out, data.counts, std::plus<>(), algorithm);
  });
}
bool right_reduce_scatter(const Turn& turn, const Data& data) {
  Turn by_elements = turn;
  by_elements.words = true;
  const auto before = std::span(data.counts).first(static_cast<std::size_t>(turn.me));
  const std::size_t first = std::reduce(before.begin(), before.end()) * element_bytes(turn);
  return has_sums(data.out, by_elements, turn.processors, first);
}
Cost cost_of_reduce_scatter(int processors, std::int64_t block_bytes, const Algorithm& algorithm,
                            const TimeModel*) {
  return reduce_scatter_cost(checked_counts("reduce_scatter", processors, block_bytes),
                             element_bytes_of(block_bytes), algorithm);
}
double time_of_reduce_scatter(int processors, std::int64_t block_bytes, const Algorithm& algorithm,
                              const TimeModel& model) {
  return reduce_scatter_time(checked_counts("reduce_scatter", processors, block_bytes),
                             element_bytes_of(block_bytes), algorithm, model);
}
Algorithm choose_for_reduce_scatter(int processors, std::int64_t block_bytes,
                                    const TimeModel* model) {
  const Counts counts = skewed_counts(processors, static_cast<std::size_t>(block_bytes));
  const std::size_t element = element_bytes_of(block_bytes);
  const bool in_model = model != nullptr && processors <= kMostUnevenProcessors;
  return in_model ? choose_commuting_reduce_scatter(counts, element, *model)
                  : choose_reduce_scatter(counts, element);
}
Algorithm choose_in_reduce_scatter(const Processor& self, std::int64_t block_bytes) {
  return choose_commuting_reduce_scatter(
      self, skewed_counts(self.count(), static_cast<std::size_t>(block_bytes)),
      element_bytes_of(block_bytes));
}

void prepare_scatterv(const Turn& turn, Data& data) {
  data.counts = skewed_counts(turn.processors, turn.block_bytes);
  data.in.resize(turn.me == kRoot ? all_bytes(turn) : 0);
  if (turn.me == kRoot) fill_for_all(turn, data.counts, data.in);
  data.out.resize(own_bytes(turn, data));
}
void call_scatterv(Processor& self, const Turn& turn, Data& data, const Algorithm& algorithm) {
  as_elements(turn, data, [&](const auto& in, auto&& out) {
    scatterv(self, kRoot, in, data.counts, out, algorithm);
  });
}
bool right_scatterv(const Turn& turn, const Data& data) {
  return has_letters(data.out, kRoot, turn.me, turn.turn);
}
Cost cost_of_scatterv(int processors, std::int64_t block_bytes, const Algorithm& algorithm,
                      const TimeModel*) {
  return scatterv_cost(kRoot, checked_counts("scatterv", processors, block_bytes),
                       element_bytes_of(block_bytes), algorithm);
}
double time_of_scatterv(int processors, std::int64_t block_bytes, const Algorithm& algorithm,
                        const TimeModel& model) {
  return scatterv_time(kRoot, checked_counts("scatterv", processors, block_bytes),
                       element_bytes_of(block_bytes), algorithm, model);
}
Algorithm choose_for_scatterv(int processors, std::int64_t, const TimeModel* model) {
  return model != nullptr ? choose_scatterv(processors, *model) : Algorithm::linear;
}
Algorithm choose_in_scatterv(const Processor& self, std::int64_t) { return choose_scatterv(self); }

void prepare_gatherv(const Turn& turn, Data& data) {
  data.counts = skewed_counts(turn.processors, turn.block_bytes);
  data.in.resize(own_bytes(turn, data));
  fill_letters(data.in, turn.me, kRoot, turn.turn);
  data.out.resize(turn.me == kRoot ? all_bytes(turn) : 0);
}
void call_gatherv(Processor& self, const Turn& turn, Data& data, const Algorithm& algorithm) {
  as_elements(turn, data, [&](const auto& in, auto&& out) {
    gatherv(self, kRoot, in, out, data.counts, algorithm);
  });
}
bool right_gatherv(const Turn& turn, const Data& data) {
  return turn.me != kRoot || has_from_all(turn, data.counts, data.out, kRoot);
}
Cost cost_of_gatherv(int processors, std::int64_t block_bytes, const Algorithm& algorithm,
                     const TimeModel*) {
  return gatherv_cost(kRoot, checked_counts("gatherv", processors, block_bytes),
                      element_bytes_of(block_bytes), algorithm);
}
double time_of_gatherv(int processors, std::int64_t block_bytes, const Algorithm& algorithm,
                       const TimeModel& model) {
  return gatherv_time(kRoot, checked_counts("gatherv", processors, block_bytes),
                      element_bytes_of(block_bytes), algorithm, model);
}
Algorithm choose_for_gatherv(int processors, std::int64_t, const TimeModel* model) {
  return model != nullptr ? choose_gatherv(processors, *model) : Algorithm::linear;
}
Algorithm choose_in_gatherv(const Processor& self, std::int64_t) { return choose_gatherv(self); }

void prepare_allgatherv(const Turn& turn, Data& data) {
  data.counts = skewed_counts(turn.processors, turn.block_bytes);
  data.in.resize(own_bytes(turn, data));
  fill_letters(data.in, turn.me, 0, turn.turn);
  data.out.resize(all_bytes(turn));
}
void call_allgatherv(Processor& self, const Turn& turn, Data& data, const Algorithm& algorithm) {
  as_elements(turn, data, [&](const auto& in, auto&& out) {
    allgatherv(self, in, out, data.counts, algorithm);
  });
}
bool right_allgatherv(const Turn& turn, const Data& data) {
  return has_from_all(turn, data.counts, data.out, 0);
}
Cost cost_of_allgatherv(int processors, std::int64_t block_bytes, const Algorithm& algorithm,
                        const TimeModel*) {
  return allgatherv_cost(checked_counts("allgatherv", processors, block_bytes),
                         element_bytes_of(block_bytes), algorithm);
}
double time_of_allgatherv(int processors, std::int64_t block_bytes, const Algorithm& algorithm,
                          const TimeModel& model) {
  return allgatherv_time(checked_counts("allgatherv", processors, block_bytes),
                         element_bytes_of(block_bytes), algorithm, model);
}
Algorithm choose_for_allgatherv(int processors, std::int64_t block_bytes, const TimeModel* model) {
  const Counts counts = skewed_counts(processors, static_cast<std::size_t>(block_bytes));
  const std::size_t element = element_bytes_of(block_bytes);
  const bool in_model = model != nullptr && processors <= kMostUnevenProcessors;
  return in_model ? choose_allgatherv(counts, element, *model) : choose_allgatherv(counts, element);
}
Algorithm choose_in_allgatherv(const Processor& self, std::int64_t block_bytes) {
  return choose_allgatherv(self, skewed_counts(self.count(), static_cast<std::size_t>(block_bytes)),
                           element_bytes_of(block_bytes));
}

void prepare_alltoallv(const Turn& turn, Data& data) {
  data.counts = skewed_counts(turn.processors, turn.block_bytes);
  data.counts_in = counts_from_all(turn, data.counts);
  data.in.resize(all_bytes(turn));
  fill_for_all(turn, data.counts, data.in);
  data.out.resize(own_bytes(turn, data) * data.counts.size());
}
void call_alltoallv(Processor& self, const Turn& turn, Data& data, const Algorithm& algorithm) {
  as_elements(turn, data, [&](const auto& in, auto&& out) {
    alltoallv(self, in, data.counts, out, data.counts_in, algorithm);
  });
}
bool right_alltoallv(const Turn& turn, const Data& data) {
  return has_from_all(turn, data.counts_in, data.out, turn.me);
}
Cost cost_of_alltoallv(int processors, std::int64_t block_bytes, const Algorithm& algorithm,
                       const TimeModel*) {
  const Counts row = checked_counts("alltoallv", processors, block_bytes);
  return alltoallv_cost(processors, matrix_of<std::size_t>(row), element_bytes_of(block_bytes),
                        algorithm);
}
double time_of_alltoallv(int processors, std::int64_t block_bytes, const Algorithm& algorithm,
                         const TimeModel& model) {
  const Counts row = checked_counts("alltoallv", processors, block_bytes);
  return alltoallv_time(processors, matrix_of<std::size_t>(row), element_bytes_of(block_bytes),
                        algorithm, model);
}
Algorithm choose_for_alltoallv(int, std::int64_t, const TimeModel* model) {
  return model != nullptr ? choose_alltoallv(*model) : choose_alltoallv();
}
Algorithm choose_in_alltoallv(const Processor& self, std::int64_t) {
  return choose_alltoallv(self);
}

/// The elements of all blocks, one of each block after another, and their targets.
template <class T>
void deal(const Counts& counts, std::span<const T> blocks, std::span<T> dealt,
          std::vector<int>& targets) {
  targets.clear();
  const std::size_t most = *std::ranges::max_element(counts);
  for (std::size_t k = 0; k < most; ++k) {
    std::size_t begin = 0;
    for (std::size_t j = 0; j < counts.size(); begin += counts[j++]) {
      if (k >= counts[j]) continue;
      dealt[targets.size()] = blocks[begin + k];
      targets.push_back(static_cast<int>(j));
    }
  }
}

std::vector<std::uint64_t> falling_matrix(int processors, std::int64_t block_bytes) {
  check_processors("route", processors);
  return matrix_of<std::uint64_t>(
      falling_counts(processors, static_cast<std::size_t>(block_bytes)));
}

RouteBytes route_bytes(std::int64_t block_bytes) {
  return element_bytes_of(block_bytes) == 1 ? RouteBytes::of<std::uint8_t>()
                                            : RouteBytes::of<std::uint64_t>();
}

void prepare_route(const Turn& turn, Data& data) {
  data.routed = {};  // freed here, not in the call
  data.out = {};
  data.counts = falling_counts(turn.processors, turn.block_bytes);
  data.counts_in = counts_from_all(turn, data.counts);
  data.in.resize(all_bytes(turn));
  std::vector<std::uint8_t> blocks(all_bytes(turn));
  fill_for_all(turn, data.counts, blocks);
  if (element_bytes(turn) == 1) {
    deal<std::uint8_t>(data.counts, blocks, data.in, data.targets);
  } else {
    deal<std::uint64_t>(data.counts, words_of(std::as_const(blocks)), words_of(data.in),
                        data.targets);
  }
}
void call_route(Processor& self, const Turn& turn, Data& data, const Algorithm& algorithm) {
  if (element_bytes(turn) == 1) {
    data.out = route(self, data.in, data.targets, algorithm);
  } else {
    data.routed = route(self, words_of(std::as_const(data.in)), data.targets, algorithm);
  }
}
bool right_route(const Turn& turn, const Data& data) {
  const auto* const words = reinterpret_cast<const std::uint8_t*>(data.routed.data());
  const std::span<const std::uint8_t> received =
      data.routed.empty() ? std::span(data.out)
                          : std::span(words, data.routed.size() * sizeof(std::uint64_t));
  return has_from_all(turn, data.counts_in, received, turn.me);
}
Cost cost_of_route(int processors, std::int64_t block_bytes, const Algorithm& algorithm,
                   const TimeModel* model) {
  return route_cost(processors, falling_matrix(processors, block_bytes), route_bytes(block_bytes),
                    algorithm, model);
}
double time_of_route(int processors, std::int64_t block_bytes, const Algorithm& algorithm,
                     const TimeModel& model) {
  return route_time(processors, falling_matrix(processors, block_bytes), route_bytes(block_bytes),
                    algorithm, model);
}
Algorithm choose_for_route(int processors, std::int64_t, const TimeModel* model) {
  return model != nullptr ? choose_route(processors, *model) : Algorithm::direct;
}
Algorithm choose_in_route(const Processor& self, std::int64_t) {
  return choose_route(self, RouteOptions());
}

// The root holds all, nearly all go to the last processor, and on a tree through log2 p others.
std::int64_t at_root(std::int64_t) { return 16; }
std::int64_t one_for_each(std::int64_t processors) { return 2 * processors; }
std::int64_t two_for_each(std::int64_t processors) { return 4 * processors; }
// A block of two_transpose has room for a run for each element, and bins have room to spare.
std::int64_t bins_for_each(std::int64_t processors) { return 16 * processors; }

using Bound = SimulatedOperation::Bound;
using Block = SimulatedOperation::Block;

constexpr std::array kOperations = {
    SimulatedOperation{"reduce_scatter", reduce_scatter_algorithms, prepare_reduce_scatter,
                       call_reduce_scatter, right_reduce_scatter, cost_of_reduce_scatter,
                       time_of_reduce_scatter, two_for_each, Block::kPart, false, false,
                       Bound::kNone, nullptr, nullptr, choose_for_reduce_scatter,
                       choose_in_reduce_scatter, true},
    SimulatedOperation{"scatterv", scatterv_algorithms, prepare_scatterv, call_scatterv,
                       right_scatterv, cost_of_scatterv, time_of_scatterv, at_root, Block::kPart,
                       false, true, Bound::kNone, nullptr, nullptr, choose_for_scatterv,
                       choose_in_scatterv, true},
    SimulatedOperation{"gatherv", gatherv_algorithms, prepare_gatherv, call_gatherv, right_gatherv,
                       cost_of_gatherv, time_of_gatherv, at_root, Block::kPart, false, true,
                       Bound::kNone, nullptr, nullptr, choose_for_gatherv, choose_in_gatherv, true},
    SimulatedOperation{"allgatherv", allgatherv_algorithms, prepare_allgatherv, call_allgatherv,
                       right_allgatherv, cost_of_allgatherv, time_of_allgatherv, one_for_each,
                       Block::kPart, false, false, Bound::kNone, nullptr, nullptr,
                       choose_for_allgatherv, choose_in_allgatherv, true},
    SimulatedOperation{"alltoallv", alltoallv_algorithms, prepare_alltoallv, call_alltoallv,
                       right_alltoallv, cost_of_alltoallv, time_of_alltoallv, two_for_each,
                       Block::kPart, false, false, Bound::kNone, nullptr, nullptr,
                       choose_for_alltoallv, choose_in_alltoallv, true},
    SimulatedOperation{"route", route_algorithms, prepare_route, call_route, right_route,
                       cost_of_route, time_of_route, bins_for_each, Block::kPart, false, false,
                       Bound::kNone, nullptr, nullptr, choose_for_route, choose_in_route, true},
};

}  // namespace

std::span<const SimulatedOperation> uneven_operations() { return kOperations; }

std::size_t uneven_element_bytes(std::size_t block_bytes) {
  return block_bytes % sizeof(std::uint64_t) == 0 ? sizeof(std::uint64_t) : 1;
}

std::vector<std::size_t> skewed_counts(int processors, std::size_t block_bytes) {
  const std::size_t block = block_bytes / uneven_element_bytes(block_bytes);
  Counts counts(static_cast<std::size_t>(processors), block / 4);
  counts.back() = block * counts.size() - block / 4 * (counts.size() - 1);
  return counts;
}

std::vector<std::size_t> falling_counts(int processors, std::size_t block_bytes) {
  const std::size_t block = block_bytes / uneven_element_bytes(block_bytes);
  if (processors == 1) return {block};
  const auto p = static_cast<std::size_t>(processors);
  // What all before j get: a share 2 (p - 1 - i) / (p - 1) of a block for each i.
  const auto before = [&](std::size_t j) { return block * j * (2 * p - 1 - j) / (p - 1); };
  Counts counts;
  for (std::size_t j = 0; j < p; ++j) counts.push_back(before(j + 1) - before(j));
  return counts;
}

}  // namespace postroom::cli
