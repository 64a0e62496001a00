// The parameters that are worth a try: radix, ports, number of blocks and latency of an algorithm,
// for so many processors and bytes in a TimeModel.
//
// A radix r is taken for each number of subphases, as small as it can be; ports up to those that
// pay where λ is large; blocks in powers of four, then some numbers around the best of them; λ is
// that of the message that travels. A few dozen at most.
//
//   // bruck(2), bruck(3), bruck(4), bruck(8), …
//   variants_of(Algorithm::bruck(2), 64, 128, model);
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "collectives/algorithm.h"
#include "collectives/models/time_model.h"

namespace postroom {

/// Without the numbers of blocks between powers of four.
std::vector<Algorithm> variants_of(const Algorithm& listed, int processors, std::int64_t bytes,
                                   const TimeModel& model);

struct Timed {
  Algorithm algorithm;
  double time;
};
/// All variants with their times, each asked for once: infinite where one does not run.
std::vector<Timed> timed_variants(const Algorithm& listed, int processors, std::int64_t bytes,
                                  const TimeModel& model,
                                  const std::function<double(const Algorithm&)>& time);

/// λ of a message of `bytes`: its latency divided by the time that it occupies a port, as a
/// fraction with a small denominator.
Rational latency_of_message(std::int64_t bytes, const TimeModel& model);

/// A predicted time, as of broadcast_time.
using TimeOf = double (*)(int processors, std::int64_t bytes, const Algorithm& algorithm,
                          const TimeModel& model);

/// The variant of `listed` that takes least, or `usual` where none is faster; where memory is
/// shared, and the model but an estimate, none is twice as fast. Milliseconds where lists may be
/// cut into many blocks, otherwise some tens of microseconds for 64 processors.
Algorithm fastest_of(std::span<const Algorithm> listed, int processors, std::int64_t bytes,
                     const TimeModel& model, TimeOf time_of, const Algorithm& usual);
/// The same where the time depends on more than that; `bytes` is then of what is cut into blocks.
Algorithm fastest_of(std::span<const Algorithm> listed, int processors, std::int64_t bytes,
                     const TimeModel& model, const std::function<double(const Algorithm&)>& time,
                     const Algorithm& usual);
/// Whether a choice does without `algorithm`, as its replay takes too long: that of blocks of a
/// size for each processor takes blocks p² steps, so a second or so is enough for all numbers of
/// blocks.
bool replays_too_long(int processors, const Algorithm& algorithm);

}  // namespace postroom
