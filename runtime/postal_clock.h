// The postal model in real time: real threads, real waiting.
//
// Source: [P], section 2.1 (see runtime/postal_parameters.h). With t0 the time of one unit, a
// message of u units that is sent at s keeps an out-port of the sender busy for u·t0 and becomes
// visible to the receiver at s + (λ + u - 1)·t0, and not before: its receive, its borrow and
// Pending::ready() wait for it. A send that finds all ports busy is sent when one is free; its
// program goes on meanwhile, as under runtime/virtual_clock.h, whose table holds here, too.
//
//   now()        nanoseconds since the run began; a unit is t0
//   compute(x)   the processor waits for x·t0
//   barrier      costs what it really costs
//
// A processor that waits lets the others of its thread run, so many more processors than cores keep
// the model's times as long as what they really compute is little beside t0. A thread that has
// nothing else to do sleeps, until 0.1 ms before the next time that somebody waits for.
//
// Accuracy: times are rounded to nanoseconds; a wait ends some microseconds late where a core is
// free. Memory: as virtual_clock.h. Errors: as there; t0 below 1 ns, too.
//
//   using namespace std::chrono_literals;
//   const auto clock = std::make_shared<PostalClock>(Rational(9, 5), 1ms);
//   Machine machine({.processors = 64, .clock = clock});
#pragma once

#include <chrono>
#include <vector>

#include "numa/cacheline.h"
#include "runtime/clock.h"
#include "runtime/ports.h"
#include "runtime/postal_parameters.h"

namespace postroom {

class PostalClock final : public Clock {
 public:
  /// The longest t0: a thousand seconds.
  static constexpr std::chrono::nanoseconds kMostT0 = std::chrono::seconds(1000);

  PostalClock(const Latency& lambda, std::chrono::nanoseconds t0)
      : PostalClock(PostalParameters{.lambda = lambda}, t0) {}
  PostalClock(PostalParameters parameters, std::chrono::nanoseconds t0);

  void start(int processors) override;
  void start_run(int processors) override;
  Time now(int processor) override;
  Time ticks_per_unit() const override { return t0_; }
  Flight sent(int source, int target, std::size_t bytes) override;
  Time delivered(int source, int target, std::size_t bytes, Time arrival) override;
  std::int64_t advance(int processor, Time time) override;
  Time computed(int processor, const Rational& units) override;
  bool barrier_is_free() const override { return true; }
  const PostalParameters* model() const noexcept override { return &parameters_; }

 private:
  // Read and written by the thread of its processor alone.
  struct alignas(kNoSharing) Record {
    Ports out;
    Ports in;
  };

  Time nearest_ticks(const Rational& units) const;

  PostalParameters parameters_;
  Time t0_;
  std::int64_t beginning_ns_ = 0;  // of the run; published by the start of the run
  std::vector<Record> records_;
};

}  // namespace postroom
