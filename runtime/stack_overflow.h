// Says which processor needed more than its stack, before the fault at the guard ends the process.
//
// While a thread carries processors on stacks of their own, a fault at a guard (runtime/stacks.h)
// writes one line to standard error; then it is met again as it would have been without that: the
// process ends with SIGSEGV, and leaves a core file where it did. Any other fault is none of ours.
// The handler is put in place by the first that watches, and only where SIGSEGV has none: a
// program's, or a sanitizer's, stays. Where stacks have no guards, whoever finds that one did not
// suffice ends the process with the same line: other stacks may hold anything by then.
//
// Who may call: the thread that is watched. Cost: two system calls when a watch begins, one when it
// ends. Errors: none; where the system refuses something, the process ends without the line.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

namespace postroom {

/// Whose stack it is, how large, and what a processor that needs more can do.
struct StackOwner {
  int processor;
  std::size_t bytes;
  const char* remedy;
};

/// Writes the line, and ends the process with SIGABRT.
[[noreturn]] void end_by_stack_overflow(const StackOwner& owner) noexcept;

class StackOverflowWatch {
 public:
  /// The owner of the stack in whose guard an address lies. Is called in a signal handler.
  using OwnerOfGuard = std::function<std::optional<StackOwner>(const void* address)>;

  /// Watches of a thread may be nested.
  explicit StackOverflowWatch(OwnerOfGuard owner_of_guard);
  ~StackOverflowWatch();
  StackOverflowWatch(const StackOverflowWatch&) = delete;
  StackOverflowWatch& operator=(const StackOverflowWatch&) = delete;

 private:
  // What the handler runs on, since there is no room where it is called; null where the thread has
  // one already, or where memory is short.
  std::unique_ptr<std::byte[]> handler_stack_;
  OwnerOfGuard owner_of_guard_;
  const OwnerOfGuard* outer_;
};

}  // namespace postroom
