// Before a sort by several processors: is there anything to do?
//
// Some keys spread over the records tell whether a closer look is worth while; for most input it
// ends there. Otherwise all processors read, piece by piece (sort/engine/claims.h), so that nothing
// waits for one that had to be woken; records in order stay as they are, and reversed ones are
// turned round while they are read (sort/engine/order.h), and back if some were not reversed after
// all.
//
// Cost: a look at some keys; where these seem to be in reverse, at 256 more for each processor.
// Then one read, for reversed records one write, too, and as much again where they are turned back;
// a barrier for each. Memory: 512 bytes for each processor. Errors: what a key throws is kept in
// the Failure of the steps; the records are as they were, or all turned round.
#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

#include "numa/cacheline.h"
#include "sort/engine/claims.h"
#include "sort/engine/order.h"
#include "sort/engine/steps.h"
#include "sort/engine/team.h"

namespace postroom::sorting {

template <class Records>
class Presort {
 public:
  /// Of records[0, size), which run() reads. Looks at `sample` of them first. Throws
  /// std::bad_alloc.
  Presort(const Records& records, std::size_t size, std::size_t sample, std::size_t processors)
      : records_(records),
        size_(size),
        sample_(sample),
        pieces_(processors * kPiecesEach),
        to_read_(processors),
        to_turn_(processors),
        turned_(pieces_),
        told_(processors) {
    to_read_.deal_evenly(kPiecesEach);
    to_turn_.deal_evenly(kPiecesEach);
    for (std::size_t i = 0; i < pieces_; ++i) turned_[i] = to_turn(i).begin;
  }

  /// Called by all. True when nothing is left to do: the records are in order, or somebody failed.
  bool run(Steps& steps) {
    if (!steps.together([&] { look(steps); })) return true;
    const Order order = told_by_all(&Told::seen);
    if (order.rising) return true;
    return order.falling && turn_all_round(steps, order);
  }

 private:
  // Pieces for each processor: of 16 MiB, each is 128 KiB for two.
  static constexpr std::size_t kPiecesEach = 64;

  // What one processor tells the others, each in a step of its own: a fast one is at the next while
  // others still read.
  struct alignas(kNoSharing) Told {
    Order seen;
    Order turned;
    std::size_t first_run = 0;
  };

  Order told_by_all(Order Told::*what) const noexcept {
    Order order;
    for (const Told& told : told_) order.add(told.*what);
    return order;
  }

  // Piece by piece until see(piece) has told somebody of disorder.
  template <class See>
  void see_pieces(Claims& pieces, const Steps& steps, const See& see) {
    Claims::Claimer claimer(pieces, steps.id());
    for (auto i = claimer.next(); i != Claims::kNone; i = claimer.next()) {
      // Relaxed, twice: only saves work; the barrier makes what is told visible.
      if (see(i)) disorder_.store(true, std::memory_order_relaxed);
      if (disorder_.load(std::memory_order_relaxed)) break;  // relaxed: as above
    }
  }

  // What all tell then is none() where there is disorder. Otherwise they rise, or fall at least
  // wherever pieces meet that are turned round by different processors.
  void look(const Steps& steps) {
    Order& order = told_[steps.id()].seen;
    order = sampled_order(records_, size_, sample_);
    if (order.none()) return;
    if (seems_reversed(order)) return look_at_ends(steps);
    const Reading reading = Records::kWholeKeys ? key_reading : Reading::kByStrips;
    see_pieces(to_read_, steps, [&](std::size_t i) {
      const Range piece = share_of({0, size_}, i, pieces_);
      order.add(order_of(records_, piece.begin, piece.end, reading));
      return order.none();
    });
  }

  Range to_turn(std::size_t piece) const noexcept {
    return share_of({0, size_ / 2}, piece, pieces_);
  }

  void look_at_ends(const Steps& steps) {
    Order& order = told_[steps.id()].seen;
    const Range own = steps.share(0, pieces_);
    for (std::size_t i = own.begin; i < own.end && !order.none(); ++i) {
      const std::size_t end = to_turn(i).end;
      if (end > 0) order.add(order_at_end(records_, end, size_));
    }
  }

  // Whether the records fall, which they do where pieces meet: then they are in order now. Or
  // somebody failed.
  bool turn_all_round(Steps& steps, Order order) {
    const bool turned = steps.together([&] {
      Order& own = told_[steps.id()].turned;
      see_pieces(to_turn_, steps, [&](std::size_t i) {
        turn_while_falling(records_, turned_[i], to_turn(i).end, size_, own);
        return !own.falling;
      });
    });
    order.add(told_by_all(&Told::turned));
    if (!turned || !order.falling) {
      steps.in_any_case([&] { turn_back(steps); });
      return !turned;
    }
    if (!order.distinct && !Records::kWholeKeys) turn_all_runs_round(steps);
    return true;
  }

  void turn_back(const Steps& steps) noexcept {
    const Range own = steps.share(0, pieces_);
    for (std::size_t i = own.begin; i < own.end; ++i) {
      turn_round(records_, to_turn(i).begin, turned_[i], size_);
    }
  }

  void turn_all_runs_round(Steps& steps) {
    // A run belongs to the processor in whose share it begins.
    const bool found = steps.together([&] {
      told_[steps.id()].first_run = next_run(records_, steps.share(0, size_).begin, size_);
    });
    if (!found) return;
    steps.apart([&] {
      const std::size_t next = steps.id() + 1;
      turn_runs_round(records_, told_[steps.id()].first_run,
                      next < told_.size() ? told_[next].first_run : size_);
    });
  }

  Records records_;
  std::size_t size_;
  std::size_t sample_;
  std::size_t pieces_;
  Claims to_read_;
  Claims to_turn_;
  std::vector<std::size_t> turned_;  // how far of each piece to turn
  std::vector<Told> told_;
  std::atomic<bool> disorder_ = false;
};

}  // namespace postroom::sorting
