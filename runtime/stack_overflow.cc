#include "runtime/stack_overflow.h"

#include <fmt/core.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <mutex>
#include <new>
#include <optional>

namespace postroom {
namespace {

// More than the registers of any x86-64 take (11 KiB where there are tiles).
constexpr std::size_t kHandlerStackBytes = std::size_t{64} * 1024;

// Of this thread. Known before main(), so that the handler may look at them.
constinit thread_local const Stacks* watched = nullptr;
constinit thread_local int first_watched = 0;

void on_fault(int, siginfo_t* fault, void*) {
  if (watched != nullptr) {
    if (const std::optional<int> stack = watched->guarded_by(fault->si_addr)) {
      std::array<char, 200> line;
      const auto end = fmt::format_to_n(
          line.data(), line.size(),
          "postroom: processor {} needs more than its stack of {} KiB; "
          "MachineOptions::stack_bytes gives it more, and so does memory of its own\n",
          first_watched + *stack, watched->stack(*stack).size() / 1024);
      (void)!write(STDERR_FILENO, line.data(), end.size);
    }
  }
  signal(SIGSEGV, SIG_DFL);                 // and what has faulted is done again
  if (fault->si_code <= 0) raise(SIGSEGV);  // nothing has: somebody sent it
}

void put_handler_in_place() {
  struct sigaction now {};
  if (sigaction(SIGSEGV, nullptr, &now) != 0 || (now.sa_flags & SA_SIGINFO) != 0 ||
      now.sa_handler != SIG_DFL)
    return;
  struct sigaction ours {};
  ours.sa_sigaction = on_fault;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  (void)sigaction(SIGSEGV, &ours, nullptr);
}

}  // namespace

StackOverflowWatch::StackOverflowWatch(const Stacks& stacks, int first)
    : outer_stacks_(watched), outer_first_(first_watched) {
  static std::once_flag once;
  std::call_once(once, put_handler_in_place);
  stack_t now{};
  if (sigaltstack(nullptr, &now) == 0 && (now.ss_flags & SS_DISABLE) != 0) {
    handler_stack_.reset(new (std::nothrow) std::byte[kHandlerStackBytes]);
    const stack_t ours{.ss_sp = handler_stack_.get(), .ss_flags = 0, .ss_size = kHandlerStackBytes};
    if (handler_stack_ != nullptr) (void)sigaltstack(&ours, nullptr);
  }
  first_watched = first;
  watched = &stacks;
}

StackOverflowWatch::~StackOverflowWatch() {
  watched = outer_stacks_;
  first_watched = outer_first_;
  if (handler_stack_ == nullptr) return;
  const stack_t none{.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
  (void)sigaltstack(&none, nullptr);
}

}  // namespace postroom
