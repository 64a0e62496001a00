// What goes over each edge of the circulant graph when every processor broadcasts a block of its
// own at the same time.
//
// Source: J. L. Träff (collectives/parts/circulant_schedule.h): the schedule is the same for
// every root but for a rotation, so p broadcasts in n pieces share their messages and take n - 1 +
// ⌈log2 p⌉ rounds together. Run backwards they are p reductions: what a processor would receive, it
// sends, once, after it has taken in what it would send.
//
// Cost: O(p log p) to set up, once for all processors that share memory, and 4 p ⌈log2 p⌉ bytes,
// which are kept (circulant_receives_of_all); O(log p) for each processor, O(p) for each round.
// Preconditions: at least 2 processors, 1 piece.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "collectives/models/cost.h"
#include "collectives/models/time_replay.h"
#include "collectives/parts/block_cut.h"
#include "collectives/parts/blocks.h"
#include "collectives/parts/circulant_schedule.h"
#include "runtime/processor.h"

namespace postroom {

class CirculantPieces {
 public:
  /// Each of `blocks` is cut into `pieces` of whole elements.
  CirculantPieces(const Blocks& blocks, int pieces, std::size_t element_bytes);

  int rounds() const { return rounds_.rounds(); }
  /// How much further the receiver of a message of `round` is than its sender.
  int distance(int round) const { return skips_[phase(round)]; }

  /// Calls visit(begin, bytes) for each piece that `receiver` gets in `round`, in the order of the
  /// blocks: where it lies in the list of all blocks.
  template <class Visit>
  void for_each(int round, int receiver, Visit visit) const {
    for (int root = 0; root < blocks_.processors(); ++root) {
      if (root == receiver) continue;
      const int piece = rounds_.block(round, received(receiver, root, phase(round)));
      if (piece < 0) continue;
      const BlockCut cut(blocks_.bytes(root), pieces_, element_bytes_);
      visit(blocks_.begin(root) + cut.begin(piece), cut.bytes(piece));
    }
  }
  std::size_t bytes(int round, int receiver) const;

  /// Side by side into `packed`, and back.
  void pack(int round, int receiver, ConstBytes all, Bytes packed) const;
  void unpack(int round, int receiver, ConstBytes packed, Bytes all) const;

  /// O(p) for each round, O(p²) when blocks are not equal.
  Cost cost() const;
  /// Exchanges all rounds, from the first to the last or backwards, in `replay`, which is for all
  /// processors. O(p²) for each round.
  void replay_forwards(TimeReplay& replay) const;
  void replay_backwards(TimeReplay& replay) const;

 private:
  void replay_round(TimeReplay& replay, int round, bool backwards) const;
  std::size_t phase(int round) const { return static_cast<std::size_t>(rounds_.in_phase(round)); }
  int received(int receiver, int root, std::size_t phase) const {
    const int p = blocks_.processors();
    const auto processor = static_cast<std::size_t>((receiver + p - root) % p);
    return (*received_)[processor * (skips_.size() - 1) + phase];
  }

  const Blocks& blocks_;
  int pieces_;
  std::size_t element_bytes_;
  std::vector<int> skips_;
  CirculantRounds rounds_;
  std::shared_ptr<const std::vector<int>> received_;  // of each processor, for root 0
};

}  // namespace postroom
