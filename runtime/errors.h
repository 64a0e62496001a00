// What can go wrong in a run, as types.
//
// Whatever a processor's program throws reaches the caller of Machine::run as a ProcessorError that
// carries the number of the processor and the exception itself. Failures that belong to no single
// processor arrive as they are: DeadlockError, UnreceivedError, a DisagreementError that is found
// when all have ended, std::bad_alloc where there is no memory for a report or a trace. Wrong
// arguments outside a run (p = 0, say) are std::invalid_argument.
//
//   try {
//     machine.run(program);
//   } catch (const ProcessorError& error) {
//     error.processor();                       // 3
//     error.caused_by<std::out_of_range>();    // the exception, or nullptr
//   }
#pragma once

#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>

#include "numa/language.h"
#include "runtime/channel.h"
#include "runtime/where.h"

namespace postroom {

/// One processor's program threw; all the others were stopped at their next call, or in a wait.
class ProcessorError : public std::runtime_error {
 public:
  /// `cause` is not null. what() is "processor N: " and the words of the cause.
  ProcessorError(int processor, std::exception_ptr cause);

  /// The processor that threw first.
  int processor() const noexcept { return processor_; }
  /// What it threw.
  const std::exception_ptr& cause() const noexcept { return cause_; }

  /// The cause as an E, or nullptr when it is something else. Lives as long as this error.
  template <class E>
  const E* caused_by() const {
    try {
      std::rethrow_exception(cause_);
    } catch (const E& error) {
      return &error;  // the exception_ptr keeps the object alive
    } catch (...) {
      return nullptr;
    }
  }

 private:
  int processor_;
  std::exception_ptr cause_;
};

/// Processors wait for each other, or for one that has ended, so that none of them can go on.
/// what() has a line for each processor that was known to wait when that was found, not for all
/// that would have come to wait: in which call, for whom, from which source line. In a collective
/// it is a partner that is waited for, who may himself wait for the one that is missing.
class DeadlockError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// All programs ended, but messages were left that nobody received. what() names each pair.
class UnreceivedError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A line of it, with the break before.
std::string unreceived_line(int source, int target, Channel channel, std::size_t messages,
                            std::size_t first_bytes);

/// What a processor reports whose exception unwinds an operation that was started: a
/// std::runtime_error, or std::bad_alloc where there is no memory for one.
std::exception_ptr unfinished_cause(const char* call, Where where) noexcept;

/// A message's size differs from that of the buffer it was received into, or from what was said to
/// come. Thrown in the receiver, before its buffer is touched.
class SizeMismatchError : public std::length_error {
 public:
  using std::length_error::length_error;
};

/// `call`, a step of `operation` if that is not null, got a message of `bytes` bytes from `source`
/// where `needed` are.
[[noreturn]] void throw_size_mismatch(const char* operation, const char* call, int source,
                                      std::size_t bytes, std::size_t needed, Where where);

/// Processors that are to work together are in different calls, or name different roots. Thrown on
/// one that found it, before any list is touched; or by Machine::run itself, after all have ended,
/// where a broadcast, scatter, gather or reduce of small lists went on before the others had come.
///
/// It is found where processors take turns on a thread and the call makes use of that; what goes by
/// messages is not compared. Different calls whose messages fit each other then give wrong values
/// and no error, and different operators do so always.
class DisagreementError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Thrown by every wait and nearly every call of a processor when another one has failed. Not a
/// std::exception, so that a program's own handlers let it pass; a program that swallows it gets it
/// again at its next call.
struct Stopped {};

}  // namespace postroom
