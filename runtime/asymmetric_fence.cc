#include "runtime/asymmetric_fence.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace postroom {
namespace {

bool membarrier(int command) noexcept { return syscall(__NR_membarrier, command, 0, 0) == 0; }

bool announce() noexcept { return membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED); }

}  // namespace

FenceSupport::FenceSupport() noexcept : is_asymmetric(announce()) {}

[[gnu::init_priority(101)]] const FenceSupport fence_support;

void full_fence() noexcept {
#if defined(__SANITIZE_THREAD__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wtsan"  // it does not see fences; nothing plain hangs on these
#endif
  std::atomic_thread_fence(std::memory_order_seq_cst);  // (1) one for each side of the pair (1)
#if defined(__SANITIZE_THREAD__)
#pragma GCC diagnostic pop
#endif
}

void heavy_fence() noexcept {
  full_fence();
  if (!fence_support.is_asymmetric) return;
  // A forked process may have to announce itself anew. Without the fence a thread could sleep for
  // ever.
  const bool done = membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) ||
                    (announce() && membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED));
  if (done) return;
  constexpr std::string_view kText =
      "postroom: the system call membarrier is allowed no longer; allow it, or forbid it before "
      "the program starts\n";
  [[maybe_unused]] const auto told = write(STDERR_FILENO, kText.data(), kText.size());
  std::abort();
}

}  // namespace postroom
