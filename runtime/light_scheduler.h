// Lets very many processors take turns on one thread, each on a stack only as long as it has begun
// and not ended.
//
// A processor begins when another one waits for it, or when nobody else can go on, in the order of
// the numbers; so a program in which no two wait for each other in turn uses few stacks at a time.
// A stack whose processor has ended carries the next one. Whoever waits names the processor that
// can end it, and goes on in the order in which that happened.
//
// Who waits for any of several, and could go on at a time of the model, lets the others go first
// all the same, since one of them may send what is there sooner. When nobody else can go on it is
// the turn of the one with the earliest time: nobody goes back in time, so whatever is still sent
// comes later.
//
// Who may call: run, stop, blocked: the thread. The others: the processor that is running, and stop
// as well. Cost: a switch takes 10 ns while the stacks stay in the caches. Memory: 9 bytes a
// processor, and the pages that a stack has used: 4 or 8 KiB. Errors: std::bad_alloc where the
// address space does not suffice for another stack. A processor that needs more than its stack ends
// the process, after one line on standard error that names it (runtime/stack_overflow.h).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "runtime/clock.h"
#include "runtime/deadlock.h"
#include "runtime/stack_overflow.h"
#include "runtime/stack_switch.h"
#include "runtime/stacks.h"
#include "runtime/where.h"

namespace postroom {

class LightScheduler {
 public:
  /// What a processor does; must not throw.
  using Run = std::function<void(int processor)>;

  explicit LightScheduler(int processors);

  int processors() const noexcept { return static_cast<int>(states_.size()); }

  /// Runs every processor to its end. Where they cannot all go on, calls `stuck`, which has to
  /// stop them, with a DeadlockError, or with what kept it from being made.
  void run(const Run& run, const std::function<void(std::exception_ptr)>& stuck);

  /// `self` waits until posted(peer, self). False: they were stopped instead.
  [[nodiscard]] bool wait(int self, int peer, const char* call, Where where);
  enum class End { kPosted, kItsTurn, kStopped };
  /// The same for any of `peers`. Where `self` could go on at `time`, until it is its turn at the
  /// latest.
  [[nodiscard]] End wait_for_any(int self, std::span<const int> peers, std::optional<Time> time,
                                 const char* call, Where where);
  void posted(int source, int target) {
    const auto waiter = static_cast<std::size_t>(target);
    if (states_[waiter] == State::kWaiting && fibres_of_[waiter]->waits_for(source)) {
      make_ready(*fibres_of_[waiter]);
    }
  }
  /// Lets all others go first that can, those that have not begun above all.
  void yield(int self);

  /// No further processor begins, and every wait ends.
  void stop();
  bool stopped() const noexcept { return stopped_; }

 private:
  enum class State : std::uint8_t { kNotYet, kReady, kRunning, kWaiting, kEnded };
  static constexpr int kNobody = -1;

  /// A stack and who is on it; without a processor, it stands ready for one, or to end.
  struct Fibre {
    StackContext context;
    const Stacks* stacks = nullptr;  // its own is number `stack`
    int stack = 0;
    int processor = kNobody;
    BlockedCall call{};
    std::optional<Time> time;  // at which it could go on, while it lets others go first
    bool its_turn = false;     // that time has come
    Fibre* next_ready = nullptr;

    bool waits_for(int peer) const {
      return call.peer == peer || std::ranges::find(call.or_peers, peer) != call.or_peers.end();
    }
  };

  StackContext* serve(Fibre& self);
  void leave(StackContext& from, int wanted = kNobody);
  StackContext& next(int wanted);
  /// Precondition: a fibre is idle.
  Fibre& begin(int processor);
  int next_to_begin();
  bool may_begin(int processor) const {
    return !stopped_ && processor != kNobody &&
           states_[static_cast<std::size_t>(processor)] == State::kNotYet;
  }
  void make_ready(Fibre& fibre);
  void suspend(Fibre& fibre, const BlockedCall& call, int wanted, std::optional<Time> time = {});
  void no_longer_lets_others_go(Fibre& fibre);
  void provide_fibre();
  void add_fibres();
  void end_fibres();
  static StackOwner owner_of(const Fibre& fibre) noexcept;
  std::optional<StackOwner> owner_of_guard(const void* address) const noexcept;
  void check_stack_of(const Fibre& self) const noexcept;
  std::exception_ptr deadlock() const noexcept;

  std::vector<State> states_;
  std::vector<Fibre*> fibres_of_;
  int first_not_yet_ = 0;  // none before has not begun
  int ended_ = 0;
  bool stopped_ = false;
  const Run* run_ = nullptr;

  StackContext thread_;
  std::vector<std::unique_ptr<Stacks>> stacks_;
  std::deque<Fibre> fibres_;           // stay where they are
  std::vector<Fibre*> idle_;           // with room for all
  std::vector<Fibre*> let_others_go_;  // who have a time; likewise
  Fibre* first_ready_ = nullptr;
  Fibre* last_ready_ = nullptr;  // where there is a first one
};

}  // namespace postroom
