// A machine for very many processors in virtual time: no threads and no stacks.
//
// Runs one processor after another on the caller's stack, each to its end. One that asks for a
// message that has not been sent yet waits while its sender runs, on top of it. So it carries the
// programs in which no two processors wait for each other in turn — broadcast, scatter, gather and
// reduce on any tree — from the same text as Machine does, and gives the same times to the last
// digit (programs that receive from named sources have one result whatever the order). A program
// that exchanges (allreduce, allgather, alltoall) needs a Machine, and so does a barrier.
//
// Cost: some hundred nanoseconds a message. Memory: 250 bytes a processor with the clock, and a
// copy of each message that was sent and not yet received. Errors, as ProcessorError:
// std::logic_error that names both processors where they wait for each other, or where more than
// kMostWaiting wait in a chain, which the stack would not bear; a message that never came is a
// DeadlockError, one that nobody received an UnreceivedError. Who may call: one thread.
//
//   const auto clock = std::make_shared<VirtualClock>(Rational(2));
//   LightMachine machine(1'048'576, clock);
//   machine.run([](Processor& self) { … broadcast(self, 0, value, Algorithm::lambda_tree(2)); });
//   clock->finish();   // 30
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/processor.h"
#include "runtime/virtual_clock.h"

namespace postroom {

class LightMachine {
 public:
  using Program = std::function<void(Processor&)>;

  static constexpr int kMostProcessors = 100'000'000;
  static constexpr int kMostWaiting = 500;

  /// Throws std::invalid_argument for a number of processors that is not allowed.
  LightMachine(int processors, std::shared_ptr<VirtualClock> clock);

  int processors() const noexcept { return static_cast<int>(states_.size()); }

  /// Runs `program` once on every processor.
  void run(const Program& program);

 private:
  friend class LightProcessor;

  enum class State : std::uint8_t { kNotYet, kRunning, kEnded };
  struct Message {
    int source;
    Time arrival;
    std::vector<std::byte> data;
  };

  void clear();
  void run_one(int processor);
  void post(int source, int target, ConstBytes data);
  /// The next message of `source` to `target`, after its sender has run if need be.
  Message take(int source, int target, const char* call, Where where);
  std::optional<Message> find(int source, int target);
  void require_all_received() const;

  std::shared_ptr<VirtualClock> clock_;
  const Program* program_ = nullptr;
  std::vector<State> states_;
  std::vector<std::vector<Message>> inboxes_;  // in the order of sending
  int waiting_ = 0;
};

}  // namespace postroom
