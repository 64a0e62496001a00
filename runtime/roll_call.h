// How the threads of a machine go from one run to the next: the one that starts a run, and the
// others, who wait to be started and say when they are through.
//
//   thread 0                                  another thread
//   --------                                  --------------
//   stores the program                        ran the last one
//   start()                       (1)         arrive()                      (2)
//   wake_below(0, …)                          wakes thread 0
//   runs its own part                         waits for started(n)          (1)
//   waits for all_arrived(k)      (2)         wake_below(its number, …)
//
// Whoever waits parks after a while, as in runtime/wait.h. Each thread wakes the few below it in a
// tree, so that one of hundreds is not woken after as many calls of the system; who is awake has
// seen the start before.
//
// Fields, their writer and their line:
//   start        thread 0; looked at by all others
//   arrived      all others, each once for a start; looked at by thread 0
//   the rest     thread 0 only
//
// Who may call: start, all_arrived: whoever is thread 0 of this run; others may be so after it, as
// a lock of theirs orders them. arrive, started: the other threads. Progress: nothing here waits.
// Cost: start() a store, arrive() one atomic addition.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "numa/cacheline.h"
#include "runtime/atomics.h"
#include "runtime/wait.h"

namespace postroom {

template <class Atomics = StdAtomics, int kWakesEach = 8>
class RollCall {
 public:
  using Word = typename Atomics::template Atomic<std::uint32_t>;

  /// The others go on, and see what was done before. Then wake_below(0, …).
  void start() noexcept {
    // (1) What is to be done; pairs with the load of who waits for started(), wait.h (1). The news
    // of Parker::wake.
    start_.store(++starts_, std::memory_order_release);
  }
  /// Start number `number`, counted from 1. (1)
  AwaitedWord<Word> started(std::uint32_t number) const noexcept { return {&start_, number}; }

  /// This thread is through with the start before, or is there for the first one. Then thread 0 is
  /// to be woken.
  void arrive() noexcept {
    // (2) What this thread did; pairs with the load of who waits for all_arrived(), wait.h (1). An
    // addition goes on with what those before it have published.
    arrived_.fetch_add(1, std::memory_order_release);
  }
  /// That `others` threads have arrived since it was asked last. Once for each start, and once
  /// before the first. (2)
  AwaitedWord<Word> all_arrived(std::size_t others) noexcept {
    expected_ += static_cast<std::uint32_t>(others);
    return {&arrived_, expected_};
  }

  /// Calls `wake` for each of the threads that `thread` has to wake, of so many.
  template <class Wake>
  static void wake_below(int thread, int threads, Wake wake) {
    const std::int64_t first = std::int64_t{thread} * kWakesEach + 1;
    const std::int64_t last = std::min<std::int64_t>(threads, first + kWakesEach);
    for (std::int64_t below = first; below < last; ++below) wake(static_cast<int>(below));
  }

 private:
  // Those that have become idle look at start_ while others still count themselves in arrived_.
  alignas(kNoSharing) Word start_{0};
  alignas(kNoSharing) Word arrived_{0};
  alignas(kNoSharing) std::uint32_t starts_ = 0;
  std::uint32_t expected_ = 0;
};

static_assert(sizeof(RollCall<>) == 3 * kNoSharing, "no two of the three share a line");

}  // namespace postroom
