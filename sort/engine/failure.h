// How processors that sort together agree that one of them has failed.
//
// Only what the caller handed in can throw (a projection, the progress callback, an allocation). An
// exception must not leave one processor while the others wait for it at the next barrier, so each
// step is guarded: the exception of the earliest step is kept together with the number of its step,
// and after the barrier that ends the step all ask whether anyone failed in it or before. All get
// the same answer then, even where a faster processor has already failed in a later step.
//
//   failure.guard(step, [&] { … });
//   team.barrier();
//   if (failure.by(step)) return clean_up();
#pragma once

#include <atomic>
#include <exception>
#include <limits>
#include <mutex>

namespace postroom::sorting {

class Failure {
 public:
  /// Runs `work`; keeps what it throws, unless something of this step or an earlier one is kept.
  /// Any processor, at any time.
  template <class Work>
  void guard(int step, Work&& work) noexcept {
    try {
      work();
    } catch (...) {
      keep(step, std::current_exception());
    }
  }

  /// Whether anyone failed in this step or an earlier one. All who ask between the barriers that
  /// end this step and the next get the same answer.
  bool by(int step) const noexcept {
    // Relaxed: the barrier has made visible what was kept before it; later steps are larger.
    return step_.load(std::memory_order_relaxed) <= step;
  }

  /// Throws what was kept, if anything. After all have ended.
  void rethrow() const {
    if (exception_ != nullptr) std::rethrow_exception(exception_);
  }

 private:
  static constexpr int kNone = std::numeric_limits<int>::max();

  void keep(int step, std::exception_ptr exception) noexcept {
    const std::lock_guard lock(mutex_);
    // Relaxed: under the lock.
    if (step_.load(std::memory_order_relaxed) <= step) return;
    exception_ = std::move(exception);
    // Relaxed: read after a barrier only, or as a hint.
    step_.store(step, std::memory_order_relaxed);
  }

  std::mutex mutex_;  // only taken by those who fail
  std::exception_ptr exception_;
  std::atomic<int> step_{kNone};
};

}  // namespace postroom::sorting
