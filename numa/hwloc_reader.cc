#include "numa/hwloc_reader.h"

#include <hwloc.h>
#include <hwloc/distances.h>
#include <pthread.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <numeric>
#include <set>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

#include "numa/available_memory.h"
#include "numa/memory_nodes.h"

namespace postroom {
namespace {

// Held while hwloc is at work, and while a child is forked off: hwloc has a lock of its own, which
// the child would find locked for ever.
constinit std::mutex at_hwloc;

// Where there is no memory for that, a child does without.
[[maybe_unused]] const int kRegistered =
    pthread_atfork([] { at_hwloc.lock(); }, [] { at_hwloc.unlock(); }, [] { at_hwloc.unlock(); });

struct Destroy {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using Handle = std::unique_ptr<hwloc_topology, Destroy>;

Handle new_handle() {
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0) throw std::bad_alloc();
  return Handle(topology);
}

ObjectKind kind_of(hwloc_obj_type_t type) {
  switch (type) {
    case HWLOC_OBJ_MACHINE:
      return ObjectKind::kMachine;
    case HWLOC_OBJ_PACKAGE:
      return ObjectKind::kPackage;
    case HWLOC_OBJ_DIE:
      return ObjectKind::kDie;
    case HWLOC_OBJ_L5CACHE:
      return ObjectKind::kL5;
    case HWLOC_OBJ_L4CACHE:
      return ObjectKind::kL4;
    case HWLOC_OBJ_L3CACHE:
      return ObjectKind::kL3;
    case HWLOC_OBJ_L2CACHE:
      return ObjectKind::kL2;
    case HWLOC_OBJ_L1CACHE:
      return ObjectKind::kL1d;
    case HWLOC_OBJ_CORE:
      return ObjectKind::kCore;
    case HWLOC_OBJ_PU:
      return ObjectKind::kPu;
    default:
      return ObjectKind::kGroup;
  }
}

/// Turns hwloc's objects into ours.
class Reader {
 public:
  explicit Reader(hwloc_topology_t topology) : topology_(topology) {}

  Tree read(std::string name) {
    tree_.name = std::move(name);
    tree_.nodes.resize(std::max(0, hwloc_get_nbobjs_by_type(topology_, HWLOC_OBJ_NUMANODE)));
    tree_.root = object(hwloc_get_root_obj(topology_));
    read_distances();
    drop_empty(tree_);
    return std::move(tree_);
  }

 private:
  TreeObject object(hwloc_obj_t from) {
    TreeObject to;
    to.kind = kind_of(from->type);
    to.depth = from->depth;
    if (from->os_index != HWLOC_UNKNOWN_INDEX) to.os_index = static_cast<int>(from->os_index);
    if (hwloc_obj_type_is_dcache(from->type)) {
      to.cache_bytes = from->attr->cache.size;
      tree_.cache_line_bytes =
          std::max(tree_.cache_line_bytes, static_cast<int>(from->attr->cache.linesize));
    }
    memory(from, to);
    for (hwloc_obj_t child = from->first_child; child != nullptr; child = child->next_sibling) {
      to.children.push_back(object(child));
    }
    return to;
  }

  /// The memory nodes below `from`, through memory-side caches if there are any.
  void memory(hwloc_obj_t from, TreeObject& to) {
    for (hwloc_obj_t child = from->memory_first_child; child != nullptr;
         child = child->next_sibling) {
      memory(child, to);
      if (child->type != HWLOC_OBJ_NUMANODE) continue;
      to.nodes.push_back(static_cast<int>(child->logical_index));
      MemoryNode& node = tree_.nodes[child->logical_index];
      node.os_index = static_cast<int>(child->os_index);
      node.memory_bytes = child->attr->numanode.local_memory;
      node.has_cpus = !hwloc_bitmap_iszero(child->cpuset);
    }
  }

  void read_distances() {
    unsigned count = 1;
    hwloc_distances_s* found = nullptr;
    const int failed = hwloc_distances_get_by_type(topology_, HWLOC_OBJ_NUMANODE, &count, &found,
                                                   HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0);
    if (failed != 0 || count == 0 || found == nullptr) return;
    const std::size_t n = tree_.nodes.size();
    if (found->nbobjs == n) {
      tree_.distances.resize(n * n);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          const std::size_t row = found->objs[i]->logical_index;
          tree_.distances[row * n + found->objs[j]->logical_index] = found->values[i * n + j];
        }
      }
    }
    hwloc_distances_release(topology_, found);
  }

  hwloc_topology_t topology_;
  Tree tree_;
};

void collect_cpus(const TreeObject& object, std::set<int>& cpus) {
  if (object.kind == ObjectKind::kPu) cpus.insert(object.os_index);
  for (const TreeObject& child : object.children) collect_cpus(child, cpus);
}

