// The paper's counting sort: stable, on distributed blocks, by digits 0 … R-1.
//
// Source: [H], section 4.1 and Algorithm 2. Each processor counts its digits; a transpose brings
// all counts of a digit to one processor; prefix sums over the processors; the inverse transpose
// returns them with the totals; from both follow the ranks; the elements are routed to their ranks.
//
// Where we differ: any n and any p (blocks by sort/blocks.h, R padded to a multiple of p). The
// prefix sums are exclusive (Algorithm 2 sums inclusively in line 4 and then counts up from there).
// The element of rank a goes to the processor that holds rank a (line 11 prints ⌊a/p⌋ for
// ⌊a/(n/p)⌋). No position travels with it: elements of one digit arrive in the order of their ranks
// with all our routers, so the receiver puts each digit's elements one after another. In
// shared memory each element is written straight to its rank, with nothing in between.
//
// Called by all processors with the same distribution, R and algorithm. Cost: transposes of R/p and
// 2R/p numbers for each pair of processors and one h-relation with h = ⌈n/p⌉; O(n/p + R) steps; the
// digit is asked for twice for each element (three times where messages carry it). Allocates O(R)
// and what the router does. Errors: std::invalid_argument, before any message is sent, for a digit
// that is not below R, R = 0, lists of another size than the block, and an algorithm that route()
// refuses; after the counts were exchanged where the processors do not agree on n.
//
//   const BlockDistribution blocks(n, self.count());      // from and to: blocks.size(self.id())
//   counting_sort(self, blocks, from, to, 256, [](std::uint32_t key) { return key & 255; });
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "collectives/algorithm.h"
#include "collectives/models/cost.h"
#include "collectives/route.h"
#include "collectives/route/route_windows.h"
#include "runtime/processor.h"
#include "sort/blocks.h"

namespace postroom {
namespace sorting {

/// What steps 2 to 5 find out, by digit.
struct DigitRanks {
  std::vector<std::uint64_t> first;  ///< the rank of the digit's first element of all
  std::vector<std::uint64_t> mine;   ///< the rank of its first element on this processor
  std::uint64_t elements = 0;        ///< how many there are on all processors
};

/// Steps 2 to 5 on one processor's counts: two transposes. The counts' size is a multiple of p.
DigitRanks find_ranks(Processor& self, std::span<const std::uint64_t> counts, Where where);
Cost find_ranks_cost(int processors, std::size_t digits);

/// R, padded to a multiple of p.
std::size_t padded_digits(std::size_t digits, int processors) noexcept;

/// Throws unless `from` and `to` are as large as the block of this processor, and digits ≥ 1.
void check_counting_sort(const Processor& self, const BlockDistribution& blocks, std::size_t from,
                         std::size_t to, std::size_t digits);
/// Throws unless all processors together have as many elements as `blocks` says.
void check_elements(const BlockDistribution& blocks, std::uint64_t elements);
[[noreturn]] void throw_bad_digit(std::size_t element, const std::string& digit,
                                  std::size_t digits);

/// Step 1: how often each digit occurs; `padded` is the size of the list.
template <class T, class Digit>
std::vector<std::uint64_t> count_by_digit(std::span<const T> elements, std::size_t digits,
                                          std::size_t padded, Digit& digit) {
  std::vector<std::uint64_t> counts(padded);
  for (std::size_t k = 0; k < elements.size(); ++k) {
    const std::unsigned_integral auto d = std::invoke(digit, elements[k]);
    if (d >= digits) throw_bad_digit(k, std::to_string(d), digits);
    ++counts[d];
  }
  return counts;
}

/// Hands out the places of this processor's elements: for each digit, rank after rank.
class DigitPlaces {
 public:
  struct Place {
    int owner;
    std::uint64_t position;
  };
  /// The first ranks of this processor's elements and how many there are, by digit.
  DigitPlaces(const BlockDistribution& blocks, std::span<const std::uint64_t> ranks,
              std::span<const std::uint64_t> counts);

