// Some of the order without all of it: the first k, or what would stand at one place.
//
//   top_k(scores, 10, {.descending = true})        // the ten largest, in order
//   top_k(people, 3, &Person::age)
//   nth_element(keys, keys.size() / 2);            // keys[size / 2] is the median
//
// A sample of the keys, sorted, tells between which two keys the wanted one very likely is. top_k
// takes out the elements up to the upper one of these. nth_element takes out the few keys between
// the two and counts the others; so it finds the key, by which it then counts and moves the
// elements. Where the sample has told wrong, there is one read more. All processors read and move,
// a share each.
//
// Stable: among equal keys the earlier ones are taken. Cost, beside the sample: a read for top_k;
// two reads and a move there and back for nth_element. 10^6 u64 on one core take 0.5 ns each for
// the first thousand, 3.5 for the median (AMD Zen 4; the standard library 0.7 and 5.9). Memory:
// top_k twice as many elements as k and some more, those that are returned among them, and for each
// processor up to k that are like the k-th; nth_element as much as the elements. Where the sample
// has told wrong, all elements for k. Of the options scratch and progress count for
// nothing. Errors: std::invalid_argument for a place beyond the end; those of sort().
//
// Source: R. Floyd, R. Rivest, "Expected Time Bounds for Selection" (1975).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "sort/areas.h"
#include "sort/arguments.h"
#include "sort/engine/part.h"
#include "sort/key_access.h"
#include "sort/options.h"
#include "sort/scratch.h"
#include "sort/shares.h"
#include "sort/sort.h"

namespace postroom {
namespace sorting {

/// The key of a rank.
template <class Bits>
struct Ranked {
  Bits key;
  std::size_t before;  // how many keys are smaller
};

/// Keys between which the one of a rank very likely is, both included.
template <class Bits>
struct RankBounds {
  Bits low = 0;
  Bits high = std::numeric_limits<Bits>::max();
};

/// Guessed from some of the elements. Precondition: rank < elements.size().
template <class T, class KeyOf>
RankBounds<typename KeyOf::Bits> guess_bounds(std::span<const T> elements, const KeyOf& key,
                                              std::size_t rank) {
  constexpr std::size_t kMost = 8192;
  constexpr std::size_t kElementsForOne = 16;
  RankBounds<typename KeyOf::Bits> bounds;
  const std::size_t count = std::min(elements.size() / kElementsForOne, kMost);
  if (count == 0) return bounds;
  std::vector<typename KeyOf::Bits> sample(count);
  const std::size_t step = elements.size() / count;
  for (std::uint32_t i = 0; i < count; ++i) {
    sample[i] = key(elements[anywhere_in_piece(i, step)]);
  }
  // Where it would be in the sample, give or take four times what chance makes of it.
  const double part = static_cast<double>(rank) / static_cast<double>(elements.size());
  const double place = part * static_cast<double>(count);
  const auto slack = 4 + static_cast<std::size_t>(4 * std::sqrt(place * (1 - part)));
  const auto at = static_cast<std::size_t>(place);
  if (at + slack < count / 32) {
    std::ranges::partial_sort(sample, sample.begin() + static_cast<std::ptrdiff_t>(at + slack + 1));
  } else {
    postroom::sort(sample, std::identity(), SortOptions{.processors = 1});
  }
  if (at >= slack) bounds.low = sample[at - slack];
  if (at + slack < count) bounds.high = sample[at + slack];
  return bounds;
}

/// Finds keys by their rank among all.
template <class T, class KeyOf>
class Selection {
 public:
  using Bits = typename KeyOf::Bits;

  Selection(std::span<const T> elements, const KeyOf& key, Shares& shares)
      : elements_(elements), key_(key), shares_(shares) {}

  /// Precondition: rank < elements.size().
  Ranked<Bits> find(std::size_t rank) {
    RankBounds<Bits> bounds = guess_bounds(elements_, key_, rank);
    Found found = look_between(bounds);
    // Where the guess was wrong.
    if (rank < found.below) {
      bounds = {0, bounds.low};
      found = look_between(bounds);
    } else if (rank >= found.below + found.low + found.between.size() + found.high) {
      bounds = {bounds.high, std::numeric_limits<Bits>::max()};
      found = look_between(bounds);
    }
    std::size_t before = found.below;
    if (rank < before + found.low) return {bounds.low, before};
    before += found.low;
    if (rank >= before + found.between.size()) return {bounds.high, before + found.between.size()};
    const auto nth = found.between.begin() + static_cast<std::ptrdiff_t>(rank - before);
    std::ranges::nth_element(found.between, nth);
    const Bits key = *nth;
    const auto smaller =
        std::ranges::count_if(found.between, [&](Bits each) { return each < key; });
    return {key, before + static_cast<std::size_t>(smaller)};
  }

 private:
  // How many keys are below the bounds and like them, and those between.
  struct Found {
    std::size_t below = 0;
    std::size_t low = 0;
    std::size_t high = 0;
    std::vector<Bits> between;
  };

