// Before a sort by several processors: is there anything to do?
//
// Some keys spread over the records tell whether a closer look is worth while; for most input it
// ends there. Otherwise all processors read, piece by piece (sort/claims.h), so that nothing waits
// for one that had to be woken; records in order stay as they are, and reversed ones are turned
// round (sort/order.h).
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
  /// Of records[0, size). Looks at `sample` of them first.
  Presort(const Records& records, std::size_t size, std::size_t sample, std::size_t processors)
      : records_(records),
        size_(size),
        sample_(sample),
        pieces_(processors * kPiecesEach),
        to_read_(processors),
        to_turn_(processors),
        told_(processors) {
    to_read_.deal_evenly(kPiecesEach);
    to_turn_.deal_evenly(kPiecesEach);
  }

  /// Called by all. True when nothing is left to do: the records are in order, or somebody failed.
  bool run(Steps& steps) {
    if (!steps.together([&] { told_[steps.id()].order = look(steps); })) return true;
    Order order;
    for (const Told& told : told_) order.add(told.order);
    if (order.rising) return true;
    if (!order.falling) return false;
    turn_all_round(steps, order);
    return true;
  }

 private:
  // Pieces for each processor: of 16 MiB, each is 128 KiB for two.
  static constexpr std::size_t kPiecesEach = 64;

  // What one processor tells the others.
  struct alignas(kNoSharing) Told {
    Order order;
    std::size_t first_run = 0;
  };

  // What this processor has seen of the order; none() when somebody has seen disorder.
  Order look(const Steps& steps) {
    Order order = sampled_order(records_, size_, sample_);
    Claims::Claimer claimer(to_read_, steps.id());
    for (auto i = claimer.next(); i != Claims::kNone && !order.none(); i = claimer.next()) {
      const Range piece = share_of({0, size_}, i, pieces_);
      order.add(order_of(records_, piece.begin, piece.end));
      // Relaxed, twice: only saves work; the barrier makes what is told visible.
      if (order.none()) disorder_.store(true, std::memory_order_relaxed);
      if (disorder_.load(std::memory_order_relaxed)) break;  // relaxed: as above
    }
    return order;
  }

  void turn_all_round(Steps& steps, const Order& order) {
    const bool turned = steps.together([&] {
      Claims::Claimer claimer(to_turn_, steps.id());
      for (auto i = claimer.next(); i != Claims::kNone; i = claimer.next()) {
        const Range piece = share_of({0, size_ / 2}, i, pieces_);
        turn_round(records_, piece.begin, piece.end, size_);
      }
    });
    if (!turned || order.distinct || Records::kWholeKeys) return;
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
  std::vector<Told> told_;
  std::atomic<bool> disorder_ = false;
};

}  // namespace postroom::sorting
