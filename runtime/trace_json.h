// A trace in Chrome's format, for chrome://tracing, ui.perfetto.dev and the like.
//
// Each processor is a track for what it sends and one for what it receives (several where messages
// overlap); each message is a slice on either, with an arrow between them. A second of real time is
// a second there; a unit of model time is shown as a millisecond. Exact times stand in the slices'
// arguments, as "9/5".
//
// Cost: O(messages · log messages). Format: "Trace Event Format", JSON object form.
//
//   std::ofstream file("run.json");
//   write_chrome_trace(file, machine.trace());
#pragma once

#include <iosfwd>

#include "runtime/trace.h"

namespace postroom {

void write_chrome_trace(std::ostream& out, const Trace& trace);

}  // namespace postroom
