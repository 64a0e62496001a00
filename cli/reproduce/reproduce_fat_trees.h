// [F]: steps, figures and lower bounds of communication in fat trees, on the packet model. All but
// the last experiment, which times the model itself, is exact.
#pragma once

#include "cli/reproduce/paper.h"

namespace postroom::cli {

const Paper& fat_trees_paper();

// --- Its experiments, in a file of their own. ---

/// The same messages with processors in tree order and in random ones.
void reproduce_tree_orders(PaperPage& page, const Effort& effort);
/// Broadcast where λ depends on the level.
void reproduce_level_trees(PaperPage& page, const Effort& effort);

}  // namespace postroom::cli
