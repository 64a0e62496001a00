// [H]: the two-transpose router against one phase, and the radix sort on top of both.
#pragma once

#include "cli/reproduce/paper.h"

namespace postroom::cli {

const Paper& radix_sort_paper();

// --- Its experiments, by file. ---

/// Figs. 2, 3, 6: routing on the wall clock.
void reproduce_routing(PaperPage& page, const Effort& effort);
/// Fig. 3 where messages cost a start-up, in virtual time.
void reproduce_routing_in_model(PaperPage& page, const Effort& effort);
/// Fig. 4: the time does not depend on the distribution of the keys.
void reproduce_sort_by_distribution(PaperPage& page, const Effort& effort);
/// Fig. 5: time against n, for each p.
void reproduce_sort_by_size(PaperPage& page, const Effort& effort);
/// Table I: against the radix sort over one-phase routing.
void reproduce_sort_by_router(PaperPage& page, const Effort& effort);

}  // namespace postroom::cli
