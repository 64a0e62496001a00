#include "runtime/kept_memory.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace postroom {

PlacedBuffer KeptMemory::take(std::size_t bytes) {
  if (taken_ == kPieces || bytes > most_ / 2) return {};
  // What is empty is too small.
  PlacedBuffer* found = nullptr;
  for (PlacedBuffer& one : kept_) {
    if (one.bytes() < bytes) continue;
    if (found == nullptr || one.bytes() < found->bytes()) found = &one;
  }
  PlacedBuffer taken =
      found != nullptr ? std::exchange(*found, PlacedBuffer()) : PlacedBuffer(bytes);
  ++taken_;
  return taken;
}

void KeptMemory::keep(PlacedBuffer& buffer) noexcept {
  --taken_;
  PlacedBuffer given = std::exchange(buffer, PlacedBuffer());
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
