// [I]: index (alltoall) and concatenation (allgather): rounds and bytes beside the lower bounds,
// and the time of the index algorithm against message size and radix, with an injected start-up
// cost and on the wall clock.
#pragma once

#include "cli/reproduce/paper.h"

namespace postroom::cli {

const Paper& index_paper();

// --- Its experiments, in a file of their own. ---

/// Figs. 4, 5, 6 with an injected start-up cost.
void reproduce_index_injected(PaperPage& page, const Effort& effort);
/// The same on the wall clock.
void reproduce_index_on_wall(PaperPage& page, const Effort& effort);

}  // namespace postroom::cli
