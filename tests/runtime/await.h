// How the threads of interleaving tests wait: by the loop that ships, runtime/wait.h.
#pragma once

#include <cstdint>
#include <limits>

#include "runtime/parker.h"
#include "runtime/wait.h"

namespace postroom {

/// Looks again and again, or parks after a look in vain.
inline constexpr WaitPolicy kSpins{.spins = std::numeric_limits<int>::max(), .yield_ns = 0};
inline constexpr WaitPolicy kParks{.spins = 0, .yield_ns = 0};

/// Until `awaited` is reached, on a machine that never stops; who moves its word wakes `parker`.
template <class Word, class Atomics>
void await(const AwaitedWord<Word>& awaited, const WaitPolicy& policy, Parker<Atomics>& parker) {
  (void)wait_until([&] { return awaited.reached(); }, policy, parker, [] { return false; },
                   [] { return true; }, [] {});
}

/// Until the next message is there, as a processor waits for it.
template <class Mailbox, class Atomics>
void await_message(Mailbox& mailbox, const WaitPolicy& policy, Parker<Atomics>& parker,
                   bool looks_at_line = true) {
  while (!mailbox.try_front()) {
    AwaitedWord<typename Mailbox::Word> next{&mailbox.next_word(), mailbox.next_value()};
    const auto* const line = mailbox.line();
    if (line != nullptr && looks_at_line) {
      next.or_word = &line->next_word();
      next.or_value = line->next_value();
    }
    await(next, policy, parker);
  }
}

}  // namespace postroom
