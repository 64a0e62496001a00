// What a fat tree is asked to carry: packets, each to leave its source at a given step.
//
// A PacketSchedule hands its packets to whoever asks, in the order of their steps, without storing
// them: the total exchange of 4,096 leaves has 16.8 million. It can be asked again and again.
//
//   const PacketSchedule two = [](const PacketSink& sink) {
//     sink({1, 0, 3});           // at step 1 from leaf 0 to leaf 3
//     sink({2, 1, tree.root()})  // at step 2 from leaf 1 to all other leaves
//   };
#pragma once

#include <cstdint>
#include <functional>

namespace postroom {

struct Packet {
  std::int64_t step = 1;  ///< from 1
  int source = 0;         ///< a leaf
  /// A node. An inner one means all leaves below it but the source; routers make the copies.
  int target = 0;

  friend bool operator==(const Packet&, const Packet&) = default;
};

using PacketSink = std::function<void(const Packet&)>;
using PacketSchedule = std::function<void(const PacketSink&)>;

}  // namespace postroom
