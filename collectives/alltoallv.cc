#include "collectives/alltoallv.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "collectives/alltoall_pairwise.h"
#include "collectives/alltoall_shared.h"
#include "collectives/arguments.h"
#include "collectives/blocks.h"

namespace postroom {
namespace {

constexpr std::array kAlgorithms{Algorithm::pairwise, Algorithm::shared};

void check_algorithm(Algorithm algorithm) {
  if (algorithm == Algorithm::automatic || algorithm == Algorithm::pairwise ||
      algorithm == Algorithm::shared) {
    return;
  }
  throw_unknown_algorithm("alltoallv", algorithm, kAlgorithms);
}

}  // namespace

std::span<const Algorithm> alltoallv_algorithms() { return kAlgorithms; }

Algorithm choose_alltoallv(bool shares_memory) {
  return shares_memory ? Algorithm::shared : Algorithm::pairwise;
}

void alltoallv_bytes(Processor& self, ConstBytes send, std::span<const std::size_t> send_counts,
                     Bytes receive, std::span<const std::size_t> receive_counts,
                     std::size_t element_bytes, Algorithm algorithm, Where where) {
  const Operation operation(self, "alltoallv");
  require_counts("alltoallv", "send_counts", send_counts.size(), self.count());
  require_counts("alltoallv", "receive_counts", receive_counts.size(), self.count());
  const Blocks send_blocks(send_counts, element_bytes);
  const Blocks receive_blocks(receive_counts, element_bytes);
  require_bytes("alltoallv", "send", send.size(), send_blocks.total(), "the sum of send_counts");
  require_bytes("alltoallv", "receive", receive.size(), receive_blocks.total(),
                "the sum of receive_counts");
  require_bytes("alltoallv", "own block in receive_counts", receive_blocks.bytes(self.id()),
                send_blocks.bytes(self.id()), "as in send_counts");
  require_disjoint("alltoallv", "send", send, "receive", receive);
  check_algorithm(algorithm);
  if (algorithm == Algorithm::automatic) algorithm = choose_alltoallv(self.shares_memory());
  const auto run = algorithm == Algorithm::shared ? alltoall_shared : alltoall_pairwise;
  run(self, send, send_blocks, receive, receive_blocks, where);
}

Cost alltoallv_cost(int processors, std::span<const std::size_t> counts, std::size_t element_bytes,
                    Algorithm algorithm) {
  require_sizes("alltoallv", processors, 0);
  check_algorithm(algorithm);
  const auto n = static_cast<std::size_t>(processors);
  if (counts.size() != n * n) {
    throw std::invalid_argument("alltoallv: counts of " + std::to_string(counts.size()) +
                                " numbers is not allowed; " + std::to_string(n * n) +
                                ", one for each pair of processors");
  }
  Cost cost;
  for (std::size_t step = 1; step < n; ++step) {
    std::size_t largest = 0;
    for (std::size_t source = 0; source < n; ++source) {
      largest = std::max(largest, counts[source * n + (source + step) % n]);
    }
    cost += Cost::round(largest * element_bytes);
  }
  return cost;
}

}  // namespace postroom
