// What happened in a run: its messages, and the rounds and the volume counted from them.
//
// Source: [I], section 1: C1 is the number of rounds, C2 the sum over the rounds of the largest
// message in the round. The round of a message follows from causality alone: a processor's send or
// exchange belongs to the round after the last one that it took part in, so the count does not
// depend on how the threads were scheduled.
//
//   Machine machine({.processors = 5, .trace = true});
//   machine.run(program);
//   machine.trace().rounds();   // C1
//   machine.trace().volume();   // C2, in bytes
//
// runtime/trace_svg.h draws it, runtime/trace_html.h makes a film of it, runtime/trace_json.h
// writes it for other viewers; runtime/critical_path.h has what it waited for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/channel.h"
#include "runtime/clock.h"
#include "runtime/where.h"

namespace postroom {

class Trace {
 public:
  struct Message {
    int source;
    int target;
    std::size_t bytes;
    int round;              ///< from 1
    Time start;             ///< when a port began to send it, on the machine's clock
    Time arrival;           ///< when the receiver had it, or could have had if it never asked
    Time busy;              ///< for how long a port was busy with it; 0 under the wall clock
    const char* operation;  ///< the name that an Operation gave it, or null
    Where where;            ///< the send
  };
  /// A message that a processor received: from whom, and when it was there.
  struct Delivery {
    int source;
    Channel channel;
    Time arrival;
  };

  Trace() = default;
  /// Of a machine of `processors`, or of as many as the messages name if that is more.
  explicit Trace(std::vector<Message> messages, int processors = 0, Time ticks_per_unit = 1,
                 bool is_wall_time = false);

  /// By source, and for each source in the order of its sends.
  const std::vector<Message>& messages() const noexcept { return messages_; }
  int processors() const noexcept { return processors_; }
  /// Of the machine's clock: ticks in a second, or in a unit of model time.
  Time ticks_per_unit() const noexcept { return ticks_per_unit_; }
  /// Whether times are real ones, since some past moment; those of a model begin at 0.
  bool is_wall_time() const noexcept { return is_wall_time_; }

  /// C1: the number of the last round; 0 without messages.
  int rounds() const;
  /// C2: the sum over the rounds of the largest message of the round, in bytes.
  std::size_t volume() const;
  /// The sum of all messages, in bytes.
  std::size_t total_bytes() const;

 private:
  std::vector<Message> messages_;
  int processors_ = 0;
  Time ticks_per_unit_ = 1;
  bool is_wall_time_ = false;
};

/// What a message is part of: the name that an Operation gave it, else the function that sent it,
/// without its types.
std::string operation_of(const Trace::Message& message);

/// Puts the times at which messages were received into `messages`, which are by source.
/// `deliveries` are those of each processor, in the order in which it received. Between a pair of
/// processors the n-th message sent in a channel is the n-th received there.
void settle_arrivals(std::span<Trace::Message> messages,
                     std::span<const std::vector<Trace::Delivery>> deliveries);

}  // namespace postroom
