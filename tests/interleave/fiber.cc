#include "tests/interleave/fiber.h"

#include <cxxabi.h>

#include <boost/context/fixedsize_stack.hpp>
#include <boost/context/preallocated.hpp>
#include <memory>
#include <utility>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#include <sanitizer/lsan_interface.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace postroom::interleave {
namespace {

// The beginning of the record that the C++ runtime keeps for each thread (Itanium C++ ABI, 2.2.2).
struct ExceptionState {
  void* caught_exceptions;
  unsigned uncaught_exceptions;
};

ExceptionState& exception_state() {
  return *reinterpret_cast<ExceptionState*>(abi::__cxa_get_globals());
}

struct Pool {
  std::vector<Fiber*> all;  // also those left in the middle: a leak checker finds their stacks here
  std::vector<Fiber*> idle;
};

Pool& pool() {
  static Pool& pool = *new Pool;
  return pool;
}

}  // namespace

Fiber& Fiber::take() {
  if (pool().idle.empty()) {
    auto* const fiber = new Fiber;
    pool().all.push_back(fiber);
    return *fiber;
  }
  Fiber& fiber = *pool().idle.back();
  pool().idle.pop_back();
  return fiber;
}

void Fiber::give_back(Fiber& fiber) { pool().idle.push_back(&fiber); }

void Fiber::abandon([[maybe_unused]] Fiber& fiber) {
#if defined(__SANITIZE_ADDRESS__)
  // AddressSanitizer keeps local variables elsewhere, for each of its eleven size classes in a
  // region as large as the stack, where the search for leaks does not look by itself.
  if (fiber.inside_.fake_stack == nullptr) return;
  __lsan_register_root_region(fiber.inside_.fake_stack, 12 * kStackBytes);
#endif
}

void Fiber::Resting::leave_for([[maybe_unused]] const Resting& to) {
  ExceptionState& state = exception_state();
  caught_exceptions = std::exchange(state.caught_exceptions, to.caught_exceptions);
  uncaught_exceptions = std::exchange(state.uncaught_exceptions, to.uncaught_exceptions);
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(&fake_stack, to.stack_bottom, to.stack_bytes);
#endif
#if defined(__SANITIZE_THREAD__)
  tsan_fiber = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(to.tsan_fiber, 0);
#endif
}

void Fiber::Resting::come_back() {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
#endif
}

Fiber::Fiber() {
  boost::context::fixedsize_stack allocator(kStackBytes);
  const boost::context::stack_context stack = allocator.allocate();
  inside_.stack_bottom = static_cast<const char*>(stack.sp) - stack.size;
  inside_.stack_bytes = stack.size;
#if defined(__SANITIZE_THREAD__)
  inside_.tsan_fiber = __tsan_create_fiber(0);
#endif
  context_ = boost::context::fiber(
      std::allocator_arg, boost::context::preallocated(stack.sp, stack.size, stack), allocator,
      [this](boost::context::fiber&& caller) {
#if defined(__SANITIZE_ADDRESS__)
        __sanitizer_finish_switch_fiber(nullptr, &outside_.stack_bottom, &outside_.stack_bytes);
#endif
        caller_context_ = std::move(caller);
        for (;;) {
          body_();
          suspend();
        }
        return boost::context::fiber();
      });
}

void Fiber::resume() {
  outside_.leave_for(inside_);
  context_ = std::move(context_).resume();
  outside_.come_back();
}

void Fiber::suspend() {
  inside_.leave_for(outside_);
  caller_context_ = std::move(caller_context_).resume();
  inside_.come_back();
}

}  // namespace postroom::interleave
