// How records lie in memory, as the engine sees them: in rows or in columns.
//
// The engine moves records and asks for their keys; it knows nothing else of them. Both layouts
// offer the same operations, so that one engine sorts keys, records, and keys with values in an
// array beside them. Records are moved as bytes (their types are trivially copyable), between the
// caller's memory and a scratch of the same layout. Indices count records.
//
// A KeyOf turns the address of what holds a key into an unsigned integer (sort/keys.h). It may
// throw; only key() calls it. Everything else is noexcept.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "numa/cacheline.h"
#include "numa/prefetch.h"
#include "sort/vectors/network_sort.h"
#include "sort/vectors/read_ahead.h"
#include "sort/vectors/vector_order.h"
#include "sort/vectors/vector_sides.h"
#include "sort/vectors/vector_strays.h"
#include "sort/vectors/word_sides.h"

namespace postroom::sorting {

/// One column of equally large values in a row.
template <std::size_t kBytes>
class Column {
 public:
  explicit Column(std::byte* base = nullptr) : base_(base) {}

  const std::byte* at(std::size_t i) const noexcept { return base_ + i * kBytes; }
  std::byte* at(std::size_t i) noexcept { return base_ + i * kBytes; }

  /// this[to] = from[i].
  void take(std::size_t to, const Column& from, std::size_t i) noexcept {
    std::memcpy(at(to), from.at(i), kBytes);
  }
  /// this[i] = from[i] for kCount of them from `begin` on.
  template <std::size_t kCount>
  void take_some(std::size_t begin, const Column& from) noexcept {
    std::memcpy(at(begin), from.at(begin), kCount * kBytes);
  }
  /// Moves kCount of them from `from` on to `to` and on, which may overlap.
  template <std::size_t kCount>
  void move_some(std::size_t to, std::size_t from) noexcept {
    std::array<std::byte, kCount * kBytes> held;
    std::memcpy(held.data(), at(from), sizeof(held));
    std::memcpy(at(to), held.data(), sizeof(held));
  }
  /// this[i] = from[i] for begin <= i < end. They may overlap where this lies before `from`.
  void take_all(const Column& from, std::size_t begin, std::size_t end) noexcept {
    if (begin >= end) return;
    std::byte* to = at(begin);
    const std::byte* source = from.at(begin);
    std::size_t left = (end - begin) * kBytes;
    if (left <= kMostInPieces) {
      for (; left > kPiece; left -= kPiece, to += kPiece, source += kPiece) {
        std::memmove(to, source, kPiece);
      }
    }
    std::memmove(to, source, left);
  }
  /// Moves this[to … end) up by one place and puts from[i] at `to`. this[end] is overwritten, which
  /// may be from[i] itself.
  void insert(std::size_t to, std::size_t end, const Column& from, std::size_t i) noexcept {
    std::array<std::byte, kBytes> held;
    std::memcpy(held.data(), from.at(i), kBytes);
    std::memmove(at(to + 1), at(to), (end - to) * kBytes);
    std::memcpy(at(to), held.data(), kBytes);
  }
  /// Precondition: i != j.
  void swap(std::size_t i, std::size_t j) noexcept {
    std::array<std::byte, kBytes> held;
    std::memcpy(held.data(), at(i), kBytes);
    std::memcpy(at(i), at(j), kBytes);
    std::memcpy(at(j), held.data(), kBytes);
  }
  /// Exchanges this[i … i + count) with this[j - count … j), each turned round. They may not
  /// overlap.
  void swap_round(std::size_t i, std::size_t j, std::size_t count) noexcept {
    // Some vectors of both ends are read before any is written. Larger values are moved as fast one
    // by one.
    if constexpr (kInVectors) {
      constexpr std::size_t kTogether = 2;
      constexpr std::size_t kBlock = kTogether * kVectorBytes / kBytes;
      for (; count >= kBlock; count -= kBlock, i += kBlock, j -= kBlock) {
        std::byte* const begin = at(i);
        std::byte* const end = at(j);
        Vector low[kTogether];
        Vector high[kTogether];
        for (std::size_t k = 0; k < kTogether; ++k) {
          low[k] = turned(begin + k * kVectorBytes);
          high[k] = turned(end - (k + 1) * kVectorBytes);
        }
        for (std::size_t k = 0; k < kTogether; ++k) {
          std::memcpy(begin + k * kVectorBytes, &high[k], kVectorBytes);
          std::memcpy(end - (k + 1) * kVectorBytes, &low[k], kVectorBytes);
        }
      }
    }
    for (; count > 0; --count) swap(i++, --j);
  }
  /// Asks for the line of `i`, to be written soon. It may lie outside the column.
  void prefetch(std::size_t i) const noexcept { prefetch_to_write(at(i)); }
  /// The same for the line after that of `i`.
  void prefetch_after(std::size_t i) const noexcept { prefetch_to_write(at(i) + kCacheLine); }
  /// Asks for the lines of kCount values, to be read soon after those from `i` on. They may lie
  /// outside the column.
  template <std::size_t kCount>
  void prefetch_ahead(std::size_t i) const noexcept {
    constexpr std::size_t kStep = std::max(kBytes, kCacheLine);
    for (std::size_t byte = 0; byte < kCount * kBytes; byte += kStep) {
      read_ahead_of(at(i) + byte);
    }
  }

