#include "sort/engine/claims.h"

#include <algorithm>

#include "sort/engine/team.h"

namespace postroom::sorting {

void Claims::deal_out(std::vector<Part>& buckets, std::size_t records) {
  const auto begin_of = [](const Part& part) { return part.begin; };
  std::ranges::sort(buckets, {}, begin_of);
  const auto index_at = [&](std::size_t record) {
    return static_cast<std::size_t>(std::ranges::lower_bound(buckets, record, {}, begin_of) -
                                    buckets.begin());
  };
  for (std::size_t i = 0; i < shares_.size(); ++i) {
    const Range share = share_of({0, records}, i, shares_.size());
    shares_[i].end = index_at(share.end);
    // Relaxed: a barrier lies between this and the first claim.
    shares_[i].next.store(index_at(share.begin), std::memory_order_relaxed);
  }
}

void Claims::deal_evenly(std::size_t buckets_each) {
  for (std::size_t i = 0; i < shares_.size(); ++i) {
    shares_[i].end = (i + 1) * buckets_each;
    // Relaxed: as above.
    shares_[i].next.store(i * buckets_each, std::memory_order_relaxed);
  }
}

}  // namespace postroom::sorting
