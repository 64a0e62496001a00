#include "runtime/kept_memory.h"

#include <algorithm>
#include <utility>

namespace postroom {

PlacedBuffer KeptMemory::take(std::size_t bytes) {
  // What is empty is too small.
  PlacedBuffer* found = nullptr;
  for (PlacedBuffer& one : kept_) {
    if (one.bytes() < bytes) continue;
    if (found == nullptr || one.bytes() < found->bytes()) found = &one;
  }
  return found != nullptr ? std::exchange(*found, PlacedBuffer()) : PlacedBuffer(bytes);
}

void KeptMemory::keep(PlacedBuffer& buffer) noexcept {
  PlacedBuffer given = std::exchange(buffer, PlacedBuffer());
  if (!may_keep(given.bytes())) return;
  PlacedBuffer& smallest = *std::ranges::min_element(kept_, {}, &PlacedBuffer::bytes);
  if (smallest.bytes() < given.bytes()) std::swap(smallest, given);
}

}  // namespace postroom