 private:
  // The C library copies some KiB and more by one instruction, which on AMD Zen 3 takes 5 ns for 8
  // bytes where the target lies just behind the source modulo 4 KiB; shorter pieces 0.5 to 1.
  static constexpr std::size_t kPiece = 1024;
  // What is longer goes past the cache at once.
  static constexpr std::size_t kMostInPieces = std::size_t{2} << 20;

  // Not wider: every x86-64 has these, whatever this is compiled for. 10^4 values of 8 bytes are
  // turned round in 0.25 ns each, of 4 in 0.12; one by one 0.44 and 0.40 (AMD Zen 3).
  static constexpr bool kInVectors = kBytes == 4 || kBytes == 8;
  static constexpr std::size_t kVectorBytes = 16;
  using Word = std::conditional_t<kBytes == 4, std::uint32_t, std::uint64_t>;
  using Vector [[gnu::vector_size(kVectorBytes)]] = Word;

  // What lies at `place`, the last value first.
  static Vector turned(const std::byte* place) noexcept {
    Vector values;
    std::memcpy(&values, place, kVectorBytes);
    if constexpr (kBytes == 4) {
      return __builtin_shufflevector(values, values, 3, 2, 1, 0);
    } else {
      return __builtin_shufflevector(values, values, 1, 0);
    }
  }

  std::byte* base_;
};

/// Records side by side, each holding its key.
template <std::size_t kBytes, class KeyOf>
class Rows {
 public:
  using Bits = typename KeyOf::Bits;
  static constexpr std::size_t kRecordBytes = kBytes;
  static constexpr bool kWholeKeys = KeyOf::kWholeRecord;
  /// Whether a network can sort them (sort/vectors/network_sort.h).
  static constexpr bool kNetworkKeys = [] {
    if constexpr (kWholeKeys) return kBytes >= sizeof(std::uint32_t) && KeyOf::kOnlyFlipped;
    return false;
  }();
  /// Whether the key is a floating-point number somewhere in a row.
  static constexpr bool kFoldedField = [] {
    if constexpr (requires { KeyOf::kIsFoldedField; }) return KeyOf::kIsFoldedField;
    return false;
  }();

  /// Whether vectors can compare their keys, where the processor has them
  /// (sort/vectors/vector_order.h).
  static constexpr bool kComparesRows = [] {
    if constexpr (requires { KeyOf::kIsField; })
      return (KeyOf::kIsField || kFoldedField) && has_row_vectors<Bits>(kBytes);
    return kWholeKeys && has_row_vectors<Bits>(kBytes);
  }();

  /// Whether vectors can find where their keys fall, and move them, where the processor has them
  /// (sort/vectors/vector_strays.h).
  static constexpr bool kFindsFalls =
      kNetworkKeys || (kComparesRows && !kWholeKeys && !kFoldedField);

  /// Whether there is room for a word of 64 bits for each, side by side.
  static constexpr bool kHoldsWords = kBytes >= sizeof(std::uint64_t);

  /// Whether a row is a word to a network, where the key is one half of it.
  static constexpr bool kMayBeWords = [] {
    if constexpr (requires { KeyOf::kIsField; })
      return KeyOf::kIsField && kBytes == sizeof(std::uint64_t) && sizeof(Bits) == kBytes / 2;
    return false;
  }();

