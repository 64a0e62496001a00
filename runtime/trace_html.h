// A trace as a page for a browser: the space-time diagram, played from send to arrival.
//
// One HTML file that needs nothing else. Cost: O(m log m) for m messages. What is not sent yet is
// faint, and dots are messages under way. A click on a message shows what it waited for, back to
// the beginning; a button shows the critical path (runtime/critical_path.h).
//
//   std::ofstream file("run.html");
//   write_html(file, machine.trace(), {.title = "broadcast, λ = 9/5"});
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>

#include "runtime/trace.h"

namespace postroom {

/// A browser is slow with more, and nobody sees them.
inline constexpr std::size_t kMostMessagesOfPage = 20'000;

struct HtmlOptions {
  std::string title;
};

/// std::invalid_argument: more than kMostMessagesOfPage messages.
void write_html(std::ostream& out, const Trace& trace, const HtmlOptions& options = {});

}  // namespace postroom
