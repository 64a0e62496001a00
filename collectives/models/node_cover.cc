#include "collectives/models/node_cover.h"

#include <algorithm>
#include <cstdint>

namespace postroom {
namespace {

constexpr int kWorkToRemember = 8;  // for each size, about that of so many looks at one

int largest(const std::vector<int>& counts) {
  int size = static_cast<int>(counts.size()) - 1;
  while (size > 0 && counts[size] == 0) --size;
  return size;
}

}  // namespace

std::optional<std::vector<PlacedPart>> NodeCover::fill(const NodeParts& parts, int nodes) {
  left_ = parts;
  placed_.clear();
  if (!fill_nodes(nodes)) return std::nullopt;
  return placed_;
}

int NodeCover::processors_left() const {
  int sum = 0;
  for (int size = 1; size <= node_size_; ++size) {
    sum += size * (left_.fixed[size] + left_.loose[size]);
  }
  return sum;
}

bool NodeCover::fill_nodes(int nodes) {
  effort_.spend(std::int64_t{kWorkToRemember} * node_size_);
  const int fixed = largest(left_.fixed);
  if (nodes == 0) return fixed == 0;
  const int spare = processors_left() - nodes * node_size_;
  if (spare < 0) return false;
  std::pair key(nodes, left_);
  if (futile_.contains(key)) return false;
  const Node node{nodes - 1, node_size_, node_size_, spare};
  if (fixed > 0 ? place_fixed(node, fixed) : place_loose(node, largest(left_.loose))) return true;
  futile_.insert(std::move(key));
  return false;
}

bool NodeCover::add_fixed(Node node) {
  for (int size = std::min(node.missing, node.largest); size > 0; --size) {
    if (left_.fixed[size] > 0 && place_fixed(node, size)) return true;
  }
  node.largest = node_size_;
  return add_loose(node);
}

bool NodeCover::add_loose(Node node) {
  if (node.missing == 0) return fill_nodes(node.number);
  int last = node.missing;  // the smallest that completes the node
  while (last <= node_size_ && left_.loose[last] == 0) ++last;
  const bool completes = last <= node.largest && last - node.missing <= node.spare;
  if (last == node.missing) return completes && place_loose(node, last);
  for (int size = std::min(node.missing - 1, node.largest); size > 0; --size) {
    if (left_.loose[size] > 0 && place_loose(node, size)) return true;
  }
  return completes && place_loose(node, last);
}

bool NodeCover::place_fixed(Node node, int size) {
  --left_.fixed[size];
  placed_.push_back({node.number, size, size, true});
  node.missing -= size;
  node.largest = size;
  if (add_fixed(node)) return true;
  placed_.pop_back();
  ++left_.fixed[size];
  return false;
}

bool NodeCover::place_loose(Node node, int size) {
  effort_.spend(node_size_);
  if (is_sum_left(node, size)) return false;
  const int used = std::min(size, node.missing);
  --left_.loose[size];
  placed_.push_back({node.number, size, used, false});
  node.missing -= used;
  node.largest = size;
  node.sums |= node.sums << size;
  if (add_loose(node)) return true;
  placed_.pop_back();
  ++left_.loose[size];
  return false;
}

/// Whether a part of this size and some that the node has are together as large as one that is
/// left.
bool NodeCover::is_sum_left(const Node& node, int size) const {
  for (int sum = size + 1; sum <= node_size_; ++sum) {
    if (left_.loose[sum] > 0 && node.sums[sum - size]) return true;
  }
  return false;
}

}  // namespace postroom
