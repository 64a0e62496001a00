#include "numa/memory_nodes.h"

#include <hwloc.h>
#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>

namespace postroom {
namespace {

/// "0-3,7"; none where it is no such list.
std::vector<int> numbers_of(const std::string& list) {
  std::vector<int> numbers;
  const std::unique_ptr<hwloc_bitmap_s, decltype(&hwloc_bitmap_free)> bits(hwloc_bitmap_alloc(),
                                                                           &hwloc_bitmap_free);
  if (bits == nullptr || hwloc_bitmap_list_sscanf(bits.get(), list.c_str()) != 0) return numbers;
  if (hwloc_bitmap_weight(bits.get()) < 0) return numbers;  // without an end
  for (int i = hwloc_bitmap_first(bits.get()); i >= 0; i = hwloc_bitmap_next(bits.get(), i)) {
    numbers.push_back(i);
  }
  return numbers;
}

std::vector<int> common(const std::vector<int>& some, const std::vector<int>& others) {
  std::vector<int> both;
  std::ranges::set_intersection(some, others, std::back_inserter(both));
  return both;
}

std::vector<int> allowed_nodes(const std::string& status) {
  std::ifstream file(status);
  for (std::string line; std::getline(file, line);) {
    std::string name, list;
    std::istringstream words(line);
    if (words >> name >> list && name == "Mems_allowed_list:") return numbers_of(list);
  }
  return {};
}

/// To which the policy of this thread binds it; none where it has no such policy.
std::vector<int> bound_nodes() {
  std::vector<int> nodes;
#ifdef SYS_get_mempolicy
  constexpr std::size_t kWordBits = 8 * sizeof(unsigned long);
  std::array<unsigned long, 4096 / kWordBits> mask{};  // more nodes than Linux can be built for
  int mode = 0;
  const long answer =
      syscall(SYS_get_mempolicy, &mode, mask.data(), mask.size() * kWordBits, nullptr, 0UL);
  if (answer != 0 || (mode & ~MPOL_MODE_FLAGS) != MPOL_BIND) return nodes;
  for (std::size_t i = 0; i < mask.size() * kWordBits; ++i) {
    if ((mask[i / kWordBits] >> (i % kWordBits) & 1U) != 0) nodes.push_back(static_cast<int>(i));
  }
#endif
  return nodes;
}

/// Of lines such as "Node 0 MemFree:   1234 kB".
std::uint64_t left_on(const std::string& meminfo) {
  std::uint64_t sum = 0;
  std::ifstream file(meminfo);
  std::string node, number, name, rest;
  for (std::uint64_t kibibytes = 0; file >> node >> number >> name;) {
    const bool counts = name == "MemFree:" || name == "Active(file):" || name == "Inactive(file):";
    if (counts && file >> kibibytes) sum += kibibytes * 1024;
    if (!std::getline(file, rest)) break;
  }
  return sum;
}

}  // namespace

std::vector<int> nodes_with_memory(const MemoryNodePaths& paths) {
  std::ifstream file(paths.nodes + "/has_memory");
  std::string list;
  std::getline(file, list);
  return numbers_of(list);
}

std::optional<std::uint64_t> memory_left_on_nodes(const MemoryNodePaths& paths) {
  const std::vector<int> all = nodes_with_memory(paths);
  if (all.size() < 2) return std::nullopt;
  std::vector<int> own = all;
  for (const std::vector<int>& allowed : {allowed_nodes(paths.status), bound_nodes()}) {
    if (!allowed.empty()) own = common(own, allowed);
  }
  if (own.empty() || own == all) return std::nullopt;
  std::uint64_t sum = 0;
  for (const int node : own) {
    sum += left_on(paths.nodes + "/node" + std::to_string(node) + "/meminfo");
  }
  return sum;
}

}  // namespace postroom
