// Writing keys that were only counted: where records are nothing but their keys and differ in few
// bits, the counts say all, and nothing is moved.
//
// Cost: one write of the records, and a step for each possible value, 0.7 to 1.1 ns where it occurs
// a few times; with a branch on how often 6 to 12 (Intel Granite Rapids). Equal keys are alike, so
// stability cannot be seen.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "sort/engine/config.h"
#include "sort/engine/count.h"
#include "sort/engine/digit.h"
#include "sort/engine/team.h"

namespace postroom::sorting {

/// Keys that differ in no more bits than these are counted and written, when that many bits are the
/// most that is wanted, and there are other ways: most values should occur several times.
constexpr int most_fill_bits(std::size_t records, int most) noexcept {
  return std::clamp(width_of(records) - 3, 0, most);
}

/// Whether the records [begin, end) seem to differ in more bits than are counted, even if they are
/// split by a light digit first: a guess from a few of them. Errors: what a key throws.
template <class Records>
bool is_long_to_count(const Records& records, std::size_t begin, std::size_t end,
                      const SortConfig& config) {
  const std::uint64_t varying = sampled_bits(records, begin, end, config.sample_records);
  const int most = most_fill_bits(end - begin, config.fill_bits + config.light_bits);
  return varying != 0 && whole_digit(varying).bits > most;
}

/// Writes to the share what belongs there, when `all` records, those of the share among them, have
/// `counts[d]` keys of each digit d and all other bits as in `common`.
template <class Records, class Count>
void write_counted(const Records& home, Range share, Range all, Digit digit,
                   const CommonBits<typename Records::Bits>& common, const Count* counts) {
  using Bits = typename Records::Bits;
  constexpr std::size_t kBytes = Records::kRecordBytes;
  const std::size_t begin = share.begin;
  const std::size_t end = share.end;
  const auto others = static_cast<Bits>(common.all_ones & ~(low_bits(digit.bits) << digit.shift));
  const auto key = [=](std::size_t d) { return static_cast<Bits>(others | (d << digit.shift)); };
  Records to = home;  // which no write can change
  std::size_t d = 0;
  std::size_t place = all.begin;
  const auto write_one = [&](std::size_t from) {
    const std::size_t next = place + counts[d];
    to.fill(from, std::min(next, end), key(d));
    place = next;
    ++d;
  };
  // As many as most values have, at least: what is too much is written over.
  const auto write_at_least = [&]<std::size_t kMany>(std::integral_constant<std::size_t, kMany>) {
    for (; d < digit.values() && place + kMany <= end; ++d) {
      to.template fill_some<kMany>(place, key(d));
      const std::size_t next = place + counts[d];
      if (next > place + kMany) [[unlikely]]
        to.fill(place + kMany, std::min(next, end), key(d));
      place = next;
    }
  };
  for (; d < digit.values() && place + counts[d] <= begin; ++d) place += counts[d];
  if (d < digit.values() && place < begin) write_one(begin);
  const std::size_t mean_bytes = (all.end - all.begin) * kBytes / digit.values();
  if (mean_bytes <= 16) {
    write_at_least(std::integral_constant<std::size_t, 32 / kBytes>());
  } else if (mean_bytes <= 32) {
    write_at_least(std::integral_constant<std::size_t, 64 / kBytes>());
  } else if (mean_bytes <= 64) {
    write_at_least(std::integral_constant<std::size_t, 128 / kBytes>());
  } else if (mean_bytes <= 128) {
    write_at_least(std::integral_constant<std::size_t, 256 / kBytes>());
  }
  while (d < digit.values() && place < end) write_one(place);
}

}  // namespace postroom::sorting
