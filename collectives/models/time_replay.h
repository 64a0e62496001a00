// The messages of an algorithm, one by one, under a TimeModel: what a VirtualClock would say, with
// no machine, no data and no stacks.
//
// For algorithms without a closed formula. Whoever replays goes through the messages in an order in
// which each is sent before it is received, and each processor's calls come in the order of its
// program. Where all processors do the same at the same times, one of them is enough: it receives
// what it sent itself.
//
// Times are whole ticks, 720,720 of them in t0, so that the latencies in use are exact. Cost: some
// tens of nanoseconds a message. Memory: two Ports a processor.
//
//   TimeReplay replay(model, 2);
//   replay.receive(1, 8, replay.send(0, 8));    // processor 0 sends 8 bytes to processor 1
//   replay.finish_ns();                         // model.arrival(8)
#pragma once

#include <cstdint>
#include <vector>

#include "collectives/models/time_model.h"
#include "runtime/clock.h"
#include "runtime/ports.h"

namespace postroom {

class TimeReplay {
 public:
  /// All begin at 0. `most_at_once`: how many messages a processor has under way in one direction
  /// at most; more ports are never used. Where processors drift apart, because their messages are
  /// of different sizes, that is more than a round has: model.ports is always enough.
  TimeReplay(const TimeModel& model, int processors, int most_at_once);

  /// `source` sends now; its time does not move. Returns when the message can be there.
  Time send(int source, std::int64_t bytes);
  /// `target` takes a message and goes on when it is there.
  void receive(int target, std::int64_t bytes, Time arrival);

  Time now(int processor) const { return records_[static_cast<std::size_t>(processor)].now; }
  Time finish() const;
  /// std::overflow_error where they are too many.
  Time ticks(double ns) const;
  double ns(Time time) const { return static_cast<double>(time) * tick_ns_; }
  double finish_ns() const { return ns(finish()); }

 private:
  struct Record {
    Time now = 0;
    Ports out;
    Ports in;
  };

  Time busy(std::int64_t bytes);

  const TimeModel model_;
  double tick_ns_;
  Time flight_;
  Time unit_ = 0;              // an empty message's busy time
  std::int64_t busy_of_ = -1;  // the size that was asked about last, which is often the next
  Time busy_ = 0;
  std::vector<Record> records_;
};

}  // namespace postroom