  /// `base` need not be aligned unless KeyOf wants it.
  Rows(std::byte* base, KeyOf key_of) : column_(base), key_of_(key_of) {}

  /// The records from `i` on.
  Rows from(std::size_t i) noexcept { return Rows(column_.at(i), key_of_); }
  /// Room for `count` records of the same kind in other memory, count * kRecordBytes.
  Rows room_at(std::byte* memory, std::size_t /*count*/) const noexcept {
    return Rows(memory, key_of_);
  }

  /// Where the records from `i` on lie.
  std::byte* memory(std::size_t i) noexcept { return column_.at(i); }

  Bits key(std::size_t i) const { return key_of_(column_.at(i)); }

  void take(std::size_t to, const Rows& from, std::size_t i) noexcept {
    column_.take(to, from.column_, i);
  }

  /// Record `i` as a place, kPlaceStep before the next one: for loops with so many of them that
  /// there is no register left for where the records begin.
  std::size_t place(std::size_t i) const noexcept {
    return reinterpret_cast<std::size_t>(column_.at(i));
  }
  static constexpr std::size_t kPlaceStep = kBytes;
  /// Whether a place is where it is in memory, whosever it is.
  static constexpr bool kPlacesAreMemory = true;
  Bits key_at(std::size_t place) const {
    return key_of_(reinterpret_cast<const std::byte*>(place));
  }
  /// The record at the place `to` = that of `from` at `at`.
  void take_at(std::size_t to, const Rows& /*from*/, std::size_t at) noexcept {
    std::memcpy(reinterpret_cast<std::byte*>(to), reinterpret_cast<const std::byte*>(at), kBytes);
  }

  template <std::size_t kCount>
  void take_some(std::size_t begin, const Rows& from) noexcept {
    column_.template take_some<kCount>(begin, from.column_);
  }
  template <std::size_t kCount>
  void move_some(std::size_t to, std::size_t from) noexcept {
    column_.template move_some<kCount>(to, from);
  }
  void take_all(const Rows& from, std::size_t begin, std::size_t end) noexcept {
    column_.take_all(from.column_, begin, end);
  }
  void insert(std::size_t to, std::size_t end, const Rows& from, std::size_t i) noexcept {
    column_.insert(to, end, from.column_, i);
  }
  void swap(std::size_t i, std::size_t j) noexcept { column_.swap(i, j); }
  void swap_round(std::size_t i, std::size_t j, std::size_t count) noexcept {
    column_.swap_round(i, j, count);
  }
  void prefetch(std::size_t i) const noexcept { column_.prefetch(i); }
  void prefetch_after(std::size_t i) const noexcept { column_.prefetch_after(i); }
  template <std::size_t kCount>
  void prefetch_ahead(std::size_t i) const noexcept {
    column_.template prefetch_ahead<kCount>(i);
  }

  bool can_compare_rows() const noexcept requires kComparesRows {
    return sorting::can_compare_rows(key_rows().offset, sizeof(Bits));
  }
  /// Precondition: can_compare_rows(), and those of it.
  Neighbours compare_rows(std::size_t begin, std::size_t end,
                          Reading reading) const noexcept requires kComparesRows {
    return sorting::compare_rows<kBytes>(key_rows(), begin, end, reading);
  }
  /// The first of [begin, end) with a smaller key than the one before; `end` when there is none.
  /// Preconditions: begin >= 1, can_compare_rows().
  std::size_t first_fall(std::size_t begin, std::size_t end) const noexcept requires kFindsFalls {
    return sorting::first_fall<kBytes>(key_rows(), begin, end);
  }
  /// Moves those of [0, end), which are in order, that are above `key` up, to end at `to`. Returns
  /// how many. Preconditions: to >= end + kRowsAtATime, can_compare_rows().
  std::size_t raise_above(std::size_t end, std::size_t to, Bits key) noexcept requires kFindsFalls {
    return sorting::raise_above<kBytes>(column_.at(0), key_rows(), end, to, key);
  }

