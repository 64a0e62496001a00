#include "collectives/broadcast.h"

#include <array>

#include "collectives/arguments.h"
#include "collectives/broadcast_binomial.h"
#include "collectives/broadcast_linear.h"

namespace postroom {
namespace {

constexpr std::array kAlgorithms{Algorithm::binomial, Algorithm::linear};

Algorithm chosen(Algorithm algorithm, int processors, std::size_t bytes) {
  if (algorithm != Algorithm::automatic) return algorithm;
  return choose_broadcast(processors, static_cast<std::int64_t>(bytes));
}

}  // namespace

std::span<const Algorithm> broadcast_algorithms() { return kAlgorithms; }

Algorithm choose_broadcast(int, std::int64_t) { return Algorithm::binomial; }

void broadcast_bytes(Processor& self, int root, Bytes data, Algorithm algorithm, Where where) {
  const Operation operation(self, "broadcast");
  require_root("broadcast", root, self.count());
  switch (chosen(algorithm, self.count(), data.size()).name) {
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
