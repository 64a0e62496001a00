// What the phases of a sort would take on more processors (docs/sort_figures.md, "More
// processors"): each as long as its part of the work, or as moving its bytes, whichever is longer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

namespace postroom::benchmarks {

/// How often a copy moves what it copies between a cache and the memory: a line that is only
/// written has been read first.
inline constexpr double kMovesOfCopy = 3;

struct Phase {
  const char* name;
  /// The same for this phase and the records,
  double moves;
  /// and for those of them that lie in the share of another processor.
  double moves_across = 0;

  double moves_by(int processors) const { return moves + moves_across * (1 - 1.0 / processors); }
};

/// What was measured, in nanoseconds an element: a copy, each phase, and the sort as a whole.
struct Profile {
  int processors = 0;
  std::vector<double> ns;

  double copy() const { return ns.front(); }
  std::span<const double> phases() const { return std::span(ns).subspan(1, ns.size() - 2); }
  double sort() const { return ns.back(); }
  double sum() const { return std::accumulate(phases().begin(), phases().end(), 0.0); }
};

/// The sum of the phases on so many processors of a box where a copy takes `copy`. The work of one
/// move is as measured on one processor; where one alone has nothing to move, on all, and where
/// these are no more than one, it is not known and left out.
inline double predicted(std::span<const Phase> phases, const Profile& one, const Profile& all,
                        int processors, double copy) {
  double sum = 0;
  for (std::size_t i = 0; i < phases.size(); ++i) {
    const Profile& measured = phases[i].moves_by(1) > 0 ? one : all;
    const double moved = phases[i].moves_by(measured.processors);
    const double work = moved > 0 ? measured.phases()[i] * measured.processors / moved : 0;
    sum += phases[i].moves_by(processors) * std::max(work / processors, copy / kMovesOfCopy);
  }
  return sum;
}

}  // namespace postroom::benchmarks
