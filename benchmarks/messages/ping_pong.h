// The measure of all messages: one cache line that goes to and fro between two pinned threads.
//
// Nothing but a number in a line that each of the two spins on in turn; no message can be faster.
// What it takes moves with the machine (and with what the host of a virtual machine does), so every
// benchmark prints it beside its own figures, before and after.
#pragma once

namespace postroom::benchmarks {

/// Nanoseconds one way, the median of eleven batches of `round_trips`, 50 ms where a line takes 60
/// ns. The threads run on the first two leaves that a machine of two processors would use.
double ping_pong_ns(int round_trips = 40'000);

}  // namespace postroom::benchmarks
