// Whether the line of a record that is written is asked for at the same time.
//
// Where records are written to many places by turns, most lines are not in the first cache. A CPU
// that is behind with its writes lets each wait for its line when it is that write's turn; what is
// asked for comes meanwhile (figures: written_line.cc). The line behind, for the records after it,
// is asked for besides (sort/engine/place.h).
#pragma once

namespace postroom::sorting {

/// Whether that pays on this CPU, even where the places are in the second cache; false before
/// main().
extern const bool asks_for_written_line;

}  // namespace postroom::sorting
