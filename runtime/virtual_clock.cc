#include "runtime/virtual_clock.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "runtime/latency_by_level.h"

namespace postroom {
namespace {

void check_grid(Time ticks_per_unit) {
  if (ticks_per_unit >= 1 && ticks_per_unit <= VirtualClock::kMostTicksPerUnit) return;
  throw std::invalid_argument(fmt::format("ticks_per_unit: {} is not allowed; 1 to {}",
                                          ticks_per_unit, VirtualClock::kMostTicksPerUnit));
}

// So many ticks of λ leave room for a million messages one after the other.
constexpr Time kMostTicksOfLambda = Time{1} << 43;

// λ's denominator, and also that of λ/⌊λ⌋ where that does not make the grid too fine.
Time grid_of(const Rational& lambda) {
  const Time denominator = lambda.denominator();
  if (denominator > VirtualClock::kMostTicksPerUnit) {
    throw std::invalid_argument(
        fmt::format("lambda: {} is not allowed; its denominator is at most {}", to_string(lambda),
                    VirtualClock::kMostTicksPerUnit));
  }
  const Time most = std::min(VirtualClock::kMostTicksPerUnit, kMostTicksOfLambda / lambda.floor());
  const bool too_fine = lambda.floor() > most / denominator;
  return too_fine ? denominator : denominator * lambda.floor();
}

Time on_grid(const char* what, const Rational& units, Time ticks_per_unit) {
  const Rational ticks = units * ticks_per_unit;
  if (ticks.is_whole()) return ticks.numerator();
  throw std::invalid_argument(
      fmt::format("{}: {} is not on the clock's grid of {} ticks in a unit; a whole number of "
                  "ticks is (ticks_per_unit: a multiple of {})",
                  what, to_string(units), ticks_per_unit, units.denominator()));
}

}  // namespace

VirtualClock::VirtualClock(PostalParameters parameters, Time ticks_per_unit)
    : parameters_(std::move(parameters)),
      chooses_grid_(ticks_per_unit == 0 && !parameters_.lambda.uniform()),
      ticks_per_unit_(ticks_per_unit) {
  parameters_.check();
  const std::optional<Rational>& lambda = parameters_.lambda.uniform();
  if (ticks_per_unit != 0) check_grid(ticks_per_unit);
  if (!lambda) return;
  if (ticks_per_unit == 0) ticks_per_unit_ = grid_of(*lambda);
  uniform_lambda_ = on_grid("lambda", *lambda, ticks_per_unit_);
}

void VirtualClock::start(int processors) {
  require_leaves(parameters_.lambda, processors);
  if (chooses_grid_) ticks_per_unit_ = ticks_for_all_pairs(processors);
  const Ports ports(parameters_.ports, ticks_per_unit_);
  records_.assign(static_cast<std::size_t>(processors), Record{0, ports, ports});
}

void VirtualClock::start_run(int processors) {
  if (records_.size() != static_cast<std::size_t>(processors)) start(processors);
  for (Record& record : records_) {
    record.now = 0;
    record.out.clear();
    record.in.clear();
  }
}

Rational VirtualClock::time(int processor) const {
  if (processor < 0 || processor >= static_cast<int>(records_.size())) {
    throw std::invalid_argument(fmt::format("{} is not a processor; 0 to {} are", processor,
                                            static_cast<int>(records_.size()) - 1));
  }
  return {of(processor).now, ticks_per_unit_};
}

Rational VirtualClock::finish() const {
  Time latest = 0;
  for (const Record& record : records_) latest = std::max(latest, record.now);
  return {latest, ticks_per_unit_};
}

Time VirtualClock::ticks_for_all_pairs(int processors) const {
  Time ticks = 1;
  const auto add = [&](const Rational& lambda) {
    check_grid(lambda.denominator());
    ticks = std::lcm(ticks, lambda.denominator());
    check_grid(ticks);
  };
  if (const auto& levels = parameters_.lambda.levels()) {
    std::ranges::for_each(levels->by_level, add);
    return ticks;
  }
  for (int source = 0; source < processors; ++source) {
    for (int target = 0; target < processors; ++target) {
      if (source != target) add(parameters_.lambda.of(source, target));
    }
  }
  return ticks;
}

Time VirtualClock::ticks_of_lambda(int source, int target) const {
  if (uniform_lambda_ != 0) return uniform_lambda_;
  return on_grid("lambda", parameters_.lambda.of(source, target), ticks_per_unit_);
}

Flight VirtualClock::sent(int source, int target, std::size_t bytes) {
  Record& record = records_[source];
  if (source == target) return {record.now, record.now, 0};
  const Time lambda = ticks_of_lambda(source, target);
  const Time busy = multiple(parameters_.units_of(bytes), ticks_per_unit_);
  record.out.forget_before(record.now);
  const Time start = record.out.occupy(record.now, busy);
  return {start, later(start + (busy - ticks_per_unit_), lambda), busy};
}

Time VirtualClock::delivered(int source, int target, std::size_t bytes, Time arrival) {
  if (source == target) return arrival;
  const Time busy = multiple(parameters_.units_of(bytes), ticks_per_unit_);
  return records_[target].in.occupy(arrival - busy, busy) + busy;
}

std::int64_t VirtualClock::advance(int processor, Time time) {
  Time& now = records_[processor].now;
  now = std::max(now, time);
  return 0;
}

Time VirtualClock::computed(int processor, const Rational& units) {
  return later(now(processor), on_grid("compute", units, ticks_per_unit_));
}

}  // namespace postroom
