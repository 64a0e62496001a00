#include "runtime/mailbox_room.h"

#include <fmt/core.h>

#include <stdexcept>

namespace postroom {

void MailboxRoom::check(std::uint64_t pairs) {
  const std::uint64_t available = look_();
  // Relaxed: whoever sees it late takes one more.
  const bool is_full = is_full_.load(std::memory_order_relaxed);
  if (!is_full && available >= kPairsPerLook * kBytesOfPair + pairs * kBytesOfLoan) return;
  is_full_.store(true, std::memory_order_relaxed);
  throw std::runtime_error(
      fmt::format("no memory for more pairs of processors: {} pairs talk and take {} MiB, {} MiB "
                  "are available",
                  pairs, pairs * kBytesOfPair >> 20, available >> 20));
}

}  // namespace postroom
