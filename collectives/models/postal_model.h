// The postal model: how many processors a message reaches in a given time, exactly.
//
// Source: [P], sections 2.1, 2.3, 2.5 and 3. A send that starts at time s keeps the sender's port
// busy until s + 1 and is complete at the receiver at s + λ; the latency λ >= 1 is rational. With
// λ = u/f in lowest terms everything happens on a grid of steps of 1/f, so times are whole numbers
// of steps and no floating-point number is ever compared.
//
// N_λ(t) = 1 for t < λ, else N_λ(t-1) + N_λ(t-λ): reach(). Counting the processors by how many
// messages b lie between them and the root gives it in closed form, with no table:
//
//   N_λ(t) = Σ over b with bλ <= t of the binomial coefficient (⌊t - bλ⌋ + b over b)
//
// Beyond the paper: with k ports a processor sends k messages at a time, N_λ(t) = N_λ(t-1) +
// k N_λ(t-λ), and each term has a factor k^b. reach() and time() know k; the rest is for one port.
//
// Cost: reach() O(t/λ) terms; time() and split() some tens of reach(), so microseconds for 10^9
// processors; corners() O(corners), of which there are at most f t and at most n. Errors:
// std::invalid_argument for λ < 1, for less than one port or processor, and for an optimal time of
// 10^18 steps or more.
//
//   const PostalModel model(Rational(9, 5));
//   model.time(64);     // 46/5
//   model.reach(10);    // 94
//   model.split(64);    // the root keeps 36 to 38 processors for itself
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "runtime/rational.h"

namespace postroom {

class PostalModel {
 public:
  /// What reach() says when there are more.
  static constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

  /// How many processors may stay with the root when it sends its first message; the others go with
  /// the receiver. Optimal exactly from `fewest` to `most`.
  struct Split {
    std::int64_t fewest;
    std::int64_t most;
    friend bool operator==(const Split&, const Split&) = default;
  };

  /// A time at which N_λ grows: the top of a triangle in Figs. 6 to 8.
  struct Corner {
    std::int64_t steps;       ///< the time, in steps of 1/f
    std::int64_t processors;  ///< N_λ then
    std::int64_t kept;        ///< N_λ one unit of time earlier: the most that a root may keep
  };

  explicit PostalModel(Rational latency, int ports = 1);

  Rational latency() const { return Rational(latency_steps_, steps_per_unit_); }
  /// f: the steps in a unit of time.
  std::int64_t steps_per_unit() const { return steps_per_unit_; }

  /// N_λ(t); 0 before time 0.
  std::int64_t reach(Rational time) const;
  /// T_λ(n): the least t with N_λ(t) >= n.
  Rational time(std::int64_t processors) const;
  /// Precondition: processors >= 2.
  Split split(std::int64_t processors) const;

  /// The times at which N_λ grows, from λ to T_λ(n), built bottom-up. Empty for one processor.
  std::vector<Corner> corners(std::int64_t processors) const;

  /// γ(λ): by what N_λ grows in a unit of time, in the long run; the root of 1 = 1/x + 1/x^λ.
  double growth() const;

 private:
  std::int64_t reach_in(std::int64_t steps, std::int64_t enough) const;
  std::int64_t steps_for(std::int64_t processors) const;

  std::int64_t latency_steps_;   // u
  std::int64_t steps_per_unit_;  // f
  std::int64_t ports_;
};

/// The latency between `whole` and `whole` + 1 at which delay-send and delay-receive take equally
/// long on many processors (Table 2 of [P]). Throws std::invalid_argument for whole < 1.
double break_even_latency(std::int64_t whole);

}  // namespace postroom