  Found look_between(const RankBounds<Bits>& bounds) {
    std::vector<Found> of_shares(shares_.count());
    shares_.run([&](Range own, std::size_t id) { of_shares[id] = look_between(bounds, own); });
    Found all = std::move(of_shares.front());
    for (std::size_t id = 1; id < of_shares.size(); ++id) {
      const Found& each = of_shares[id];
      all.below += each.below;
      all.low += each.low;
      all.high += each.high;
      all.between.insert(all.between.end(), each.between.begin(), each.between.end());
    }
    return all;
  }

  Found look_between(const RankBounds<Bits>& held, Range own) const {
    constexpr std::size_t kBlock = 128;    // what a key of 8 bits can count
    const RankBounds<Bits> bounds = held;  // which no store can change
    const KeyOf key = key_;
    // Between are keys with key - (low + 1) below this.
    const auto width = static_cast<Bits>(
        bounds.low == bounds.high ? Bits{0} : static_cast<Bits>(bounds.high - bounds.low - 1));
    Found found;
    std::array<Bits, kBlock> between;
    for (std::size_t begin = own.begin; begin < own.end; begin += kBlock) {
      const std::size_t end = std::min(begin + kBlock, own.end);
      // No branch on a key; the first loop becomes one of vectors.
      Bits below = 0;
      Bits low = 0;
      Bits high = 0;
      for (std::size_t i = begin; i < end; ++i) {
        const Bits each = key(elements_[i]);
        below = static_cast<Bits>(below + static_cast<Bits>(each < bounds.low));
        low = static_cast<Bits>(low + static_cast<Bits>(each == bounds.low));
        high = static_cast<Bits>(high + static_cast<Bits>(each == bounds.high));
      }
      found.below += below;
      found.low += low;
      found.high += high;
      std::size_t count = 0;
      for (std::size_t i = begin; i < end; ++i) {
        const Bits each = key(elements_[i]);
        between[count] = each;
        count += static_cast<std::size_t>(static_cast<Bits>(each - bounds.low - 1) < width);
      }
      found.between.insert(found.between.end(), between.begin(), between.begin() + count);
    }
    if (bounds.low == bounds.high) found.high = 0;  // counted once
    return found;
  }

