#include "runtime/clock.h"

#include <chrono>
#include <stdexcept>

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

Time Clock::computed(int processor, const Rational& /*units*/) { return now(processor); }

Time WallClock::now(int /*processor*/) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

Flight WallClock::sent(int source, int /*target*/, std::size_t /*bytes*/) {
  const Time time = now(source);
  return {time, time, 0};
}

}  // namespace postroom
