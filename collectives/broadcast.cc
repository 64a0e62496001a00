#include "collectives/broadcast.h"

#include <array>

#include "collectives/arguments.h"
#include "collectives/broadcast_binomial.h"
#include "collectives/broadcast_linear.h"

namespace postroom {
namespace {

constexpr std::array kAlgorithms{Algorithm::binomial, Algorithm::linear};

// From this size on all read straight from the root's memory where they can: what is copied then
// does not wait for other copies.
constexpr std::int64_t kLinearBytes = 8192;

Algorithm chosen(Algorithm algorithm, int processors, std::size_t bytes,
                 bool shares_memory = true) {
  if (algorithm != Algorithm::automatic) return algorithm;
  return choose_broadcast(processors, static_cast<std::int64_t>(bytes), shares_memory);
}

}  // namespace

std::span<const Algorithm> broadcast_algorithms() { return kAlgorithms; }

Algorithm choose_broadcast(int, std::int64_t bytes, bool shares_memory) {
  return shares_memory && bytes >= kLinearBytes ? Algorithm::linear : Algorithm::binomial;
}

void broadcast_bytes(Processor& self, int root, Bytes data, Algorithm algorithm, Where where) {
  const Operation operation(self, "broadcast");
  require_root("broadcast", root, self.count());
  switch (chosen(algorithm, self.count(), data.size(), self.shares_memory()).name) {
    case Algorithm::Name::kBinomial:
      return broadcast_binomial(self, root, data, where);
    case Algorithm::Name::kLinear:
      return broadcast_linear(self, root, data, where);
    default:
      throw_unknown_algorithm("broadcast", algorithm, kAlgorithms);
  }
}

Cost broadcast_cost(int processors, std::int64_t bytes, Algorithm algorithm) {
  require_sizes("broadcast", processors, bytes);
  switch (chosen(algorithm, processors, static_cast<std::size_t>(bytes)).name) {
    case Algorithm::Name::kBinomial:
      return broadcast_binomial_cost(processors, bytes);
    case Algorithm::Name::kLinear:
      return broadcast_linear_cost(processors, bytes);
    default:
      throw_unknown_algorithm("broadcast", algorithm, kAlgorithms);
  }
}

}  // namespace postroom
