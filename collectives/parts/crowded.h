// Whether processors outnumber the cores, so that several share a thread and take turns.
//
// What is fastest depends on it: where each has a core, a collective takes as long as its longest
// chain of messages; where they take turns, as long as all its messages, and each wait costs a
// switch. So choose_<operation> (choice.h) has thresholds for both.
#pragma once

#include <cstddef>

namespace postroom {

/// Whether `processors` are more than the CPUs that this process could use when it started. The
/// same in all threads, pinned or not.
bool crowded(int processors);

/// For tests of what is chosen elsewhere: from now on as on a box of so many CPUs; 0: as on this
/// one.
void suppose_cpus(std::size_t cpus);

}  // namespace postroom
