#include "fat_trees/unhindered_packets.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace postroom {
namespace {

class Traffic {
 public:
  explicit Traffic(const FatTree& tree)
      : tree_(tree),
        leaves_(tree.leaf_count()),
        up_(tree.node_count()),
        down_(tree.node_count()),
        largest_up_(tree.levels()),
        largest_down_(tree.levels()) {
    for (int level = 0; level <= tree.levels(); ++level) {
      ancestors_.push_back(tree.ancestors(level).data());
    }
  }

  /// False when a packet waits, or may wait; then no more can be added.
  bool add(const Packet& packet) {
    if (!is_plain(packet)) return false;
    last_step_ = packet.step;
    ++report_.packets;
    if (packet.source == packet.target) return true;
    bool flows = true;
    int meet = 0;
    for (; ancestors_[meet][packet.source] != ancestors_[meet][packet.target]; ++meet) {
      flows &= cross(up_[ancestors_[meet][packet.source]], packet.step, meet, largest_up_);
    }
    const std::int64_t turned = packet.step + 2 * meet;
    for (int level = 0; level < meet; ++level) {
      flows &= cross(down_[ancestors_[level][packet.target]], turned, level, largest_down_);
    }
    ++report_.deliveries;
    report_.steps = std::max(report_.steps, turned - 1);
    return flows;
  }

  FatTreeReport report() const {
    FatTreeReport report = report_;
    for (int level = 0; level < tree_.levels(); ++level) {
      report.largest_queue.push_back({largest_up_[level], largest_down_[level]});
    }
    for (int node = 0; node < tree_.node_count(); ++node) {
      report.load.push_back({up_[node].load, down_[node].load});
    }
    return report;
  }

 private:
  /// A branch in one direction. Steps are counted from where all its packets are equally far.
  struct Branch {
    std::int64_t step = 0;    // the last one in which something crosses
    std::uint32_t count = 0;  // how much does
    std::uint32_t load = 0;   // in all steps
  };

  bool is_plain(const Packet& packet) const {
    const bool known = 0 <= packet.source && packet.source < leaves_ && 0 <= packet.target &&
                       packet.target < leaves_ &&
                       packet.step >= std::max<std::int64_t>(1, last_step_);
    return known && report_.packets < std::numeric_limits<std::uint32_t>::max();
  }

  /// `level` is that of the node below the branch. Without jumps, since they would be guessed
  /// wrong.
  bool cross(Branch& branch, std::int64_t step, int level, std::vector<std::uint32_t>& largest) {
    const bool in_order = branch.step <= step;
    branch.count = branch.step == step ? branch.count + 1 : 1;
    branch.step = step;
    ++branch.load;
    largest[level] = std::max(largest[level], branch.count);
    return in_order && branch.count <= static_cast<std::uint32_t>(tree_.capacity(level + 1));
  }

  const FatTree& tree_;
  int leaves_;
  std::vector<const int*> ancestors_;                     // by level, then leaf
  std::vector<Branch> up_, down_;                         // by the node below
  std::vector<std::uint32_t> largest_up_, largest_down_;  // by the level of the node below
  std::int64_t last_step_ = 0;
  FatTreeReport report_;
};

}  // namespace

std::optional<FatTreeReport> report_unhindered(const FatTree& tree,
                                               const PacketSchedule& schedule) {
  Traffic traffic(tree);
  bool flows = true;
  schedule([&](const Packet& packet) { flows = flows && traffic.add(packet); });
  if (!flows) return std::nullopt;
  return traffic.report();
}

}  // namespace postroom
