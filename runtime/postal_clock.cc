#include "runtime/postal_clock.h"

#include <fmt/core.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "runtime/latency_by_level.h"
#include "runtime/wait.h"

namespace postroom {

PostalClock::PostalClock(PostalParameters parameters, std::chrono::nanoseconds t0)
    : parameters_(std::move(parameters)), t0_(t0.count()) {
  parameters_.check();
  if (t0.count() < 1 || t0 > kMostT0) {
    throw std::invalid_argument(
        fmt::format("t0: {} ns is not allowed; 1 to {}", t0.count(), kMostT0.count()));
  }
}

void PostalClock::start(int processors) {
  require_leaves(parameters_.lambda, processors);
  const Ports ports(parameters_.ports, t0_);
  records_.assign(static_cast<std::size_t>(processors), Record{ports, ports});
}

void PostalClock::start_run(int processors) {
  if (records_.size() != static_cast<std::size_t>(processors)) start(processors);
  for (Record& record : records_) {
    record.out.clear();
    record.in.clear();
  }
  beginning_ns_ = steady_now_ns();
}

Time PostalClock::now(int /*processor*/) { return steady_now_ns() - beginning_ns_; }

Time PostalClock::nearest_ticks(const Rational& units) const {
  constexpr double kMost = 9e18;  // below 2^63
  const double ticks = units.to_double() * static_cast<double>(t0_);
  if (ticks > kMost) {
    throw std::overflow_error(
        fmt::format("{} units of {} ns do not fit 64 bits of nanoseconds", to_string(units), t0_));
  }
  return std::llround(ticks);
}

Flight PostalClock::sent(int source, int target, std::size_t bytes) {
  const Time time = now(source);
  if (source == target) return {time, time, 0};
  const Time lambda = nearest_ticks(parameters_.lambda.of(source, target));
  const Time busy = multiple(parameters_.units_of(bytes), t0_);
  Ports& out = records_[source].out;
  out.forget_before(time);
  const Time start = out.occupy(time, busy);
  return {start, later(start + (busy - t0_), lambda), busy};
}

Time PostalClock::delivered(int source, int target, std::size_t bytes, Time arrival) {
  if (source == target) return arrival;
  const Time busy = multiple(parameters_.units_of(bytes), t0_);
  return records_[target].in.occupy(arrival - busy, busy) + busy;
}

std::int64_t PostalClock::advance(int /*processor*/, Time time) {
  std::int64_t when = 0;
  const bool never = __builtin_add_overflow(beginning_ns_, time, &when);
  return never ? std::numeric_limits<std::int64_t>::max() : when;
}

Time PostalClock::computed(int processor, const Rational& units) {
  return later(now(processor), nearest_ticks(units));
}

}  // namespace postroom
