// A barrier that costs no time of the model: all go on at the latest of their times.
//
// ⌈log2 n⌉ rounds, in round i of which each of n tells the one 2^i further what it has heard so
// far, and hears of the one 2^i before (dissemination, as Hensgen, Finkel and Manber have it).
#pragma once

#include <algorithm>
#include <cstdint>

#include "runtime/clock.h"

namespace postroom {

/// What processors that have come to a barrier know of each other.
struct Meeting {
  Time latest = 0;
  std::uint32_t round = 0;
};

inline Meeting joined(const Meeting& a, const Meeting& b) {
  return {std::max(a.latest, b.latest), std::max(a.round, b.round)};
}

/// What all n know together; `swap(to, from, mine)` gives `mine` to number `to` of them and returns
/// what number `from` gives.
template <class Swap>
Meeting meet(int n, int me, Meeting meeting, Swap swap) {
  for (int distance = 1; distance < n; distance *= 2) {
    const int from = me >= distance ? me - distance : me - distance + n;
    const int to = me < n - distance ? me + distance : me + distance - n;
    meeting = joined(meeting, swap(to, from, meeting));
  }
  return meeting;
}

}  // namespace postroom
