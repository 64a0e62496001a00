// Operators that commute: op(a, b) is op(b, a).
//
// Collectives combine in the order of the processors. Where the operator commutes, `automatic` may
// take algorithms of allreduce and reduce_scatter that do not, but send less or take fewer rounds:
// in the postal model, and where a profile of the box was saved. Those of the standard library that
// add, multiply or join bits, Maximum and Minimum are known to commute for integers; of others, a
// program says so:
//
//   const auto meet = [](const Set& a, const Set& b) { return a.common_with(b); };
//   const Set common = allreduce(self, mine, commuting(meet));
//
// Floating-point sums commute but are not associative: in another order they are rounded in another
// way, by `postal_combine` even on each processor, so nobody but the program says it of them.
#pragma once

#include <concepts>
#include <functional>
#include <utility>

#include "collectives/parts/extremes.h"

namespace postroom {

/// `op`, said to commute.
template <class Op>
class Commuting {
 public:
  explicit Commuting(Op op) : op_(std::move(op)) {}

  template <class A, class B>
  requires std::invocable<const Op&, const A&, const B&>
  constexpr decltype(auto) operator()(const A& a, const B& b) const { return op_(a, b); }

 private:
  Op op_;
};

template <class Op>
Commuting<Op> commuting(Op op) {
  return Commuting<Op>(std::move(op));
}

/// Whether Op is known to commute for elements T.
template <class Op, class T>
inline constexpr bool kCommutes = false;

template <class Op, class T>
inline constexpr bool kCommutes<Commuting<Op>, T> = true;

template <class Op, template <class> class Known, class T>
inline constexpr bool kIsOf = std::same_as<Op, Known<void>> || std::same_as<Op, Known<T>>;

template <class Op, std::integral T>
requires std::same_as<Op, Maximum> || std::same_as<Op, Minimum> || kIsOf<Op, std::plus, T> ||
    kIsOf<Op, std::multiplies, T> || kIsOf<Op, std::bit_and, T> || kIsOf<Op, std::bit_or, T> ||
    kIsOf<Op, std::bit_xor, T>
inline constexpr bool kCommutes<Op, T> = true;

}  // namespace postroom
