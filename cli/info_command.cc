#include "cli/info_command.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>
#include <thread>

#include "cli/common/command_line.h"
#include "cli/common/failure.h"
#include "cli/common/json_text.h"
#include "cli/common/units.h"
#include "cli/files/outputs.h"
#include "fat_trees/fat_tree.h"
#include "fat_trees/fat_tree_of_box.h"
#include "fat_trees/fat_tree_picture.h"
#include "numa/available_memory.h"
#include "numa/draw.h"
#include "numa/pin.h"
#include "numa/quota.h"
#include "numa/vectors.h"
#include "runtime/version.h"

namespace postroom::cli {
namespace {

constexpr int kMostProcessors = 1'000'000;
// Longer lists are cut; the JSON has them whole.
constexpr int kMostListed = 64;

struct InfoArguments {
  std::string topology;
  int processors = 0;
  std::optional<std::string> json;
  bool fat_tree = false;
  bool measure = false;
};

struct InfoWords {
  std::optional<std::string> topology, processors, json;
};

void declare(CommandLine& line, InfoArguments& arguments, InfoWords& words) {
  line.value("--topology", words.topology, "TEXT",
             "the box to look at: 'numa:2 core:4 pu:2', a file from 'lstopo FILE.xml', or 'box' "
             "(this one; the default)");
  line.value("-p,--parallel,--processors", words.processors, "N",
             "place N processors instead of as many as the box takes by itself");
  line.value("--json", words.json, "FILE", "write all of it as JSON ('-': standard output)");
  line.flag("--fat-tree", arguments.fat_tree,
            "show the processors as the leaves of a fat tree, with the links of its branches");
  line.flag("--measure", arguments.measure,
            "with --fat-tree: take these from a short measurement, not from the NUMA distances");
}

constexpr const char* kSummary = "Shows the box as Postroom sees it.";

InfoArguments parse(std::span<const std::string> given) {
  CommandLine line("info", kSummary);
  InfoArguments arguments;
  InfoWords words;
  declare(line, arguments, words);
  line.parse(given);
  if (words.topology == "") throw UsageError("--topology: '' describes no box");
  arguments.topology = words.topology.value_or("");
  set_whole_number(arguments.processors, "--processors", words.processors, 1, kMostProcessors);
  arguments.json = words.json;
  if (arguments.measure && !arguments.fat_tree) throw UsageError("--measure needs --fat-tree");
  return arguments;
}

/// Pins a thread to every leaf in turn and returns what the system says against it.
std::vector<std::string> pinning_refusals(const Topology& topology, const Placement& placement) {
  std::vector<std::string> refusals;
  const auto pin_to_each = [&] {
    for (const int leaf : placement.leaf_of_processor) {
      const std::string refusal = pin_this_thread(topology, leaf);
      if (!refusal.empty() && std::ranges::find(refusals, refusal) == refusals.end()) {
        refusals.push_back(refusal);
      }
    }
  };
  try {
    std::thread(pin_to_each).join();
  } catch (const std::system_error& error) {
    refusals.push_back(
        fmt::format("pinning: not tried, no thread can be started: {}", error.code().message()));
  }
  return refusals;
}

std::string cache_in_words(const char* name, const Cache& cache) {
  if (cache.bytes == 0) return fmt::format("{} unknown", name);
  const std::string shared =
      cache.leaves > 1 ? fmt::format(" (shared by {} leaves)", cache.leaves) : "";
  return fmt::format("{} {}{}", name, size_in_words(cache.bytes), shared);
}

std::string caches_in_words(const Topology& topology) {
  const Leaf& leaf = topology.leaf(0);
  return fmt::format("{}, {}, {}; lines of {} bytes", cache_in_words("L1d", leaf.l1d),
                     cache_in_words("L2", leaf.l2), cache_in_words("L3", leaf.l3),
                     topology.cache_line_bytes());
}

std::string vectors_in_words() {
  const std::string_view of_cpu = name_of(vectors_of_cpu());
  const std::string_view used = name_of(vectors_in_use());
  return used == of_cpu ? std::string(used)
                        : fmt::format("{}, of {} (POSTROOM_VECTORS)", used, of_cpu);
}

std::string memory_in_words(const BoxReport& report) {
  const std::uint64_t total = report.topology.total_memory_bytes();
  std::string words = total == 0 ? "unknown" : size_in_words(total);
  if (report.available_memory_bytes) {
    words += ", " + size_in_words(*report.available_memory_bytes) + " available";
  }
  if (report.memory_limit_bytes) {
    words += ", limit of the control group " + size_in_words(*report.memory_limit_bytes);
  }
  return words;
}

std::string levels_in_words(const Topology& topology) {
  std::string words;
  for (int level = 0; level < topology.level_count(); ++level) {
    words += fmt::format("{}{} {}", level == 0 ? "" : ", ", level, topology.level_name(level));
  }
  return words;
}

std::string distances_in_words(const Topology& topology) {
  std::string table;
  const int shown = std::min(topology.node_count(), kMostListed);
  for (int from = 0; from < shown; ++from) {
    table += fmt::format("  node {:<4}", from);
    for (int to = 0; to < shown; ++to) {
      table += fmt::format(" {:>4}", topology.node_distance(from, to));
    }
    table += '\n';
  }
  return table;
}

std::string name_or_none(int number) { return number < 0 ? "-" : std::to_string(number); }

std::string processors_in_words(const BoxReport& report) {
  const Topology& topology = report.topology;
  const std::vector<int>& leaves = report.placement.leaf_of_processor;
  const int processors = static_cast<int>(leaves.size());
  std::string table = fmt::format("processors   {}: {}\n", processors, report.placement.reason);
  table += "  processor  leaf   CPU  core  package  NUMA node\n";
  for (int processor = 0; processor < std::min(processors, kMostListed); ++processor) {
    const Leaf& leaf = topology.leaf(leaves[processor]);
    table +=
        fmt::format("  {:>9} {:>5} {:>5} {:>5} {:>8} {:>10}\n", processor, leaves[processor],
                    name_or_none(leaf.os_index), leaf.core, name_or_none(leaf.package), leaf.node);
  }
  if (processors > kMostListed) {
    table += fmt::format("  … and {} more (--json lists them all)\n", processors - kMostListed);
  }
  return table;
}

nlohmann::ordered_json cache_as_json(const Cache& cache) {
  return {{"bytes", cache.bytes}, {"leaves", cache.leaves}};
}

nlohmann::ordered_json leaves_as_json(const Topology& topology) {
  auto leaves = nlohmann::ordered_json::array();
  for (int i = 0; i < topology.leaf_count(); ++i) {
    const Leaf& leaf = topology.leaf(i);
    leaves.push_back({{"leaf", i},
                      {"cpu", leaf.os_index},
                      {"core", leaf.core},
                      {"package", leaf.package},
                      {"node", leaf.node},
                      {"l1d", cache_as_json(leaf.l1d)},
                      {"l2", cache_as_json(leaf.l2)},
                      {"l3", cache_as_json(leaf.l3)}});
  }
  return leaves;
}

nlohmann::ordered_json levels_as_json(const Topology& topology) {
  auto levels = nlohmann::ordered_json::array();
  for (int level = 0; level < topology.level_count(); ++level) {
    levels.push_back({{"level", level},
                      {"name", topology.level_name(level)},
                      {"parts", topology.level_parts(level)}});
  }
  return levels;
}

nlohmann::ordered_json nodes_as_json(const Topology& topology) {
  auto nodes = nlohmann::ordered_json::array();
  for (int node = 0; node < topology.node_count(); ++node) {
    std::vector<int> distances;
    for (int to = 0; to < topology.node_count(); ++to) {
      distances.push_back(topology.node_distance(node, to));
    }
    nodes.push_back({{"node", node},
                     {"memory_bytes", topology.node(node).memory_bytes},
                     {"distances", distances}});
  }
  return nodes;
}

/// Null where nothing was measured.
nlohmann::ordered_json bandwidths_as_json(const BoxReport& report) {
  if (!report.measured) return {};
  auto levels = nlohmann::ordered_json::array();
  for (const LevelBandwidth& each : report.measured->bandwidths) {
    levels.push_back({{"level", levels.size() + 1},
                      {"copies", each.copies},
                      {"gb_per_s_each", each.bytes_per_ns_each}});
  }
  return levels;
}

template <class T>
nlohmann::ordered_json or_null(const std::optional<T>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

}  // namespace

BoxReport look_at_box(const std::string& text, int processors) {
  const Topology topology = Topology::parse(text);
  BoxReport report{topology, {}, {}, {}, {}, {}, {}};
  if (processors == 0) processors = default_processors(topology);
  report.placement = place(topology, processors);
  report.notes = report.placement.notes;
  if (!topology.is_this_machine()) return report;
  report.cpu_quota = cpu_quota();
  report.memory_limit_bytes = memory_limit();
  report.available_memory_bytes = available_memory_bytes();
  for (std::string& refusal : pinning_refusals(topology, report.placement)) {
    report.notes.push_back(std::move(refusal));
  }
  return report;
}

FatTree BoxReport::fat_tree() const {
  return measured ? measured->tree : fat_tree_of(topology, placement.leaf_of_processor);
}

std::string to_text(const BoxReport& report) {
  const Topology& topology = report.topology;
  std::string text =
      fmt::format("Postroom {} on {}\n\n{}\n", kVersion, topology.name(), topology.draw());
  text += fmt::format("leaves       {}{}, {}\n", topology.leaf_count(),
                      topology.is_this_machine() ? " (the CPUs that this process may use)" : "",
                      counted(topology.core_count(), "core"));
  text += fmt::format("CPU quota    {}\n",
                      report.cpu_quota ? fmt::format("{:.4g} CPUs", *report.cpu_quota) : "none");
  text += fmt::format("memory       {}\n", memory_in_words(report));
  text += fmt::format("caches       {}\n", caches_in_words(topology));
  if (topology.is_this_machine()) {
    text += fmt::format("vectors      {}\n", vectors_in_words());
  }
  text += fmt::format("levels       {}\n", levels_in_words(topology));
  text += fmt::format("NUMA nodes   {}{}\n", topology.node_count(),
                      topology.node_count() > 1 ? "; distances:" : "");
  if (topology.node_count() > 1) text += distances_in_words(topology);
  text += processors_in_words(report);
  for (const std::string& note : report.notes) text += fmt::format("note: {}\n", note);
  return text;
}

std::string fat_tree_to_text(const BoxReport& report) {
  const FatTree tree = report.fat_tree();
  std::string capacities;
  for (const int links : tree.capacities()) {
    capacities += fmt::format("{}{}", capacities.empty() ? "" : ", ", links);
  }
  return fmt::format("{}fat tree     processors {}, levels {}; links of a branch by level: {}\n{}",
                     report.measured ? to_text(*report.measured) : "", tree.leaf_count(),
                     tree.levels(), capacities.empty() ? "none" : capacities, draw_fat_tree(tree));
}

std::string to_json(const BoxReport& report) {
  const Topology& topology = report.topology;
  const FatTree tree = report.fat_tree();
  auto processors = nlohmann::ordered_json::array();
  for (const int leaf : report.placement.leaf_of_processor) {
    processors.push_back({{"leaf", leaf}, {"cpu", topology.leaf(leaf).os_index}});
  }
  const nlohmann::ordered_json json = {
      {"postroom", kVersion},
      {"box", topology.name()},
      {"this_machine", topology.is_this_machine()},
      {"cpu_quota", or_null(report.cpu_quota)},
      {"memory_bytes", topology.total_memory_bytes()},
      {"available_memory_bytes", or_null(report.available_memory_bytes)},
      {"memory_limit_bytes", or_null(report.memory_limit_bytes)},
      {"vectors", topology.is_this_machine() ? nlohmann::ordered_json(name_of(vectors_in_use()))
                                             : nlohmann::ordered_json()},
      {"cache_line_bytes", topology.cache_line_bytes()},
      {"levels", levels_as_json(topology)},
      {"nodes", nodes_as_json(topology)},
      {"leaves", leaves_as_json(topology)},
      {"processors", processors},
      {"processors_reason", report.placement.reason},
      {"fat_tree",
       {{"levels", tree.levels()},
        {"capacities", tree.capacities()},
        {"measured", bandwidths_as_json(report)}}},
      {"notes", report.notes},
  };
  return json_text(json);
}

int run_info(std::span<const std::string> words) {
  const InfoArguments arguments = parse(words);
  Outputs outputs({{"--json", arguments.json}});
  if (arguments.topology.ends_with(".xml")) outputs.spare("--topology", arguments.topology);
  BoxReport report = look_at_box(arguments.topology, arguments.processors);
  if (arguments.measure) {
    const auto processors = report.placement.leaf_of_processor.size();
    report.measured = measure_fat_tree(report.topology, static_cast<int>(processors));
  }
  outputs.write("--json", to_json(report));
  // JSON on standard output stands alone, so that programs can read it.
  outputs.finish(to_text(report) + (arguments.fat_tree ? fat_tree_to_text(report) : ""));
  return 0;
}

}  // namespace postroom::cli
