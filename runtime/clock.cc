#include "runtime/clock.h"

#include <stdexcept>

#include "runtime/atomics.h"

namespace postroom {
namespace {

[[noreturn]] void throw_overflow() {
  throw std::overflow_error("a time does not fit 64 bits of the clock's ticks");
}

}  // namespace

Time later(Time time, Time span) {
  Time sum = 0;
  if (__builtin_add_overflow(time, span, &sum)) throw_overflow();
  return sum;
}

Time multiple(std::int64_t factor, Time span) {
  Time product = 0;
  if (__builtin_mul_overflow(factor, span, &product)) throw_overflow();
  return product;
}

ClockUse::ClockUse(Clock* clock) : clock_(clock) {
  // (1) Pairs with (2): what the last one did to the clock was before.
  if (clock_ != nullptr && clock_->is_used_.exchange(true, std::memory_order_acquire)) {
    throw std::logic_error("a clock serves one machine at a time, and this one's is at work");
  }
}

ClockUse::~ClockUse() {
  // (2) pairs with (1)
  if (clock_ != nullptr) clock_->is_used_.store(false, std::memory_order_release);
}

Time Clock::computed(int processor, const Rational& /*units*/) { return now(processor); }

Time WallClock::now(int /*processor*/) { return StdAtomics::now_ns(); }

Flight WallClock::sent(int source, int /*target*/, std::size_t /*bytes*/) {
  const Time time = now(source);
  return {time, time, 0};
}

}  // namespace postroom
