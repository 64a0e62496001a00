#include "runtime/clock.h"

#include <chrono>

namespace postroom {

Time WallClock::now(int /*processor*/) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace postroom