  /// Writes the record whose key is `key`.
  void put(std::size_t i, Bits key) noexcept requires kWholeKeys {
    const Bits record = key_of_.record_of(key);
    std::memcpy(column_.at(i), &record, kBytes);
  }
  /// Fills [begin, end) with the record whose key is `key`.
  void fill(std::size_t begin, std::size_t end, Bits key) noexcept requires kWholeKeys {
    const Bits record = key_of_.record_of(key);
    std::byte* to = column_.at(begin);  // by itself, or it would be read anew for each record
    for (std::size_t i = begin; i < end; ++i, to += kBytes) std::memcpy(to, &record, kBytes);
  }
  /// The same for kCount of them, by wide writes.
  template <std::size_t kCount>
  void fill_some(std::size_t begin, Bits key) noexcept requires kWholeKeys {
    std::array<Bits, kCount> records;
    records.fill(key_of_.record_of(key));
    std::memcpy(column_.at(begin), records.data(), kCount * kBytes);
  }

  /// Sorts from[begin, end) to the same places here, not stably. Nobody else is at work at [end,
  /// limit), which stay as they are. Preconditions: those of sort_by_network.
  void take_sorted(const Rows& from, std::size_t begin, std::size_t end,
                   std::size_t limit) noexcept requires kNetworkKeys {
    sort_by_network(from.column_.at(begin), column_.at(begin), end - begin, limit - begin,
                    key_of_.flip);
  }

  /// Whether the key is one half of a row, and rows are soonest sorted by networks.
  bool are_words() const noexcept requires kMayBeWords {
    return has_word_networks() && key_of_.offset(column_.at(0)) % sizeof(Bits) == 0;
  }
  /// Which half. Preconditions, here and below: are_words().
  bool key_is_upper() const noexcept requires kMayBeWords {
    return key_of_.offset(column_.at(0)) > 0;
  }
  /// Keys are in the order of their bytes ^ this.
  Bits flip() const noexcept requires kMayBeWords { return key_of_.all_flipped(); }
  /// Sorts the first `size` of `from` to the same places here, stably
  /// (sort/vectors/network_sort.h). Nobody else is at work up to `room`; those behind stay as they
  /// are. Precondition: few enough for a network.
  void take_sorted_words(const Rows& from, std::size_t size,
                         std::size_t room) noexcept requires kMayBeWords {
    sort_words_by_network(from.column_.at(0), column_.at(0), size, room, key_is_upper(), flip());
  }

  /// Of the first `size` here, moves those with a key below `limit` to `below` from 0 on, the
  /// others to `above`, in their order. Returns how many are below. One of them may be these, as in
  /// sort/vectors/word_sides.h.
  std::size_t take_word_sides(std::size_t size, std::uint64_t limit, Rows below,
                              Rows above) const noexcept requires kMayBeWords {
    return sorting::take_word_sides(column_.at(0), below.column_.at(0), above.column_.at(0), size,
                                    limit, {key_is_upper(), flip()});
  }
  /// How many of the first `size` have a key below `limit`.
  std::size_t count_words_below(std::size_t size,
                                std::uint64_t limit) const noexcept requires kMayBeWords {
    return sorting::count_words_below(column_.at(0), size, limit, {key_is_upper(), flip()});
  }
  /// The same move where `below_size` of them are below. Others may be at work beside their places,
  /// which are not here.
  void take_counted_word_sides(std::size_t size, std::uint64_t limit, Rows below,
                               std::size_t below_size,
                               Rows above) const noexcept requires kMayBeWords {
    sorting::take_counted_word_sides(column_.at(0), below.column_.at(0), below_size,
                                     above.column_.at(0), size, limit, {key_is_upper(), flip()});
  }

  /// Moves from[begin, end) to both sides of the pivot: those below it here from `begin` up, those
  /// above stay there, up to `end` (sort/vectors/vector_sides.h).
  Sides take_sides(Rows from, std::size_t begin, std::size_t end,
                   const Pivot<Bits>& pivot) noexcept requires kNetworkKeys {
    return sorting::take_sides(from.column_.at(begin), column_.at(begin), end - begin, pivot,
                               key_of_.flip);
  }
  /// [a, a + count) and [b, b + count) change places. They do not overlap.
  void swap(std::size_t a, std::size_t b, std::size_t count) noexcept {
    std::swap_ranges(column_.at(a), column_.at(a + count), column_.at(b));
  }
  /// take_sides() within this.
  Sides take_sides_in_place(std::size_t begin, std::size_t end,
                            const Pivot<Bits>& pivot) noexcept requires kNetworkKeys {
    return sorting::take_sides_in_place(column_.at(begin), end - begin, pivot, key_of_.flip);
  }

