// Why a machine stopped, of all that went wrong in a run: the first failure.
//
// One that is `provisional`, a mere sign of an exception that is still on its way, gives way to the
// next of the same processor. Who may call: one thread at a time.
#pragma once

#include <exception>
#include <optional>
#include <utility>

#include "runtime/errors.h"

namespace postroom {

/// What was thrown, and by which processor (-1: by none in particular).
struct Failure {
  int processor;
  std::exception_ptr cause;

  /// Throws what the caller of run() is to get.
  [[noreturn]] void raise() const {
    if (processor < 0) std::rethrow_exception(cause);
    throw ProcessorError(processor, cause);
  }
};

class FirstFailure {
 public:
  void offer(Failure failure, bool provisional) noexcept {
    const bool replaces = provisional_ && first_->processor == failure.processor;
    if (first_ && !replaces) return;
    first_ = std::move(failure);
    provisional_ = provisional;
  }
  const std::optional<Failure>& get() const noexcept { return first_; }
  void clear() noexcept {
    first_.reset();
    provisional_ = false;
  }

 private:
  std::optional<Failure> first_;
  bool provisional_ = false;
};

}  // namespace postroom
