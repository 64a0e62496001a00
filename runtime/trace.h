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
#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <vector>

#include "runtime/clock.h"

namespace postroom {

class Trace {
 public:
  struct Message {
    int source;
    int target;
    std::size_t bytes;
    int round;                   ///< from 1
    Time start;                  ///< when the send began, on the sender's clock
    Time arrival;                ///< when the receiver may have it
    std::source_location where;  ///< the send
  };

  Trace() = default;
  explicit Trace(std::vector<Message> messages) : messages_(std::move(messages)) {}

  /// By source, and for each source in the order of its sends.
  const std::vector<Message>& messages() const noexcept { return messages_; }

  /// C1: the number of the last round; 0 without messages.
  int rounds() const;
  /// C2: the sum over the rounds of the largest message of the round, in bytes.
  std::size_t volume() const;
  /// The sum of all messages, in bytes.
  std::size_t total_bytes() const;

 private:
  std::vector<Message> messages_;
};

}  // namespace postroom
