#include "cli/postal_arguments.h"

#include <fmt/format.h>

#include <stdexcept>

#include "cli/failure.h"

namespace postroom::cli {
namespace {

Rational fraction_from(std::string_view option, std::string_view text, int least) {
  Rational value;
  try {
    value = Rational::parse(text);
  } catch (const std::exception&) {
    throw UsageError(fmt::format("{}: {} is not a number or a fraction such as 2, 1.8, 9/5", option,
                                 in_quotes(text)));
  }
  if (value >= Rational(least)) return value;
  throw UsageError(fmt::format("{}: {} is not allowed; at least {}", option, text, least));
}

}  // namespace

Rational latency_of(std::string_view option, std::string_view text) {
  return fraction_from(option, text, 1);
}

Rational time_of(std::string_view option, std::string_view text) {
  return fraction_from(option, text, 0);
}

}  // namespace postroom::cli