/// The leaves that `description` asks for, as far as it can be read; more than the limit counts as
/// one more than the limit. Attributes in brackets say nothing about it.
long leaves_asked_for(const std::string& description) {
  std::string plain;
  int open = 0;
  for (const char c : description) {
    if (c == '[' || c == '(') ++open;
    if (open == 0) plain += c;
    if (c == ']' || c == ')') --open;
  }
  long leaves = 1;
  std::istringstream words(plain);
  for (std::string word; words >> word;) {
    const std::size_t colon = word.find(':');
    const char* digits = word.c_str() + (colon == std::string::npos ? 0 : colon + 1);
    const long arity = std::strtol(digits, nullptr, 0);
    if (arity > kMostSyntheticLeaves) return kMostSyntheticLeaves + 1L;
    leaves = std::min(leaves * std::max(arity, 1L), kMostSyntheticLeaves + 1L);
  }
  return leaves;
}

/// The CPUs 0, 1, … where neither hwloc nor the affinity says which there are.
std::vector<int> counted_cpus() {
  std::vector<int> cpus(std::max(1U, std::thread::hardware_concurrency()));
  std::iota(cpus.begin(), cpus.end(), 0);
  return cpus;
}

/// What is left of `tree` where only the numbers of its CPUs are known.
Tree hidden_machine(Tree tree, const std::vector<int>& cpus) {
  Tree flat = flat_tree(cpus);
  flat.name = std::move(tree.name);
  flat.is_this_machine = tree.is_this_machine;
  flat.notes.push_back("The system hides the shape of this box: its CPUs (" +
                       std::to_string(cpus.size()) +
                       " allowed) are taken as equals, caches and NUMA nodes as unknown.");
  return flat;
}

// What the system tells, or, where it keeps its cores to itself, what they say: for that the thread
// goes from one to the next, which takes its time on a large box. Nothing when hwloc fails.
Handle load_this_machine() {
  Handle handle = new_handle();
  hwloc_topology_set_flags(handle.get(), HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING);
  if (hwloc_topology_load(handle.get()) == 0 &&
      hwloc_get_nbobjs_by_type(handle.get(), HWLOC_OBJ_L1CACHE) > 0) {
    return handle;
  }
  handle = new_handle();
  if (hwloc_topology_load(handle.get()) != 0) handle.reset();
  return handle;
}

}  // namespace

Tree this_machine_from(Tree tree, const std::vector<int>& allowed) {
  std::set<int> known;
  collect_cpus(tree.root, known);
  const bool all_known =
      std::all_of(allowed.begin(), allowed.end(), [&](int cpu) { return known.count(cpu) != 0; });
  if (known.empty() || !all_known) {
    tree = hidden_machine(std::move(tree), allowed.empty() ? counted_cpus() : allowed);
  } else if (!allowed.empty()) {  // empty: this system does not restrict threads
    restrict_to(tree, allowed);
  }
  // Its own figure may lack memory that was plugged in later. Of several nodes in the box, a cpuset
  // may leave one. (GCC 12 destroys default arguments twice that stand behind an &&, where one of
  // them throws.)
  const std::size_t nodes = nodes_with_memory().size();
  if (tree.nodes.size() == 1 && nodes <= 1) {
    tree.nodes[0].memory_bytes = std::max(tree.nodes[0].memory_bytes, physical_memory_bytes());
  }
  return tree;
}

Tree read_this_machine(const std::vector<int>& allowed) {
  const std::lock_guard lock(at_hwloc);
  const Handle handle = load_this_machine();
  Tree tree;
  tree.name = "this machine";
  tree.root.kind = ObjectKind::kMachine;
  if (handle != nullptr) {
    // hwloc's own environment variables can put another box in the place of this one.
    if (hwloc_topology_is_thissystem(handle.get()) == 0) {
      return Reader(handle.get()).read("the box named by hwloc's environment variables");
    }
    tree = Reader(handle.get()).read("this machine");
  }
  tree.is_this_machine = true;
  return this_machine_from(std::move(tree), allowed);
}

Tree read_synthetic(const std::string& description) {
  const std::string quoted = "topology: \"" + description + "\"";
  if (leaves_asked_for(description) > kMostSyntheticLeaves) {
    throw std::invalid_argument(quoted + " has too many leaves; at most " +
                                std::to_string(kMostSyntheticLeaves));
  }
  const std::lock_guard lock(at_hwloc);
  const Handle handle = new_handle();
  if (hwloc_topology_set_synthetic(handle.get(), description.c_str()) != 0 ||
      hwloc_topology_load(handle.get()) != 0) {
    throw std::invalid_argument(
        quoted +
        " is not understood; allowed is a list from the outside to the inside, "
        "ending in pu, such as \"package:2 numa:2 core:8 pu:2\", or an .xml file of lstopo");
  }
  return Reader(handle.get()).read("synthetic " + description);
}

Tree read_xml(const std::string& path) {
  std::error_code unknown;
  if (const auto status = std::filesystem::status(path, unknown);
      std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw std::invalid_argument("topology: " + path +
                                " is no regular file");  // could be waited for
  }
  if (!std::ifstream(path)) {
    throw std::system_error(errno, std::generic_category(), "topology: cannot read " + path);
  }
  const std::lock_guard lock(at_hwloc);
  const Handle handle = new_handle();
  if (hwloc_topology_set_xml(handle.get(), path.c_str()) != 0 ||
      hwloc_topology_load(handle.get()) != 0) {
    throw std::invalid_argument("topology: " + path +
                                " is not an XML file of hwloc; lstopo writes one");
  }
  return Reader(handle.get()).read(path);
}

}  // namespace postroom
