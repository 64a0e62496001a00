// A user's associative operator, without its types, so that reductions and prefix sums are compiled
// once.
//
// `op(a, b)` takes two elements and returns their combination; it need not commute: collectives
// keep the order of the processors, but for the few that say otherwise, which `automatic` takes
// only where it is known to commute (collectives/parts/commuting.h). It must be associative;
// where it is only nearly so (floating point), the result depends on the algorithm, which
// `automatic` takes by what the box is like, and on the number of processors: with a named one it
// is the same on every box, but for `slots` and `teams`, which combine thread by thread or node by
// node; with `shared` and in a reduce by `turns` also on where in its list an element is, and on
// whether the result overwrites a list. Each processor calls its own copy or reference of it, on
// its own thread. Who catches what it throws has left others with what was half done: it may not go
// on to another collective (`shared`, `slots` and `turns` stop the machine at once).
//
//   const std::plus<> plus;
//   const Operator op = Operator::of<double>(plus);   // refers to it, so keep it alive
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>

#include "collectives/parts/commuting.h"
#include "collectives/parts/extremes.h"
#include "collectives/parts/scratch.h"
#include "runtime/processor.h"

namespace postroom {

/// `op` combines two T into one.
template <class Op, class T>
concept Combines = !kCompares<Op> && requires(const Op& op, const T& a, const T& b) {
  { op(a, b) } -> std::convertible_to<T>;
};

class Operator {
 public:
  /// Refers to `op`, which must outlive it.
  template <class T, class Op>
  requires Combines<Op, T>
  static Operator of(const Op& op) {
    static_assert(alignof(T) <= Scratch::kAlignment, "elements of at most 16 bytes of alignment");
    return Operator(std::addressof(op), sizeof(T), kCommutes<Op, T>, &append_elements<T, Op>,
                    &prepend_elements<T, Op>, &combine_elements<T, Op>);
  }

  /// held[i] ← held[i] ⊕ next[i]. Precondition: equal sizes, no overlap.
  void append(Bytes held, ConstBytes next) const { append_(op_, held, next); }
  /// held[i] ← previous[i] ⊕ held[i]. Precondition: equal sizes, no overlap.
  void prepend(ConstBytes previous, Bytes held) const { prepend_(op_, held, previous); }
  /// result[i] ← left[i] ⊕ right[i]. Precondition: equal sizes, `result` overlaps neither.
  void combine(ConstBytes left, ConstBytes right, Bytes result) const {
    combine_(op_, left, right, result);
  }
  std::size_t element_bytes() const noexcept { return element_bytes_; }
  /// Whether it is known to.
  bool commutes() const noexcept { return commutes_; }

 private:
  using Loop = void (*)(const void* op, Bytes held, ConstBytes other);

  using Loop3 = void (*)(const void* op, ConstBytes left, ConstBytes right, Bytes result);

  Operator(const void* op, std::size_t element_bytes, bool commutes, Loop append_loop,
           Loop prepend_loop, Loop3 combine_loop)
      : op_(op),
        element_bytes_(element_bytes),
        commutes_(commutes),
        append_(append_loop),
        prepend_(prepend_loop),
        combine_(combine_loop) {}

  template <class T, class Op>
  static void append_elements(const void* op, Bytes held, ConstBytes other) {
    T* const __restrict left = reinterpret_cast<T*>(held.data());
    const T* const __restrict right = reinterpret_cast<const T*>(other.data());
    const std::size_t count = held.size() / sizeof(T);
    for (std::size_t i = 0; i < count; ++i) {
      left[i] = static_cast<T>((*static_cast<const Op*>(op))(left[i], right[i]));
    }
  }
  template <class T, class Op>
  static void prepend_elements(const void* op, Bytes held, ConstBytes other) {
    T* const __restrict right = reinterpret_cast<T*>(held.data());
    const T* const __restrict left = reinterpret_cast<const T*>(other.data());
    const std::size_t count = held.size() / sizeof(T);
    for (std::size_t i = 0; i < count; ++i) {
      right[i] = static_cast<T>((*static_cast<const Op*>(op))(left[i], right[i]));
    }
  }
  template <class T, class Op>
  static void combine_elements(const void* op, ConstBytes left, ConstBytes right, Bytes result) {
    const T* const a = reinterpret_cast<const T*>(left.data());
    const T* const b = reinterpret_cast<const T*>(right.data());
    T* const __restrict combined = reinterpret_cast<T*>(result.data());
    const std::size_t count = result.size() / sizeof(T);
    for (std::size_t i = 0; i < count; ++i) {
      combined[i] = static_cast<T>((*static_cast<const Op*>(op))(a[i], b[i]));
    }
  }

  const void* op_;
  std::size_t element_bytes_;
  bool commutes_;
  Loop append_;
  Loop prepend_;
  Loop3 combine_;
};

}  // namespace postroom
