// The virtual threads of one scenario: one runs at a time, and only at a step does another go on.
//
// Thread 0 sets up, then runs the others (run_all) and goes on when all have ended. A thread is
// ready, or it spins (it has looked, seen nothing, and yielded), or it sleeps until wake(). One
// that spins is normally not scheduled again until some atomic has changed; now and then it is, so
// that spin loops with a limit run out. Where nobody else is ready, the spinning threads take
// turns; after `idle_turns` turns without a change, or when all sleep, nobody can go on.
//
// An execution that fails is left where it stands: its fibers are never resumed, so nothing has to
// unwind, and code that is noexcept may fail as well.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "tests/interleave/choices.h"
#include "tests/interleave/fiber.h"
#include "tests/interleave/memory_model.h"

namespace postroom::interleave {

class Scheduler {
 public:
  enum class State : std::uint8_t { kIdle, kReady, kSpinning, kSleeping, kJoining, kEnded };

  /// `on_stuck` is called by the last thread that ran when nobody can go on; it must stop().
  Scheduler(Choices& choices, int idle_turns, std::function<void()> on_stuck);
  ~Scheduler();

  /// Called outside: one execution with `setup` as thread 0. Returns when it has ended or stopped.
  void run(std::function<void()> setup);

  // Called by the running thread. A body may not throw.
  int current() const { return current_; }
  int threads() const { return threads_; }
  State state(int thread) const { return states_[thread]; }

  /// A further thread, for run_all(). Precondition: threads() < kMaxThreads.
  void add(std::function<void()> body);
  void run_all();
  /// The running thread is about to make a step; another one may go first.
  void step();
  /// The running thread has looked in vain. `in_vain` false: there may be news for it already.
  void spin(bool in_vain);
  void sleep();
  void wake(int thread) { states_[thread] = State::kReady; }
  /// An atomic has changed: whoever spins looks again.
  void changed();
  [[noreturn]] void stop();

 private:
  static constexpr int kNobody = -1;

  void run_body(int thread);
  /// Decides who goes on and lets it.
  void give_way(bool preempts);
  int choose(bool preempts);
  /// The threads in this state, from the running one on and around.
  int collect(State state, std::array<int, kMaxThreads>& threads) const;

  Choices& choices_;
  int idle_turns_;
  std::function<void()> on_stuck_;

  std::array<Fiber*, kMaxThreads> fibers_{};  // taken when first needed
  std::array<std::function<void()>, kMaxThreads> bodies_;
  std::array<State, kMaxThreads> states_{};
  int threads_ = 0;
  int current_ = 0;
  int next_ = kNobody;
  int idle_ = 0;
  bool just_chosen_ = false;  // the running thread was chosen for the step that comes
  bool stopped_ = false;
};

}  // namespace postroom::interleave
