// Virtual time: the postal model, exactly, without waiting.
//
// Source: [P], section 2.1 and [I], section 1 (see runtime/postal_parameters.h). Every processor
// carries a time of its own, 0 at the beginning of each run. A message of u units that is sent at s
// occupies an out-port of the sender during [s, s+u), where s is the sender's time or, when all its
// ports are busy then, the moment when one is free. It occupies an in-port of the receiver during
// [a-u, a), with a = s + λ + u - 1, or as soon after that as one is free (runtime/ports.h). The
// model in one sentence: only receiving, computing and barriers move a processor's time; sending is
// the ports' work.
//
//   send, start_send, lend   leave now() as it is; the next message leaves when a port is free
//   receive, borrow, wait    now() becomes the end of the receiving, if that is later
//   exchange                 all sends leave now; then now() is the end of the last receiving
//   wait of a send or loan   leaves now() as it is: the model knows no way back
//   compute(x)               now() grows by x, while the ports go on sending and receiving
//   barrier                  now() becomes the latest of all now(), at no cost and without messages
//   a message to oneself     takes no time and no port
//
// Times are whole ticks of 1/f, f being λ's denominator times ⌊λ⌋ (so that λ/⌊λ⌋, the step of the
// delay-send combine, is on the grid, too; the denominator alone where λ has 2^43 ticks so), or
// another number that is asked for. They depend on the
// program alone: not on the threads, nor on the order in which processors take turns. The one
// exception is a program that asks Pending::ready(), whose answer is whether the message was posted
// already.
//
// Cost: about 90 ns a message on an AMD Zen 5 (a message of a ping-pong on one thread takes 90 ns
// without a clock, 180 ns with this one). Memory: 250 bytes a processor, and 16 for each time that
// an in-port was idle between two messages. Errors: λ or ports that are not allowed and a grid that
// λ is not on are std::invalid_argument, in the constructor if λ is one number; where it is a
// function of the pair, when the machine is made, or before the message is sent if ticks_per_unit
// was given; so is what compute() is told if it is not on the grid, as halves are not where λ is 3
// (ticks_per_unit makes a finer one).
//
//   const auto clock = std::make_shared<VirtualClock>(Rational(9, 5));
//   Machine machine({.processors = 64, .clock = clock});
//   machine.run([](Processor& self) { … broadcast … });
//   to_string(clock->finish());   // "46/5"
#pragma once

#include <cstddef>
#include <vector>

#include "numa/cacheline.h"
#include "runtime/clock.h"
#include "runtime/ports.h"
#include "runtime/postal_parameters.h"

namespace postroom {

class VirtualClock final : public Clock {
 public:
  static constexpr Time kMostTicksPerUnit = 1'000'000'000;

  explicit VirtualClock(const Latency& lambda, int ports = 1)
      : VirtualClock(PostalParameters{.lambda = lambda, .ports = ports}) {}
  /// `ticks_per_unit`: the grid, a multiple of λ's denominator; 0: chosen as above, and where λ is
  /// a function, from what it says of all pairs, in p² calls when the machine is made, or of all
  /// levels (runtime/latency_by_level.h).
  explicit VirtualClock(PostalParameters parameters, Time ticks_per_unit = 0);

  /// The time of `processor`, and the latest of all: between runs that of the last run's end.
  /// std::invalid_argument for one that the machine does not have; before there is one, for all.
  Rational time(int processor) const;
  Rational finish() const;

  // --- Clock.

  void start(int processors) override;
  void start_run(int processors) override;
  Time now(int processor) override { return of(processor).now; }
  Time ticks_per_unit() const override { return ticks_per_unit_; }
  Flight sent(int source, int target, std::size_t bytes) override;
  Time delivered(int source, int target, std::size_t bytes, Time arrival) override;
  std::int64_t advance(int processor, Time time) override;
  Time computed(int processor, const Rational& units) override;
  bool barrier_is_free() const override { return true; }
  const PostalParameters* model() const noexcept override { return &parameters_; }

 private:
  // Read and written by the thread of its processor alone.
  struct alignas(kNoSharing) Record {
    Time now = 0;
    Ports out;
    Ports in;
  };

  const Record& of(int processor) const { return records_[static_cast<std::size_t>(processor)]; }

  Time ticks_of_lambda(int source, int target) const;
  Time ticks_for_all_pairs(int processors) const;

  PostalParameters parameters_;
  bool chooses_grid_;  // anew for each machine
  Time ticks_per_unit_;
  Time uniform_lambda_ = 0;  // in ticks; 0: it depends on the pair
  std::vector<Record> records_;
};

}  // namespace postroom
