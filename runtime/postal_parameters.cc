#include "runtime/postal_parameters.h"

#include <fmt/core.h>

#include <stdexcept>
#include <utility>

namespace postroom {
namespace {

bool allowed(const Rational& lambda) { return lambda >= 1 && lambda <= Latency::kMost; }

}  // namespace

Latency::Latency(const Rational& lambda) : uniform_(lambda) {
  if (!allowed(lambda)) {
    throw std::invalid_argument(
        fmt::format("lambda: {} is not allowed; 1 to {}", to_string(lambda), kMost));
  }
}

Latency::Latency(OfPair lambda) : of_pair_(std::move(lambda)) {
  if (of_pair_ == nullptr) {
    throw std::invalid_argument("lambda: an empty function is not allowed; give one of the pair");
  }
}

Rational Latency::of(int source, int target) const {
  if (uniform_) return *uniform_;
  const Rational lambda = of_pair_(source, target);
  if (!allowed(lambda)) {
    throw std::invalid_argument(
        fmt::format("lambda from processor {} to processor {}: {} is not allowed; 1 to {}", source,
                    target, to_string(lambda), kMost));
  }
  return lambda;
}

Rational Latency::of_ends(int processors) const {
  if (uniform_) return *uniform_;
  return processors > 1 ? of(0, processors - 1) : Rational(1);
}

void PostalParameters::check() const {
  if (ports < 1) {
    throw std::invalid_argument(fmt::format("ports: {} is not allowed; at least 1", ports));
  }
}

}  // namespace postroom
