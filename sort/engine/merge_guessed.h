// Up to four rows that are in order become one, where a CPU can guess which of them is next.
//
// It can where rows take turns in a regular way, or where one goes on for long: sorted batches of
// days that hardly overlap, a matrix read by columns. Then branches cost nothing, the element that
// comes next is known before its keys have been compared, and four rows take as long as two. Where
// it cannot, each wrong guess costs more than a merge without branches does
// (sort/engine/merge_two.h).
//
// Elements are told as in sort/engine/merge_two.h. Stable: of equal keys those of earlier rows come
// first. Cost: one read and one write, and three or four comparisons an element; all guessed 0.5
// ns a bare key or a pair in cache (AMD Zen 5, one core; two rows without a branch 0.8 to 1.1).
// Errors: what a key throws goes through.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "sort/engine/merge_two.h"
#include "sort/engine/team.h"

namespace postroom::sorting {

/// Four rows, of which some may be empty, and where the next of them goes. Places are kStep apart,
/// as in TwoRows; `to` of the pairs counts for nothing.
template <std::ptrdiff_t kStep = 1>
struct FourRows {
  TwoRows<kStep> first;
  TwoRows<kStep> second;
  std::size_t to = 0;

  std::size_t left() const noexcept { return first.left() + second.left(); }

  /// What becomes of them up to `rank` of the merged row, and from there on.
  template <class Elements>
  std::pair<FourRows, FourRows> cut(std::size_t rank, const Elements& elements) const {
    const auto keys_of = [&](const TwoRows<kStep>& pair) {
      return [&](std::size_t i) {
        const TwoRows<kStep> rest = pair.cut(i, elements).second;
        if (rest.a == rest.a_end) return elements.key(rest.b);
        return rest.b == rest.b_end ? elements.key(rest.a)
                                    : std::min(elements.key(rest.a), elements.key(rest.b));
      };
    };
    const std::size_t in_first =
        taken_from_first(rank, first.left(), second.left(), keys_of(first), keys_of(second));
    const auto [first_before, first_after] = first.cut(in_first, elements);
    const auto [second_before, second_after] = second.cut(rank - in_first, elements);
    return {{first_before, second_before, to},
            {first_after, second_after, to + rank * TwoRows<kStep>::kNext}};
  }

