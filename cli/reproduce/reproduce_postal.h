// [P]: the postal model's tables and figures.
//
// What is exact comes from the model (cli/simulate/postal_tables.h) and from runs in virtual time;
// what the paper measured on its machine is measured here under a PostalClock, real threads and
// real waiting with an injected latency, and on the wall clock where that says something.
#pragma once

#include "cli/reproduce/paper.h"

namespace postroom::cli {

const Paper& postal_paper();

// --- Its experiments, in files of their own. ---

/// Figs. 3, 4, 5: λ and t0 by both experiments of section 2.2.
void reproduce_latency(PaperPage& page, const Effort& effort);
/// Fig. 13, and the tuned broadcast against the binomial tree.
void reproduce_tuned_broadcast(PaperPage& page, const Effort& effort);
/// Figs. 10, 11: time against α for long and short messages.
void reproduce_alpha_by_size(PaperPage& page, const Effort& effort);
/// Fig. 14: with and without congestion.
void reproduce_congestion(PaperPage& page, const Effort& effort);

}  // namespace postroom::cli
