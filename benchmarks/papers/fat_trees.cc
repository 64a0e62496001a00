// Figures and tables of [F], "Communications in Binary Fat Trees", as the packet model sees them.
//
//   bazel-bin/benchmarks/papers/fat_trees tables          prints what docs/papers/fat_trees.md has
//   bazel-bin/benchmarks/papers/fat_trees figures DIR     writes figure_1.svg … into DIR
//   bazel-bin/benchmarks/papers/fat_trees large           total exchange of 4,096 leaves, timed
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "collectives/level_tree.h"
#include "collectives/postal_tree.h"
#include "numa/fat_tree.h"
#include "numa/fat_tree_network.h"
#include "numa/fat_tree_picture.h"
#include "numa/fat_tree_replay.h"
#include "numa/fat_tree_schedules.h"
#include "numa/fat_tree_study.h"
#include "numa/total_exchange_schedule.h"
#include "runtime/rational.h"

namespace postroom {
namespace {

// --- Tables.

void print_steps() {
  std::puts("| operation | algorithm | tree | n | model | formula | lower bound |");
  std::puts("|---|---|---|---|---|---|---|");
  for (const auto& [operation, algorithm] : fat_tree_studies()) {
    const bool depends_on_capacities = operation == "alltoall" && algorithm != "scatters";
    for (const char* capacities : {"constant", "exponential"}) {
      const bool is_constant = capacities[0] == 'c';
      if (!is_constant && (!depends_on_capacities || algorithm == "constant_order")) continue;
      if (is_constant && algorithm == "exponential_order") continue;
      for (int n = 4; n <= 1024; n *= 2) {
        const FatTree tree = FatTree::balanced(n).with_named_capacities(capacities);
        const FatTreeStudy study = study_fat_tree(operation, algorithm, tree);
        std::printf("| %s | `%s` | %s | %d | %lld | %lld | %lld |\n", operation.data(),
                    algorithm.data(), is_constant ? "CBFT" : "EBFT", n,
                    static_cast<long long>(study.report.steps),
                    static_cast<long long>(study.formula.value_or(-1)),
                    static_cast<long long>(study.lower_bound));
      }
    }
  }
}

void print_flooding_queues() {
  std::puts("\n| router's level i | longest queue upwards, n = 1024 | [F]: 2^(i-1) |");
  std::puts("|---|---|---|");
  const FatTree tree = FatTree::balanced(1024);
  const FatTreeReport report = simulate(tree, multinode_flooding_schedule(tree));
  for (int router = 1; router < tree.levels(); ++router) {
    // Without the packet that is just leaving.
    std::printf("| %d | %lld | %d |\n", router,
                static_cast<long long>(report.largest_queue[router].up - 1), 1 << (router - 1));
  }
}

// --- Orders.

using Order = std::vector<int>;

std::vector<TreeMessage> reordered(std::vector<TreeMessage> messages, const Order& order) {
  for (TreeMessage& message : messages) {
    message.source = order[message.source];
    message.target = order[message.target];
  }
  return messages;
}

/// The λ-tree of [P]: each processor's sends are in successive rounds after its receive.
std::vector<TreeMessage> lambda_tree(const Rational& latency, int processors,
                                     std::int64_t packets) {
  const PostalTree tree = PostalTree::bottom_up(latency, processors);
  std::vector<TreeMessage> messages;
  std::vector<std::int64_t> received(processors, 0);
  for (int node = 0; node < processors; ++node) {  // parents come before their children
    std::int64_t round = received[node];
    for (const int child : tree.node(node).children) {
      received[child] = ++round;
      messages.push_back({node, child, round, packets});
    }
  }
  return messages;
}

std::vector<TreeMessage> messages_of(const PacketSchedule& schedule) {
  std::vector<TreeMessage> messages;
  schedule([&](const Packet& packet) {
    messages.push_back({packet.source, packet.target, packet.step});
  });
  return messages;
}

/// [H], [I]: in round r everybody sends to the one r further.
std::vector<TreeMessage> pairwise(int n) {
  std::vector<TreeMessage> messages;
  for (int round = 1; round < n; ++round) {
    for (int source = 0; source < n; ++source) {
      messages.push_back({source, (source + round) % n, round});
    }
  }
  return messages;
}

void print_order(const char* what, const FatTree& tree, const char* name,
                 const std::vector<TreeMessage>& messages, Replay mode) {
  constexpr int kOrders = 20;
  const double in_order = static_cast<double>(replay(tree, messages, mode).steps);
  double sum = 0;
  double most = 0;
  std::mt19937 random(1);
  for (int i = 0; i < kOrders; ++i) {
    Order order(tree.leaf_count());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    const double steps = static_cast<double>(replay(tree, reordered(messages, order), mode).steps);
    sum += steps;
    most = std::max(most, steps);
  }
  std::printf("| %s | %s | %.0f | %.1f | %.0f | %.2f |\n", what, name, in_order, sum / kOrders,
              most, sum / kOrders / in_order);
}

void print_orders() {
  std::puts("\n| n = 64 | tree | tree order | random, mean of 20 | worst | mean / tree order |");
  std::puts("|---|---|---|---|---|---|");
  for (const bool exponential : {false, true}) {
    FatTree tree = FatTree::balanced(64);
    if (exponential) tree = tree.exponential();
    const char* name = exponential ? "EBFT" : "CBFT";
    for (const int latency : {1, 3, 6}) {
      for (const std::int64_t packets : {1, 16}) {
        const std::string what = "λ-tree, λ = " + std::to_string(latency) + ", messages of " +
                                 std::to_string(packets) + (packets == 1 ? " packet" : " packets");
        print_order(what.c_str(), tree, name, lambda_tree(Rational(latency), 64, packets),
                    Replay::kCausal);
      }
    }
    print_order("total exchange, `fat_tree`", tree, name,
                messages_of(total_exchange_schedule(tree)), Replay::kRoundIsStep);
    print_order("total exchange, `pairwise`, a round at each step", tree, name, pairwise(64),
                Replay::kRoundIsStep);
  }
}

void print_level_trees() {
  std::puts("\n| children | λ by level | level tree | λ-tree for the mean λ, in tree order |");
  std::puts("|---|---|---|---|");
  const auto list = [](const std::vector<int>& numbers) {
    std::string text;
    for (const int number : numbers) text += (text.empty() ? "" : ", ") + std::to_string(number);
    return text;
  };
  for (const LevelLatency& box :
       {LevelLatency{{8, 4}, {1, 2}}, LevelLatency{{8, 4}, {1, 4}}, LevelLatency{{8, 4}, {2, 10}},
        LevelLatency{{2, 8, 2}, {1, 2, 4}}, LevelLatency{{2, 16, 8}, {1, 2, 6}}}) {
    const LevelTree tree(box);
    const int n = tree.processors();
    const auto latency = [&](int a, int b) {
      int level = -1;
      for (std::size_t i = 0; a != b; ++i, ++level) {
        a /= box.children[i];
        b /= box.children[i];
      }
      return box.latency[level];
    };
    std::int64_t sum = 0;
    for (int other = 1; other < n; ++other) sum += latency(0, other);
    const int mean = static_cast<int>(std::lround(static_cast<double>(sum) / (n - 1)));
    // The same clock as the level tree's: one unit for each send, the pair's λ until it arrives.
    std::vector<std::int64_t> free(n, 0);
    std::int64_t finish = 0;
    std::vector<TreeMessage> messages = lambda_tree(Rational(mean), n, 1);
    std::ranges::stable_sort(messages, {}, &TreeMessage::round);
    for (const TreeMessage& message : messages) {
      const std::int64_t start = free[message.source]++;
      free[message.target] = start + latency(message.source, message.target);
      finish = std::max(finish, free[message.target]);
    }
    std::printf("| %s | %s | %lld | %lld (λ = %d) |\n", list(box.children).c_str(),
                list(box.latency).c_str(), static_cast<long long>(tree.steps()),
                static_cast<long long>(finish), mean);
  }
}

// --- Figures.

FatTreePanel figure_1() {
  const FatTree tree = FatTree::balanced(8).exponential();
  FatTreePanel panel{tree};
  panel.title = "A fat tree of 8 processors (EBFT)";
  for (int level = 1; level <= tree.levels(); ++level) {
    panel.up[tree.ancestor(0, level - 1)] =
        "c" + std::to_string(level) + " = " + std::to_string(tree.capacity(level));
  }
  return panel;
}

FatTreePanel figure_2() {
  const FatTree tree = FatTree::balanced(8);
  FatTreePanel panel{tree};
  panel.title = "Scattering from leaf 0: the leaves of S3 first, of S1 last";
  for (int level = 1; level <= tree.levels(); ++level) {
    panel.names[tree.ancestor(0, level)] = "R" + std::to_string(level);
    const int right = tree.children(tree.ancestor(0, level)).first + 1;
    panel.marked_subtrees[right] = "S" + std::to_string(level);
  }
  return panel;
}

std::string listed(const std::string& before, int letter) {
  return (before.empty() ? "" : before + ",") + static_cast<char>('A' + letter);
}

/// What crosses each branch at each step; messages carry the letters of their leaves.
std::vector<FatTreePanel> figure_3() {
  const FatTree tree = FatTree::balanced(4);
  std::vector<FatTreePanel> panels;
  FatTreeNetwork network(tree);
  network.observe([&](int node, bool up, int tag) {
    FatTreePanel& panel = panels.back();
    std::string& label = up ? panel.up[node] : panel.down[node];
    label = listed(label, tag);
  });
  for (int leaf = 0; leaf < tree.leaf_count(); ++leaf) network.inject(leaf, tree.root(), leaf);
  while (!network.idle()) {
    panels.push_back({tree});
    panels.back().title = "step " + std::to_string(network.now() + 1);
    panels.back().show_levels = false;
    for (int leaf = 0; leaf < tree.leaf_count(); ++leaf)
      panels.back().names[leaf] = listed("", leaf);
    network.step();
    for (auto& [node, label] : panels.back().up) label = "↑" + label;
    for (auto& [node, label] : panels.back().down) label = "↓" + label;
  }
  return panels;
}

FatTreePanel load_of_total_exchange(bool exponential) {
  FatTree tree = FatTree::balanced(8);
  if (exponential) tree = tree.exponential();
  FatTreePanel panel = load_panel(tree, simulate(tree, total_exchange_schedule(tree)));
  panel.title =
      std::string("Total exchange on the ") + (exponential ? "EBFT: " : "CBFT: ") + panel.title;
  return panel;
}

int write_figures(const std::string& folder) {
  const auto write = [&](const char* name, const std::string& svg) {
    std::ofstream file(folder + "/" + name);
    file << svg;
    file.close();
    if (!file) std::fprintf(stderr, "fat_trees: cannot write %s/%s\n", folder.c_str(), name);
    return static_cast<bool>(file);
  };
  const bool done =
      write("fat_tree_figure_1.svg", fat_tree_svg({figure_1()})) &&
      write("fat_tree_figure_2.svg", fat_tree_svg({figure_2()})) &&
      write("fat_tree_figure_3.svg", fat_tree_svg(figure_3(), 3)) &&
      write("fat_tree_load.svg",
            fat_tree_svg({load_of_total_exchange(false), load_of_total_exchange(true)}, 2));
  return done ? 0 : 1;
}

// --- Speed.

void time_large() {
  for (const bool exponential : {false, true}) {
    FatTree tree = FatTree::balanced(4096);
    if (exponential) tree = tree.exponential();
    const auto start = std::chrono::steady_clock::now();
    const FatTreeReport report = simulate(tree, total_exchange_schedule(tree));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    std::printf("%s, 4096 leaves: %lld packets, %lld steps, %.1f s\n",
                exponential ? "EBFT" : "CBFT", static_cast<long long>(report.packets),
                static_cast<long long>(report.steps), took.count());
  }
}

int run(const std::vector<std::string>& words) {
  if (words.size() == 1 && words[0] == "tables") {
    print_steps();
    print_flooding_queues();
    print_orders();
    print_level_trees();
    return 0;
  }
  if (words.size() == 1 && words[0] == "large") {
    time_large();
    return 0;
  }
  if (words.size() == 2 && words[0] == "figures") return write_figures(words[1]);
  std::fputs("fat_trees: one of: tables; large; figures FOLDER\n", stderr);
  return 2;
}

}  // namespace
}  // namespace postroom

int main(int argc, char** argv) {
  return postroom::run(std::vector<std::string>(argv + 1, argv + argc));
}
