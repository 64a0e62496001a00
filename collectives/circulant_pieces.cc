#include "collectives/circulant_pieces.h"

#include <algorithm>

#include "collectives/arguments.h"

namespace postroom {

CirculantPieces::CirculantPieces(const Blocks& blocks, int pieces, std::size_t element_bytes)
    : blocks_(blocks),
      pieces_(pieces),
      element_bytes_(element_bytes),
      skips_(circulant_skips(blocks.processors())),
      rounds_(blocks.processors(), pieces) {
  received_.reserve(static_cast<std::size_t>(blocks.processors()));
  for (int processor = 0; processor < blocks.processors(); ++processor) {
    received_.push_back(circulant_receives(skips_, processor));
  }
}

std::size_t CirculantPieces::bytes(int round, int receiver) const {
  std::size_t total = 0;
  for_each(round, receiver, [&](std::size_t, std::size_t bytes) { total += bytes; });
  return total;
}

void CirculantPieces::pack(int round, int receiver, ConstBytes all, Bytes packed) const {
  for_each(round, receiver, [&](std::size_t begin, std::size_t bytes) {
    copy_bytes(all.subspan(begin, bytes), packed.first(bytes));
    packed = packed.subspan(bytes);
  });
}

void CirculantPieces::unpack(int round, int receiver, ConstBytes packed, Bytes all) const {
  for_each(round, receiver, [&](std::size_t begin, std::size_t bytes) {
    copy_bytes(packed.first(bytes), all.subspan(begin, bytes));
    packed = packed.subspan(bytes);
  });
}

Cost CirculantPieces::cost() const {
  Cost cost;
  for (int round = 0; round < rounds(); ++round) {
    std::size_t largest = 0;
    for (int receiver = 0; receiver < (blocks_.equal() ? 1 : blocks_.processors()); ++receiver) {
      largest = std::max(largest, bytes(round, receiver));
    }
    cost += Cost::round(largest);
  }
  return cost;
}

}  // namespace postroom