 private:
  auto key_rows() const noexcept requires kComparesRows {
    const std::byte* const rows = column_.at(0);
    if constexpr (kWholeKeys)
      return KeyRows<Bits, !KeyOf::kOnlyFlipped>{rows, 0, key_of_.flip};
    else
      return KeyRows<Bits, kFoldedField>{rows, key_of_.offset(rows), key_of_.all_flipped()};
  }

  Column<kBytes> column_;
  KeyOf key_of_;
};

/// Keys in one array and what belongs to them in another.
template <class KeyOf, std::size_t kValueBytes>
class Columns {
 public:
  using Bits = typename KeyOf::Bits;
  static constexpr std::size_t kKeyBytes = KeyOf::kRecordBytes;
  static constexpr std::size_t kRecordBytes = kKeyBytes + kValueBytes;
  static constexpr bool kWholeKeys = false;
  static constexpr bool kNetworkKeys = false;
  static constexpr bool kComparesRows = false;
  static constexpr bool kFindsFalls = false;
  static constexpr bool kHoldsWords = kKeyBytes >= sizeof(std::uint64_t);  // where its keys are
  static constexpr bool kMayBeWords = false;

  Columns(std::byte* keys, std::byte* values, KeyOf key_of)
      : keys_(keys), values_(values), key_of_(key_of) {}

  Columns from(std::size_t i) noexcept { return Columns(keys_.at(i), values_.at(i), key_of_); }
  Columns room_at(std::byte* memory, std::size_t count) const noexcept {
    return Columns(memory, memory + count * kKeyBytes, key_of_);
  }

  /// Where the keys from `i` on lie.
  std::byte* memory(std::size_t i) noexcept { return keys_.at(i); }

  Bits key(std::size_t i) const { return key_of_(keys_.at(i)); }

  void take(std::size_t to, const Columns& from, std::size_t i) noexcept {
    keys_.take(to, from.keys_, i);
    values_.take(to, from.values_, i);
  }

  /// As in Rows: a record lies in two places, so its index is one.
  std::size_t place(std::size_t i) const noexcept { return i; }
  static constexpr std::size_t kPlaceStep = 1;
  static constexpr bool kPlacesAreMemory = false;
  Bits key_at(std::size_t place) const { return key(place); }
  void take_at(std::size_t to, const Columns& from, std::size_t at) noexcept { take(to, from, at); }

  template <std::size_t kCount>
  void take_some(std::size_t begin, const Columns& from) noexcept {
    keys_.template take_some<kCount>(begin, from.keys_);
    values_.template take_some<kCount>(begin, from.values_);
  }
  template <std::size_t kCount>
  void move_some(std::size_t to, std::size_t from) noexcept {
    keys_.template move_some<kCount>(to, from);
    values_.template move_some<kCount>(to, from);
  }
  void take_all(const Columns& from, std::size_t begin, std::size_t end) noexcept {
    keys_.take_all(from.keys_, begin, end);
    values_.take_all(from.values_, begin, end);
  }
  void insert(std::size_t to, std::size_t end, const Columns& from, std::size_t i) noexcept {
    keys_.insert(to, end, from.keys_, i);
    values_.insert(to, end, from.values_, i);
  }
  void swap(std::size_t i, std::size_t j) noexcept {
    keys_.swap(i, j);
    values_.swap(i, j);
  }
  void swap_round(std::size_t i, std::size_t j, std::size_t count) noexcept {
    keys_.swap_round(i, j, count);
    values_.swap_round(i, j, count);
  }
  void prefetch(std::size_t i) const noexcept {
    keys_.prefetch(i);
    values_.prefetch(i);
  }
  void prefetch_after(std::size_t i) const noexcept {
    keys_.prefetch_after(i);
    values_.prefetch_after(i);
  }
  template <std::size_t kCount>
  void prefetch_ahead(std::size_t i) const noexcept {
    keys_.template prefetch_ahead<kCount>(i);
  }

 private:
  Column<kKeyBytes> keys_;
  Column<kValueBytes> values_;
  KeyOf key_of_;
};

}  // namespace postroom::sorting
