// The schedule by which n blocks go from one processor to all others on a circulant graph, in
// n - 1 + ⌈log2 p⌉ rounds for any number p of processors, which is the least there is.
//
// Source: J. L. Träff, "Optimal Broadcast Schedules in Logarithmic Time with Applications to
// Broadcast, All-Broadcast, Reduction and All-Reduction", 2024. Let q = ⌈log2 p⌉, skip(q) = p and
// skip(k) = ⌈skip(k+1) / 2⌉. In round i, with k = i mod q, every processor sends to the one skip(k)
// further and receives from the one skip(k) before. The root, 0, sends a new block in every round.
// In any q rounds from a multiple of q on the others receive q different blocks: the one that the
// root sent them first in this phase, and of the phase before all but that one. A block is given
// relative to the phase: b >= 0 is the b-th new one of the phase, b < 0 the (b+q)-th of the phase
// before. A processor only sends what it has.
//
// What a processor receives follows from a search down the sums of skips that lead from the root to
// it; what it sends is what its receivers receive, and all but at most 4 of that is plain from
// where the processor lies. No messages are needed to know either.
//
// Cost: O(log p) steps and memory for one processor. Errors: std::bad_alloc. Preconditions: 0 <=
// processor < processors.
//
//   const std::vector<int> skips = circulant_skips(self.count());
//   circulant_receives(skips, self.id())[0];   // what comes in in rounds 0, q, 2q, …
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace postroom {

/// skip(0) … skip(q).
std::vector<int> circulant_skips(int processors);

/// The relative blocks that `processor` receives in the rounds 0 … q-1 of a phase. Those of the
/// root are never sent. Precondition: `skips` are circulant_skips.
std::vector<int> circulant_receives(const std::vector<int>& skips, int processor);

/// circulant_receives of all of `processors`, one behind the other: 4 p ⌈log2 p⌉ bytes. Made by
/// whoever asks first and kept for the others, the last eight. From any thread.
std::shared_ptr<const std::vector<int>> circulant_receives_of_all(int processors);

/// The relative blocks that it sends.
std::vector<int> circulant_sends(const std::vector<int>& skips, int processor);

/// Which block of n is meant by a relative one in a round: below 0 none, and the last one again and
/// again after it. Rounds are counted so that the last one ends a phase.
class CirculantRounds {
 public:
  /// Preconditions: processors >= 2, blocks >= 1.
  CirculantRounds(int processors, int blocks);

  /// n - 1 + q.
  int rounds() const { return rounds_; }
  /// The round of its phase that `round` (from 0) is.
  int in_phase(int round) const { return (round + before_) % phase_; }
  /// The block that relative block `relative` is in round `round`; negative: none.
  int block(int round, int relative) const;

 private:
  int phase_;   // q
  int blocks_;  // n
  int rounds_;
  int before_;  // rounds of the first phase that are left out
};

}  // namespace postroom
