// CPUs that behave otherwise than others with the same instructions.
//
// What can be asked for by feature is asked for by feature; this is for what only measuring tells.
#pragma once

namespace postroom {

/// Whether this is an AMD Zen 4. Writing to lines that another core has read takes several times as
/// long there as reading from it (runtime/copy.h), and asking for lines ahead slows reading down
/// (sort/vectors/read_ahead.h).
bool is_zen4() noexcept;

/// Whether this is one of Intel's. A write to a line that is not in the first cache holds up those
/// after it for longer there than on others (sort/engine/written_line.h), and so does a read of a
/// line from the first cache of another core (numa/demote.h, runtime/mailbox_pending.cc).
bool is_intel() noexcept;

}  // namespace postroom
