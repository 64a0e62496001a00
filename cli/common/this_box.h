// The machine that a measurement ran on, in one line.
//
//   this_box_in_words();   // "AMD EPYC, 2 cores, 23.5 GiB of memory; Postroom 0.1.0, GCC 12.2.0"
#pragma once

#include <string>

#include "numa/placement.h"

namespace postroom::cli {

/// The model of the CPU as the system names it, "an unknown CPU" where it does not; cores and
/// hardware threads that this process may use; memory; the version of Postroom and the compiler.
std::string this_box_in_words();

/// What -march=native depends on: all that the system says of the first CPU's model and features.
std::string cpu_in_full();

/// Which processors run on which CPU: "0-31 on CPU 0, 32-63 on CPU 1".
std::string pinning_in_words(const Placement& placement);

/// How many processors this box runs at the same time: the cores that this process may use.
int cores_of_this_box();

}  // namespace postroom::cli
