#include "runtime/carrier.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "runtime/mailbox_processor.h"
#include "runtime/switchboard.h"

namespace postroom {
namespace {

bool take_turns(const Switchboard& board, const CarrierOptions& options) {
  return options.threads < board.count() && board.clock() == nullptr;
}

}  // namespace

Carrier::Carrier(Switchboard& board, int number, std::span<MailboxProcessor* const> processors,
                 const CarrierOptions& options)
    : board_(board),
      number_(number),
      first_(processors.front()->id()),
      last_(processors.back()->id() + 1),
      parker_(board.sleepers()),
      gate_(static_cast<int>(processors.size()), options.threads),
      slots_(static_cast<int>(processors.size()), take_turns(board, options)),
      put_in_(take_turns(board, options)),
      carried_(processors.size()),
      ready_(processors.size()),
      draws_(options.schedule_seed != 0 && !alone()),
      seed_(options.schedule_seed + static_cast<std::uint64_t>(first_)) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"  // it is laid out as any other class
  static_assert(offsetof(Carrier, parker_) == kNoSharing && offsetof(Carrier, last_) < kCacheLine,
                "what others look at is one line, which nobody writes");
#pragma GCC diagnostic pop
  for (std::size_t i = 0; i < processors.size(); ++i) {
    carried_[i].processor = processors[i];
    processors[i]->carried_by(*this, carried_[i]);
  }
  if (alone() && !options.always_stacks) return;
  across_.reserve(processors.size());
  waiting_.reserve(processors.size());
  waiting_ids_.reserve(processors.size());
  stacks_ = std::make_unique<Stacks>(static_cast<int>(processors.size()), options.stack_bytes,
                                     options.guarded_stacks);
}

// --- Running.

void Carrier::run(const Run& run) {
  if (stacks_ == nullptr) return run(*carried_.front().processor);
  const StackOverflowWatch watch([this](const void* address) -> std::optional<StackOwner> {
    const std::optional<int> stack = stacks_->guarded_by(address);
    return stack ? std::optional(owner_of(*stack)) : std::nullopt;
  });
  run_ = &run;
  ended_ = 0;
  switches_ = 0;
  looked_across_ = 0;
  forget_across();
  if (draws_) draw_.seed(seed_);
  for (std::size_t i = 0; i < carried_.size(); ++i) {
    Carried& carried = carried_[i];
    // With no more than two pointers it allocates nothing: nobody could be told here.
    carried.context.prepare(stacks_->stack(static_cast<int>(i)), [this, &carried] {
      (*run_)(*carried.processor);
      check_stack_of(carried);
      carried.state = Carried::State::kEnded;
      if (++ended_ == carried_.size()) return &thread_;
      Carried& following = next();
      following.state = Carried::State::kRunning;
      return &following.context;
    });
    make_ready(carried);
  }
  leave(thread_);
}

void Carrier::leave(StackContext& from) {
  Carried& following = next();
  following.state = Carried::State::kRunning;
  if (&following.context != &from) StackContext::switch_to(from, following.context);
}

void Carrier::leave(Carried& self) {
  check_stack_of(self);
  leave(self.context);
}

void Carrier::check_stack_of(const Carried& self) const noexcept {
  const auto stack = static_cast<int>(&self - carried_.data());
  if (stacks_->is_overrun(stack)) [[unlikely]]
    end_by_stack_overflow(owner_of(stack));
}

StackOwner Carrier::owner_of(int stack) const noexcept {
  return {
      first_ + stack, stacks_->stack(stack).size(),
      "give it more by MachineOptions::stack_bytes, or put large arrays on the heap (std::vector)"};
}

// --- Waiting.

int Carrier::quick_looks() const noexcept {
  return alone() ? std::min(board_.policy().spins, kQuickLooks) : 0;
}

bool Carrier::wait(Carried& self, const BlockedCall& call) {
  if (alone()) return wait_alone(call);
  if (board_.stopped()) return call.awaited.reached();
  self.call = call;
  self.state = Carried::State::kWaiting;
  if ((!carries(call.peer) || call.awaited.or_any != nullptr) && !self.across) {
    self.across = true;
    across_.push_back(&self);
  }
  leave(self);
  return call.awaited.reached();
}

bool Carrier::wait_for_instant(Carried& self, std::int64_t instant_ns) {
  if (steady_now_ns() >= instant_ns) return true;
  if (alone()) return wait_alone_for_instant(instant_ns);
  if (board_.stopped()) return false;
  sleepers_.push({instant_ns, &self});
  self.state = Carried::State::kSleeping;
  leave(self);
  return steady_now_ns() >= instant_ns;
}

void Carrier::give_way(Carried& self) {
  if (alone()) return std::this_thread::yield();
  make_ready(self);
  leave(self);
}

void Carrier::draw_to_give_way(Carried& self) {
  if (draw_() % 2 == 0) give_way(self);
}

void Carrier::rest(Carried& self, const Awaited& awaited) {
  if (!alone()) look_around(true);
  ++resting_;
  const bool all_rest = ready_count_ < resting_;  // who are ready
  if (all_rest && ++rests_ >= resting_) {         // and each has looked since the last sleep
    rests_ = 0;
    parker_.prepare();
    if (awaited.reached()) {
      parker_.cancel();
    } else {
      parker_.park_until(std::chrono::steady_clock::now() + kRest);
    }
  }
  give_way(self);
  --resting_;
}

