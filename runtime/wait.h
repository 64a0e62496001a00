// The one place where a processor waits.
//
// Whatever a processor waits for is a 32-bit word that reaches a value: the sequence of a mailbox's
// next cell, the return of a loan, the flag of a barrier's round, the number of a run. A wait first
// spins (when every thread has a CPU of its own), then gives the core away again and again,
// then parks until the one who moves the word wakes it. Whoever moves such a word stores it and
// then calls wake() on the waiter's parker.
//
// Under a clock of real time a processor can also wait for an instant. A thread that knows its next
// one parks, without giving way first, until kWakeLeadNs before it, since a sleep ends late. Then
// it gives the core away again and again.
//
// Cost on an AMD Zen 5 with two cores: a spin step 24 ns, a yield 0.4 µs, parking and being woken 2
// µs on the same core and 23 µs on another one that had gone idle.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <vector>

#include "runtime/atomics.h"
#include "runtime/parker.h"

namespace postroom {

/// A word and the value that it must reach; or another word that may come first; or any of more.
template <class Word>
struct AwaitedWord {
  const Word* word;
  std::uint32_t value;
  const Word* or_word = nullptr;
  std::uint32_t or_value = 0;
  const std::vector<AwaitedWord>* or_any = nullptr;

  /// The first of them.
  bool word_reached() const noexcept { return has_come(*word, value); }
  bool reached() const noexcept {
    return word_reached() || (or_word != nullptr && has_come(*or_word, or_value)) ||
           (or_any != nullptr && any_reached());
  }

 private:
  // Not inlined: it is rare, and what is around it should stay as it is.
  [[gnu::noinline]] bool any_reached() const noexcept {
    return std::ranges::any_of(*or_any, [](const AwaitedWord& one) { return one.reached(); });
  }
  /// (1) pairs with whatever stores the word: mailbox.h (1), duplex_line.h (1),
  /// mailbox_processor.h (2), gate.h (1).
  static bool has_come(const Word& word, std::uint32_t value) noexcept {
    return postroom::reached(word.load(std::memory_order_acquire), value);  // (1)
  }
};
template <class Word>
AwaitedWord(const Word*, std::uint32_t) -> AwaitedWord<Word>;
using Awaited = AwaitedWord<std::atomic<std::uint32_t>>;

inline std::int64_t steady_now_ns() noexcept { return StdAtomics::now_ns(); }

inline std::chrono::steady_clock::time_point steady_time(std::int64_t ns) noexcept {
  return std::chrono::steady_clock::time_point(
      std::chrono::duration_cast<std::chrono::steady_clock::duration>(
          std::chrono::nanoseconds(ns)));
}

/// An instant of steady_now_ns() that never comes.
inline constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
/// How long before an instant a thread stops sleeping: a sleep ends up to 60 µs late (Zen 5).
inline constexpr std::int64_t kWakeLeadNs = 100'000;
/// So often a spin looks before it is a wait of the thread.
inline constexpr int kQuickLooks = 500;

/// How long to spin and to yield before parking.
struct WaitPolicy {
  /// 0 when processors share cores: each hand-over took 4 to 8 ms with spinning (Zen 5).
  int spins = 500;
  std::int64_t yield_ns = 1'000'000;  ///< then give way for this long
};

/// Waits until `ready()`, or until `interrupted()`: true when ready. What either looks at is moved
/// by others before they wake `parker`. `before_park` and `after_park` stand around
/// each sleep; when before_park returns false there is no sleep. `next_instant` says when ready()
/// may become true by the passing of time.
template <class Atomics, class Ready, class Interrupted, class BeforePark, class AfterPark,
          class NextInstant>
bool wait_until(Ready ready, const WaitPolicy& policy, Parker<Atomics>& parker,
                Interrupted interrupted, BeforePark before_park, AfterPark after_park,
                NextInstant next_instant) {
  for (int i = 0; i < policy.spins; ++i) {
    if (ready()) return true;
    // Without a pause dozens of looks are under way when the line comes, and hold up what follows.
    // On a Zen 3, in turns, a bare line that goes to and fro takes 1.2 to 1.5 times as long
    // without, a message of 8 bytes up to 1.07 times, a barrier 1.06 to 1.10 times.
    Atomics::pause();
  }
  const std::int64_t start = Atomics::now_ns();
  do {
    if (ready()) return true;
    if (interrupted()) return false;
    Atomics::yield();
  } while (next_instant() == kNever && Atomics::now_ns() - start < policy.yield_ns);
  for (;;) {
    const std::int64_t instant = next_instant();
    if (instant != kNever && instant - Atomics::now_ns() <= kWakeLeadNs) {
      Atomics::yield();
    } else {
      parker.prepare();
      if (ready() || interrupted() || !before_park()) {
        parker.cancel();
      } else {
        if (instant == kNever) {
          parker.park();
        } else {
          parker.park_until(steady_time(instant - kWakeLeadNs));
        }
        after_park();
      }
    }
    if (ready()) return true;
    if (interrupted()) return false;
  }
}

/// The same where time alone changes nothing.
template <class Atomics, class Ready, class Interrupted, class BeforePark, class AfterPark>
bool wait_until(Ready ready, const WaitPolicy& policy, Parker<Atomics>& parker,
                Interrupted interrupted, BeforePark before_park, AfterPark after_park) {
  return wait_until(ready, policy, parker, interrupted, before_park, after_park,
                    [] { return kNever; });
}

}  // namespace postroom
