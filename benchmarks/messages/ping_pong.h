// The measure of all messages: one cache line that goes to and fro between two pinned threads.
//
// Nothing but a number in a line that each of the two spins on in turn. What it takes moves with
// the machine (and with what the host of a virtual machine does), so every benchmark prints it
// beside its own figures, before and after.
//
// It spins as such measurements do, without a pause between two looks. With one it is faster yet:
// the looks that are under way when the line comes no longer hold up what follows.
#pragma once

#include <atomic>

#include "numa/cacheline.h"

namespace postroom::benchmarks {

/// For two threads that are there already: one asks while the other answers as many times, and both
/// pause between two looks or neither.
class PingPong {
 public:
  void ask(int round_trips, bool pauses = false);
  void answer(int round_trips, bool pauses = false);

 private:
  void wait_for(int number, bool pauses) const;
  void put(int number);

  alignas(kNoSharing) std::atomic<int> number_{0};
  alignas(kNoSharing) int asked_ = 0;
  alignas(kNoSharing) int answered_ = 0;
};

/// Nanoseconds one way, the median of eleven batches of `round_trips`, 50 ms where a line takes 60
/// ns. The threads run on the first two leaves that a machine of two processors would use.
double ping_pong_ns(int round_trips = 40'000);

}  // namespace postroom::benchmarks
