// What a collective costs in the round model.
//
// Source: [I], section 1.2. In a round every processor sends at most k messages and receives at
// most k, k being the number of ports; C1 is the number of rounds, C2 the sum over the rounds of
// the largest message of the round. The time of an algorithm in the linear model is then about C1
// start-ups and the transfer of C2 bytes. What does not travel (rotations, packing, combining) is
// not counted. Precondition: C1, C2 and the bytes of all lists together fit into a std::int64_t.
//
// Beside each operation stands a function ..._cost(processors, bytes, algorithm), and one for the
// time in a model, ..._time (collectives/models/time_model.h). ports_of_cost() says with how many
// ports it counts. Trace counts the same when a machine runs it; but it gives a message the round
// of its sender, so where a processor receives from several others, one after another (gather,
// reduce), it may count less. What sends no messages (slots, turns) costs nothing here, but what
// collectives/models/shared_work.h says instead. What teams cost depends on the box:
// collectives/parts/teams.h. So does, with blocks of different sizes, what `shared` (alltoallv) and
// `one_phase` cost: the formula has the order of a box of one node (parts/partner_order.h).
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <iosfwd>

#include "collectives/algorithm.h"

namespace postroom {

struct Cost {
  std::int64_t rounds = 0;  ///< C1
  std::int64_t bytes = 0;   ///< C2

  /// One round whose largest message has `bytes`.
  static constexpr Cost round(std::integral auto bytes) {
    return {1, static_cast<std::int64_t>(bytes)};
  }
  friend bool operator==(const Cost&, const Cost&) = default;
  /// One after the other.
  friend Cost operator+(Cost a, Cost b) { return {a.rounds + b.rounds, a.bytes + b.bytes}; }
  /// So many, one after the other.
  friend Cost operator*(std::int64_t times, Cost a) { return {times * a.rounds, times * a.bytes}; }
  Cost& operator+=(Cost other) { return *this = *this + other; }
};

/// "4 rounds, 120 bytes".
std::ostream& operator<<(std::ostream& out, const Cost& cost);

/// With how many ports the cost of `algorithm` counts: with those that it names, `flooding` p - 1,
/// `queueless` ⌈p/2⌉, the others one; at least one. Lower bounds
/// (collectives/models/lower_bounds.h) are to be compared for as many.
int ports_of_cost(const Algorithm& algorithm, int processors);

/// ⌈log2 processors⌉: the least number of rounds in which one processor can reach all the others
/// through one port. Precondition: processors >= 1.
constexpr int doubling_rounds(int processors) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(processors) - 1));
}

}  // namespace postroom
