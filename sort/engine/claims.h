// Handing out the buckets that are left to finish.
//
// Buckets are numbered by where they lie. Each processor first takes those in its own share of the
// records, from the front, and then helps the others, so that with equal work everyone stays in the
// memory that it touched first, and with unequal work nobody is idle.
//
// Who may call: deal_out() or deal_evenly() by one processor, a barrier later next() by all. Cost:
// one atomic addition a bucket, on a line of its own for each processor. Lock-free.
#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

#include "numa/cacheline.h"
#include "sort/engine/part.h"

namespace postroom::sorting {

class Claims {
 public:
  explicit Claims(std::size_t processors) : shares_(processors) {}

  /// Sorts the buckets of [0, records) by where they lie, and gives each processor those that begin
  /// in its share.
  void deal_out(std::vector<Part>& buckets, std::size_t records);
  /// As many buckets for each.
  void deal_evenly(std::size_t buckets_each);

  /// One processor's way through all shares, beginning with its own.
  class Claimer {
   public:
    Claimer(Claims& claims, std::size_t processor) : claims_(claims), share_(processor) {}

    /// A bucket that nobody else has got, or kNone when there are none left.
    std::size_t next() noexcept {
      for (; tried_ < claims_.shares_.size(); ++tried_) {
        Share& share = claims_.shares_[share_];
        // Relaxed: only the number counts; the buckets were made visible by a barrier.
        const std::size_t bucket = share.next.fetch_add(1, std::memory_order_relaxed);
        if (bucket < share.end) return bucket;
        share_ = (share_ + 1) % claims_.shares_.size();
      }
      return kNone;
    }

   private:
    Claims& claims_;
    std::size_t share_;
    std::size_t tried_ = 0;
  };

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

 private:
  struct alignas(kNoSharing) Share {
    std::atomic<std::size_t> next{0};
    std::size_t end = 0;
  };

  std::vector<Share> shares_;
};

}  // namespace postroom::sorting
