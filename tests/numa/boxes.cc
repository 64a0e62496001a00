#include "tests/numa/boxes.h"

#include <numeric>
#include <utility>

namespace postroom {
namespace {

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

Topology made_up(std::string name, TreeObject root, std::vector<MemoryNode> nodes) {
  Tree tree;
  tree.name = std::move(name);
  tree.root = std::move(root);
  tree.nodes = std::move(nodes);
  return Topology::from_tree(std::move(tree));
}

std::vector<TreeObject> cores_of_one(int first, int count) {
  std::vector<TreeObject> cores;
  for (int i = 0; i < count; ++i) cores.push_back(object(ObjectKind::kCore, {pu(first + i)}));
  return cores;
}

/// Two fast cores with two PUs each, beside a cluster of four slow ones behind one L2.
TreeObject hybrid_package() {
  std::vector<TreeObject> parts;
  parts.push_back(object(ObjectKind::kL2, {object(ObjectKind::kCore, {pu(0), pu(1)})}));
  parts.push_back(object(ObjectKind::kL2, {object(ObjectKind::kCore, {pu(2), pu(3)})}));
  parts.push_back(object(ObjectKind::kL2, cores_of_one(4, 4)));
  return object(ObjectKind::kPackage, {object(ObjectKind::kL3, std::move(parts))});
}

Topology cpus_outside_nodes() {
  return made_up(
      "CPUs outside every node",
      object(ObjectKind::kMachine, {object(ObjectKind::kPackage, cores_of_one(0, 3), {0}),
                                    object(ObjectKind::kPackage, cores_of_one(3, 3)),
                                    object(ObjectKind::kPackage, cores_of_one(6, 2), {1})}),
      {{0, kGiB, true}, {1, kGiB, true}});
}

Topology nodes_without_cpus() {
  return made_up("nodes without CPUs",
                 object(ObjectKind::kMachine,
                        {object(ObjectKind::kPackage, cores_of_one(0, 2), {0, 2}),
                         object(ObjectKind::kPackage, cores_of_one(2, 2), {1})},
                        {3}),
                 {{0, kGiB, true}, {1, kGiB, true}, {4, 8 * kGiB, false}, {7, 9 * kGiB, false}});
}

/// The CPUs of package 1 have a node of their own, but it is empty.
Topology node_without_memory() {
  return made_up(
      "a node without memory",
      object(ObjectKind::kMachine, {object(ObjectKind::kPackage, cores_of_one(0, 2), {0}),
                                    object(ObjectKind::kPackage, cores_of_one(2, 2), {1})}),
      {{0, kGiB, true}, {1, 0, true}});
}

/// One branch is five objects long, its neighbour one.
Topology unequal_branches() {
  TreeObject deep = object(ObjectKind::kCore, {pu(0), pu(1)});
  deep = object(ObjectKind::kL2, {std::move(deep), object(ObjectKind::kCore, {pu(2)})});
  deep = object(ObjectKind::kL3, {std::move(deep), object(ObjectKind::kCore, {pu(3)})});
  deep = object(ObjectKind::kPackage, {std::move(deep), object(ObjectKind::kCore, {pu(4)})}, {0});
  return made_up("unequal branches", object(ObjectKind::kMachine, {std::move(deep), pu(5)}),
                 {{0, kGiB, true}});
}

Topology every_third_cpu(const std::string& description) {
  const Topology whole = Topology::synthetic(description);
  std::vector<int> allowed;
  for (int leaf = 1; leaf < whole.leaf_count(); leaf += 3) {
    allowed.push_back(whole.leaf(leaf).os_index);
  }
  return whole.restricted_to(allowed);
}

int depth_of(ObjectKind kind) { return static_cast<int>(kind); }

}  // namespace

TreeObject object(ObjectKind kind, std::vector<TreeObject> children, std::vector<int> nodes) {
  TreeObject object;
  object.kind = kind;
  object.depth = depth_of(kind);
  object.children = std::move(children);
  object.nodes = std::move(nodes);
  return object;
}

TreeObject pu(int os_index) {
  TreeObject pu;
  pu.depth = depth_of(ObjectKind::kPu);
  pu.os_index = os_index;
  return pu;
}

const std::vector<Box>& regular_boxes() {
  static const std::vector<Box> boxes = {
      {"pu:1", {1}, 1, 1},
      {"pu:2", {2}, 2, 1},
      {"pu:7", {7}, 7, 1},
      {"core:1 pu:1", {1, 1}, 1, 1},
      {"core:1 pu:2", {1, 2}, 1, 1},
      {"core:2 pu:1", {2, 1}, 2, 1},
      {"core:4 pu:2", {4, 2}, 4, 1},
      {"core:3 pu:4", {3, 4}, 3, 1},
      {"core:5 pu:8", {5, 8}, 5, 1},
      {"package:1 core:1 pu:1", {1, 1, 1}, 1, 1},
      {"package:2 core:4 pu:1", {2, 4, 1}, 8, 1},
      {"package:2 core:4 pu:2", {2, 4, 2}, 8, 1},
      {"package:3 core:5 pu:1", {3, 5, 1}, 15, 1},
      {"package:3 core:5 pu:2", {3, 5, 2}, 15, 1},
      {"package:7 core:1 pu:3", {7, 1, 3}, 7, 1},
      {"numa:2 pu:1", {2, 1}, 2, 2},
      {"numa:4 core:8 pu:2", {4, 8, 2}, 32, 4},
      {"numa:8 core:32 pu:1", {8, 32, 1}, 256, 8},
      {"numa:8 core:1 pu:2", {8, 1, 2}, 8, 8},
      {"numa:1 core:6 pu:2", {1, 6, 2}, 6, 1},
      {"numa:16 core:2 pu:1", {16, 2, 1}, 32, 16},
      {"package:2 numa:2 core:4 pu:2", {2, 2, 4, 2}, 16, 4},
      {"package:2 numa:4 l3:2 core:4 pu:2", {2, 4, 2, 4, 2}, 64, 8},
      {"package:2 [numa] l3:4 l2:2 core:1 pu:2", {2, 4, 2, 1, 2}, 16, 2},
      {"package:1 [numa] l3:1 l2:8 l1d:1 core:1 pu:2", {1, 1, 8, 1, 1, 2}, 8, 1},
      {"package:2 die:2 l3:2 core:3 pu:2", {2, 2, 2, 3, 2}, 24, 1},
      {"package:2 die:2 [numa] l3:3 l2:1 core:2 pu:1", {2, 2, 3, 1, 2, 1}, 24, 4},
      {"group:2 group:2 group:2 group:2 pu:2", {2, 2, 2, 2, 2}, 32, 1},
      {"group:3 package:2 core:2 pu:2", {3, 2, 2, 2}, 12, 1},
      {"group:4 package:2 numa:2 l3:2 l2:2 core:2 pu:2", {4, 2, 2, 2, 2, 2, 2}, 128, 16},
      {"l5:2 l4:2 l3:2 l2:2 l1d:2 core:2 pu:2", {2, 2, 2, 2, 2, 2, 2}, 64, 1},
      {"package:8 core:16 pu:2", {8, 16, 2}, 128, 1},
      {"package:64 core:2 pu:1", {64, 2, 1}, 128, 1},
      {"core:512 pu:1", {512, 1}, 512, 1},
      {"[numa] package:2 [numa] core:3 pu:2", {2, 3, 2}, 6, 3},
      {"package:2 [numa] [numa] core:3 pu:2", {2, 3, 2}, 6, 4},
  };
  return boxes;
}

std::vector<OddBox> odd_boxes() {
  std::vector<OddBox> boxes;
  boxes.push_back({"CPUs outside every node", cpus_outside_nodes()});
  boxes.push_back({"nodes without CPUs", nodes_without_cpus()});
  boxes.push_back({"a node without memory", node_without_memory()});
  boxes.push_back(
      {"no node at all", made_up("", object(ObjectKind::kMachine, cores_of_one(0, 4)), {})});
  boxes.push_back({"a PU alone", made_up("", pu(3), {})});
  boxes.push_back({"hybrid", made_up("", object(ObjectKind::kMachine, {hybrid_package()}), {})});
  boxes.push_back({"unequal branches", unequal_branches()});
  boxes.push_back({"flat", Topology::from_tree(flat_tree({9, 4, 70}))});
  boxes.push_back(
      {"every third CPU of 2 x 2 x 5 x 2", every_third_cpu("package:2 numa:2 core:5 pu:2")});
  boxes.push_back({"every third CPU of 3 x 5 x 1", every_third_cpu("package:3 core:5 pu:1")});
  boxes.push_back(
      {"one CPU of many", Topology::synthetic("numa:4 core:8 pu:2").restricted_to({37})});
  boxes.push_back({"CPUs numbered across packages",
                   Topology::synthetic("package:2 core:2 pu:2(indexes=0,4,2,6,1,5,3,7)")});
  return boxes;
}

}  // namespace postroom
