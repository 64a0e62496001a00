// The ports of one processor in one direction: k of them, each busy with one message at a time.
//
// A message takes the first stretch of time, from when it is there at the earliest, in which a port
// is idle for as long as it needs. So messages whose times do not collide keep their times, in
// whatever order they are asked about; of those that collide, the one asked about first goes first.
// For an in-port that is the order in which the program receives: it depends on the program alone,
// never on how threads were scheduled.
//
// Who may call: one thread. Cost: O(log gaps) to find the place, nearly always O(1); a message that
// leaves a gap before others moves the spans behind it. Memory: one span for each time
// that a port was idle long enough for a message, until it is forgotten; of a single port, the
// first span needs no memory of its own.
//
//   Ports ports(1, /*shortest=*/5);
//   ports.occupy(0, 5);    // 0: busy during [0, 5)
//   ports.occupy(12, 5);   // 12
//   ports.occupy(3, 5);    // 5
//   ports.occupy(3, 5);    // 17: [10, 12) is too short
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>

#include "runtime/clock.h"

namespace postroom {

class Ports {
 public:
  /// `ports` of them, at least one, all idle. No message is shorter than `shortest`.
  Ports(int ports, Time shortest) : busy_(static_cast<std::size_t>(ports)), shortest_(shortest) {}

  /// Makes a port busy for `length`, from `earliest` on or later, and returns the beginning. Of
  /// several ports that can begin at the same time, the one with the lowest number. Throws
  /// std::overflow_error when times do not fit 64 bits.
  Time occupy(Time earliest, Time length);
  /// Nobody will ask for a time before `time` any more.
  void forget_before(Time time);
  /// All idle, as in the beginning.
  void clear();

 private:
  struct Span {
    Time begin;
    Time end;
  };
  struct Place {
    Time begin;
    std::size_t index;  // of the span before which it lies
  };
  // By time; what lies between two is at least shortest_ long.
  using Spans = boost::container::small_vector<Span, 1>;

  static Place first_place(const Spans& spans, Time earliest, Time length);
  void insert(Spans& spans, std::size_t index, Span span) const;

  boost::container::small_vector<Spans, 1> busy_;
  Time shortest_;
};

}  // namespace postroom
