#include "runtime/stack_switch.h"

#include <cxxabi.h>

#include <boost/context/preallocated.hpp>
#include <cstring>
#include <memory>
#include <utility>

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

// The address sanitizer, where the program has it: a program may when this library was built
// without, and has to be told of its stacks then, too, or takes an exception for an error. Null
// where there is none, which a switch asks in no time that can be measured.
extern "C" {
[[gnu::weak]] void __sanitizer_start_switch_fiber(void** fake_stack,  // NOLINT
                                                  const void* bottom, std::size_t bytes);
[[gnu::weak]] void __sanitizer_finish_switch_fiber(void* fake_stack,  // NOLINT
                                                   const void** bottom, std::size_t* bytes);
}

// The thread sanitizer keeps a call stack of its own for each context and notes there when a
// function is entered and left. A function that begins in one context and ends in another is
// therefore not instrumented.
#if defined(__SANITIZE_THREAD__)
#define POSTROOM_CHANGES_CONTEXT __attribute__((no_sanitize("thread")))
#else
#define POSTROOM_CHANGES_CONTEXT
#endif

namespace postroom {
namespace {

// The stacks belong to somebody else.
struct NoAllocator {
  static boost::context::stack_context allocate() { return {}; }
  static void deallocate(boost::context::stack_context&) noexcept {}
};

}  // namespace

StackContext::~StackContext() {
#if defined(__SANITIZE_THREAD__)
  if (owns_tsan_fiber_) __tsan_destroy_fiber(tsan_fiber_);
#endif
}

void StackContext::prepare(std::span<std::byte> stack, std::function<StackContext*()> body) {
  body_ = std::move(body);
  stack_ = stack;
  exceptions_ = {};
#ifdef __aarch64__
  floating_point_control_ = __builtin_aarch64_get_fpcr();
#endif
  boost::context::stack_context context;
  context.sp = stack.data() + stack.size();
  context.size = stack.size();
  const boost::context::preallocated place(context.sp, context.size, context);
  fiber_ = boost::context::fiber(
      std::allocator_arg, place, NoAllocator{},
      [this](boost::context::fiber&& caller) { return enter(std::move(caller)); });
#if defined(__SANITIZE_THREAD__)
  if (owns_tsan_fiber_) __tsan_destroy_fiber(tsan_fiber_);
  tsan_fiber_ = __tsan_create_fiber(0);
  owns_tsan_fiber_ = true;
#endif
}

void StackContext::switch_to(StackContext& from, StackContext& to) {
  from.leave(to, /*for_ever=*/false);
  from.tell_thread_sanitizer(to);
  boost::context::fiber caller = std::move(to.fiber_).resume();
  from.arrive(std::move(caller));
}

POSTROOM_CHANGES_CONTEXT boost::context::fiber StackContext::enter(boost::context::fiber&& caller) {
  arrive(std::move(caller));
  StackContext* const next = body_();
  leave(*next, /*for_ever=*/true);
  tell_thread_sanitizer(*next);
  return std::move(next->fiber_);
}

void StackContext::leave(StackContext& to, bool for_ever) {
  to.came_from_ = this;
  std::memcpy(exceptions_.data(), abi::__cxa_get_globals(), sizeof(exceptions_));
#ifdef __aarch64__
  floating_point_control_ = __builtin_aarch64_get_fpcr();
#endif
  if (__sanitizer_start_switch_fiber != nullptr) [[unlikely]] {
    const void* const bottom = to.stack_.empty() ? to.thread_stack_ : to.stack_.data();
    const std::size_t bytes = to.stack_.empty() ? to.thread_stack_bytes_ : to.stack_.size();
    __sanitizer_start_switch_fiber(for_ever ? nullptr : &fake_stack_, bottom, bytes);
  }
}

POSTROOM_CHANGES_CONTEXT void StackContext::tell_thread_sanitizer(
    [[maybe_unused]] StackContext& to) {
#if defined(__SANITIZE_THREAD__)
  if (stack_.empty()) tsan_fiber_ = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(to.tsan_fiber_, 0);
#endif
}

void StackContext::arrive(boost::context::fiber&& caller) {
  if (__sanitizer_finish_switch_fiber != nullptr) [[unlikely]] {
    const void* bottom = nullptr;
    std::size_t bytes = 0;
    __sanitizer_finish_switch_fiber(fake_stack_, &bottom, &bytes);
    fake_stack_ = nullptr;
    if (came_from_->stack_.empty()) {
      came_from_->thread_stack_ = bottom;
      came_from_->thread_stack_bytes_ = bytes;
    }
  }
  std::memcpy(abi::__cxa_get_globals(), exceptions_.data(), sizeof(exceptions_));
#ifdef __aarch64__
  // To read it costs less than to write it.
  if (__builtin_aarch64_get_fpcr() != floating_point_control_) [[unlikely]] {
    __builtin_aarch64_set_fpcr(floating_point_control_);
  }
#endif
  came_from_->fiber_ = std::move(caller);
}

}  // namespace postroom
