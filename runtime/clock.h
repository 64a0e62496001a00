// The time of a machine, as a policy.
//
// A Clock says when a message may be received and what time a processor sees. The runtime asks it
// at each send and each receive; programs only ever see Processor::now(), so the same program runs
// under every clock. Times are whole ticks; what a tick is, the clock says. Nothing compares
// floating-point times.
//
// Who calls: sent() and now(self) on the thread of the processor `self`, delivered() on the thread
// of the receiver. A clock keeps one record a processor, written by that processor alone.
#pragma once

#include <cstddef>
#include <cstdint>

namespace postroom {

/// A point in time or a span, in ticks of the machine's clock.
using Time = std::int64_t;

class Clock {
 public:
  virtual ~Clock() = default;

  /// Called once by the machine before its first run.
  virtual void start(int processors) = 0;

  /// The time that `processor` sees now.
  virtual Time now(int processor) = 0;

  /// Ticks in one second of real time, or in one unit of model time.
  virtual Time ticks_per_unit() const = 0;

  /// `source` begins a send now. Occupies its out-port and returns the time of arrival.
  virtual Time sent(int source, int target, std::size_t bytes) = 0;

  /// `target` takes a message that arrives at `arrival`. Waits, or moves the processor's own time,
  /// until then, and occupies its in-port. Returns the time at which the message is there.
  virtual Time delivered(int source, int target, std::size_t bytes, Time arrival) = 0;
};

/// Real time: a tick is a nanosecond, a message may be received as soon as it is there.
class WallClock final : public Clock {
 public:
  void start(int) override {}
  Time now(int processor) override;
  Time ticks_per_unit() const override { return 1'000'000'000; }
  Time sent(int source, int, std::size_t) override { return now(source); }
  Time delivered(int, int target, std::size_t, Time) override { return now(target); }
};

}  // namespace postroom
