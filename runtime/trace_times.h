// How the times of a trace are written for people: of a model in its units, as fractions; real ones
// in nanoseconds to seconds since the first message was sent, whichever suits how long it all took.
#pragma once

#include <string>

#include "runtime/clock.h"
#include "runtime/trace.h"

namespace postroom {

class TraceTimes {
 public:
  explicit TraceTimes(const Trace& trace);

  /// From 0 in a model, else from the first start, to when the last message is there and no port is
  /// busy any more; both 0 without messages.
  Time begin() const noexcept { return begin_; }
  Time end() const noexcept { return end_; }
  /// "15/2", "3.2 µs".
  std::string label(Time time) const;

 private:
  double nanoseconds(Time span) const;

  Time ticks_per_unit_;
  bool real_;
  Time begin_ = 0;
  Time end_ = 0;
};

}  // namespace postroom
