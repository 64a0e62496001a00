#include "collectives/models/time_replay.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace postroom {
namespace {

constexpr double kTicksInUnit = 720'720;  // 2^4 · 3^2 · 5 · 7 · 11 · 13

double tick_of(const TimeModel& model) {
  const double unit = model.busy_ns > 0 ? model.busy_ns : std::max(model.latency_ns, 1e-3);
  return unit / kTicksInUnit;
}

}  // namespace

TimeReplay::TimeReplay(const TimeModel& model, int processors, int most_at_once)
    : model_(model), tick_ns_(tick_of(model)), flight_(ticks(model.flight())) {
  const int ports = std::clamp(most_at_once, 1, model.ports);
  unit_ = busy(0);
  const Ports idle(ports, unit_);
  records_.assign(static_cast<std::size_t>(processors), Record{0, idle, idle});
}

Time TimeReplay::busy(std::int64_t bytes) {
  if (bytes != busy_of_) {
    busy_of_ = bytes;
    busy_ = std::max<Time>(1, ticks(model_.busy(bytes)));
  }
  return busy_;
}

Time TimeReplay::ticks(double ns) const {
  constexpr double kMost = 9e18;  // below 2^63
  const double ticks = ns / tick_ns_;
  if (!(ticks < kMost)) throw std::overflow_error("a time does not fit 64 bits of ticks");
  return std::llround(ticks);
}

Time TimeReplay::send(int source, std::int64_t bytes) {
  Record& record = records_[static_cast<std::size_t>(source)];
  const Time length = busy(bytes);
  record.out.forget_before(record.now);
  const Time start = record.out.occupy(record.now, model_.shares_memory ? unit_ : length);
  return later(later(start, flight_), length);
}

void TimeReplay::receive(int target, std::int64_t bytes, Time arrival) {
  Record& record = records_[static_cast<std::size_t>(target)];
  const Time length = busy(bytes);
  record.now = std::max(record.now, record.in.occupy(arrival - length, length) + length);
}

Time TimeReplay::finish() const {
  Time latest = 0;
  for (const Record& record : records_) latest = std::max(latest, record.now);
  return latest;
}

}  // namespace postroom
