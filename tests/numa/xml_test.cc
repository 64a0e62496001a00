// Boxes from XML files, written here with hwloc itself.
#include <gtest/gtest.h>
#include <hwloc.h>
#include <hwloc/distances.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "numa/placement.h"
#include "numa/topology.h"
#include "tests/numa/boxes.h"
#include "tests/numa/invariants.h"

// Where hwloc's plugin for libxml is not installed it reads with code of its own, which loses the
// objects that it has begun when a file is cut short.
extern "C" const char* __lsan_default_suppressions() { return "leak:hwloc_alloc_setup_object\n"; }

namespace postroom {
namespace {

std::string path_of(const std::string& name) { return testing::TempDir() + "/" + name; }

/// Writes a synthetic box, changed by `change`, and returns the path.
std::string write_xml(const std::string& name, const std::string& description,
                      const std::function<void(hwloc_topology_t)>& change = {}) {
  hwloc_topology_t topology = nullptr;
  EXPECT_EQ(hwloc_topology_init(&topology), 0);
  EXPECT_EQ(hwloc_topology_set_synthetic(topology, description.c_str()), 0);
  EXPECT_EQ(hwloc_topology_load(topology), 0);
  if (change) change(topology);
  const std::string path = path_of(name);
  EXPECT_EQ(hwloc_topology_export_xml(topology, path.c_str(), 0), 0);
  hwloc_topology_destroy(topology);
  return path;
}

void restrict_cpus(hwloc_topology_t topology, const char* list, unsigned long flags) {
  hwloc_bitmap_t cpus = hwloc_bitmap_alloc();
  EXPECT_EQ(hwloc_bitmap_list_sscanf(cpus, list), 0);
  EXPECT_EQ(hwloc_topology_restrict(topology, cpus, flags), 0);
  hwloc_bitmap_free(cpus);
}

std::string contents(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(XmlTest, SameBoxAsItsDescription) {
  for (const Box& box : regular_boxes()) {
    SCOPED_TRACE(box.description);
    const Topology described = Topology::synthetic(box.description);
    const Topology read = Topology::parse(write_xml("same.xml", box.description));
    EXPECT_FALSE(read.is_this_machine());
    ASSERT_EQ(read.leaf_count(), described.leaf_count());
    ASSERT_EQ(read.level_count(), described.level_count());
    EXPECT_EQ(read.draw(), described.draw());
    for (int leaf = 0; leaf < read.leaf_count(); ++leaf) {
      ASSERT_EQ(read.level(0, leaf), described.level(0, leaf));
      ASSERT_EQ(read.node_of(leaf), described.node_of(leaf));
    }
  }
}

TEST(XmlTest, DisallowedCpusAreGone) {
  const std::string path =
      write_xml("restricted.xml", "numa:2 core:4 pu:2",
                [](hwloc_topology_t topology) { restrict_cpus(topology, "1,4-7,15", 0); });
  const Topology box = Topology::from_xml(path);
  expect_valid(box);
  EXPECT_EQ(box.leaf_count(), 6);
  EXPECT_EQ(box.core_count(), 4);
  EXPECT_EQ(box.level(1, 2), 1);
  EXPECT_EQ(box.node_of(5), 1);
}

TEST(XmlTest, NodesThatLostTheirCpus) {
  const std::string path =
      write_xml("cpuless.xml", "package:3 [numa] core:2 pu:1",
                [](hwloc_topology_t topology) { restrict_cpus(topology, "2-3", 0); });
  const Topology box = Topology::from_xml(path);
  expect_valid(box);
  EXPECT_EQ(box.leaf_count(), 2);
  EXPECT_EQ(box.node_count(), 3);
  EXPECT_TRUE(box.node(box.node_of(0)).has_cpus);
  EXPECT_EQ(box.node(box.node_of(0)).os_index, 1);
  EXPECT_EQ(box.leaf(0).local_nodes.size(), 1U);
}

TEST(XmlTest, CpusOutsideEveryNode) {
  const std::string whole = contents(write_xml("whole.xml", "package:2 [numa] core:1 pu:2"));
  const std::size_t node = whole.find("<object type=\"NUMANode\" os_index=\"1\"");
  ASSERT_NE(node, std::string::npos);
  const std::string end = "</object>";
  const std::size_t after = whole.find(end, node) + end.size();
  const std::string path = path_of("outside.xml");
  std::ofstream(path) << whole.substr(0, node) << whole.substr(after);

  const Topology box = Topology::from_xml(path);
  expect_valid(box);
  EXPECT_EQ(box.node_count(), 1);
  EXPECT_EQ(box.leaf(0).local_nodes.size(), 1U);
  EXPECT_TRUE(box.leaf(2).local_nodes.empty());
  EXPECT_EQ(box.node_of(2), 0);
}

TEST(XmlTest, HybridFromHwloc) {
  // Two L2 with one core of two PUs left, two with four cores of one PU.
  const std::string path =
      write_xml("hybrid.xml", "package:1 l2:4 core:4 pu:2", [](hwloc_topology_t topology) {
        restrict_cpus(topology, "0-1,8-9,16,18,20,22,24,26,28,30", 0);
      });
  const Topology box = Topology::from_xml(path);
  expect_valid(box);
  EXPECT_EQ(box.leaf_count(), 12);
  EXPECT_EQ(box.core_count(), 10);
  EXPECT_EQ(box.level(0, 1), 1);
  EXPECT_EQ(box.level(4, 5), 2);
  EXPECT_EQ(box.level(0, 4), 3);
  expect_valid(box, place(box, 11), 11);
}

TEST(XmlTest, StatedDistances) {
  const std::string path =
      write_xml("distances.xml", "numa:3 core:2 pu:1", [](hwloc_topology_t topology) {
        std::vector<hwloc_obj_t> nodes;
        for (unsigned i = 0; i < 3; ++i) {
          nodes.push_back(hwloc_get_obj_by_type(topology, HWLOC_OBJ_NUMANODE, i));
        }
        std::vector<hwloc_uint64_t> latencies = {10, 12, 32, 12, 10, 21, 32, 21, 10};
        hwloc_distances_add_handle_t handle = hwloc_distances_add_create(
            topology, "NUMALatency",
            HWLOC_DISTANCES_KIND_FROM_USER | HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0);
        ASSERT_NE(handle, nullptr);
        EXPECT_EQ(
            hwloc_distances_add_values(topology, handle, 3, nodes.data(), latencies.data(), 0), 0);
        EXPECT_EQ(hwloc_distances_add_commit(topology, handle, 0), 0);
      });
  const Topology box = Topology::from_xml(path);
  EXPECT_EQ(box.node_distance(0, 1), 12);
  EXPECT_EQ(box.node_distance(0, 2), 32);
  EXPECT_EQ(box.node_distance(2, 1), 21);
  EXPECT_EQ(box.node_distance(2, 2), 10);
}

TEST(XmlTest, MissingFiles) {
  EXPECT_THROW(Topology::from_xml("/nowhere/box.xml"), std::system_error);
  EXPECT_THROW(Topology::parse("/nowhere/box.xml"), std::system_error);
  try {
    Topology::parse("/nowhere/box.xml");
  } catch (const std::system_error& error) {
    EXPECT_STREQ(error.what(), "topology: cannot read /nowhere/box.xml: No such file or directory");
  }
}

TEST(XmlTest, APipeIsNotWaitedFor) {
  const std::string path = ::testing::TempDir() + "/pipe.xml";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_THROW(static_cast<void>(Topology::from_xml(path)), std::invalid_argument);
  std::filesystem::remove(path);
}

TEST(XmlTest, FilesThatAreSomethingElse) {
  int number = 0;
  for (const char* text :
       {"", "root:x:0:0:root", "<html></html>", "<?xml version=\"1.0\"?><topology>",
        "<?xml version=\"1.0\"?><topology version=\"2.0\"></topology>"}) {
    const std::string path = path_of("odd" + std::to_string(number++) + ".xml");
    std::ofstream(path) << text;
    EXPECT_THROW(Topology::from_xml(path), std::invalid_argument) << text;
  }
  const std::string folder = path_of("folder.xml");
  std::filesystem::create_directories(folder);
  EXPECT_THROW(Topology::from_xml(folder), std::invalid_argument);
}

TEST(XmlTest, CutShortAnywhere) {
  const std::string whole = contents(write_xml("cut.xml", "package:2 [numa] core:2 pu:2"));
  for (std::size_t length = 0; length + 20 < whole.size(); length += 97) {
    const std::string path = path_of("cut_short.xml");
    std::ofstream(path) << whole.substr(0, length);
    EXPECT_THROW(Topology::from_xml(path), std::invalid_argument) << length;
  }
}

}  // namespace
}  // namespace postroom
