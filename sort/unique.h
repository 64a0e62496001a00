// Each key once: how often it occurs, or the first of its elements.
//
//   for (const auto& [key, count] : unique_counts(keys)) …
//   const auto rest = sort_unique(people, &Person::id);
//   people.erase(rest.begin(), rest.end());
//
// Two keys are equal where sort() does not tell them apart: -0 and +0 are different ones
// (sort/keys.h).
//
// Cost: that of sort() (and of a copy, where the range stays), then two reads by all processors. In
// sort_unique the second one is a move to the front of each processor's share; the calling thread
// puts the shares together.
// Errors: those of sort().
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include "sort/areas.h"
#include "sort/key_access.h"
#include "sort/options.h"
#include "sort/scratch.h"
#include "sort/shares.h"
#include "sort/sort.h"
#include "sort/sort_into.h"

namespace postroom {
namespace sorting {

/// Whether another key begins at i. Precondition: i > 0.
template <class T, class KeyOf>
bool begins_at(std::size_t i, std::span<T> elements, const KeyOf& key) {
  return key(elements[i]) != key(elements[i - 1]);
}

/// Where in a share of the elements a new key begins, a bit for each of them. `is_new`: whether the
/// share's first one is the first of its key.
template <class T, class KeyOf>
std::vector<std::uint64_t> beginnings(std::span<const T> share, const KeyOf& key_of, bool is_new) {
  constexpr std::size_t kBits = 64;
  const KeyOf key = key_of;  // which no store can change
  std::vector<std::uint64_t> bits(share.size() / kBits + 1);
  if (share.empty()) return bits;
  auto last = key(share[0]);
  for (std::size_t begin = 0; begin < share.size(); begin += kBits) {
    const std::size_t count = std::min(kBits, share.size() - begin);
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const auto own_key = key(share[begin + i]);
      word |= static_cast<std::uint64_t>(own_key != last) << i;
      last = own_key;
    }
    bits[begin / kBits] = word;
  }
  if (is_new) bits[0] |= 1;
  return bits;
}

/// Moves the elements of a share whose bit is set to its beginning; returns how many.
template <class T>
std::size_t move_to_front(std::span<T> share, const std::vector<std::uint64_t>& bits) noexcept {
  constexpr std::size_t kBits = 64;
  constexpr std::size_t kLittle = 32;  // bytes that are copied rather than asked about
  std::size_t kept = 0;
  for (std::size_t begin = 0; begin < share.size(); begin += kBits) {
    const std::size_t count = std::min(kBits, share.size() - begin);
    std::uint64_t word = bits[begin / kBits];
    for (std::size_t i = begin; i < begin + count; ++i, word >>= 1) {
      if constexpr (sizeof(T) <= kLittle) {
        // No branch on a key. What does not begin one is overwritten by the next.
        std::byte element[sizeof(T)];
        std::memcpy(element, share.data() + i, sizeof(T));
        std::memcpy(static_cast<void*>(share.data() + kept), element, sizeof(T));
      } else if ((word & 1) != 0 && kept != i) {
        std::memcpy(static_cast<void*>(share.data() + kept), share.data() + i, sizeof(T));
      }
      kept += word & 1;
    }
  }
  return kept;
}

}  // namespace sorting

template <class Key>
struct KeyCount {
  Key key;
  std::size_t count;

  bool operator==(const KeyCount&) const = default;
};

