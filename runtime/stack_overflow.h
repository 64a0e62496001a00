// Says which processor needed more than its stack, before the fault at the guard ends the process.
//
// While a thread carries processors on stacks of their own, a fault at a guard (runtime/stacks.h)
// writes one line to standard error; then it is met again as it would have been without that: the
// process ends with SIGSEGV, and leaves a core file where it did. Any other fault is none of ours.
// The handler is put in place by the first that watches, and only where SIGSEGV has none: a
// program's, or a sanitizer's, stays.
//
// Who may call: the thread that is watched. Cost: two system calls when a watch begins, one when it
// ends. Errors: none; where the system refuses something, the process ends without the line.
#pragma once

#include <cstddef>
#include <memory>

#include "runtime/stacks.h"

namespace postroom {

class StackOverflowWatch {
 public:
  /// Stack i of `stacks` is that of processor first + i. Watches of a thread may be nested.
  StackOverflowWatch(const Stacks& stacks, int first);
  ~StackOverflowWatch();
  StackOverflowWatch(const StackOverflowWatch&) = delete;
  StackOverflowWatch& operator=(const StackOverflowWatch&) = delete;

 private:
  // What the handler runs on, since there is no room where it is called; null where the thread has
  // one already, or where memory is short.
  std::unique_ptr<std::byte[]> handler_stack_;
  const Stacks* outer_stacks_;
  int outer_first_;
};

}  // namespace postroom
