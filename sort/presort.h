// Before a sort by several processors: is there anything to do?
//
// Some keys spread over the records tell whether a closer look is worth while; for most input it
// ends there. Otherwise all processors read, piece by piece (sort/claims.h), so that nothing waits
// for one that had to be woken; records in order stay as they are, and reversed ones are turned
// round while they are read (sort/order.h).
#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

#include "numa/cacheline.h"
#include "sort/claims.h"
#include "sort/order.h"
#include "sort/steps.h"
#include "sort/team.h"

namespace postroom::sorting {

template <class Records>
class Presort {
 public:
  /// Of records[0, size). Looks at `sample` of them, and where the others would be turned round by
  /// different processors. Throws what a key throws.
  Presort(const Records& records, std::size_t size, std::size_t sample, std::size_t processors)
      : records_(records),
        size_(size),
        pieces_(processors * kPiecesEach),
        sampled_(sampled_order(records, size, sample)),
        to_read_(processors),
        to_turn_(processors),
        turned_(pieces_),
        told_(processors) {
    to_read_.deal_evenly(kPiecesEach);
    to_turn_.deal_evenly(kPiecesEach);
    for (std::size_t i = 0; i < pieces_; ++i) turned_[i] = to_turn(i).begin;
    if (seems_reversed(sampled_)) look_at_ends();
  }

  /// Called by all. True when nothing is left to do: the records are in order, or somebody failed.
  bool run(Steps& steps) {
    if (sampled_.none()) return false;
    if (!seems_reversed(sampled_)) {
      if (!steps.together([&] { look(steps); })) return true;
      const Order order = told_by_all();
      if (order.rising) return true;
      if (!order.falling) return false;
    }
    return turn_all_round(steps);
  }

 private:
  // Pieces for each processor: of 16 MiB, each is 128 KiB for two.
  static constexpr std::size_t kPiecesEach = 64;

  // What one processor tells the others.
  struct alignas(kNoSharing) Told {
    Order order;
    std::size_t first_run = 0;
  };

  Order told_by_all() const noexcept {
    Order order = sampled_;
    for (const Told& told : told_) order.add(told.order);
    return order;
  }

  // Piece by piece until somebody has seen disorder.
  template <class See>
  void see_pieces(Claims& pieces, const Steps& steps, const See& see) {
    Order& order = told_[steps.id()].order;
    Claims::Claimer claimer(pieces, steps.id());
    for (auto i = claimer.next(); i != Claims::kNone; i = claimer.next()) {
      // Relaxed, twice: only saves work; the barrier makes what is told visible.
      if (see(i, order)) disorder_.store(true, std::memory_order_relaxed);
      if (disorder_.load(std::memory_order_relaxed)) break;  // relaxed: as above
    }
  }

  void look(const Steps& steps) {
    see_pieces(to_read_, steps, [&](std::size_t i, Order& order) {
      const Range piece = share_of({0, size_}, i, pieces_);
      if (!order.none()) {
        order.add(order_of(records_, piece.begin, piece.end, Reading::kByStrips));
      }
      return order.none();
    });
  }

  Range to_turn(std::size_t piece) const noexcept {
    return share_of({0, size_ / 2}, piece, pieces_);
  }

  // Adds what meets where pieces do.
  void look_at_ends() {
    for (std::size_t i = 0; i < pieces_ && !sampled_.none(); ++i) {
      const std::size_t end = to_turn(i).end;
      if (end > 0) sampled_.add(order_at_end(records_, end, size_));
    }
  }

  // Whether the records fall: then they are in order now. Or somebody failed. Where pieces meet
  // they are known to fall.
  bool turn_all_round(Steps& steps) {
    const bool turned = steps.together([&] {
      see_pieces(to_turn_, steps, [&](std::size_t i, Order& order) {
        turn_while_falling(records_, turned_[i], to_turn(i).end, size_, order);
        return !order.falling;
      });
    });
    const Order order = told_by_all();
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
  std::size_t pieces_;
  Order sampled_;
  Claims to_read_;
  Claims to_turn_;
  std::vector<std::size_t> turned_;  // how far of each piece to turn
  std::vector<Told> told_;
  std::atomic<bool> disorder_ = false;
};

}  // namespace postroom::sorting
