// A stack of its own that is switched to and from in user space (Boost.Context), a few nanoseconds
// a switch.
//
// All fibers run on the thread that resumes them, one at a time, and each resume() lasts until the
// fiber suspends itself or its body ends. The sanitizers are told of each switch, and exceptions in
// flight stay with their stack, so a fiber may be suspended inside a destructor or a catch block.
//
// Fibers are never destroyed: one whose body has ended serves again, one that was left in the
// middle stays as it is, with all that its stack owns.
#pragma once

#include <boost/context/fiber.hpp>
#include <cstddef>
#include <functional>
#include <utility>

namespace postroom::interleave {

class Fiber {
 public:
  static constexpr std::size_t kStackBytes = 256 * 1024;

  /// A fiber that nobody uses; give_back() when its body has ended.
  static Fiber& take();
  static void give_back(Fiber& fiber);
  /// The fiber will not be resumed; what its stack owns is no leak.
  static void abandon(Fiber& fiber);

  /// The next resume() starts `body`, which may not throw. Precondition: no body, or it has ended.
  void start(std::function<void()> body) { body_ = std::move(body); }
  /// Called outside: runs the fiber until it suspends or its body ends.
  void resume();
  /// Called inside: goes back to the caller of resume().
  void suspend();

 private:
  /// What the C++ runtime and the sanitizers keep for a stack that is not running.
  struct Resting {
    void* caught_exceptions = nullptr;
    unsigned uncaught_exceptions = 0;
    void* fake_stack = nullptr;
    const void* stack_bottom = nullptr;
    std::size_t stack_bytes = 0;
    void* tsan_fiber = nullptr;

    /// Right before the stack changes from this one to `to`.
    void leave_for(const Resting& to);
    /// Right after it has changed back to this one.
    void come_back();
  };

  Fiber();
  ~Fiber() = delete;

  std::function<void()> body_;
  Resting inside_;
  Resting outside_;
  boost::context::fiber context_;         // the fiber, while it does not run
  boost::context::fiber caller_context_;  // the caller of resume(), while the fiber runs
};

}  // namespace postroom::interleave
