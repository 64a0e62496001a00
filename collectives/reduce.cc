#include "collectives/reduce.h"

#include <array>

#include "collectives/arguments.h"
#include "collectives/reduce_binomial.h"

namespace postroom {
namespace {

constexpr std::array kAlgorithms{Algorithm::binomial};

void check_algorithm(Algorithm algorithm) {
  if (algorithm == Algorithm::automatic || algorithm == Algorithm::binomial) return;
  throw_unknown_algorithm("reduce", algorithm, kAlgorithms);
}

}  // namespace

std::span<const Algorithm> reduce_algorithms() { return kAlgorithms; }

void reduce_bytes(Processor& self, int root, ConstBytes in, Bytes out, const Operator& op,
                  Algorithm algorithm, Where where) {
  const Operation operation(self, "reduce");
  require_root("reduce", root, self.count());
  if (self.id() == root) {
    require_bytes("reduce", "out", out.size(), in.size(), "as many as in");
    require_same_or_disjoint("reduce", "in", in, "out", out);
  }
  check_algorithm(algorithm);
  reduce_binomial(self, root, in, self.id() == root ? out : Bytes(), op, where);
}

Cost reduce_cost(int processors, std::int64_t bytes, Algorithm algorithm) {
  require_sizes("reduce", processors, bytes);
  check_algorithm(algorithm);
  return reduce_binomial_cost(processors, bytes);
}

}  // namespace postroom
