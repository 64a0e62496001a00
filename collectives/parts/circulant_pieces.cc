#include "collectives/parts/circulant_pieces.h"

#include <algorithm>

#include "collectives/models/replay_rounds.h"
#include "collectives/parts/arguments.h"

namespace postroom {

CirculantPieces::CirculantPieces(const Blocks& blocks, int pieces, std::size_t element_bytes)
    : blocks_(blocks),
      pieces_(pieces),
      element_bytes_(element_bytes),
      skips_(circulant_skips(blocks.processors())),
      rounds_(blocks.processors(), pieces),
      received_(circulant_receives_of_all(blocks.processors())) {}

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

// What `receiver` gets in a round from the one that far before it; backwards it goes the other way.
void CirculantPieces::replay_round(TimeReplay& replay, int round, bool backwards) const {
  const int p = blocks_.processors();
  const int step = backwards ? p - distance(round) : distance(round);
  const auto target = [&](int sender) { return (sender + step) % p; };
  postroom::replay_round(replay, p, target, [&](int sender) {
    return bytes(round, backwards ? sender : target(sender));
  });
}

void CirculantPieces::replay_forwards(TimeReplay& replay) const {
  for (int round = 0; round < rounds(); ++round) replay_round(replay, round, false);
}

void CirculantPieces::replay_backwards(TimeReplay& replay) const {
  for (int round = rounds() - 1; round >= 0; --round) replay_round(replay, round, true);
}

}  // namespace postroom
