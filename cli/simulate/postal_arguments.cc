#include "cli/simulate/postal_arguments.h"

#include <fmt/core.h>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "cli/common/failure.h"
#include "runtime/postal_parameters.h"

namespace postroom::cli {
namespace {

Rational fraction_from(std::string_view option, std::string_view text, int least) {
  Rational value;
  try {
    value = Rational::parse(text);
  } catch (const std::invalid_argument& error) {
    throw UsageError(fmt::format("{}: {}", option, error.what()));
  }
  if (value >= Rational(least)) return value;
  throw UsageError(fmt::format("{}: {} is not allowed; at least {}", option, text, least));
}

}  // namespace

Rational latency_of(std::string_view option, std::string_view text) {
  const Rational latency = fraction_from(option, text, 1);
  if (latency <= Latency::kMost) return latency;
  throw UsageError(fmt::format("{}: {} is not allowed; 1 to {}", option, text, Latency::kMost));
}

Rational time_of(std::string_view option, std::string_view text) {
  return fraction_from(option, text, 0);
}

std::chrono::nanoseconds duration_of(std::string_view option, std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 3> kUnits = {
      {{"us", 1'000}, {"ms", 1'000'000}, {"s", 1'000'000'000}}};
  for (const auto& [unit, ns] : kUnits) {
    if (!text.ends_with(unit)) continue;
    try {
      const Rational time = Rational::parse(text.substr(0, text.size() - unit.size())) * ns;
      if (time >= kUnits[0].second && time <= 1000 * kUnits[2].second) {
        return std::chrono::nanoseconds(time.floor());
      }
    } catch (const std::exception&) {
      break;  // not a number
    }
  }
  throw UsageError(fmt::format("{}: {} is not a time from 1us to 1000s, such as 200us, 1ms, 0.5s",
                               option, in_quotes(text)));
}

}  // namespace postroom::cli
