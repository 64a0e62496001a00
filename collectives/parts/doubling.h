// Which processors double, where their number is no power of two.
//
// With p = 2^m + e processors, e < 2^m, each of the first e pairs of neighbours is stood for by its
// even one; these and the processors behind the pairs are the 2^m members, whose ranks are in the
// order of their numbers. So whoever combines by ranks keeps the order of the processors.
#pragma once

#include <bit>

namespace postroom {

struct Doubling {
  explicit Doubling(int processors)
      : members(static_cast<int>(std::bit_floor(static_cast<unsigned>(processors)))),
        pairs(processors - members) {}

  bool in_pair(int processor) const { return processor < 2 * pairs; }
  bool is_member(int processor) const { return !in_pair(processor) || processor % 2 == 0; }
  int rank(int member) const { return in_pair(member) ? member / 2 : member - pairs; }
  int member(int rank) const { return rank < pairs ? 2 * rank : rank + pairs; }
  int rounds() const { return std::bit_width(static_cast<unsigned>(members)) - 1; }

  int members;
  int pairs;
};

}  // namespace postroom
