// From whom each processor of a run has heard, by messages and by messages of others before them.
//
// A result that depends on what another processor has cannot be known without. Cost: O(m²) for m
// messages.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/trace.h"

namespace postroom::labs {

inline constexpr int kMostHeard = 64;

/// For each processor the set of those that it has heard from, and itself: bit i is processor i.
/// Precondition: at most kMostHeard processors; a trace of virtual time.
std::vector<std::uint64_t> heard_from(const Trace& trace);

}  // namespace postroom::labs
