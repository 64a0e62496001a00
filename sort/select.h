// Some of the order without all of it: the first k, or what would stand at one place.
//
//   top_k(scores, 10, {.descending = true})        // the ten largest, in order
//   top_k(people, 3, &Person::age)
//   nth_element(keys, keys.size() / 2);            // keys[size / 2] is the median
//
// The key of the wanted rank is found by counting digits, from the highest down, until few keys are
// left that could be it; all processors count. Stable: among equal keys the earlier ones are taken.
// Cost: two or three reads of all; nth_element one move of each element and as much scratch as
// there are elements. Errors: std::invalid_argument for a place or a number beyond the end; those
// of sort().
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "sort/key_access.h"
#include "sort/options.h"
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

/// Finds keys by their rank among all.
template <class T, class KeyOf>
class Selection {
 public:
  using Bits = typename KeyOf::Bits;

  Selection(std::span<const T> elements, const KeyOf& key, Shares& shares)
      : elements_(elements), key_(key), shares_(shares) {}

  /// Precondition: rank < elements.size().
  Ranked<Bits> find(std::size_t rank) {
    constexpr std::size_t kFew = 4096;
    shift_ = std::numeric_limits<Bits>::digits;
    prefix_ = 0;
    before_ = 0;
    std::size_t left = elements_.size();
    while (shift_ > 0 && left > kFew) left = narrow(rank);
    if (shift_ == 0) return {prefix_, before_};
    return among_few(rank);
  }

 private:
  static constexpr int kDigitBits = 11;
  using Counts = std::array<std::size_t, std::size_t{1} << kDigitBits>;

  // Whether the key is one of those that are left: all bits from shift_ on are known.
  bool is_left(Bits key) const noexcept {
    constexpr int kBits = std::numeric_limits<Bits>::digits;
    return shift_ == kBits || static_cast<Bits>((key ^ prefix_) >> shift_) == 0;
  }

  // Learns one digit more; returns how many keys are left.
  std::size_t narrow(std::size_t rank) {
    const int bits = std::min(kDigitBits, shift_);
    const int low = shift_ - bits;
    const std::size_t mask = (std::size_t{1} << bits) - 1;
    std::vector<Counts> counts(shares_.count());
    shares_.run([&](Range own, std::size_t id) {
      for (std::size_t i = own.begin; i < own.end; ++i) {
        const Bits key = key_(elements_[i]);
        if (is_left(key)) ++counts[id][static_cast<std::size_t>(key >> low) & mask];
      }
    });
    for (std::size_t digit = 0;; ++digit) {
      std::size_t count = 0;
      for (const Counts& each : counts) count += each[digit];
      if (rank < before_ + count) {
        prefix_ = static_cast<Bits>(prefix_ | static_cast<Bits>(static_cast<Bits>(digit) << low));
        shift_ = low;
        return count;
      }
      before_ += count;
    }
  }

  Ranked<Bits> among_few(std::size_t rank) {
    std::vector<std::vector<Bits>> found(shares_.count());
    shares_.run([&](Range own, std::size_t id) {
      for (std::size_t i = own.begin; i < own.end; ++i) {
        const Bits key = key_(elements_[i]);
        if (is_left(key)) found[id].push_back(key);
      }
    });
    std::vector<Bits> keys;
    for (const auto& each : found) keys.insert(keys.end(), each.begin(), each.end());
    std::ranges::sort(keys);
    const Bits key = keys[rank - before_];
    const auto first = std::ranges::lower_bound(keys, key);
    return {key, before_ + static_cast<std::size_t>(first - keys.begin())};
  }

  std::span<const T> elements_;
  const KeyOf& key_;
  Shares& shares_;
  int shift_ = 0;
  Bits prefix_ = 0;
  std::size_t before_ = 0;
};

}  // namespace sorting

