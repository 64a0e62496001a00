#include "runtime/stack_overflow.h"

#include <fmt/core.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <new>
#include <utility>

namespace postroom {
namespace {

// More than the registers of any x86-64 take (11 KiB where there are tiles).
constexpr std::size_t kHandlerStackBytes = std::size_t{64} * 1024;

// Of this thread. Known before main(), so that the handler may look at it.
constinit thread_local const StackOverflowWatch::OwnerOfGuard* watched = nullptr;

void write_line(const StackOwner& owner) noexcept {
  std::array<char, 400> line;
  const auto written =
      fmt::format_to_n(line.data(), line.size() - 1,
                       "postroom: processor {} needs more than its stack of {} KiB; {}",
                       owner.processor, owner.bytes / 1024, owner.remedy);
  *written.out = '\n';
  (void)!write(STDERR_FILENO, line.data(), static_cast<std::size_t>(written.out + 1 - line.data()));
}

void on_fault(int, siginfo_t* fault, void*) {
  if (watched != nullptr) {
    if (const std::optional<StackOwner> owner = (*watched)(fault->si_addr)) write_line(*owner);
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

void end_by_stack_overflow(const StackOwner& owner) noexcept {
  write_line(owner);
  std::abort();
}

StackOverflowWatch::StackOverflowWatch(OwnerOfGuard owner_of_guard)
    : owner_of_guard_(std::move(owner_of_guard)), outer_(watched) {
  // Not by std::call_once, which a forked child could find at work for ever. Twice is as well.
  static std::atomic<bool> is_in_place{false};
  if (!is_in_place) put_handler_in_place();
  is_in_place = true;
  stack_t now{};
  if (sigaltstack(nullptr, &now) == 0 && (now.ss_flags & SS_DISABLE) != 0) {
    handler_stack_.reset(new (std::nothrow) std::byte[kHandlerStackBytes]);
    const stack_t ours{.ss_sp = handler_stack_.get(), .ss_flags = 0, .ss_size = kHandlerStackBytes};
    if (handler_stack_ != nullptr) (void)sigaltstack(&ours, nullptr);
  }
  watched = &owner_of_guard_;
}

StackOverflowWatch::~StackOverflowWatch() {
  watched = outer_;
  if (handler_stack_ == nullptr) return;
  stack_t now{};
  if (sigaltstack(nullptr, &now) != 0 || now.ss_sp != handler_stack_.get()) return;  // another's
  const stack_t none{.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
  (void)sigaltstack(&none, nullptr);
}

}  // namespace postroom
