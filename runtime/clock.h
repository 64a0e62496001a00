// The time of a machine, as a policy.
//
// A Clock says when a message leaves, when it may be received and what time a processor sees.
// Programs only ever see Processor::now(), so the same program runs under every clock. Times are
// whole ticks; what a tick is, the clock says. Nothing compares floating-point times.
//
// What the runtime asks, in this order for each message:
//   sent        by the sender, when its program sends: occupies an out-port
//   delivered   by the receiver, when its program takes the message: occupies an in-port
//   advance     by the receiver, when its program is to go on: there is the message
// and computed + advance for Processor::compute, advance for a free barrier. A processor's number
// is asked about only on the thread that carries it, so a clock that keeps one record a processor
// needs no synchronisation.
//
// Sending moves no time of its own: a port sends while the program goes on. So it makes no
// difference to the times whether a message is sent by send, start_send, exchange or lend, whether
// it is small or large, or when somebody waits for a Pending of a send or of a loan.
//
// A clock serves one machine at a time: several may take turns, run by run (ClockUse).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "runtime/rational.h"

namespace postroom {

struct PostalParameters;

/// A point in time or a span, in ticks of the machine's clock.
using Time = std::int64_t;

/// Sum and product of times; std::overflow_error when they do not fit.
Time later(Time time, Time span);
Time multiple(std::int64_t factor, Time span);

/// What a clock says of a message when it is sent.
struct Flight {
  Time start = 0;    ///< when a port begins to send it
  Time arrival = 0;  ///< when it can be there at the earliest
  Time busy = 0;     ///< for how long it occupies a port at either end; 0 where there are no ports
};

class Clock {
 public:
  virtual ~Clock() = default;

  /// Called once by the machine, in its constructor.
  virtual void start(int processors) = 0;
  /// Called before each run, while no processor runs. So many processors: another machine may have
  /// had the clock in between.
  virtual void start_run(int /*processors*/) {}

  /// The time that `processor` sees now.
  virtual Time now(int processor) = 0;
  /// Ticks in one second of real time, or in one unit of model time.
  virtual Time ticks_per_unit() const = 0;

  /// `source` sends a message now.
  virtual Flight sent(int source, int target, std::size_t bytes) = 0;
  /// `target` takes a message that can be there at `arrival`. Returns when its receiving is over:
  /// later than `arrival` when the in-port has other messages to receive.
  virtual Time delivered(int source, int target, std::size_t bytes, Time arrival) = 0;
  /// The program of `processor` goes on at `time`, or goes on at once when that has passed. Returns
  /// the instant, in nanoseconds of steady_now_ns(), that it has to wait for; 0: none.
  virtual std::int64_t advance(int processor, Time time) = 0;
  /// The time at which `processor` is through with computing for `units`, begun now. By default
  /// that takes no time besides the real one.
  virtual Time computed(int processor, const Rational& units);
  /// Whether a barrier is not made of messages, but takes every processor to the latest of their
  /// times at no cost. Otherwise it is ⌈log2 p⌉ rounds of empty messages, which take their time.
  virtual bool barrier_is_free() const { return false; }
  /// Whether messages take the time of a model. Then processors are told that they share no memory:
  /// to read it in place would take no time.
  virtual bool is_model() const { return true; }
  /// The parameters of the postal model, where that is the model; null otherwise.
  virtual const PostalParameters* model() const noexcept { return nullptr; }

  /// `time` in seconds, or in units of model time, exactly.
  Rational units(Time time) const { return {time, ticks_per_unit()}; }

 private:
  friend class ClockUse;

  std::atomic<bool> is_used_{false};
};

/// A machine's use of `clock`, to start it or for a run, as long as this lives; nothing where that
/// is null. std::logic_error where another one uses it: each would change the other's times.
class ClockUse {
 public:
  explicit ClockUse(Clock* clock);
  ~ClockUse();
  ClockUse(const ClockUse&) = delete;
  ClockUse& operator=(const ClockUse&) = delete;

 private:
  Clock* const clock_;
};

/// Real time: a tick is a nanosecond, a message is there when it is received.
class WallClock final : public Clock {
 public:
  void start(int) override {}
  Time now(int processor) override;
  Time ticks_per_unit() const override { return 1'000'000'000; }
  Flight sent(int source, int target, std::size_t bytes) override;
  Time delivered(int, int target, std::size_t, Time) override { return now(target); }
  std::int64_t advance(int, Time) override { return 0; }
  bool is_model() const override { return false; }
};

}  // namespace postroom
