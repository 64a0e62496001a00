// Finds out that processors wait for each other.
//
// Every wait names the one processor that can end it, so the waiting processors form a graph with
// at most one edge out of each. A processor enters the graph just before it parks and leaves it
// after it woke, both under one lock. Seen under that lock, a chain of entered processors, none of
// whose words is reached, that comes back on itself or ends at a processor that has ended, can
// never move again: who is in it cannot run until its word is reached, and only the next in the
// chain could do that.
//
// Cost: nothing while processors spin or yield; a lock and a walk along the chain at each sleep.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include "runtime/wait.h"

namespace postroom {

/// What a processor waits in, for whom, and where its program stands.
struct BlockedCall {
  const char* call;  ///< "receive", "send", "barrier", …
  int peer;
  Awaited awaited;
  std::source_location where;
};

class DeadlockWatch {
 public:
  explicit DeadlockWatch(int processors);

  /// Before each run: nobody waits, nobody has ended.
  void reset();
  /// `processor` is about to sleep. A text: it would never wake; says who waits for whom.
  std::optional<std::string> enter(int processor, const BlockedCall& call);
  /// `processor` woke.
  void leave(int processor);
  /// `processor` has ended its program. A text: somebody waits for it in vain.
  std::optional<std::string> end(int processor);

 private:
  bool stuck(int processor) const;
  std::string report() const;

  std::mutex mutex_;
  std::vector<std::optional<BlockedCall>> blocked_;
  std::vector<bool> ended_;
  int blocked_count_ = 0;
};

}  // namespace postroom