  std::span<const T> elements_;
  const KeyOf& key_;
  Shares& shares_;
};

/// The elements that come first, in the order that they have: those below a key, and the first
/// `most` that are like it.
template <class T>
struct Firsts {
  std::vector<T> below;
  std::vector<T> alike;
};

/// `expected`: about how many are below.
template <class T, class KeyOf>
Firsts<T> firsts_up_to(typename KeyOf::Bits last, std::span<const T> elements, const KeyOf& key_of,
                       std::size_t most, std::size_t expected) {
  constexpr std::size_t kTogether = 64;
  const KeyOf key = key_of;  // which no store can change
  Firsts<T> firsts;
  firsts.below.reserve(expected);
  for (std::size_t begin = 0; begin < elements.size(); begin += kTogether) {
    const auto some = elements.subspan(begin, std::min(kTogether, elements.size() - begin));
    std::size_t any = 0;
    for (const T& each : some) any += static_cast<std::size_t>(key(each) <= last);
    if (any == 0) continue;
    for (const T& each : some) {
      const auto own_key = key(each);
      if (own_key < last) {
        firsts.below.push_back(each);
      } else if (own_key == last && firsts.alike.size() < most) {
        firsts.alike.push_back(each);
      }
    }
  }
  return firsts;
}

}  // namespace sorting

/// Elements of which a vector can hold some side by side.
template <class R>
concept PickableRange = ReadableRange<R> && std::copyable<std::ranges::range_value_t<R>> &&
    std::is_trivially_copyable_v<std::ranges::range_value_t<R>> &&
    !std::same_as<std::ranges::range_value_t<R>, bool>;

/// The first k elements of the sorted range, in order; all, where there are no more than k. The
/// range stays as it is.
template <PickableRange R, class Projection = std::identity>
requires SortProjection<Projection, std::ranges::range_value_t<R>>
[[nodiscard]] std::vector<std::ranges::range_value_t<R>> top_k(const R& range, std::size_t k,
                                                               Projection projection = {},
                                                               const SortOptions& options = {}) {
  using T = std::ranges::range_value_t<R>;
  const std::span<const T> elements = sorting::elements_of(range);
  sorting::check_options(options);
  std::vector<T> top;
  k = std::min(k, elements.size());
  if (k == 0) return top;
  const auto key = sorting::element_key<T>(projection, options);
  using Bits = typename decltype(key)::Bits;
  Bits last = sorting::guess_bounds(elements, key, k - 1).high;
  std::vector<sorting::Firsts<T>> firsts;
  for (;;) {
    sorting::Shares shares(elements.size(), options);
    firsts.assign(shares.count(), {});
    shares.run([&](sorting::Range own, std::size_t id) {
      const auto mine = elements.subspan(own.begin, own.end - own.begin);
      const std::size_t share_of_k = k / shares.count();
      const std::size_t expected = std::min(share_of_k + share_of_k / 16 + 16, mine.size());
      firsts[id] = sorting::firsts_up_to(last, mine, key, k, expected);
    });
    std::size_t count = 0;
    for (const auto& of_share : firsts) count += of_share.below.size() + of_share.alike.size();
    if (count >= k) break;
    last = std::numeric_limits<Bits>::max();  // the guess was wrong
  }
  // Each share's are given up when they have been taken: the sort wants as much memory again.
  std::size_t below_all = 0;
  for (const auto& of_share : firsts) below_all += of_share.below.size();
  top = std::move(firsts.front().below);
  top.reserve(below_all);
  for (auto& [below, alike] : firsts | std::views::drop(1)) {
    top.insert(top.end(), below.begin(), below.end());
    below = std::vector<T>();
  }
  SortOptions of_top = options;
  of_top.scratch = {};
  of_top.progress = nullptr;
  postroom::sort(top, sorting::HeldProjection<Projection>(projection), of_top);
  if (top.size() > k) top.erase(top.begin() + static_cast<std::ptrdiff_t>(k), top.end());
  for (const auto& [below, alike] : firsts) {
    const auto some = std::min(alike.size(), k - top.size());
    top.insert(top.end(), alike.begin(), alike.begin() + static_cast<std::ptrdiff_t>(some));
  }
  return top;
}

template <PickableRange R>
requires SortKey<std::ranges::range_value_t<R>>
[[nodiscard]] std::vector<std::ranges::range_value_t<R>> top_k(const R& range, std::size_t k,
                                                               const SortOptions& options) {
  return postroom::top_k(range, k, std::identity(), options);
}

void top_k(sorting::Anything, ...) = delete;  // a list, no key, a comparator?

/// Puts at place n what would stand there in the sorted range, the smaller keys before it and the
/// larger ones behind. Among themselves these keep their order.
template <SortableRange R, class Projection = std::identity>
requires SortProjection<Projection, std::ranges::range_value_t<R>>
void nth_element(R&& range, std::size_t n, Projection projection = {},
                 const SortOptions& options = {}) {
  using T = std::ranges::range_value_t<R>;
  const std::span<T> elements(std::ranges::data(range), std::ranges::size(range));
  sorting::check_at_most("n", n, elements.size());
  sorting::check_options(options);
  if (n == elements.size()) return;  // as for std::nth_element
  const auto key = sorting::element_key<T>(projection, options);
  sorting::Shares shares(elements.size(), options);
  using Selection = sorting::Selection<T, std::remove_const_t<decltype(key)>>;
  const auto nth = Selection(elements, key, shares).find(n).key;
  // Where each share puts its smaller, equal and larger elements.
  using Places = std::array<std::size_t, 3>;
  std::vector<Places> places(shares.count());
  const auto kind = [key, nth](const T& element) {
    const auto own_key = key(element);
    return static_cast<std::size_t>(own_key >= nth) + static_cast<std::size_t>(own_key > nth);
  };
  shares.run([&](sorting::Range own, std::size_t id) {
    std::size_t not_smaller = 0;
    std::size_t larger = 0;
    for (std::size_t i = own.begin; i < own.end; ++i) {
      const std::size_t each = kind(elements[i]);
      not_smaller += (each + 1) / 2;
      larger += each / 2;
    }
    places[id] = {own.end - own.begin - not_smaller, not_smaller - larger, larger};
  });
  std::size_t place = 0;
  for (std::size_t each = 0; each < 3; ++each) {
    for (auto& of_share : places) of_share[each] = std::exchange(place, place + of_share[each]);
  }
  const sorting::SortScratch scratch({}, sorting::row_areas(elements.size(), sizeof(T)));
  std::byte* const parted = scratch.area(0);
  shares.run([&](sorting::Range own, std::size_t id) {
    Places next = places[id];
    for (std::size_t i = own.begin; i < own.end; ++i) {
      const std::size_t to = next[kind(elements[i])]++;
      std::memcpy(parted + to * sizeof(T), elements.data() + i, sizeof(T));
    }
  });
  shares.run([&](sorting::Range own, std::size_t) {
    const auto mine = elements.subspan(own.begin, own.end - own.begin);
    std::memcpy(static_cast<void*>(mine.data()), parted + own.begin * sizeof(T), mine.size_bytes());
  });
}

template <SortableRange R>
requires SortKey<std::ranges::range_value_t<R>>
void nth_element(R&& range, std::size_t n, const SortOptions& options) {
  postroom::nth_element(range, n, std::identity(), options);
}

void nth_element(sorting::Anything, ...) = delete;  // const, a list, no key, a comparator?

}  // namespace postroom
