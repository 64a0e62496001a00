// Keeping a thread on one leaf of the box.
//
// Who may call: any thread, for itself.
// Cost: one system call; the thread moves before it returns. No allocation where it is done.
// Errors: none but std::bad_alloc for the sentence. Containers, sandboxes and systems without
// pinning refuse; a program runs correctly all the same, only less evenly, so a refusal is a
// sentence for the user to read.
//
//   const Binding before = current_binding();
//   const std::string refused = pin_this_thread(topology, 0);
//   if (!refused.empty()) std::fprintf(stderr, "%s\n", refused.c_str());
//   restore(before);
#pragma once

#include <string>

#include "numa/binding.h"
#include "numa/topology.h"

namespace postroom {

/// Lets this thread run on `leaf` of `topology` only. Returns "" when done, else one plain sentence
/// why not: the topology is not this machine, there is no such leaf, or what the system answered.
std::string pin_this_thread(const Topology& topology, int leaf);

}  // namespace postroom
