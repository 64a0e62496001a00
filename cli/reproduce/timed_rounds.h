// Times of several contestants, measured in turns.
//
// Whatever disturbs the box for a while then disturbs all of them. Medians are reported, with the
// quartiles as their spread; the least is what the contestant takes when nothing disturbs it.
//
//   const std::vector<Summary> times = in_turns({fast, slow}, /*rounds=*/9);
//   times[0].median;
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "cli/common/robust.h"
#include "runtime/clock.h"
#include "runtime/machine.h"
#include "runtime/processor.h"

namespace postroom::cli {

/// Measures once and returns the time.
using Contestant = std::function<double()>;

/// Each once a round, one after another; a round before that does not count.
std::vector<Summary> in_turns(const std::vector<Contestant>& contestants, int rounds);

/// A machine whose runs are timed.
class TimedMachine {
 public:
  /// Without a clock: the wall clock.
  explicit TimedMachine(int processors, std::shared_ptr<Clock> clock = nullptr);

  using Program = std::function<void(Processor&)>;

  /// Seconds from when the first processor begins until the last one has ended, divided by
  /// `repeats`: all run `prepare`, meet at a barrier and run `program` so often.
  double seconds(const Program& program, int repeats = 1, const Program& prepare = {});

 private:
  Machine machine_;
  struct Stamps {
    Time begin;
    Time end;
  };
  std::vector<Stamps> stamps_;  // by processor, each written by its own
};

}  // namespace postroom::cli
