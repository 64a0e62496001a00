// Keys alone that differ in few bits, counted all at once by one processor, and written.
//
// A value has a count of its own. Nothing is moved, and there is no scratch beside the counts, 4
// bytes for each value: half as much as the keys at most. Several processors would each have all
// counts; they count the bits that differ first and then, bucket by bucket, the others
// (sort/bucket_router.h).
//
// Cost of 10^8 u32 in large pages (AMD Zen 5; in small ones 0.3 more): counting 0.43 ns a key with
// 2^17 values, 0.57 with 2^19, 0.6 with 2^21, 1.0 with 2^22; writing 0.13 to 0.3. Counts of a byte
// and a table of carries gain a fifth with 2^19 and nothing elsewhere.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

#include "sort/config.h"
#include "sort/count.h"
#include "sort/digit.h"
#include "sort/fill.h"

namespace postroom::sorting {

/// Sorts home[0, size) if that is the way; otherwise nothing has been touched. Throws
/// std::bad_alloc.
template <class Records>
bool sort_by_counting(Records home, std::size_t size, const SortConfig& config) {
  using Count = std::uint32_t;
  if (size > std::numeric_limits<Count>::max()) return false;
  const int most = most_fill_bits(size, config.count_all_bits);
  std::uint64_t varying = sampled_bits(home, 0, size, config.sample_records);
  for (bool all_seen = false; varying != 0 && !all_seen;) {
    const Digit digit = whole_digit(varying);
    if (digit.bits > most) return false;
    const auto counts = std::make_unique<Count[]>(digit.values());
    const auto common = count_digit_apart(home, 0, size, digit, counts.get());
    all_seen = (common.varying() & ~(low_bits(digit.bits) << digit.shift)) == 0;
    if (all_seen) write_counted(home, 0, size, 0, digit, common, counts.get());
    varying |= common.varying();
  }
  return varying != 0;
}

}  // namespace postroom::sorting
