// The checked atomics with weaker orders than a structure asks for: canaries, in which the checker
// must find what the shipped orders prevent.
#pragma once

#include <atomic>

#include "tests/interleave/checked.h"

namespace postroom::interleave {

/// Loads and stores have these orders, unless they are relaxed anyway.
template <std::memory_order kRelease, std::memory_order kAcquire>
struct Weakened : Checked {
  template <class T>
  class Atomic : public Checked::Atomic<T> {
   public:
    using Checked::Atomic<T>::Atomic;
    T load(std::memory_order order, Where where = Where::current()) const noexcept {
      return Checked::Atomic<T>::load(of_load(order), where);
    }
    void store(T value, std::memory_order order, Where where = Where::current()) noexcept {
      Checked::Atomic<T>::store(value, of_store(order), where);
    }

   private:
    static std::memory_order of_load(std::memory_order order) {
      return order == std::memory_order_relaxed ? order : kAcquire;
    }
    static std::memory_order of_store(std::memory_order order) {
      return order == std::memory_order_relaxed ? order : kRelease;
    }
  };
};

/// Nothing is published any more.
using NoRelease = Weakened<std::memory_order_relaxed, std::memory_order_acquire>;
/// What was published is not taken in.
using NoAcquire = Weakened<std::memory_order_release, std::memory_order_relaxed>;

}  // namespace postroom::interleave
