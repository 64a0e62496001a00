#include "collectives/models/lower_bounds.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

#include "numa/rounding.h"

namespace postroom {
namespace {

__extension__ using Wide = __int128;

std::int64_t in_bytes(Wide bound) {
  if (bound <= std::numeric_limits<std::int64_t>::max()) return static_cast<std::int64_t>(bound);
  throw std::overflow_error("lower bound: so many bytes do not fit 64 bits");
}

void require(const char* name, std::int64_t value, std::int64_t least) {
  if (value >= least) return;
  throw std::invalid_argument("lower bound: " + std::string(name) + " " + std::to_string(value) +
                              " is not allowed; at least " + std::to_string(least));
}

}  // namespace

std::int64_t least_rounds(int processors, int ports) {
  require("processors", processors, 1);
  require("ports", ports, 1);
  std::int64_t rounds = 0;
  for (std::int64_t reached = 1; reached < processors; reached *= ports + std::int64_t{1}) ++rounds;
  return rounds;
}

std::int64_t least_bytes(int processors, std::int64_t block_bytes, int ports) {
  require("processors", processors, 1);
  require("bytes", block_bytes, 0);
  require("ports", ports, 1);
  return in_bytes(ceil_divide<Wide>(Wide{block_bytes} * (processors - 1), ports));
}

std::int64_t least_alltoall_bytes_in_rounds(int processors, std::int64_t block_bytes, int ports,
                                            std::int64_t rounds) {
  require("rounds", rounds, least_rounds(processors, ports));
  require("bytes", block_bytes, 0);
  std::int64_t left = processors - 1;  // but for the own one
  std::int64_t hops = 0;
  Wide reachable = 1;  // with `length` hops: k^length (rounds over length)
  for (std::int64_t length = 1; left > 0; ++length) {
    reachable = reachable * ports * (rounds - length + 1) / length;
    const auto reached = static_cast<std::int64_t>(std::min<Wide>(reachable, left));
    hops += reached * length;
    left -= reached;
  }
  return in_bytes(ceil_divide<Wide>(Wide{hops} * block_bytes, ports));
}

std::int64_t least_alltoall_rounds_for_least_bytes(int processors, int ports) {
  require("processors", processors, 1);
  require("ports", ports, 1);
  return ceil_divide(processors - 1, ports);
}

}  // namespace postroom
