// The paper's radix sort: stable, on distributed blocks, ⌈b/r⌉ passes of counting sort from the low
// digit on.
//
// Source: [H], section 4.2. b is the number of bits of a key, r that of a digit, R = 2^r. It shows
// the paper's algorithm, over any router; each pass moves every element between processors. To just
// sort, use the front door of this folder, which moves it once.
//
// Sorts elements of any type that may be copied byte by byte, by an unsigned integer that a
// function (or a member) gives for each. The result does not depend on the number of processors.
//
// Called by all processors with the same distribution and options. Cost: ⌈b/r⌉ times that of
// counting_sort. Allocates a block of scratch and what counting_sort does. Errors:
// std::invalid_argument, before any message is sent, for a block of another size, bits out of
// range, a key that does not fit into key_bits, and an algorithm that route() refuses.
//
//   const BlockDistribution blocks(n, self.count());
//   radix_sort(self, blocks, own);                        // own: blocks.size(self.id()) numbers
//   radix_sort(self, blocks, orders, &Order::customer);   // structs by a member
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "collectives/algorithm.h"
#include "collectives/models/cost.h"
#include "collectives/route.h"
#include "runtime/processor.h"
#include "sort/blocks.h"
#include "sort/counting_sort.h"

namespace postroom {

struct RadixSortOptions {
  /// That of route(), for each pass.
  Algorithm algorithm = Algorithm::automatic;
  /// b: all keys are below 2^key_bits; 0: as many bits as the type of the keys has.
  int key_bits = 0;
  /// r, 1 to 24; 0: chosen from the numbers of elements and bits (choose_digits).
  int digit_bits = 0;
};

/// How the bits of a key are cut into digits: `passes` of `bits`, the last one may have fewer.
struct RadixDigits {
  int bits;
  int passes;
  friend bool operator==(const RadixDigits&, const RadixDigits&) = default;
};

/// Even digits in as few passes as there are with R ≤ n/p, but no less than 2^8 and no more than
/// 2^11, or those that the options ask for. Throws std::invalid_argument for bits that are not
/// allowed.
RadixDigits choose_digits(const BlockDistribution& blocks, int type_bits,
                          const RadixSortOptions& options);

namespace sorting {

[[noreturn]] void throw_bad_key(std::size_t element, const std::string& key, int key_bits);

/// Throws when a key is 2^key_bits or more.
template <class T, class Key>
void check_keys(std::span<const T> elements, Key& key, int key_bits) {
  for (std::size_t k = 0; k < elements.size(); ++k) {
    const std::uint64_t bits = std::invoke(key, elements[k]);
    if (bits >> (key_bits - 1) > 1) throw_bad_key(k, std::to_string(bits), key_bits);
  }
}

}  // namespace sorting

/// Sorts the blocks `own` of all processors, each of blocks.size(self.id()) elements, in place.
template <Elements R, class Key = std::identity>
requires Routable<std::ranges::range_value_t<R>>
void radix_sort(Processor& self, const BlockDistribution& blocks, R&& own, Key key = {},
                const RadixSortOptions& options = {}, Where where = Where::current()) {
  using T = std::ranges::range_value_t<R>;
  using KeyOf = std::remove_cvref_t<std::invoke_result_t<Key&, const T&>>;
  static_assert(std::unsigned_integral<KeyOf>, "a key is an unsigned integer");
  constexpr int kTypeBits = std::numeric_limits<KeyOf>::digits;
  const std::span<T> sorted(std::ranges::data(own), std::ranges::size(own));
  const auto [bits, passes] = choose_digits(blocks, kTypeBits, options);
  if (options.key_bits != 0) sorting::check_keys(std::span<const T>(sorted), key, options.key_bits);

  std::vector<T> scratch(sorted.size());
  std::span<T> from = sorted;
  std::span<T> to = scratch;
  const std::size_t digits = std::size_t{1} << bits;
  for (int pass = 0; pass < passes; ++pass) {
    const auto digit = [&key, shift = pass * bits, mask = digits - 1](const T& element) {
      return static_cast<std::size_t>(std::invoke(key, element)) >> shift & mask;
    };
    counting_sort(self, blocks, from, to, digits, digit, options.algorithm, where);
    std::swap(from, to);
  }
  if (from.data() != sorted.data()) std::ranges::copy(from, sorted.begin());
}

/// What the trace counts with the two_transpose router.
template <Routable T>
Cost radix_sort_cost(const BlockDistribution& blocks, const RadixDigits& digits) {
  const Cost pass = counting_sort_cost<T>(blocks, std::size_t{1} << digits.bits);
  return {digits.passes * pass.rounds, digits.passes * pass.bytes};
}

}  // namespace postroom
