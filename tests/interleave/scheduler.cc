#include "tests/interleave/scheduler.h"

#include <cstdlib>
#include <utility>

namespace postroom::interleave {

Scheduler::Scheduler(Choices& choices, int idle_turns, std::function<void()> on_stuck)
    : choices_(choices), idle_turns_(idle_turns), on_stuck_(std::move(on_stuck)) {}

Scheduler::~Scheduler() {
  for (Fiber* const fiber : fibers_) {
    if (fiber != nullptr) (stopped_ ? Fiber::abandon : Fiber::give_back)(*fiber);
  }
}

void Scheduler::run(std::function<void()> setup) {
  threads_ = 0;
  current_ = 0;
  idle_ = 0;
  add(std::move(setup));
  states_[0] = State::kReady;
  for (next_ = 0; next_ != kNobody;) {
    current_ = next_;
    fibers_[current_]->resume();
  }
}

void Scheduler::add(std::function<void()> body) {
  const int thread = threads_++;
  bodies_[thread] = std::move(body);
  states_[thread] = State::kIdle;
  if (fibers_[thread] == nullptr) fibers_[thread] = &Fiber::take();
  fibers_[thread]->start([this, thread] { run_body(thread); });
}

void Scheduler::run_body(int thread) {
  just_chosen_ = true;
  bodies_[thread]();
  states_[thread] = State::kEnded;
  if (thread == 0) {
    for (int t = 1; t < threads_; ++t) bodies_[t] = nullptr;  // what they own is the scenario's
    next_ = kNobody;
    return;
  }
  bool all_ended = true;
  for (int t = 1; t < threads_; ++t) all_ended &= states_[t] == State::kEnded;
  if (all_ended) states_[0] = State::kReady;
  next_ = choose(false);
}

void Scheduler::run_all() {
  if (threads_ == 1) return;
  for (int t = 1; t < threads_; ++t) states_[t] = State::kReady;
  states_[0] = State::kJoining;
  give_way(false);
}

void Scheduler::step() {
  if (!std::exchange(just_chosen_, false)) give_way(true);
  just_chosen_ = false;
}

void Scheduler::spin(bool in_vain) {
  if (in_vain) states_[current_] = State::kSpinning;
  give_way(false);
}

void Scheduler::sleep() {
  states_[current_] = State::kSleeping;
  give_way(false);
}

void Scheduler::changed() {
  idle_ = 0;
  for (int t = 0; t < threads_; ++t) {
    if (states_[t] == State::kSpinning) states_[t] = State::kReady;
  }
}

void Scheduler::stop() {
  stopped_ = true;
  next_ = kNobody;
  fibers_[current_]->suspend();
  std::abort();  // a stopped fiber is never resumed
}

void Scheduler::give_way(bool preempts) {
  const int self = current_;
  next_ = choose(preempts);
  if (next_ != self) fibers_[self]->suspend();
  states_[self] = State::kReady;
  just_chosen_ = true;
}

int Scheduler::collect(State state, std::array<int, kMaxThreads>& threads) const {
  int count = 0;
  for (int i = 0; i < threads_; ++i) {
    const int thread = (current_ + i) % threads_;
    if (states_[thread] == state) threads[count++] = thread;
  }
  return count;
}

int Scheduler::choose(bool preempts) {
  std::array<int, kMaxThreads> ready;
  std::array<int, kMaxThreads> spinning;
  const int ready_count = collect(State::kReady, ready);
  const int spinning_count = collect(State::kSpinning, spinning);
  if (ready_count == 0) {
    if (spinning_count == 0 || ++idle_ > idle_turns_) on_stuck_();
    // The running thread comes last, so that they take turns.
    return spinning[spinning[0] == current_ && spinning_count > 1 ? 1 : 0];
  }
  const int chosen = choices_.thread(ready_count, spinning_count, preempts);
  return chosen < ready_count ? ready[chosen] : spinning[chosen - ready_count];
}

}  // namespace postroom::interleave
