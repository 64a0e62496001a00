// Before a sort by several processors: is there anything to do?
//
// Some keys spread over the records tell whether a closer look is worth while; for most input it
// ends there. Otherwise each processor reads its share; records in order stay as they are, and
// reversed ones are turned round (sort/order.h).
#pragma once

#include <cstddef>
#include <vector>

#include "numa/cacheline.h"
#include "sort/order.h"
#include "sort/steps.h"

namespace postroom::sorting {

template <class Records>
class Presort {
 public:
  /// Of records[0, size). Looks at `sample` of them first.
  Presort(const Records& records, std::size_t size, std::size_t sample, std::size_t processors)
      : records_(records), size_(size), sample_(sample), told_(processors) {}

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
  // What one processor tells the others.
  struct alignas(kNoSharing) Told {
    Order order;
    std::size_t first_run = 0;
  };

  Order look(const Steps& steps) const {
    const Order guess = sampled_order(records_, size_, sample_);
    if (guess.none()) return guess;
    const Range own = steps.share(0, size_);
    return order_of(records_, own.begin, own.end);
  }

  void turn_all_round(Steps& steps, const Order& order) {
    const bool turned = steps.together([&] {
      const Range own = steps.share(0, size_ / 2);
      turn_round(records_, own.begin, own.end, size_);
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
  std::vector<Told> told_;
};

}  // namespace postroom::sorting