/// Every key that occurs, in order, and how often. The range stays as it is. Memory: the keys
/// twice; of options.scratch, scratch_bytes(size, sizeof(key)), the copy is not made there.
template <ReadableRange R>
requires SortKey<std::ranges::range_value_t<R>>
[[nodiscard]] auto unique_counts(const R& range, const SortOptions& options = {}) {
  using Key = std::ranges::range_value_t<R>;
  const std::size_t size = std::ranges::size(range);
  // One piece of memory for the copy and for sorting it, so that the next call finds it again;
  // more is not kept, and the sort knows how to do with less.
  sorting::Areas areas = sorting::row_areas(size, sizeof(Key));
  SortOptions of_copy = options;
  const bool lends = options.scratch.empty() && size <= kKeptScratchBytes / (4 * sizeof(Key));
  if (lends) areas[1] = scratch_bytes(size, sizeof(Key), options);
  const sorting::SortScratch scratch({}, areas);
  if (lends) of_copy.scratch = {scratch.area(1), areas[1]};
  const std::span<Key> keys(reinterpret_cast<Key*>(scratch.area(0)), size);
  postroom::sort_into(range, keys, of_copy);
  const auto key = sorting::element_key<Key>(std::identity(), options);

  sorting::Shares shares(size, options);
  struct Share {
    std::size_t place = 0;  // in counts, of the first key that begins here
    std::size_t count = 0;  // of keys that begin here
    std::size_t first = 0;  // where the first of them does
  };
  std::vector<Share> of_shares(shares.count() + 1);
  shares.run([&](sorting::Range own, std::size_t id) {
    Share share;
    for (std::size_t i = std::max<std::size_t>(own.begin, 1); i < own.end; ++i) {
      share.count += static_cast<std::size_t>(sorting::begins_at(i, keys, key));
    }
    share.count += static_cast<std::size_t>(own.begin == 0 && own.end > 0);
    share.first = own.begin;
    if (share.count > 0 && own.begin > 0) {
      while (!sorting::begins_at(share.first, keys, key)) ++share.first;
    }
    of_shares[id] = share;
  });
  of_shares.back().first = size;
  std::size_t place = 0;
  for (Share& share : of_shares) share.place = std::exchange(place, place + share.count);
  for (std::size_t id = shares.count(); id-- > 0;) {
    if (of_shares[id].count == 0) of_shares[id].first = of_shares[id + 1].first;
  }

  std::vector<KeyCount<Key>> counts(place);
  shares.run([&](sorting::Range, std::size_t id) {
    std::size_t at = of_shares[id].place;
    const std::size_t end = of_shares[id + 1].place;
    if (at == end) return;
    // No branch on a key: each is written, and where none begins the next overwrites it.
    for (std::size_t i = of_shares[id].first; at < end; ++i) {
      counts[at] = {keys[i], i};
      at += static_cast<std::size_t>(i == 0 || sorting::begins_at(i, keys, key));
    }
    for (at = of_shares[id].place; at + 1 < end; ++at) {
      counts[at].count = counts[at + 1].count - counts[at].count;
    }
    counts[at].count = of_shares[id + 1].first - counts[at].count;
  });
  return counts;
}

void unique_counts(sorting::Anything, ...) = delete;  // a list, no keys, a projection?

/// Sorts the range and moves the first element of each key to its beginning; returns the rest, as
/// std::ranges::unique does (std::ranges::dangling, too). What the rest holds is of no meaning.
/// Memory beside that of sort(): a bit for each element.
template <SortableRange R, class Projection = std::identity>
requires SortProjection<Projection, std::ranges::range_value_t<R>>
[[nodiscard]] std::ranges::borrowed_subrange_t<R> sort_unique(R&& range, Projection projection = {},
                                                              const SortOptions& options = {}) {
  using T = std::ranges::range_value_t<R>;
  postroom::sort(range, sorting::HeldProjection<Projection>(projection), options);
  const auto key = sorting::element_key<T>(projection, options);
  const std::span<T> elements(std::ranges::data(range), std::ranges::size(range));
  sorting::Shares shares(elements.size(), options);
  struct Share {
    std::size_t begin = 0;
    std::size_t kept = 0;
    std::vector<std::uint64_t> bits;
  };
  std::vector<Share> of_shares(shares.count());
  const auto mine = [&](sorting::Range own) {
    return elements.subspan(own.begin, own.end - own.begin);
  };
  // First all keys, then all moves: a projection that throws finds everything in its place.
  shares.run([&](sorting::Range own, std::size_t id) {
    const bool is_new =
        own.begin == 0 || own.begin == own.end || sorting::begins_at(own.begin, elements, key);
    of_shares[id] = {own.begin, 0, sorting::beginnings<T>(mine(own), key, is_new)};
  });
  shares.run([&](sorting::Range own, std::size_t id) {
    of_shares[id].kept = sorting::move_to_front(mine(own), of_shares[id].bits);
  });
  std::size_t kept = 0;
  for (const Share& share : of_shares) {
    if (kept != share.begin && share.kept > 0) {
      std::memmove(static_cast<void*>(elements.data() + kept), elements.data() + share.begin,
                   share.kept * sizeof(T));
    }
    kept += share.kept;
  }
  using Difference = std::ranges::range_difference_t<R>;
  const auto first = std::ranges::begin(range);
  return std::ranges::subrange(first + static_cast<Difference>(kept),
                               first + static_cast<Difference>(elements.size()));
}

template <SortableRange R>
requires SortKey<std::ranges::range_value_t<R>>
[[nodiscard]] std::ranges::borrowed_subrange_t<R> sort_unique(R&& range,
                                                              const SortOptions& options) {
  return postroom::sort_unique(range, std::identity(), options);
}

void sort_unique(sorting::Anything, ...) = delete;  // const, a list, no key, a comparator?

}  // namespace postroom
