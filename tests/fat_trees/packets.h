// The packets of a schedule as a list, which can be compared.
#pragma once

#include <vector>

#include "fat_trees/fat_tree_packet.h"

namespace postroom {

inline std::vector<Packet> packets_of(const PacketSchedule& schedule) {
  std::vector<Packet> packets;
  schedule([&](const Packet& packet) { packets.push_back(packet); });
  return packets;
}

}  // namespace postroom
