#include "collectives/parts/fat_tree_plan.h"

namespace postroom {

FatTreePlan::FatTreePlan(const FatTree& tree, ExchangeOrder order, Phases phases)
    : transfers_(tree.leaf_count()) {
  const PacketSchedule schedule = total_exchange_schedule(tree, order, phases);
  schedule([this](const Packet& packet) {
    transfers_[packet.source].push_back({packet.step, packet.target, true});
    transfers_[packet.target].push_back({packet.step, packet.source, false});
  });
}

}  // namespace postroom
