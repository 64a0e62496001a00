// Who sends what to whom, and when, in the global combine of the postal model.
//
// Source: [P], section 3.1, after Bar-Noy, Kipnis and Schieber. For a whole latency λ and n
// processors the combine takes t = T_λ(n) rounds, as many as a broadcast. After round r a processor
// i has combined N(r) neighbours, those from i on (cyclically):
//
//   T_i = d_i ⊕ … ⊕ d_(i+N(r)-1)      S_i = the same without d_i
//   N(r) = 1 for r < λ, else N(r-1) + N(r-λ) - ε(r-λ)
//
// In round r + λ it takes in T_j, or S_j where ε(r) = 1, that j = i + N(r+λ-1) - ε(r) sent in round
// r + 1. The paper says only that there are ε from {0, 1} with N(t) = n. They follow from the
// deficiency N_λ(t) - n, which is a sum of different weights N_λ(k), 0 <= k <= t-λ: the largest
// that fits, again and again, and ε(t-λ-k) = 1 for each weight k taken.
//
// A latency that is no whole number is rounded (section 3): delay-receive rounds it up, delay-send
// down. The paper makes up for the difference by idling; here nobody idles on purpose, a processor
// sends as soon as its port is free and it has what it needs, and that is never later.
//
// Memory and time: O(t - λ) numbers. Errors: std::invalid_argument for λ < 1 or n < 1.
//
//   const CombineSchedule schedule(2, 14);
//   schedule.rounds();          // 7
//   schedule.time(2);           // 7
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/rational.h"

namespace postroom {

class CombineSchedule {
 public:
  CombineSchedule(std::int64_t whole_latency, int processors);

  /// The better one of delay-receive and delay-send for `latency`, by the exact time that it takes;
  /// for the same time delay-receive, which has fewer messages under way.
  static CombineSchedule fastest(Rational latency, int processors);
  static CombineSchedule delay_receive(Rational latency, int processors);
  static CombineSchedule delay_send(Rational latency, int processors);

  std::int64_t latency() const { return latency_; }
  int processors() const { return processors_; }
  /// t.
  std::int64_t rounds() const { return rounds_; }

  /// What a processor sends in a round, and all others too.
  struct Message {
    int distance;      ///< to the processor so many places before, from the one so many behind
    bool without_own;  ///< S instead of T
    bool empty;        ///< S of a processor that has but its own: nothing is sent
  };
  /// Those of the rounds 1, 2, … in which there is something to send. The last one arrives in round
  /// rounds().
  const std::vector<Message>& messages() const { return messages_; }

  /// Calls send(m) and receive(m) for each of the messages() that is not empty, in the order of the
  /// rounds: number m is sent in round m + 1, after what was received up to round m, and is
  /// received in round m + λ.
  template <class Send, class Receive>
  void for_each_step(Send send, Receive receive) const {
    const auto count = static_cast<std::int64_t>(messages_.size());
    const auto unless_empty = [&](std::int64_t message, auto& call) {
      const auto at = static_cast<std::size_t>(message);
      if (!messages_[at].empty) call(at);
    };
    for (std::int64_t sent = 0; sent < count; ++sent) {
      unless_empty(sent, send);
      if (sent + 1 >= latency_) unless_empty(sent + 1 - latency_, receive);
    }
    for (std::int64_t last = std::max<std::int64_t>(0, count + 1 - latency_); last < count;
         ++last) {
      unless_empty(last, receive);
    }
  }

  /// When all have the result, under `latency`, in units of the time that a sender needs.
  Rational time(Rational latency) const;
  /// The paper's time, with idling: ⌈λ⌉ rounds of one unit for delay-receive, rounds of λ/⌊λ⌋ for
  /// delay-send.
  Rational time_with_idling(Rational latency) const;
  /// How many messages each processor sends.
  int sends() const;

 private:
  std::int64_t latency_;
  int processors_;
  std::int64_t rounds_ = 0;
  std::vector<Message> messages_;
};

}  // namespace postroom
