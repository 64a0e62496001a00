#include "runtime/trace_times.h"

#include <fmt/core.h>

#include <algorithm>

#include "runtime/rational.h"

namespace postroom {
namespace {

constexpr std::int64_t kMostDenominator = 1000;

// In the unit that suits times of up to `span`.
std::string real_time(double ns, double span) {
  struct Unit {
    double ns;
    const char* name;
  };
  Unit unit{1, "ns"};
  for (const Unit& larger : {Unit{1e3, "µs"}, Unit{1e6, "ms"}, Unit{1e9, "s"}}) {
    if (span >= 2 * larger.ns) unit = larger;
  }
  return fmt::format("{:.4g} {}", ns / unit.ns, unit.name);
}

}  // namespace

TraceTimes::TraceTimes(const Trace& trace)
    : ticks_per_unit_(trace.ticks_per_unit()), real_(trace.is_wall_time()) {
  const auto& messages = trace.messages();
  if (messages.empty()) return;
  begin_ = real_ ? messages.front().start : 0;
  end_ = messages.front().arrival;
  for (const Trace::Message& m : messages) {
    if (real_) begin_ = std::min(begin_, m.start);
    end_ = std::max({end_, m.arrival, m.start + m.busy});
  }
}

double TraceTimes::nanoseconds(Time span) const {
  return static_cast<double>(span) * (1e9 / static_cast<double>(ticks_per_unit_));
}

std::string TraceTimes::label(Time time) const {
  if (real_) return real_time(nanoseconds(time - begin_), nanoseconds(end_ - begin_));
  const Rational units(time, ticks_per_unit_);
  // Times that were measured are no fractions that anybody wants to read.
  if (units.denominator() > kMostDenominator) return fmt::format("{:.3f}", units.to_double());
  return to_string(units);
}

}  // namespace postroom
