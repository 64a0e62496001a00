// Rounds in which a processor has nothing to do.
//
// Where all processors keep step with each other, round k of one is round k of all, and an
// algorithm can say "leaf 5 sends in round 17". On a real machine nothing happens in such a round;
// a trace counts it.
#pragma once

#include <cstdint>

#include "runtime/processor.h"

namespace postroom {

inline void sit_out(Processor& self, std::int64_t rounds, Where where) {
  for (std::int64_t i = 0; i < rounds; ++i) self.exchange_bytes({}, {}, where);
}

}  // namespace postroom
