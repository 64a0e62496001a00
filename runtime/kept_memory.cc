#include "runtime/kept_memory.h"

#include <algorithm>
#include <cstdint>
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
  while (bytes() > most_) {
    const auto size = [](const PlacedBuffer& one) {
      return one.bytes() == 0 ? SIZE_MAX : one.bytes();
    };
    *std::ranges::min_element(kept_, {}, size) = PlacedBuffer();
  }
}

std::size_t KeptMemory::bytes() const noexcept {
  std::size_t sum = 0;
  for (const PlacedBuffer& one : kept_) sum += one.bytes();
  return sum;
}

}  // namespace postroom
