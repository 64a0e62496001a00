#include "runtime/forks.h"

#include <pthread.h>

#include <atomic>

namespace postroom {
namespace {

constinit std::atomic<std::uint32_t> count{0};

void begin_child() noexcept {
  count.fetch_add(1, std::memory_order_relaxed);  // relaxed: a child has one thread
}

// Where there is no memory for that, forks are not seen.
[[maybe_unused]] const int kRegistered = pthread_atfork(nullptr, nullptr, begin_child);

}  // namespace

std::uint32_t forks() noexcept {
  return count.load(std::memory_order_relaxed);  // relaxed: moved before there are other threads
}

}  // namespace postroom
