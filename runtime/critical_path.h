// What a run waited for: which message had to come before which, back from the last one.
//
// A message waits for what its sender did last before it: the latest arrival there, or the end of
// an earlier send, which kept the port. From the last arrival back to a message that waited for
// nothing this is the critical path; a run becomes faster only if something on it does.
// Computing is not seen, and an arrival counts from when it could be received, whether the program
// had asked for it or not.
//
// Source: C.-Q. Yang, B. P. Miller, "Critical Path Analysis for the Execution of Parallel and
// Distributed Programs" (1988).
//
//   for (const std::size_t i : critical_path(machine.trace())) show(machine.trace().messages()[i]);
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "runtime/trace.h"

namespace postroom {

/// For each message, as in Trace::messages, the one that it waited for; none where its sender had
/// sent and received nothing before. Of one that arrived and one that was sent, both at the same
/// time, it is the one that arrived; it always started before. Cost: O(m log m) for m messages.
std::vector<std::optional<std::size_t>> waited_for(const Trace& trace);

/// The message that arrives last, the first such in Trace::messages; none where there are none.
std::optional<std::size_t> last_arrival(const Trace& trace);

/// The messages on the way to the last arrival, in the order of time; places in Trace::messages.
std::vector<std::size_t> critical_path(const Trace& trace);

}  // namespace postroom
