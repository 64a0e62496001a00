#include "collectives/models/cost.h"

#include <algorithm>
#include <ostream>

#include "numa/rounding.h"

namespace postroom {

int ports_of_cost(const Algorithm& algorithm, int processors) {
  int ports = algorithm.ports;
  if (algorithm == Algorithm::flooding) ports = processors - 1;
  if (algorithm == Algorithm::queueless) ports = ceil_divide(processors, 2);
  return std::max(1, ports);
}

std::ostream& operator<<(std::ostream& out, const Cost& cost) {
  return out << cost.rounds << " rounds, " << cost.bytes << " bytes";
}

}  // namespace postroom
