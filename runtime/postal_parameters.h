// The parameters of the postal model that a clock imposes on a machine.
//
// Source: [P], section 2.1: a send that starts at s occupies the sender's out-port during [s, s+1)
// and the receiver's in-port during [s+λ-1, s+λ); [I], section 1, for k ports of either kind.
// Beyond the papers: λ may depend on the pair, and a message may count as several units, which
// leave and arrive one right after the other.
//
// Errors: λ < 1, no ports: std::invalid_argument that names the value.
//
//   VirtualClock({.lambda = Rational(9, 5), .ports = 2, .unit_bytes = 512});
//   Latency near_or_far([](int source, int target) {
//     return source / 4 == target / 4 ? Rational(1) : Rational(5, 2);
//   });
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "numa/rounding.h"
#include "runtime/rational.h"

namespace postroom {

struct LatencyLevels;

/// λ: the same for all pairs of processors, or a function of the pair.
class Latency {
 public:
  using OfPair = std::function<Rational(int source, int target)>;
  /// The largest λ that clocks take, so that times stay within 64 bits.
  static constexpr std::int64_t kMost = 1'000'000'000;

  Latency(const Rational& lambda);  // NOLINT: a number is a latency
  Latency(std::integral auto lambda) : Latency(Rational(lambda)) {}  // NOLINT
  /// Must give the same whenever it is asked, from any thread.
  Latency(OfPair lambda);  // NOLINT: so is a function
  template <class F>
  requires std::is_invocable_r_v<Rational, const F&, int, int> Latency(F lambda)  // NOLINT
      : Latency(OfPair(std::move(lambda))) {}
  /// The same, where it is known that λ depends on the level at which the pair meets; see
  /// latency_by_level.h.
  Latency(OfPair lambda, std::shared_ptr<const LatencyLevels> levels) : Latency(std::move(lambda)) {
    levels_ = std::move(levels);
  }

  /// The λ of all pairs; none when it depends on the pair.
  const std::optional<Rational>& uniform() const noexcept { return uniform_; }
  /// What it depends on where that is the level; null otherwise.
  const std::shared_ptr<const LatencyLevels>& levels() const noexcept { return levels_; }
  Rational of(int source, int target) const;
  /// That of the first and the last of so many, which stands for all where one has to; 1 where
  /// there is nobody else.
  Rational of_ends(int processors) const;

 private:
  std::optional<Rational> uniform_;
  OfPair of_pair_;
  std::shared_ptr<const LatencyLevels> levels_;
};

struct PostalParameters {
  Latency lambda = Rational(1);
  /// k: how many messages a processor can send, and as many receive, at the same time.
  int ports = 1;
  /// A message of m bytes counts as ⌈m / unit_bytes⌉ units, at least one; 0: always as one.
  std::size_t unit_bytes = 0;

  /// Throws when something is not allowed.
  void check() const;
  /// How many units a message of `bytes` counts as.
  std::int64_t units_of(std::size_t bytes) const noexcept {
    if (unit_bytes == 0 || bytes <= unit_bytes) return 1;
    return static_cast<std::int64_t>(ceil_divide(bytes, unit_bytes));
  }
};

}  // namespace postroom
