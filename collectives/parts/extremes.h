// The larger and the smaller of two elements, as operators of reductions (MPI_MAX and MPI_MIN).
//
// std::greater<> and its like compare, and say so with a bool: they are no operators, and are
// refused by a compiler.
//
//   const double slowest = allreduce(self, seconds, Maximum());
#pragma once

#include <functional>

namespace postroom {

/// By `<`. Of two that are equal, the first; where neither is smaller, as with NaN, the first, too.
struct Maximum {
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return a < b ? b : a;
  }
};
struct Minimum {
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return b < a ? b : a;
  }
};

/// Whether Op is one of the standard library's that compare.
template <class Op>
inline constexpr bool kCompares = false;
template <class T>
inline constexpr bool kCompares<std::less<T>> = true;
template <class T>
inline constexpr bool kCompares<std::less_equal<T>> = true;
template <class T>
inline constexpr bool kCompares<std::greater<T>> = true;
template <class T>
inline constexpr bool kCompares<std::greater_equal<T>> = true;
template <>
inline constexpr bool kCompares<std::ranges::less> = true;
template <>
inline constexpr bool kCompares<std::ranges::less_equal> = true;
template <>
inline constexpr bool kCompares<std::ranges::greater> = true;
template <>
inline constexpr bool kCompares<std::ranges::greater_equal> = true;

}  // namespace postroom
