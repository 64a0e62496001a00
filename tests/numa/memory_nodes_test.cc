// Made-up boxes of several nodes, of which a process may use some.
#include "numa/memory_nodes.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "numa/available_memory.h"

namespace postroom {
namespace {

constexpr std::uint64_t kKiB = 1024;

class MemoryNodes : public testing::Test {
 protected:
  MemoryNodes() { std::filesystem::remove_all(root_); }
  ~MemoryNodes() override { std::filesystem::remove_all(root_); }

  std::string path(const std::string& name) const { return root_ + "/" + name; }
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
    std::ofstream(path(name)) << text;
  }
  void write_node(int node, int free, int active, int inactive) const {
    const std::string number = std::to_string(node);
    const auto line = [&](const char* name, int kib) {
      return "Node " + number + " " + name + ":    " + std::to_string(kib) + " kB\n";
    };
    write("nodes/node" + number + "/meminfo",
          line("MemTotal", 9999) + line("MemFree", free) + "Node " + number +
              " HugePages_Free:  7\n" + line("Active(file)", active) +
              line("Inactive(file)", inactive) + line("Active(anon)", 5555));
  }
  void allow(const std::string& list) const {
    write("status", "Name:\tpostroom\nMems_allowed:\t00000000,00000003\nMems_allowed_list:\t" +
                        list + "\nvoluntary_ctxt_switches:\t1\n");
  }

  const std::string root_ = testing::TempDir() + "/memory_nodes_" +
                            testing::UnitTest::GetInstance()->current_test_info()->name();
  const MemoryNodePaths paths_ = {path("status"), path("nodes")};
};

TEST_F(MemoryNodes, WhoMayUseSomeHasWhatIsLeftThere) {
  write("nodes/has_memory", "0-2,4\n");
  write_node(0, 100, 10, 1);
  write_node(1, 200, 20, 2);
  write_node(2, 400, 40, 4);
  write_node(4, 800, 80, 8);
  EXPECT_EQ(nodes_with_memory(paths_), (std::vector<int>{0, 1, 2, 4}));
  allow("1");
  EXPECT_EQ(memory_left_on_nodes(paths_), 222 * kKiB);
  allow("0,2-9");
  EXPECT_EQ(memory_left_on_nodes(paths_), (111 + 444 + 888) * kKiB);
  allow("0-7");
  EXPECT_EQ(memory_left_on_nodes(paths_), std::nullopt);
  write("meminfo", "MemTotal: 99999 kB\nMemAvailable:    50000 kB\n");
  const MemoryPaths all{path("meminfo"), {path("none"), path("none")}, paths_};
  EXPECT_EQ(available_memory_bytes(all), 50'000 * kKiB);
  allow("1");
  EXPECT_EQ(available_memory_bytes(all), 222 * kKiB);
}

TEST_F(MemoryNodes, ABoxOfOneNodeOrThatSaysNothingLimitsNothing) {
  EXPECT_EQ(nodes_with_memory(paths_), std::vector<int>());
  EXPECT_EQ(memory_left_on_nodes(paths_), std::nullopt);
  write("nodes/has_memory", "0\n");
  write_node(0, 100, 10, 1);
  allow("0");
  EXPECT_EQ(memory_left_on_nodes(paths_), std::nullopt);
  write("nodes/has_memory", "0-1\n");
  for (const char* list : {"", "none", "8-9", "0-", ","}) {
    allow(list);
    EXPECT_EQ(memory_left_on_nodes(paths_), std::nullopt) << list;
  }
}

}  // namespace
}  // namespace postroom
