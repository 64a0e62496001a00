#include "collectives/models/time_model.h"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>
#include <utility>

#include "numa/rounding.h"
#include "runtime/latency_by_level.h"

namespace postroom {
namespace {

void require_time(const char* name, double value, double least) {
  if (std::isfinite(value) && value >= least) return;
  throw std::invalid_argument(
      fmt::format("time model: {} {} is not allowed; at least {}", name, value, least));
}

}  // namespace

TimeModel TimeModel::of(const PostalParameters& parameters, int processors) {
  constexpr double kT0 = 1e6;
  TimeModel model =
      postal(parameters.lambda.of_ends(processors), kT0, parameters.unit_bytes, parameters.ports);
  const auto& levels = parameters.lambda.levels();
  if (levels != nullptr && levels->tree.leaf_count() == processors) model.levels = levels;
  return model;
}

TimeModel TimeModel::postal(const Rational& lambda, double t0_ns, std::size_t unit_bytes,
                            int ports) {
  (void)Latency(lambda);  // checks it
  TimeModel model;
  model.latency_ns = lambda.to_double() * t0_ns;
  model.busy_ns = t0_ns;
  model.unit_bytes = unit_bytes;
  model.ports = ports;
  model.check();
  return model;
}

double TimeModel::busy(std::int64_t bytes) const {
  std::int64_t units = 1;
  if (unit_bytes != 0 && std::cmp_greater(bytes, unit_bytes)) {
    units = ceil_divide<std::int64_t>(bytes, unit_bytes);
  }
  return static_cast<double>(units) * busy_ns + static_cast<double>(bytes) * per_byte_ns;
}

double TimeModel::fan_out(std::int64_t messages, std::int64_t bytes) const {
  if (messages == 0) return 0;
  const std::int64_t before_the_last = (messages - 1) / ports;
  return static_cast<double>(before_the_last) * sender_busy(bytes) + arrival(bytes);
}

double TimeModel::fan_in(std::int64_t messages, std::int64_t bytes) const {
  if (messages == 0) return 0;
  const std::int64_t before_the_last = (messages - 1) / ports;
  return static_cast<double>(before_the_last) * busy(bytes) + arrival(bytes);
}

void TimeModel::check() const {
  require_time("busy_ns", busy_ns, 0);
  require_time("latency_ns", latency_ns, busy_ns);
  require_time("per_byte_ns", per_byte_ns, 0);
  require_time("copy_per_byte_ns", copy_per_byte_ns, 0);
  if (ports < 1) {
    throw std::invalid_argument(
        fmt::format("time model: ports {} is not allowed; at least 1", ports));
  }
}

}  // namespace postroom