  std::array<Range, 4> rows() const noexcept {
    return {Range{first.a, first.a_end}, Range{first.b, first.b_end}, Range{second.a, second.a_end},
            Range{second.b, second.b_end}};
  }
};

/// Whether it can be guessed which row is next, judged by so many steps of merging `rows`: not
/// where more than one in sixteen comes as a surprise to somebody who knows what followed the last
/// time that the same sixteen came before, and else guesses that the last one goes on.
template <std::ptrdiff_t kStep, class Elements>
bool can_guess(const FourRows<kStep>& rows, const Elements& elements, std::size_t steps) {
  constexpr std::uint8_t kUnknown = 4;
  constexpr int kSlotBits = 10;
  constexpr std::uint32_t kAnywhere = 0x9e37'79b9;  // 2^32 / golden ratio
  std::array<std::uint8_t, std::size_t{1} << kSlotBits> followed;
  followed.fill(kUnknown);
  std::uint32_t history = 0;
  std::size_t surprises = 0;
  std::array<Range, 4> left = rows.rows();
  steps = std::min(steps, rows.left());
  for (std::size_t step = 0; step < steps; ++step) {
    std::size_t next = left.size();
    for (std::size_t row = 0; row < left.size(); ++row) {
      if (left[row].begin == left[row].end) continue;
      if (next == left.size() || elements.key(left[row].begin) < elements.key(left[next].begin))
        next = row;
    }
    left[next].begin += TwoRows<kStep>::kNext;
    std::uint8_t& known = followed[history * kAnywhere >> (32 - kSlotBits)];
    const std::size_t guess = known == kUnknown ? history % 4 : known;
    // The first half is for learning.
    if (step >= steps / 2 && guess != next) ++surprises;
    known = static_cast<std::uint8_t>(next);
    history = history << 2 | static_cast<std::uint32_t>(next);
  }
  return surprises * 16 <= steps - steps / 2;
}

/// Calls then(std::integral_constant<std::size_t, row>) of the row [first, first + count) with the
/// least key, the first of those alike. A branch for each comparison.
template <std::size_t kFirst, std::size_t kCount, class Keys, class Then>
[[gnu::always_inline]] inline void with_least(const Keys& keys, const Then& then) {
  if constexpr (kCount == 1) {
    then(std::integral_constant<std::size_t, kFirst>());
  } else {
    constexpr std::size_t kHalf = (kCount + 1) / 2;
    with_least<kFirst, kHalf>(
        keys, [&](auto a) __attribute__((always_inline)) {
          with_least<kFirst + kHalf, kCount - kHalf>(
              keys, [&](auto b) __attribute__((always_inline)) {
                if (keys[b] < keys[a]) return then(b);
                return then(a);
              });
        });
  }
}

/// Merges rows, none of them empty, by so many steps; where these may be more than one of them has,
/// until one has ended.
// Places and keys have numbers that are known when this is compiled, so they stay in registers.
template <bool kMayEnd, std::ptrdiff_t kStep, std::size_t... kRow, class Elements>
void merge_some(std::index_sequence<kRow...>, std::array<Range, 4>& rows, std::size_t& to,
                std::size_t steps, Elements elements) {
  constexpr auto kNext = static_cast<std::size_t>(kStep);
  std::array next{rows[kRow].begin...};
  const std::array ends{rows[kRow].end...};
  std::array keys{elements.key(rows[kRow].begin)...};
  const std::size_t end = to + steps * kNext;
  std::size_t at = to;
  bool all_left = true;
  for (; all_left && at != end; at += kNext) {
    with_least<0, sizeof...(kRow)>(
        keys, [&](auto row) __attribute__((always_inline)) {
          elements.take(at, next[row]);
          next[row] += kNext;
          if (kMayEnd && next[row] == ends[row]) {
            all_left = false;
          } else {
            keys[row] = elements.key(next[row]);
          }
        });
  }
  to = at;
  ((rows[kRow].begin = next[kRow]), ...);
}

/// The same with the first `count`, two or more; at most so many steps.
template <std::ptrdiff_t kStep, class Elements>
void merge_some(std::size_t count, std::array<Range, 4>& rows, std::size_t& to, std::size_t most,
                const Elements& elements) {
  std::size_t shortest = most;
  for (std::size_t row = 0; row < count; ++row) {
    shortest = std::min(shortest, steps_between<kStep>(rows[row].begin, rows[row].end));
  }
  constexpr std::size_t kShort = 512;
  const auto merge = [&](auto numbers) {
    if (shortest < kShort) {
      merge_some<true, kStep>(numbers, rows, to, most, elements);
    } else {
      // One fewer: after the last one there may be no next.
      merge_some<false, kStep>(numbers, rows, to, shortest - 1, elements);
    }
  };
  switch (count) {
    case 2:
      return merge(std::make_index_sequence<2>());
    case 3:
      return merge(std::make_index_sequence<3>());
    default:
      return merge(std::make_index_sequence<4>());
  }
}

/// Of the first `count` rows, none of them empty: the one that is next, and how many of its
/// elements come before any of another row; 1 where these are fewer than `least`, which takes one
/// look.
template <std::ptrdiff_t kStep, class Elements>
std::pair<std::size_t, std::size_t> next_turn(const std::array<Range, 4>& rows, std::size_t count,
                                              std::size_t least, const Elements& elements) {
  constexpr auto kNext = static_cast<std::size_t>(kStep);
  std::size_t next = 0;
  for (std::size_t row = 1; row < count; ++row) {
    if (elements.key(rows[row].begin) < elements.key(rows[next].begin)) next = row;
  }
  const auto comes_first = [&](std::size_t i) {
    const auto key = elements.key(rows[next].begin + i * kNext);
    for (std::size_t row = 0; row < count; ++row) {
      if (row == next) continue;
      const auto other = elements.key(rows[row].begin);
      if (other < key || (row < next && other == key)) return false;
    }
    return true;
  };
  const std::size_t left = steps_between<kStep>(rows[next].begin, rows[next].end);
  std::size_t turn = 1;
  const auto longer_by = [&](std::size_t more) {
    if (more > left - turn || !comes_first(turn + more - 1)) return false;
    turn += more;
    return true;
  };
  if (!longer_by(std::min(least, left) - 1)) return {next, turn};
  std::size_t more = least;
  while (longer_by(more)) more *= 2;
  for (; more > 0; more /= 2) longer_by(more);
  return {next, turn};
}

/// Merges `rows`.
template <std::ptrdiff_t kStep, class Elements>
void merge_guessed(const FourRows<kStep>& four, Elements elements) {
  constexpr auto kNext = static_cast<std::size_t>(kStep);
  constexpr std::size_t kLong = 256;
  constexpr std::size_t kSteps = 4096;
  std::array<Range, 4> rows = four.rows();
  std::size_t to = four.to;
  for (;;) {
    const auto end = std::remove_if(rows.begin(), rows.end(),
                                    [](const Range& row) { return row.begin == row.end; });
    const auto count = static_cast<std::size_t>(end - rows.begin());
    if (count == 0) return;
    std::fill(end, rows.end(), Range{});
    const auto [next, turn] = next_turn<kStep>(rows, count, kLong, elements);
    if (turn >= kLong || count == 1) {
      std::size_t& from = rows[next].begin;
      for (std::size_t i = 0; i < turn; ++i, from += kNext, to += kNext) elements.take(to, from);
    } else {
      merge_some<kStep>(count, rows, to, kSteps, elements);
    }
  }
}

}  // namespace postroom::sorting