  /// The place of the next element with this digit.
  Place next(std::size_t digit) noexcept {
    Cursor& cursor = cursors_[digit];
    if (cursor.position == cursor.end) [[unlikely]] {
      ++cursor.owner;
      cursor.position = 0;
      cursor.end = blocks_.size(cursor.owner);
    }
    return {cursor.owner, cursor.position++};
  }

 private:
  struct Cursor {
    std::uint64_t position = 0;
    std::uint64_t end = 0;  // of the owner's block
    int owner = 0;
  };
  BlockDistribution blocks_;
  std::vector<Cursor> cursors_;
};

/// Step 6 through messages: route by owner, then each digit's elements one after another.
template <Routable T, class Digit>
void route_to_ranks(Processor& self, const BlockDistribution& blocks, std::span<const T> from,
                    std::span<T> to, DigitPlaces& places, DigitRanks ranks, Digit& digit,
                    const Algorithm& algorithm, Where where) {
  std::vector<int> owners;
  owners.reserve(from.size());
  for (const T& element : from) owners.push_back(places.next(std::invoke(digit, element)).owner);
  const RouteOptions options{algorithm, Relation{blocks.largest(), blocks.largest()}};
  const std::vector<T> received = route(self, from, owners, options, where);

  const std::uint64_t begin = blocks.first(self.id());
  std::vector<std::uint64_t>& next = ranks.first;  // positions from here on
  for (std::uint64_t& rank : next) rank = std::max(rank, begin) - begin;
  for (const T& element : received) to[next[std::invoke(digit, element)]++] = element;
}

/// Step 6 in shared memory: each element is written to its rank.
template <Routable T, class Digit>
void write_to_ranks(Processor& self, std::span<const T> from, std::span<T> to, DigitPlaces& places,
                    Digit& digit, Where where) {
  Windows<T> windows(self, std::vector<std::span<T>>(static_cast<std::size_t>(self.count()), to),
                     where);
  for (const T& element : from) {
    const auto [owner, position] = places.next(std::invoke(digit, element));
    windows[owner][position] = element;
  }
  windows.close();
}

}  // namespace sorting

/// Sorts the blocks `from` of all processors by `digit`, a function of an element (or a member)
/// that gives an unsigned number below `digits`, into the blocks `to`. Both have
/// blocks.size(self.id()) elements and may not overlap. `from` is only read.
template <Routable T, class Digit>
void counting_sort(Processor& self, const BlockDistribution& blocks,
                   std::type_identity_t<std::span<const T>> from, std::span<T> to,
                   std::size_t digits, Digit digit, Algorithm algorithm = Algorithm::automatic,
                   Where where = Where::current()) {
  sorting::check_counting_sort(self, blocks, from.size(), to.size(), digits);
  // Where threads are shared, too: of many elements the windows are twice as fast as routing by
  // turns, since each element is moved but once.
  algorithm = algorithm.is_automatic() && self.shares_memory()
                  ? Algorithm::direct
                  : choose_route(self, {algorithm, Relation{blocks.largest(), blocks.largest()}});
  const std::vector<std::uint64_t> counts = sorting::count_by_digit(
      from, digits, sorting::padded_digits(digits, self.count()), digit);  // Step 1
  sorting::DigitRanks ranks = sorting::find_ranks(self, counts, where);    // Steps 2 to 5
  sorting::check_elements(blocks, ranks.elements);
  sorting::DigitPlaces places(blocks, ranks.mine, counts);
  if (algorithm == Algorithm::direct) {  // Step 6
    sorting::write_to_ranks(self, from, to, places, digit, where);
  } else {
    sorting::route_to_ranks(self, blocks, from, to, places, std::move(ranks), digit, algorithm,
                            where);
  }
}

/// What the trace counts with the two_transpose router.
template <Routable T>
Cost counting_sort_cost(const BlockDistribution& blocks, std::size_t digits) {
  const int p = blocks.processors();
  return sorting::find_ranks_cost(p, digits) +
         route_two_transpose_cost<T>(p, {blocks.largest(), blocks.largest()});
}

}  // namespace postroom
