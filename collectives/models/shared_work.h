// What a collective costs that sends no messages, because its processors share threads (slots,
// turns): what is moved and what is combined, by all processors together.
//
// Copied is what is read in one place and written to another as it is: into a slot or a page of its
// thread, out of it, from list to list, and results that were combined elsewhere. What moves on its
// way through caches and registers is not counted. Combined is what an operator is applied to, each
// pair of elements as the size of one.
//
// Beside each ..._by_slots and ..._by_turns stands ..._by_slots_work and ..._by_turns_work
// (collectives/algorithms/by_slots.h, by_turns.h), as ..._cost stands beside what sends messages.
// What is combined is tested to be what a counting operator sees; what is copied holds by
// construction: nothing counts it.
#pragma once

#include <cstdint>

namespace postroom {

struct SharedWork {
  std::int64_t copied_bytes = 0;
  std::int64_t combined_bytes = 0;

  friend bool operator==(const SharedWork&, const SharedWork&) = default;
};

}  // namespace postroom
