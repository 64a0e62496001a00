// Records that are in order already, or in reverse.
//
// One read finds out; a read stops early when they are neither, after some records where the input
// is random. Reversed records are turned round in place, those that come from memory while they are
// read, and back if they were not reversed after all. That puts equal ones the wrong way round too,
// so each run of equal keys is turned round once more; only records that are more than their keys
// need it.
//
// Cost: ascending one read, reversed one read and one write (with equal keys two more reads). Lines
// are asked for well ahead (sort/vectors/read_ahead.h).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <functional>
#include <utility>

#include "sort/vectors/read_ahead.h"

namespace postroom::sorting {

/// What is known of a row of keys. One key is everything at once.
struct Order {
  bool rising = true;    // no key is smaller than the one before
  bool falling = true;   // no key is larger than the one before
  bool distinct = true;  // no key is equal to the one before; told only where the keys fall

  void add(const Order& other) noexcept {
    rising = rising && other.rising;
    falling = falling && other.falling;
    distinct = distinct && other.distinct;
  }
  bool none() const noexcept { return !rising && !falling; }
};

/// Whether any(i) for a block of kBlock records [i, …) of [begin, end), by strips. If not, moves
/// `begin` to the few records that are left.
template <std::size_t kBlock, class Any>
bool any_by_strips(std::size_t& begin, std::size_t end, const Any& any) {
  const std::size_t strip = (end - begin) / kReadStrips / kBlock * kBlock;
  for (std::size_t from = begin; from < begin + strip; from += kBlock) {
    for (std::size_t s = 0; s < kReadStrips; ++s) {
      if (any(from + s * strip)) return true;
    }
  }
  begin += kReadStrips * strip;
  return false;
}

/// Whether any of the records [begin, end) stands in this relation to the one before it. The read
/// stops early when one does. `begin` is at least 1.
template <class Records, class Relation>
bool any_neighbours(const Records& records, std::size_t begin, std::size_t end, Relation relation,
                    Reading reading = Reading::kOnAndOn) {
  using Bits = typename Records::Bits;
  constexpr std::size_t kBlock = 128;
  constexpr std::size_t kTogether = Records::kWholeKeys ? kBlock : 8;
  // A whole number of times kTogether, and not none.
  const auto any_of = [&](std::size_t from, std::size_t to) {
    // Keys with something between them: each is read once, and there is a branch for eight.
    [[maybe_unused]] Bits before = records.key(from - 1);
    for (; from < to; from += kTogether) {
      records.template prefetch_ahead<kTogether>(from);
      Bits any = 0;
      if constexpr (Records::kWholeKeys) {
        // As wide as a key, without a branch, and always as many: so the compiler makes vectors.
        for (std::size_t i = from; i < from + kTogether; ++i) {
          const bool one = relation(records.key(i - 1), records.key(i));
          any = static_cast<Bits>(any | static_cast<Bits>(one));
        }
      } else {
#pragma GCC unroll 8
        for (std::size_t j = 0; j < kTogether; ++j) {
          const Bits key = records.key(from + j);
          any = static_cast<Bits>(any | static_cast<Bits>(relation(before, key)));
          before = key;
        }
      }
      if (any != 0) return true;
    }
    return false;
  };
  if (reading == Reading::kByStrips) {
    const auto any_of_block = [&](std::size_t i) { return any_of(i, i + kBlock); };
    if (any_by_strips<kBlock>(begin, end, any_of_block)) return true;
  }
  if (begin + kTogether <= end) {
    const std::size_t to = begin + (end - begin) / kTogether * kTogether;
    if (any_of(std::exchange(begin, to), to)) return true;
  }
  for (; begin < end; ++begin) {
    if (relation(records.key(begin - 1), records.key(begin))) return true;
  }
  return false;
}

/// Whether next_fall has vectors for these records.
template <class Records>
bool vectors_find_falls(const Records& records) noexcept {
  if constexpr (Records::kFindsFalls) return records.can_compare_rows();
  return false;
}

/// The first record of [begin, end) that is below the one before it, or `end`. `begin` is at
/// least 1. `by_vectors` is what vectors_find_falls says.
template <class Records>
std::size_t next_fall(const Records& records, std::size_t begin, std::size_t end, bool by_vectors) {
  if constexpr (Records::kFindsFalls) {
    if (by_vectors) return records.first_fall(begin, end);
  }
  constexpr std::size_t kTogether = 8;
  std::size_t i = begin;
  auto before = records.key(i - 1);
  for (; i + kTogether <= end; i += kTogether) {
    records.template prefetch_ahead<kTogether>(i);
    unsigned falls = 0;
#pragma GCC unroll 8
    for (std::size_t j = 0; j < kTogether; ++j) {
      const auto key = records.key(i + j);
      falls |= static_cast<unsigned>(key < before) << j;
      before = key;
    }
    if (falls != 0) return i + static_cast<std::size_t>(std::countr_zero(falls));
  }
  while (i < end && records.key(i - 1) <= records.key(i)) ++i;
  return i;
}

/// Where the keys that are all like the one at `begin` end, or before.
template <class Records>
std::size_t end_of_equal(const Records& records, std::size_t begin, std::size_t end,
                         Reading reading) noexcept {
  using Bits = typename Records::Bits;
  constexpr std::size_t kBlock = 128;
  const Bits first = records.key(begin);
  const auto differs = [&](std::size_t from) {
    records.template prefetch_ahead<kBlock>(from);
    Bits differ = 0;
    for (std::size_t i = from; i < from + kBlock; ++i) {
      differ = static_cast<Bits>(differ | (first ^ records.key(i)));
    }
    return differ != 0;
  };
  std::size_t i = begin;
  if (reading == Reading::kByStrips && any_by_strips<kBlock>(i, end, differs)) return begin + 1;
  while (i + kBlock <= end && !differs(i)) i += kBlock;
  while (i < end && records.key(i) == first) ++i;
  return i;
}

/// Whether of the first few keys of [begin, end) some fall and some rise, each seen from the one
/// before: nearly always so where there is no order. `begin` is at least 1.
template <class Records>
bool soon_has_no_order(const Records& records, std::size_t begin, std::size_t end) {
  constexpr std::size_t kKeys = 6;
  if (end - begin < kKeys) return false;
  bool falls = false;
  bool rises = false;
#pragma GCC unroll 8
  for (std::size_t i = begin; i < begin + kKeys; ++i) {
    const auto before = records.key(i - 1);
    const auto key = records.key(i);
    falls |= key < before;
    rises |= before < key;
  }
  return falls && rises;
}

/// The order of the records [begin, end) and the one before `begin`, if there is one. When it is
/// none, the read has stopped early.
template <class Records>
Order order_of(const Records& records, std::size_t begin, std::size_t end,
               Reading reading = Reading::kOnAndOn) {
  const std::size_t first = std::max<std::size_t>(begin, 1);
  if (first >= end) return {};
  if constexpr (Records::kComparesRows) {
    if (records.can_compare_rows()) {
      if (soon_has_no_order(records, first, end)) return {false, false, false};
      const auto seen = records.compare_rows(first, end, reading);
      return {!seen.fall, !seen.rise, !seen.alike};
    }
  }
  std::size_t from = first;
  if constexpr (Records::kWholeKeys) {
    // Half as long as comparing neighbours.
    from = std::max(first, end_of_equal(records, first - 1, end, reading));
    if (from == end) return {true, true, false};
  }
  const auto none = [&](auto relation) {
    return !any_neighbours(records, from, end, relation, reading);
  };
  if (none(std::greater<>())) {
    const bool all_equal = records.key(first - 1) == records.key(end - 1);
    return {true, all_equal, !all_equal};
  }
  if (from == first && none(std::less_equal<>())) return {false, true, true};
  return {false, none(std::less<>()), false};
}

/// The order of about `how_many` records spread over [0, size).
template <class Records>
Order sampled_order(const Records& records, std::size_t size, std::size_t how_many) {
  Order order;
  const std::size_t step = std::max<std::size_t>(size / how_many, 1);
  for (std::size_t i = step; i < size && !order.none(); i += step) {
    const auto before = records.key(i - step);
    const auto key = records.key(i);
    order.add({!(key < before), !(before < key), key != before});
  }
  return order;
}

/// Whether a row is taken to be in reverse, by the order of some of its keys.
inline bool seems_reversed(const Order& sampled) noexcept {
  return sampled.falling && !sampled.rising;
}

/// Exchanges the records [begin, end) of the first half of [0, size) with their mirror images.
template <class Records>
void turn_round(Records& records, std::size_t begin, std::size_t end, std::size_t size) noexcept {
  if (begin < end) records.swap_round(begin, size - begin, end - begin);
}

/// The order of the two records at the end of a piece of the first half, and of their mirror
/// images: of record `end` and the one before. 0 < end <= size / 2.
template <class Records>
Order order_at_end(const Records& records, std::size_t end, std::size_t size) {
  Order order = order_of(records, end, end + 1);
  order.add(order_of(records, size - end, size - end + 1));
  return order;
}

/// Exchanges the records [turned, end) of a piece with their mirror images while these and those
/// fall, and adds their order to `order`; what meets at either end of the piece is not looked at.
/// `turned` says how far it came, also when a key throws. Each record is read while it is turned,
/// so it comes from memory once.
template <class Records>
void turn_while_falling(Records& records, std::size_t& turned, std::size_t end, std::size_t size,
                        Order& order) {
  // From either side.
  constexpr std::size_t kChunk = std::max<std::size_t>(32768 / Records::kRecordBytes, 1);
  while (turned < end) {
    const std::size_t next = std::min(turned + kChunk, end);
    const std::size_t over = next < end ? 1 : 0;  // the neighbour there has not been turned either
    order.add(order_of(records, turned + 1, next + over, key_reading));
    order.add(order_of(records, size - next + 1 - over, size - turned, key_reading));
    if (!order.falling) return;
    turn_round(records, std::exchange(turned, next), next, size);
  }
}

/// Where the first run of equal keys begins at or after `i`; runs do not reach back before it.
template <class Records>
std::size_t next_run(const Records& records, std::size_t i, std::size_t size) {
  if (i == 0) return 0;
  while (i < size && records.key(i) == records.key(i - 1)) ++i;
  return i;
}

/// Turns round each run of equal keys in [begin, end), which holds whole runs.
template <class Records>
void turn_runs_round(Records& records, std::size_t begin, std::size_t end) {
  while (begin < end) {
    const std::size_t stop = next_run(records, begin + 1, end);
    for (std::size_t i = begin, j = stop; i + 1 < j; ++i) records.swap(i, --j);
    begin = stop;
  }
}

}  // namespace postroom::sorting
