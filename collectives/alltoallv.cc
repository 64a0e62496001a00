#include "collectives/alltoallv.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "collectives/algorithms/alltoall_pairwise.h"
#include "collectives/algorithms/alltoall_shared.h"
#include "collectives/algorithms/by_turns.h"
#include "collectives/choice.h"
#include "collectives/models/replay_rounds.h"
#include "collectives/parts/arguments.h"
#include "collectives/parts/blocks.h"

namespace postroom {
namespace {

constexpr std::array kAlgorithms{Algorithm::pairwise, Algorithm::shared, Algorithm::turns};

// Fewer processors are faster by messages than by turns.
constexpr int kTurnsProcessors = 8;

// A row is what a processor sends, a column what it receives: lists, both of them.
void check_counts(std::size_t processors, std::span<const std::size_t> counts,
                  std::size_t element_bytes) {
  if (counts.size() != processors * processors) {
    throw std::invalid_argument(
        "alltoallv: counts of " + std::to_string(counts.size()) + " numbers is not allowed; " +
        std::to_string(processors * processors) + ", one for each pair of processors");
  }
  std::vector<std::size_t> column(processors);
  for (std::size_t i = 0; i < processors; ++i) {
    for (std::size_t j = 0; j < processors; ++j) column[j] = counts[j * processors + i];
    (void)Blocks(counts.subspan(i * processors, processors), element_bytes, "alltoallv",
                 "row " + std::to_string(i) + " of counts");
    (void)Blocks(column, element_bytes, "alltoallv", "column " + std::to_string(i) + " of counts");
  }
}

Blocks blocks_to_send(const Processor& self, ConstBytes send,
                      std::span<const std::size_t> send_counts, std::size_t element_bytes) {
  require_counts("alltoallv", "send_counts", send_counts.size(), self.count());
  Blocks blocks(send_counts, element_bytes, "alltoallv", "send_counts");
  require_bytes("alltoallv", "send", send.size(), blocks.total(), "the sum of send_counts");
  return blocks;
}

void check_algorithm(Algorithm algorithm) {
  if (algorithm.is_automatic()) return;
  if (std::ranges::count(kAlgorithms, algorithm) > 0) return;
  throw_unknown_algorithm("alltoallv", algorithm, kAlgorithms);
}

}  // namespace

std::span<const Algorithm> alltoallv_algorithms() { return kAlgorithms; }

Algorithm choose_alltoallv(bool shares_memory) {
  return shares_memory ? Algorithm::shared : Algorithm::pairwise;
}

Algorithm choose_alltoallv(const TimeModel&) { return Algorithm::shared; }

Algorithm choose_alltoallv(const Processor& self) {
  if (goes_by_turns(self) && self.count() >= kTurnsProcessors) return Algorithm::turns;
  return choose_alltoallv(self.shares_memory() || self.model() != nullptr);
}

void alltoallv_bytes(Processor& self, ConstBytes send, std::span<const std::size_t> send_counts,
                     Bytes receive, std::span<const std::size_t> receive_counts,
                     std::size_t element_bytes, Algorithm algorithm, Where where) {
  const Operation operation(self, "alltoallv");
  const Blocks send_blocks = blocks_to_send(self, send, send_counts, element_bytes);
  require_counts("alltoallv", "receive_counts", receive_counts.size(), self.count());
  const Blocks receive_blocks(receive_counts, element_bytes, "alltoallv", "receive_counts");
  require_bytes("alltoallv", "receive", receive.size(), receive_blocks.total(),
                "the sum of receive_counts");
  require_bytes("alltoallv", "own block in receive_counts", receive_blocks.bytes(self.id()),
                send_blocks.bytes(self.id()), "as in send_counts");
  require_disjoint("alltoallv", "send", send, "receive", receive);
  check_algorithm(algorithm);
  if (algorithm.is_automatic()) algorithm = choose_alltoallv(self);
  const auto run = algorithm == Algorithm::turns    ? alltoallv_by_turns
                   : algorithm == Algorithm::shared ? alltoall_shared
                                                    : alltoall_pairwise;
  run(self, send, send_blocks, receive, receive_blocks, where);
}

std::vector<std::size_t> received_counts(Processor& self, ConstBytes send,
                                         std::span<const std::size_t> send_counts,
                                         std::size_t element_bytes, Algorithm algorithm,
                                         Where where) {
  (void)blocks_to_send(self, send, send_counts, element_bytes);
  std::vector<std::size_t> counts(send_counts.size());
  const std::vector<std::size_t> one_of_each(send_counts.size(), 1);
  alltoallv(self, send_counts, one_of_each, counts, one_of_each, algorithm, where);
  return counts;
}

Cost alltoallv_cost(int processors, std::span<const std::size_t> counts, std::size_t element_bytes,
                    Algorithm algorithm) {
  require_sizes("alltoallv", processors, 0);
  check_algorithm(algorithm);
  const auto n = static_cast<std::size_t>(processors);
  check_counts(n, counts, element_bytes);
  Cost cost;
  if (algorithm == Algorithm::turns) return cost;
  for (std::size_t step = 1; step < n; ++step) {
    std::size_t largest = 0;
    for (std::size_t source = 0; source < n; ++source) {
      largest = std::max(largest, counts[source * n + (source + step) % n]);
    }
    cost += Cost::round(largest * element_bytes);
  }
  return cost;
}

double alltoallv_time(int processors, std::span<const std::size_t> counts,
                      std::size_t element_bytes, const Algorithm& algorithm,
                      const TimeModel& model) {
  require_sizes("alltoallv", processors, 0);
  model.check();
  check_algorithm(algorithm);
  const auto n = static_cast<std::size_t>(processors);
  check_counts(n, counts, element_bytes);
  const auto bytes = [&](int source, int target) {
    return counts[static_cast<std::size_t>(source) * n + static_cast<std::size_t>(target)] *
           element_bytes;
  };
  if (algorithm == Algorithm::turns) return kNotPredicted;
  TimeReplay replay(model, processors, model.ports);
  if (algorithm == Algorithm::pairwise) {
    replay_shifts(replay, processors, bytes);
  } else {
    replay_flood(replay, processors, bytes);
  }
  return replay.finish_ns();
}

}  // namespace postroom
