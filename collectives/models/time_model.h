// What a message takes, in nanoseconds: the postal model with units and ports, and with a part that
// grows with each byte.
//
// Source: [P], section 2.1 (λ, t0), and [I], section 1.2 (start-up β, transfer τ). A message of m
// bytes counts as u units, as runtime/postal_parameters.h has it. Sent at s, it occupies an
// out-port of its sender during [s, s + busy) and an in-port of its receiver during
// [s + flight, s + flight + busy), and is there at the end of that:
//
//   busy = u t0 + m τ      flight = (λ - 1) t0
//
// So an empty message is there λ t0 after its start.
//
// Beside each ..._cost(processors, bytes, algorithm) stands ..._time(processors, bytes, algorithm,
// model): when the last processor has its result if all begin at the same time, processor 0 being
// the root. It is what a run under a clock with this model takes, exactly (to the rounding of
// doubles, some 10^-6) unless the operation's header says otherwise. What is not a message
// (combining, copying, rotating) takes no time but for algorithms that read the memory of others,
// see copy_per_byte_ns. It is infinite (kNotPredicted) for algorithms that processors of this model
// cannot run, for those that send no messages (slots, turns, there also the machine's own barrier)
// and for what depends on the box (teams).
//
// Cost of each: microseconds for 64 processors; O(p log p) times the number of blocks, unless the
// operation's header says otherwise. Errors: std::invalid_argument as for the cost, and for a model
// that makes no sense: latency below busy time, negative numbers, no ports.
//
//   const TimeModel model = TimeModel::postal(Rational(9, 5), 200'000);   // λ, t0 in nanoseconds
//   broadcast_time(64, 1, Algorithm::lambda_tree(Rational(9, 5)), model);   // 9.2 t0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

#include "runtime/postal_parameters.h"
#include "runtime/rational.h"

namespace postroom {

inline constexpr double kNotPredicted = std::numeric_limits<double>::infinity();

/// By so much a prediction has to be shorter to be preferred: more than rounding makes of it.
inline constexpr double kShorter = 1 - 1e-6;

struct TimeModel {
  double latency_ns = 1;       ///< λ t0: from the start of a send until one unit can be received
  double busy_ns = 1;          ///< t0: for how long a unit occupies a port at either end
  double per_byte_ns = 0;      ///< τ: each byte more, at the ports and on the way
  std::size_t unit_bytes = 0;  ///< as PostalParameters::unit_bytes
  int ports = 1;
  /// Whether processors can read the memory of others, and what a byte of that takes.
  bool shares_memory = false;
  double copy_per_byte_ns = 0;
  /// Where λ depends on the level at which two processors meet: broadcasts of one message along a
  /// tree are predicted by it, everything else by latency_ns, which is that of the last level then.
  std::shared_ptr<const LatencyLevels> levels = nullptr;

  /// That of a clock for so many processors, t0 being one millisecond. Where λ depends on the pair,
  /// latency_ns is that of the first and the last one, and `levels` are set if they are those of so
  /// many processors.
  static TimeModel of(const PostalParameters& parameters, int processors);
  static TimeModel postal(const Rational& lambda, double t0_ns, std::size_t unit_bytes = 0,
                          int ports = 1);

  /// For how long a message of `bytes` occupies a port.
  double busy(std::int64_t bytes) const;
  /// From the moment that it occupies a port of the sender to that when it occupies one of the
  /// receiver.
  double flight() const { return latency_ns - busy_ns; }
  /// From the start of a send until a message of `bytes` is there, when no port is busy.
  double arrival(std::int64_t bytes) const { return flight() + busy(bytes); }
  /// For how long it occupies the port of its sender: where memory is shared the receiver reads the
  /// bytes by itself.
  double sender_busy(std::int64_t bytes) const { return busy(shares_memory ? 0 : bytes); }
  /// `messages` of `bytes` each that one processor sends to several, one after another, or that it
  /// receives from several: until the last is there; 0 for none.
  double fan_out(std::int64_t messages, std::int64_t bytes) const;
  double fan_in(std::int64_t messages, std::int64_t bytes) const;

  /// Throws std::invalid_argument, with one line, when something is not allowed.
  void check() const;

  friend bool operator==(const TimeModel&, const TimeModel&) = default;
};

}  // namespace postroom
