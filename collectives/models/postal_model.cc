#include "collectives/models/postal_model.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "runtime/clock.h"

namespace postroom {
namespace {

// Products of two 64-bit numbers.
__extension__ using Wide = __int128;

// Times stay below this, so that sums of two of them are safe.
constexpr std::int64_t kMostSteps = 1'000'000'000'000'000'000;

void require_processors(std::int64_t processors, std::int64_t least) {
  if (processors >= least) return;
  throw std::invalid_argument("postal model: processors " + std::to_string(processors) +
                              " is not allowed; at least " + std::to_string(least));
}

/// k^b (a + b over b), or `enough` where it is no less. The smaller of a and b says how many
/// factors the coefficient has.
std::int64_t paths(std::int64_t a, std::int64_t b, std::int64_t k, std::int64_t enough) {
  const std::int64_t factors = std::min(a, b);
  const std::int64_t rest = std::max(a, b);
  Wide product = 1;
  for (std::int64_t i = 1; i <= factors; ++i) {
    product = product * (rest + i) / i;
    if (product >= enough) return enough;
  }
  for (std::int64_t i = 0; i < b && k > 1; ++i) {
    product *= k;
    if (product >= enough) return enough;
  }
  return static_cast<std::int64_t>(product);
}

std::int64_t floor_of_quotient(Wide numerator, Wide denominator) {
  const Wide quotient = numerator / denominator;
  return static_cast<std::int64_t>(numerator % denominator < 0 ? quotient - 1 : quotient);
}

}  // namespace

PostalModel::PostalModel(Rational latency, int ports)
    : latency_steps_(latency.numerator()), steps_per_unit_(latency.denominator()), ports_(ports) {
  if (ports < 1) {
    throw std::invalid_argument("postal model: ports " + std::to_string(ports) +
                                " is not allowed; at least 1");
  }
  if (latency_steps_ < steps_per_unit_) {
    throw std::invalid_argument("postal model: latency " + to_string(latency) +
                                " is not allowed; at least 1");
  }
}

std::int64_t PostalModel::reach_in(std::int64_t steps, std::int64_t enough) const {
  std::int64_t reached = 0;
  std::int64_t left = steps;
  for (std::int64_t messages = 0; left >= 0 && reached < enough; ++messages) {
    // At most enough + enough - 1, which still fits into 64 bits without a sign.
    const std::uint64_t sum =
        static_cast<std::uint64_t>(reached) +
        static_cast<std::uint64_t>(paths(left / steps_per_unit_, messages, ports_, enough));
    reached = static_cast<std::int64_t>(std::min(sum, static_cast<std::uint64_t>(enough)));
    left -= latency_steps_;
  }
  return reached;
}

std::int64_t PostalModel::reach(Rational time) const {
  if (time < 0) return 0;
  const Wide steps = static_cast<Wide>(time.numerator()) * steps_per_unit_;
  const Wide bounded = std::min(steps, static_cast<Wide>(kMostSteps) * time.denominator());
  return reach_in(floor_of_quotient(bounded, time.denominator()), kMost);
}

std::int64_t PostalModel::steps_for(std::int64_t processors) const {
  require_processors(processors, 1);
  if (processors == 1) return 0;
  // A root that sends all messages itself needs λ + n - 2.
  const Wide star = static_cast<Wide>(processors - 2) * steps_per_unit_ + latency_steps_;
  std::int64_t too_few = 0;
  std::int64_t enough = latency_steps_;
  while (enough < star && reach_in(enough, processors) < processors) {
    too_few = enough;
    if (enough >= kMostSteps / 2) {
      throw std::invalid_argument("postal model: latency " + to_string(latency()) + " for " +
                                  std::to_string(processors) +
                                  " processors is not allowed; a time below 10^18 steps");
    }
    enough = static_cast<std::int64_t>(std::min<Wide>(static_cast<Wide>(enough) * 2, star));
  }
  while (enough - too_few > 1) {
    const std::int64_t middle = too_few + (enough - too_few) / 2;
    (reach_in(middle, processors) < processors ? too_few : enough) = middle;
  }
  return enough;
}

Rational PostalModel::time(std::int64_t processors) const {
  return Rational(steps_for(processors), steps_per_unit_);
}

PostalModel::Split PostalModel::split(std::int64_t processors) const {
  require_processors(processors, 2);
  const std::int64_t steps = steps_for(processors);
  const std::int64_t kept = reach_in(steps - steps_per_unit_, processors);
  const std::int64_t given = reach_in(steps - latency_steps_, processors);
  return {std::max<std::int64_t>(1, processors - given), std::min(processors - 1, kept)};
}

// At each time some processors, all alike, begin to send: the root, those that have sent their last
// message one unit before, and those that a message has just reached. The last two kinds are
// already in the order of time.
std::vector<PostalModel::Corner> PostalModel::corners(std::int64_t processors) const {
  require_processors(processors, 1);
  struct Senders {
    std::int64_t steps;
    std::int64_t count;
  };
  std::vector<Senders> again{{0, 1}};
  std::vector<Senders> reached;
  std::vector<Corner> corners;
  std::size_t next_again = 0;
  std::size_t next_reached = 0;
  std::size_t unit_earlier = 0;  // how many corners lie at least a unit before the last one
  std::int64_t total = 1;
  while (total < processors) {
    std::int64_t now = again[next_again].steps;
    if (next_reached < reached.size()) now = std::min(now, reached[next_reached].steps);
    std::int64_t senders = 0;
    if (again[next_again].steps == now) senders += again[next_again++].count;
    if (next_reached < reached.size() && reached[next_reached].steps == now) {
      senders += reached[next_reached++].count;
    }
    again.push_back({later(now, steps_per_unit_), senders});
    reached.push_back({later(now, latency_steps_), senders});
    total = senders > kMost - total ? kMost : total + senders;

    const std::int64_t steps = later(now, latency_steps_);
    while (unit_earlier < corners.size() &&
           corners[unit_earlier].steps <= steps - steps_per_unit_) {
      ++unit_earlier;
    }
    corners.push_back({steps, total, unit_earlier == 0 ? 1 : corners[unit_earlier - 1].processors});
  }
  return corners;
}

double PostalModel::growth() const {
  const double latency = static_cast<double>(latency_steps_) / static_cast<double>(steps_per_unit_);
  double low = 1;
  double high = 2;
  for (int step = 0; step < 100; ++step) {
    const double middle = (low + high) / 2;
    const bool too_low = 1 / middle + std::pow(middle, -latency) > 1;
    (too_low ? low : high) = middle;
  }
  return (low + high) / 2;
}

double break_even_latency(std::int64_t whole) {
  if (whole < 1) {
    throw std::invalid_argument("break-even latency: whole part " + std::to_string(whole) +
                                " is not allowed; at least 1");
  }
  const auto log_of_growth = [](std::int64_t latency) {
    return std::log(PostalModel(Rational(latency)).growth());
  };
  return static_cast<double>(whole) * log_of_growth(whole) / log_of_growth(whole + 1);
}

}  // namespace postroom
