#include "runtime/mailbox_room.h"

#include <fmt/core.h>

#include <stdexcept>

namespace postroom {

void MailboxRoom::check(std::uint64_t pairs, bool is_full) {
  const std::uint64_t available = look_();
  if (!is_full && available >= kPairsPerLook * kBytesOfPair + pairs * kBytesOfLoan) return;
  is_full_.store(true, std::memory_order_relaxed);  // relaxed: see take()
  throw std::runtime_error(
      fmt::format("no memory for more pairs of processors: {} pairs talk and take {} MiB, {} MiB "
                  "are available",
                  pairs, pairs * kBytesOfPair >> 20, available >> 20));
}

}  // namespace postroom