bool Carrier::wait_alone(const BlockedCall& call) {
  const auto before_park = [&] {
    const MailboxProcessor& processor = *carried_.front().processor;
    const std::pair<int, BlockedCall> waiting{processor.id(), processor.narrowed(call, 0)};
    return board_.may_sleep({&waiting, 1});
  };
  const auto after_park = [&] {
    const int id = carried_.front().processor->id();
    board_.watch().leave({&id, 1});
  };
  return wait_until([&] { return call.awaited.reached(); }, board_.policy(), parker_,
                    [&] { return board_.stopped(); }, before_park, after_park);
}

bool Carrier::wait_alone_for_instant(std::int64_t instant_ns) {
  return wait_until([&] { return steady_now_ns() >= instant_ns; }, board_.policy(), parker_,
                    [&] { return board_.stopped(); }, [] { return true; }, [] {},
                    [&] { return instant_ns; });
}

// --- The gate.

void Carrier::open_gate() {
  gate_.open();
  for (Carried& carried : carried_) {
    if (waits_at_gate(carried)) make_ready(carried);
  }
}

// Where nobody can run. Who has come last leads, so somebody is missing.
int Carrier::missing_at_gate() const noexcept {
  const auto missing = std::ranges::find_if(
      carried_, [this](const Carried& carried) { return !waits_at_gate(carried); });
  return missing->processor->id();
}

// --- Who runs next.

Carried& Carrier::next() {
  // Also now and then while others are ready: these might go on for ever.
  // So the words of other threads cost no more than the switches, however many they are.
  if (++switches_ % kLookAround == 0) look_around(switches_ - looked_across_ >= across_.size());
  while (ready_count_ == 0) {
    look_around(true);
    if (ready_count_ == 0) wait_for_across();
  }
  return pop_ready();
}

void Carrier::look_around(bool across) {
  if (across) look_across();
  look_at_sleepers();
  if (board_.stopped()) make_all_ready();
}

void Carrier::make_ready(Carried& carried) {
  carried.state = Carried::State::kReady;
  std::size_t at = ready_head_ + ready_count_++;
  if (at >= ready_.size()) at -= ready_.size();
  ready_[at] = &carried;
}

Carried& Carrier::pop_ready() {
  if (draws_) {
    const std::size_t drawn = (ready_head_ + draw_() % ready_count_) % ready_.size();
    std::swap(ready_[ready_head_], ready_[drawn]);
  }
  Carried& first = *ready_[ready_head_];
  if (++ready_head_ == ready_.size()) ready_head_ = 0;
  --ready_count_;
  return first;
}

void Carrier::look_across() {
  looked_across_ = switches_;
  for (std::size_t i = 0; i < across_.size();) {
    Carried& carried = *across_[i];
    const bool waits = carried.state == Carried::State::kWaiting;
    if (waits && !carried.call.awaited.reached()) {
      ++i;
      continue;
    }
    if (waits) make_ready(carried);
    carried.across = false;
    across_[i] = across_.back();
    across_.pop_back();
  }
}

void Carrier::forget_across() {
  for (Carried* const carried : across_) carried->across = false;
  across_.clear();
}

void Carrier::look_at_sleepers() {
  if (sleepers_.empty()) return;
  const std::int64_t now_ns = steady_now_ns();
  while (!sleepers_.empty() && sleepers_.top().instant_ns <= now_ns) {
    make_ready(*sleepers_.top().carried);
    sleepers_.pop();
  }
}

void Carrier::make_all_ready() {
  forget_across();
  sleepers_ = {};
  for (Carried& carried : carried_) {
    if (carried.state == Carried::State::kWaiting || carried.state == Carried::State::kSleeping) {
      make_ready(carried);
    }
  }
}

// Nobody can run: the thread waits, for the processors of other threads, for the instant that the
// first of its own sleeps until, or for the machine to stop. Where nobody waits across or sleeps,
// only a stop is left, and the watch sees the deadlock that brings it.
void Carrier::wait_for_across() {
  const auto before_park = [&] {
    waiting_.clear();
    waiting_ids_.clear();
    std::optional<int> missing;
    int looked_at = 0;  // most wait for the same one
    for (const Carried& carried : carried_) {
      if (carried.state != Carried::State::kWaiting) continue;
      waiting_ids_.push_back(carried.processor->id());
      waiting_.emplace_back(waiting_ids_.back(),
                            carried.processor->narrowed(carried.call, looked_at));
      looked_at = waiting_.back().second.peer;
      if (!waits_at_gate(carried)) continue;
      if (!missing) missing = missing_at_gate();
      waiting_.back().second.peer = *missing;
    }
    return board_.may_sleep(waiting_);
  };
  const auto ready = [&] {
    look_across();
    look_at_sleepers();
    return ready_count_ != 0;
  };
  const auto next_instant = [&] { return sleepers_.empty() ? kNever : sleepers_.top().instant_ns; };
  (void)wait_until(
      ready, board_.policy(), parker_, [&] { return board_.stopped(); }, before_park,
      [&] { board_.watch().leave(waiting_ids_); }, next_instant);
}

}  // namespace postroom
