// Finds out that processors wait for each other.
//
// Nearly every wait names the one processor that can end it, so the waiting processors form a graph
// with at most one edge out of each. A processor enters the graph just before it parks and leaves
// it after it woke, both under one lock. Seen under that lock, a chain of entered processors, none
// of whose words is reached, that comes back on itself or ends at a processor that has ended, can
// never move again: who is in it cannot run until its word is reached, and only the next in the
// chain could do that.
//
// While somebody waits for any of several (wait_any), there are no chains. Then it is asked who can
// move: who does not wait or whose word is reached, and who waits for one of those, or for one that
// waits so, and so on. All others never will.
//
// Cost: nothing while processors spin, yield or switch; a lock and a walk along the chains at each
// sleep of a thread, O(processors) at most, while somebody waits for any O(waits · processors); at
// the end of a program a lock and a look at those who wait for its processor; where there are some,
// and anybody waits for any, at all.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/wait.h"
#include "runtime/where.h"

namespace postroom {

/// What a processor waits in, for whom, and where its program stands.
struct BlockedCall {
  const char* call;  ///< "receive", "send", "barrier", …
  int peer;
  Awaited awaited;
  Where where;
  std::span<const int> or_peers = {};  ///< any of which could end the wait as well
};

class DeadlockWatch {
 public:
  explicit DeadlockWatch(int processors);

  /// Before each run: nobody waits, nobody has ended.
  void reset();
  /// These processors, of one thread, are about to sleep. A text: one of them would never wake;
  /// says who waits for whom.
  std::optional<std::string> enter(std::span<const std::pair<int, BlockedCall>> waiting);
  /// They woke.
  void leave(std::span<const int> processors);
  /// `processor` has ended its program. A text: somebody waits for it in vain.
  std::optional<std::string> end(int processor);

 private:
  static constexpr int kNobody = -1;

  /// Who waits for a processor; and its own neighbours in the list of those who wait for the same.
  struct Waiters {
    int first = kNobody;
    int next = kNobody;
    int previous = kNobody;
  };

  void block(int processor, const BlockedCall& call);
  void unblock(int processor);
  bool stuck(int processor);
  bool waits_for_any() const noexcept { return !choosers_.empty(); }
  bool is_waited_for(int processor) const noexcept {
    return waiters_[processor].first != kNobody || chosen_by_[processor] > 0;
  }
  bool somebody_is_stuck() const;
  std::string report() const;

  std::mutex mutex_;
  std::vector<std::optional<BlockedCall>> blocked_;
  std::vector<Waiters> waiters_;
  std::vector<bool> ended_;
  std::vector<int> choosers_;    // who of those that wait could go on by any of several
  std::vector<int> chooser_at_;  // where in that list, of each processor that is in it
  std::vector<int> chosen_by_;   // for how many of them each processor is one of the or_peers
  // For stuck(): which walk came by last. Walks are numbered, those of one enter() consecutively.
  std::vector<std::uint64_t> seen_by_;
  std::uint64_t walk_ = 0;
  std::uint64_t first_walk_ = 0;
};

}  // namespace postroom
