#include "collectives/cost.h"

#include <ostream>

namespace postroom {

std::ostream& operator<<(std::ostream& out, const Cost& cost) {
  return out << cost.rounds << " rounds, " << cost.bytes << " bytes";
}

}  // namespace postroom
