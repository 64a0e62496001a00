#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/reproduce/reproduce_fat_trees.h"
#include "cli/reproduce/tree_orders.h"
#include "collectives/models/level_latency.h"
#include "collectives/models/level_tree.h"
#include "collectives/models/one_entry_tree.h"
#include "collectives/models/postal_tree.h"
#include "fat_trees/fat_tree.h"
#include "fat_trees/total_exchange_schedule.h"

namespace postroom::cli {
namespace {

/// The level at which the two leaves meet, counted from 0.
int meeting_level(const LevelLatency& box, int a, int b) {
  int level = -1;
  for (std::size_t i = 0; a != b; ++i, ++level) {
    a /= box.children[i];
    b /= box.children[i];
  }
  return level;
}

int latency(const LevelLatency& box, int a, int b) {
  return box.latency[static_cast<std::size_t>(meeting_level(box, a, b))];
}

/// λ from processor 0, in the mean over the others.
int mean_latency(const LevelLatency& box, int processors) {
  std::int64_t sum = 0;
  for (int other = 1; other < processors; ++other) sum += latency(box, 0, other);
  return static_cast<int>(std::lround(static_cast<double>(sum) / (processors - 1)));
}

/// When the last processor has it, by the clock of the level tree: one unit for each send, the
/// pair's λ until it arrives.
std::int64_t time_of(const PostalTree& tree, const LevelLatency& box) {
  std::vector<std::int64_t> free(static_cast<std::size_t>(tree.processors()), 0);
  std::vector<TreeMessage> messages = lambda_tree_messages(tree, 1);
  std::ranges::stable_sort(messages, {}, &TreeMessage::round);
  std::int64_t finish = 0;
  for (const TreeMessage& message : messages) {
    const std::int64_t start = free[static_cast<std::size_t>(message.source)]++;
    std::int64_t& arrival = free[static_cast<std::size_t>(message.target)];
    arrival = start + latency(box, message.source, message.target);
    finish = std::max(finish, arrival);
  }
  return finish;
}

}  // namespace

void reproduce_tree_orders(PaperPage& page, const Effort&) {
  page.text(
      "Processors are numbered along the leaves of the box (`numa/placement.h`), so every subtree "
      "holds "
      "a contiguous range of them, and an algorithm that works on ranges finishes each subtree "
      "inside "
      "before or after its one crossing. What that is worth, on the packet model: the same "
      "messages "
      "with the processors in tree order, and in twenty random orders, 64 leaves.");
  TextTable table({"messages", "tree", "tree order", "random, mean", "worst", "mean / tree order"});
  double most = 0;
  double least = 0;
  std::string most_name;
  std::string least_name;
  const auto add = [&](const std::string& what, const std::string& name, const FatTree& tree,
                       const std::vector<TreeMessage>& messages, Replay mode) {
    const OrderSteps steps = steps_by_order(tree, messages, mode);
    table.row({what, name, steps.in_tree_order, fmt::format("{:.1f}", steps.random_mean),
               steps.random_worst, fmt::format("{:.2f}", steps.ratio())});
    if (steps.ratio() > most) {
      most = steps.ratio();
      most_name = what + " on the " + name;
    }
    if (least == 0 || steps.ratio() < least) {
      least = steps.ratio();
      least_name = what + " on the " + name;
    }
  };
  for (const char* name : {"CBFT", "EBFT"}) {
    const FatTree cbft = FatTree::balanced(64);
    const FatTree tree = name[0] == 'C' ? cbft : cbft.exponential();
    for (const int lambda : {1, 3, 6}) {
      for (const std::int64_t packets : {1, 16}) {
        add(fmt::format("λ-tree, λ = {}, messages of {} packet{}", lambda, packets,
                        packets == 1 ? "" : "s"),
            name, tree, lambda_tree_messages(PostalTree::bottom_up(lambda, 64), packets),
            Replay::kCausal);
      }
    }
    add("total exchange, `fat_tree`", name, tree, messages_of(total_exchange_schedule(tree)),
        Replay::kRoundIsStep);
    add("total exchange, `pairwise`, a round at each step", name, tree, pairwise_messages(64),
        Replay::kRoundIsStep);
  }
  page.table("orders", table);
  page.compare(
      {.paper = "[F] numbers its leaves in this order and has no other; [P], section 2.6, finds a "
                "random order about 10 % slower on a mesh.",
       .seen = fmt::format(
           "A random order takes up to {:.2f} times as many steps ({}); least is {:.2f} "
           "({}).",
           most, most_name, least, least_name),
       .why =
           "The λ-tree is replayed with each send waiting for what its sender had to receive; "
           "total "
           "exchange with each round at its step. In any other order the λ-tree loses most where "
           "branches are thin and messages long. Total exchange loses little, and `pairwise` "
           "nothing: it sends everything at once and leaves it to the queues, which on the CBFT "
           "even "
           "reaches the lower bound of 1,035 steps — with unlimited queues at the routers, which "
           "is "
           "what [F] sets out to avoid."});
}

void reproduce_level_trees(PaperPage& page, const Effort&) {
  page.text(
      "Where two processors of a core are nearer than two of a package, λ depends on the level at "
      "which they meet (`runtime/latency_by_level.h` gives it to a clock, `--lambda-per-level` to "
      "`postroom simulate`). `LevelTree` compares two trees. One is the best that enters every "
      "subtree once, proved for any number of levels; with a single level it is the λ-tree and "
      "takes T_λ(p). For two levels the other one enters a node again while the first message is "
      "passed on inside, which can be faster by a few units, at the price of more messages across: "
      "two nodes of two, λ = 2 and 5, take 6 units and not 7. `collectives/models/node_reach.h` "
      "proves below which time there is no broadcast at all; where the tree misses it, an exact "
      "search (`collectives/models/two_level_search.h`) finds a faster one or that there is none. "
      "So for two levels the tree is the best of all broadcasts on every box of up to 40 nodes of "
      "24 processors that was tried, with 399 pairs of latencies. With more levels the bound is "
      "seldom reached, and only the best of one entry is proved.");
  TextTable table({"children", "λ by level", "entered once", "level tree", "no broadcast below",
                   "λ-tree in tree order", "its λ, the mean"});
  double most = 0;
  for (const LevelLatency& box :
       {LevelLatency{{2, 2}, {2, 5}}, LevelLatency{{4, 2}, {3, 4}}, LevelLatency{{8, 4}, {1, 2}},
        LevelLatency{{8, 4}, {1, 4}}, LevelLatency{{8, 4}, {2, 10}}, LevelLatency{{5, 11}, {1, 3}},
        LevelLatency{{21, 24}, {1, 2}}, LevelLatency{{2, 8, 2}, {1, 2, 4}},
        LevelLatency{{2, 16, 8}, {1, 2, 6}}}) {
    const LevelTree tree(box);
    const int mean = mean_latency(box, tree.processors());
    const std::int64_t other = time_of(PostalTree::bottom_up(mean, tree.processors()), box);
    table.row({fmt::format("{}", fmt::join(box.children, ", ")),
               fmt::format("{}", fmt::join(box.latency, ", ")), one_entry_tree(box).steps,
               tree.steps(), tree.lower_bound(), other, mean});
    most = std::max(most,
                    100.0 * static_cast<double>(other - tree.steps()) / static_cast<double>(other));
  }
  page.table("level_trees", table);
  page.compare(
      {.paper = "[P] and [F] know a single λ, or none.",
       .seen = fmt::format("The tree that knows the levels takes up to {:.0f} % less time.", most),
       .why = "This goes beyond the papers; it is what their two models give together. In the box "
              "of 11 nodes of 5 the messages reach 55 processors in 8 units, but in parts of nodes "
              "that do not fit together, so that 9 is the least time; in that of 24 nodes of 21 "
              "they fit, if put together in one way of many."});
}

}  // namespace postroom::cli