/// The first k elements of the sorted range, in order. The range stays as it is.
template <ReadableRange R, class Projection = std::identity>
requires SortProjection<Projection, std::ranges::range_value_t<R>>
auto top_k(const R& range, std::size_t k, Projection projection = {},
           const SortOptions& options = {}) {
  using T = std::ranges::range_value_t<R>;
  const std::span<const T> elements = sorting::elements_of(range);
  sorting::check_at_most("k", k, elements.size());
  std::vector<T> top;
  if (k == 0) return top;
  const auto key = sorting::element_key<T>(projection, options);
  std::vector<std::vector<std::size_t>> smaller;
  std::vector<std::vector<std::size_t>> equal;  // the first ones of each share
  {
    sorting::Shares shares(elements.size(), options);
    const auto last = sorting::Selection(elements, key, shares).find(k - 1);
    const std::size_t wanted = k - last.before;
    smaller.resize(shares.count());
    equal.resize(shares.count());
    shares.run([&](sorting::Range own, std::size_t id) {
      for (std::size_t i = own.begin; i < own.end; ++i) {
        const auto own_key = key(elements[i]);
        if (own_key < last.key) smaller[id].push_back(i);
        if (own_key == last.key && equal[id].size() < wanted) equal[id].push_back(i);
      }
    });
  }
  top.reserve(k);
  for (const auto* lists : {&smaller, &equal}) {
    for (const auto& list : *lists) {
      for (const std::size_t i : list) {
        if (top.size() < k) top.push_back(elements[i]);
      }
    }
  }
  sorting::sort_as(top, projection,
                   SortOptions{.pin = options.pin, .descending = options.descending});
  return top;
}

template <ReadableRange R>
requires SortKey<std::ranges::range_value_t<R>>
auto top_k(const R& range, std::size_t k, const SortOptions& options) {
  return top_k(range, k, std::identity(), options);
}

/// Puts at place n what would stand there in the sorted range, the smaller keys before it and the
/// larger ones behind. Among themselves these keep their order.
template <SortableRange R, class Projection = std::identity>
requires SortProjection<Projection, std::ranges::range_value_t<R>>
void nth_element(R&& range, std::size_t n, Projection projection = {},
                 const SortOptions& options = {}) {
  using T = std::ranges::range_value_t<R>;
  const std::span<T> elements(std::ranges::data(range), std::ranges::size(range));
  sorting::check_at_most("n", n, elements.size());
  if (n == elements.size()) return;  // as for std::nth_element
  const auto key = sorting::element_key<T>(projection, options);
  sorting::Shares shares(elements.size(), options);
  using Selection = sorting::Selection<T, std::remove_const_t<decltype(key)>>;
  const auto nth = Selection(elements, key, shares).find(n).key;
  // Where each share puts its smaller, equal and larger elements.
  std::vector<std::array<std::size_t, 3>> places(shares.count());
  const auto kind = [&](const T& element) -> std::size_t {
    const auto own_key = key(element);
    return own_key < nth ? 0 : own_key == nth ? 1 : 2;
  };
  shares.run([&](sorting::Range own, std::size_t id) {
    for (std::size_t i = own.begin; i < own.end; ++i) ++places[id][kind(elements[i])];
  });
  std::size_t place = 0;
  for (std::size_t each = 0; each < 3; ++each) {
    for (auto& of_share : places) of_share[each] = std::exchange(place, place + of_share[each]);
  }
  const auto scratch = std::make_unique_for_overwrite<std::byte[]>(elements.size_bytes());
  shares.run([&](sorting::Range own, std::size_t id) {
    for (std::size_t i = own.begin; i < own.end; ++i) {
      const std::size_t to = places[id][kind(elements[i])]++;
      std::memcpy(scratch.get() + to * sizeof(T), &elements[i], sizeof(T));
    }
  });
  std::memcpy(static_cast<void*>(elements.data()), scratch.get(), elements.size_bytes());
}

template <SortableRange R>
requires SortKey<std::ranges::range_value_t<R>>
void nth_element(R&& range, std::size_t n, const SortOptions& options) {
  nth_element(range, n, std::identity(), options);
}

}  // namespace postroom
