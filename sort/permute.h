// Putting elements of any kind into an order, moving each once.
//
//   apply_order(people, argsort(ages));   // people[order[0]] first
//
// In place, cycle by cycle: besides the order no memory but one element. The order is used up.
// Cost: each element moved once, from a place that is anywhere; by the calling thread. What a move
// throws reaches the caller; the elements are then what such a move leaves of them. Errors:
// std::invalid_argument when the order has another size than the elements.
#pragma once

#include <cstddef>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace postroom {

/// `order` is a permutation of 0 … size - 1.
template <std::ranges::random_access_range R, class Index>
requires std::ranges::sized_range<R>
void apply_order(R&& range, std::vector<Index> order) {
  using Difference = std::ranges::range_difference_t<R>;
  const auto size = static_cast<std::size_t>(std::ranges::size(range));
  if (order.size() != size) {
    throw std::invalid_argument("order: " + std::to_string(order.size()) +
                                " numbers are not allowed; as many as elements, " +
                                std::to_string(size));
  }
  const auto at = [first = std::ranges::begin(range)](std::size_t i) {
    return first + static_cast<Difference>(i);
  };
  for (std::size_t start = 0; start < size; ++start) {
    if (order[start] == start) continue;
    auto held = std::ranges::iter_move(at(start));
    std::size_t to = start;
    for (;;) {
      const auto from = static_cast<std::size_t>(std::exchange(order[to], static_cast<Index>(to)));
      if (from == start) break;
      *at(to) = std::ranges::iter_move(at(from));
      to = from;
    }
    *at(to) = std::move(held);
  }
}

}  // namespace postroom
