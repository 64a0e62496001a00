// A heap that runs out of memory when a test says so.
//
// This library replaces operator new and operator delete.
//
//   for (long n = 0;; ++n) {
//     FailingAllocation failing(n);
//     try { … } catch (const std::bad_alloc&) { }
//     if (!failing.happened()) break;   // there are no more than n allocations
//   }
#pragma once

#include <functional>

namespace postroom {

/// While it lives, allocation number `number` from now on, counted from 0 over all threads, fails.
/// One at a time.
class FailingAllocation {
 public:
  explicit FailingAllocation(long number);
  ~FailingAllocation();
  FailingAllocation(const FailingAllocation&) = delete;
  FailingAllocation& operator=(const FailingAllocation&) = delete;

  /// Whether it has failed already.
  bool happened() const;
};

/// How often memory was asked for while `call` ran, by all threads. Not while a FailingAllocation
/// lives.
long allocations_in(const std::function<void()>& call);

}  // namespace postroom
