// A trace as a space-time diagram, in SVG.
//
// As in the papers' figures ([P], Figs. 15 and 16): processors across, time down; a message is a
// line from (source, start) to (target, arrival), with a tick at each unit of time. The thick part
// of a processor's line is the time in which one of its out-ports is busy. Each operation has a
// colour; what a line is says its tooltip. Only messages are drawn, since a trace knows no others:
// where a processor computes nothing is seen, and the dashed line at the end is the last arrival,
// which a run that goes on computing finishes after. The picture is one self-contained file with
// nothing random in it: the same trace gives the same bytes.
//
// Readable for 2 to about 64 processors; with more, columns move together and most labels go.
// Cost: O(messages).
//
//   std::ofstream file("run.svg");
//   write_svg(file, machine.trace(), {.title = "broadcast, λ = 9/5"});
#pragma once

#include <iosfwd>
#include <string>

#include "runtime/trace.h"

namespace postroom {

struct SvgOptions {
  std::string title;
  /// For scripts: message i of Trace::messages has the id "m<i>", the thick part that belongs to it
  /// "b<i>".
  bool has_ids = false;
};

void write_svg(std::ostream& out, const Trace& trace, const SvgOptions& options = {});

}  // namespace postroom
