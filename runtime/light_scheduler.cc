#include "runtime/light_scheduler.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

#include "runtime/errors.h"

namespace postroom {
namespace {

// Only pages that are used take memory.
constexpr std::size_t kStackBytes = 256 * 1024;
// How many stacks are made at a time: as many as there are, and within these bounds. Most programs
// use few.
constexpr std::size_t kFewestStacks = 8;
constexpr std::size_t kMostStacks = 64;
// A wait ends when the scheduler says so.
const std::atomic<std::uint32_t> never_moved{0};
constexpr Awaited kNeverReached{&never_moved, 1};

}  // namespace

LightScheduler::LightScheduler(int processors)
    : states_(static_cast<std::size_t>(processors)),
      fibres_of_(static_cast<std::size_t>(processors)) {}

// --- Running.

void LightScheduler::run(const Run& run, const std::function<void(std::exception_ptr)>& stuck) {
  std::ranges::fill(states_, State::kNotYet);
  first_not_yet_ = 0;
  ended_ = 0;
  stopped_ = false;
  run_ = &run;
  const StackOverflowWatch watch([this](const void* address) { return owner_of_guard(address); });
  provide_fibre();
  leave(thread_);
  if (!stopped_ && ended_ != processors()) {
    stuck(deadlock());
    leave(thread_);
  }
  end_fibres();
}

// On the stack of `self`, from when it is made until end_fibres().
StackContext* LightScheduler::serve(Fibre& self) {
  while (self.processor != kNobody) {
    (*run_)(self.processor);
    check_stack_of(self);
    states_[self.processor] = State::kEnded;
    ++ended_;
    self.processor = kNobody;
    idle_.push_back(&self);
    leave(self.context);
  }
  return &thread_;
}

void LightScheduler::leave(StackContext& from, int wanted) {
  StackContext& following = next(wanted);
  if (&following != &from) StackContext::switch_to(from, following);
}

StackContext& LightScheduler::next(int wanted) {
  if (may_begin(wanted)) return begin(wanted).context;
  if (first_ready_ != nullptr) {
    Fibre& fibre = *std::exchange(first_ready_, first_ready_->next_ready);
    states_[fibre.processor] = State::kRunning;
    return fibre.context;
  }
  if (const int processor = next_to_begin(); may_begin(processor)) return begin(processor).context;
  if (let_others_go_.empty()) return thread_;
  Fibre& fibre = **std::ranges::min_element(
      let_others_go_, {}, [](const Fibre* one) { return std::pair(*one->time, one->processor); });
  no_longer_lets_others_go(fibre);
  fibre.its_turn = true;
  states_[fibre.processor] = State::kRunning;
  return fibre.context;
}

LightScheduler::Fibre& LightScheduler::begin(int processor) {
  Fibre& fibre = *idle_.back();
  idle_.pop_back();
  fibre.processor = processor;
  fibres_of_[processor] = &fibre;
  states_[processor] = State::kRunning;
  return fibre;
}

int LightScheduler::next_to_begin() {
  while (first_not_yet_ < processors() && states_[first_not_yet_] != State::kNotYet) {
    ++first_not_yet_;
  }
  return first_not_yet_ < processors() ? first_not_yet_ : kNobody;
}

// --- Waiting.

bool LightScheduler::wait(int self, int peer, const char* call, Where where) {
  if (stopped_) return false;
  suspend(*fibres_of_[self], {call, peer, kNeverReached, where}, peer);
  return !stopped_;
}

LightScheduler::End LightScheduler::wait_for_any(int self, std::span<const int> peers,
                                                 std::optional<Time> time, const char* call,
                                                 Where where) {
  if (stopped_) return End::kStopped;
  Fibre& fibre = *fibres_of_[self];
  const auto wanted = std::ranges::find_if(peers, [this](int peer) { return may_begin(peer); });
  suspend(fibre, {call, peers.front(), kNeverReached, where, peers.subspan(1)},
          wanted != peers.end() ? *wanted : kNobody, time);
  if (stopped_) return End::kStopped;
  return std::exchange(fibre.its_turn, false) ? End::kItsTurn : End::kPosted;
}

void LightScheduler::suspend(Fibre& fibre, const BlockedCall& call, int wanted,
                             std::optional<Time> time) {
  check_stack_of(fibre);
  provide_fibre();
  fibre.time = time;
  if (time) let_others_go_.push_back(&fibre);  // there is room
  fibre.call = call;
  states_[fibre.processor] = State::kWaiting;
  leave(fibre.context, wanted);
}

void LightScheduler::yield(int self) {
  check_stack_of(*fibres_of_[self]);
  provide_fibre();
  make_ready(*fibres_of_[self]);
  leave(fibres_of_[self]->context, next_to_begin());
}

void LightScheduler::no_longer_lets_others_go(Fibre& fibre) {
  fibre.time.reset();
  std::erase(let_others_go_, &fibre);
}

void LightScheduler::make_ready(Fibre& fibre) {
  if (fibre.time) no_longer_lets_others_go(fibre);
  states_[fibre.processor] = State::kReady;
  fibre.next_ready = nullptr;
  (first_ready_ == nullptr ? first_ready_ : last_ready_->next_ready) = &fibre;
  last_ready_ = &fibre;
}

void LightScheduler::stop() {
  if (std::exchange(stopped_, true)) return;
  for (Fibre& fibre : fibres_) {
    if (fibre.processor != kNobody && states_[fibre.processor] == State::kWaiting) {
      make_ready(fibre);
    }
  }
}

std::exception_ptr LightScheduler::deadlock() const noexcept try {
  DeadlockWatch watch(processors());
  std::vector<std::pair<int, BlockedCall>> waiting;
  for (int i = 0; i < processors(); ++i) {
    if (states_[i] == State::kEnded) (void)watch.end(i);
    if (states_[i] == State::kWaiting) waiting.emplace_back(i, fibres_of_[i]->call);
  }
  return std::make_exception_ptr(DeadlockError(watch.enter(waiting).value_or("")));
} catch (...) {
  return std::current_exception();  // no memory for the report
}

// --- Stacks.

// For whoever may begin next; before anything else is changed, as it can fail.
void LightScheduler::provide_fibre() {
  if (idle_.empty() && next_to_begin() != kNobody) add_fibres();
}

void LightScheduler::add_fibres() {
  const int few = std::min(static_cast<int>(std::clamp(fibres_.size(), kFewestStacks, kMostStacks)),
                           processors());
  idle_.reserve(fibres_.size() + static_cast<std::size_t>(few));  // so serve() cannot fail
  let_others_go_.reserve(idle_.capacity());
  const bool guarded = static_cast<int>(fibres_.size()) + few <= Stacks::kMostGuarded;
  stacks_.push_back(std::make_unique<Stacks>(few, kStackBytes, guarded));
  for (int i = few - 1; i >= 0; --i) {
    Fibre& fibre = fibres_.emplace_back();
    fibre.stacks = stacks_.back().get();
    fibre.stack = i;
    fibre.context.prepare(stacks_.back()->stack(i), [this, &fibre] { return serve(fibre); });
    idle_.push_back(&fibre);
  }
}

void LightScheduler::check_stack_of(const Fibre& self) const noexcept {
  if (self.stacks->is_overrun(self.stack)) [[unlikely]]
    end_by_stack_overflow(owner_of(self));
}

StackOwner LightScheduler::owner_of(const Fibre& fibre) noexcept {
  return {fibre.processor, fibre.stacks->stack(fibre.stack).size(),
          "a LightMachine has no larger ones: put large arrays on the heap (std::vector)"};
}

std::optional<StackOwner> LightScheduler::owner_of_guard(const void* address) const noexcept {
  for (const Fibre& fibre : fibres_) {
    if (fibre.stacks->guarded_by(address) == fibre.stack) return owner_of(fibre);
  }
  return {};
}

// All of them are idle, and come out of serve() as they have no processor.
void LightScheduler::end_fibres() {
  for (Fibre& fibre : fibres_) StackContext::switch_to(thread_, fibre.context);
  idle_.clear();
  fibres_.clear();
  stacks_.clear();
}

}  // namespace postroom
