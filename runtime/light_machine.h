// A machine for very many processors in virtual time, on one thread.
//
// Runs the same programs as a Machine with a VirtualClock, and gives the same times to the last
// digit: a program that names its sources has one result whatever the order in which processors
// take turns. (Of a wait_any the model decides here which message is first, and there the threads.)
// What is saved is what threads need: a message is an entry of a table that exists
// while it is under way, in place of a mailbox for each pair of processors, and a processor has a
// stack only from its beginning to its end (runtime/light_scheduler.h). It keeps no trace.
//
// Which programs: all that wait through Processor alone. In one direction (broadcast, scatter,
// gather, reduce, on any tree) a few stacks serve millions of processors; where processors wait for
// each other in turn (allreduce, allgather, alltoall, a barrier) every one has a stack at the same
// time. Pending::ready() may say no until others have run: after some more looks, or a
// Processor::yield.
//
// With Payload::none messages have a size and no bytes: a receive leaves its buffer as it was and
// what is borrowed reads as zeros. Times stay the same for programs whose messages depend on the
// sizes alone, as those of all collectives here do but alltoallv, gatherv, scatterv, route, split,
// and allgatherv without counts; then processors may as well use the same buffers, so that memory
// does not grow with the data.
//
// Cost: 150 to 200 ns a message on an AMD Zen 3. Memory: 270 bytes a processor with the clock; a
// stack of 4 to 8 KiB (it may grow to 256 KiB) for each that has begun and not ended; 100 bytes
// and a copy of the data for each message under way; 16 bytes for each time that an in-port was
// idle between two messages.
// Errors: as Machine::run (runtime/errors.h). Who may call: one thread, not from inside a program
// of the same machine. A machine whose run failed may be used again.
//
// A processor that needs more than its stack ends the process, after one line on standard error
// that names it (runtime/stack_overflow.h).
//
//   const auto clock = std::make_shared<VirtualClock>(Rational(2));
//   LightMachine machine(1'048'576, clock);
//   machine.run([](Processor& self) { … broadcast(self, 0, value, Algorithm::lambda_tree(2)); });
//   clock->finish();   // 30
#pragma once

#include <functional>
#include <memory>

#include "runtime/failure.h"
#include "runtime/light_scheduler.h"
#include "runtime/messages_under_way.h"
#include "runtime/processor.h"
#include "runtime/virtual_clock.h"

namespace postroom {

/// What a message of a LightMachine carries.
enum class Payload { copy, none };

class LightMachine {
 public:
  using Program = std::function<void(Processor&)>;

  static constexpr int kMostProcessors = 100'000'000;

  /// Throws std::invalid_argument for a number of processors that is not allowed, and where there
  /// is no clock.
  LightMachine(int processors, std::shared_ptr<VirtualClock> clock,
               Payload payload = Payload::copy);
  ~LightMachine();
  LightMachine(const LightMachine&) = delete;
  LightMachine& operator=(const LightMachine&) = delete;

  int processors() const noexcept { return scheduler_->processors(); }

  /// Runs `program` once on every processor.
  void run(const Program& program);

 private:
  friend class LightProcessor;

  void run_one(int processor) noexcept;
  void fail(Failure failure, bool provisional = false) noexcept;
  void post(int source, int target, Channel channel, MessagesUnderWay::Message message);

  std::shared_ptr<VirtualClock> clock_;
  Payload payload_;
  std::unique_ptr<LightScheduler> scheduler_;
  MessagesUnderWay messages_;
  const Program* program_ = nullptr;
  FirstFailure failure_;
};

}  // namespace postroom
