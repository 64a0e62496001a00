#include "collectives/route/route_dealing.h"

namespace postroom {

std::size_t largest_bin(std::size_t elements, int bins) noexcept {
  // The fullest bin gets `extra` elements of runs that stop short of a full round. The shortest
  // such runs end right at this bin and have 1, 2, …, extra elements. The rest goes in full rounds.
  std::size_t extra = 0;
  std::size_t in_runs = 0;
  while (extra + 1 < static_cast<std::size_t>(bins) && in_runs + extra + 1 <= elements) {
    ++extra;
    in_runs += extra;
  }
  return (elements - in_runs) / static_cast<std::size_t>(bins) + extra;
}

}  // namespace postroom
