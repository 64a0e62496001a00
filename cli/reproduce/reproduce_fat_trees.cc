#include "cli/reproduce/reproduce_fat_trees.h"

#include <fmt/core.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/common/units.h"
#include "cli/reproduce/fat_tree_figures.h"
#include "fat_trees/fat_tree.h"
#include "fat_trees/fat_tree_formulas.h"
#include "fat_trees/fat_tree_network.h"
#include "fat_trees/fat_tree_schedules.h"
#include "fat_trees/fat_tree_study.h"
#include "fat_trees/total_exchange_schedule.h"

namespace postroom::cli {
namespace {

void model(PaperPage& page, const Effort&) {
  page.picture(
      "figure_1",
      "Fig. 1. Level 0 are the leaves. The branch between levels i-1 and i has c_i links: 1 "
      "everywhere is the CBFT, the simple binary tree; c_i = 2^(i-1) is the EBFT.",
      fat_tree_figure_1());
  page.text(
      "In a step each link carries a packet in each direction; what arrives in one step can leave "
      "in "
      "the next; what finds no link free waits in a queue. A leaf is never more than one branch "
      "from "
      "its router: where a box has nothing at some level, the tree has a router with a single "
      "child, so "
      "that all leaves are equally deep and the way between two that meet at level h has 2h "
      "branches.");
}

std::int64_t steps_of(const char* operation, const char* algorithm, const FatTree& tree) {
  return study_fat_tree(operation, algorithm, tree).report.steps;
}

void scattering(PaperPage& page, const Effort&) {
  page.picture(
      "figure_2",
      "Fig. 2. Leaf 0 serves the leaves of S3 first, then S2, then S1: n + 1 steps, whatever "
      "the capacities.",
      fat_tree_figure_2());
  const FatTree tree = FatTree::balanced(64);
  page.compare(
      {.paper = "Farthest first takes n + 1 steps on any fat tree, and no algorithm takes fewer.",
       .seen = fmt::format("On 64 leaves {} steps on the CBFT, {} on the EBFT.",
                           steps_of("scatter", "farthest_first", tree),
                           steps_of("scatter", "farthest_first", tree.exponential())),
       .why =
           "None. The bound of the paper is not for powers of two alone: with f_l leaves that meet "
           "the root at level l or above, no algorithm takes fewer than the largest 2l - 1 + "
           "⌈f_l / c_1⌉ steps, and farthest first takes exactly so many on every tree."});
}

void multinode_broadcast(PaperPage& page, const Effort& effort) {
  page.picture(
      "figure_3",
      "Fig. 3. Flooding on four leaves: what crosses each branch at each step (↑ up, ↓ down).",
      fat_tree_figure_3());
  page.text(
      "Flooding takes n + 1 steps, which is optimal, and pays with queues. Upwards they are what "
      "the paper says; the packet that is just leaving comes on top:");
  const FatTree tree = FatTree::balanced(effort.of(1024, 128));
  const FatTreeReport report = simulate(tree, multinode_flooding_schedule(tree));
  TextTable table({"router's level i",
                   fmt::format("longest queue upwards, n = {}", tree.leaf_count()),
                   "[F]: 2^(i-1)"});
  int same = 0;
  for (int router = 1; router < tree.levels(); ++router) {
    // Without the packet that is just leaving.
    const std::int64_t queue = report.largest_queue[static_cast<std::size_t>(router)].up - 1;
    table.row({router, queue, 1 << (router - 1)});
    same += queue == 1 << (router - 1) ? 1 : 0;
  }
  page.table("flooding_queues", table);
  const FatTreeStudy queueless = study_fat_tree("allgather", "queueless", FatTree::balanced(64));
  page.compare(
      {.paper =
           "Flooding needs queues of 2^(i-1) at level i; an algorithm without queues, which it "
           "cites, takes n + 2 log n - 2 steps.",
       .seen =
           fmt::format("The queues of {} of {} levels are as stated. On 64 leaves, without queues, "
                       "{} steps.",
                       same, tree.levels() - 1, queueless.report.steps),
       .why =
           "None in the numbers. The paper does not say how the cited algorithm works. Ours goes "
           "through the levels from the root down, as total exchange does: in the phase of level "
           "h, "
           "leaf k of each half sends at step k one packet to the sibling half, where the routers "
           "copy it; each phase starts 2h - 3 steps before the one before it ends."});
}

void total_exchange(PaperPage& page, const Effort&) {
  page.picture(
      "load",
      "Packets over each branch in the total exchange of eight leaves; the redder, the more of "
      "its time a branch was in use.",
      fat_tree_load_figure());
  const FatTree thin = FatTree::balanced(16).with_capacities({1, 1, 3, 4});
  page.compare(
      {.paper = "Formulas (1) and (2) give the steps for any capacities.",
       .seen =
           fmt::format("Capacities 1, 1, 3, 4 on 16 leaves take {} steps; the formula as printed "
                       "says 34.",
                       steps_of("alltoall", "fat_tree", thin)),
       .why =
           "Formulas (1) and (2) hold for any capacities only if a branch is no thicker than the "
           "branches below it: with c_i > 2 c_(i-1) the lower level throttles. What can be used is "
           "c'_1 = c_1, c'_i = min(c_i, 2 c'_(i-1)); with c' in place of c both hold for all "
           "capacities that were tried (random ones, n up to 1,024), without a queue longer than "
           "the "
           "links of its branch."});
  page.text(
      "The order that achieves it is in `total_exchange_schedule.h`. On uneven trees the same "
      "order is used, and a packet that finds a link taken waits at home; that keeps queues away "
      "and costs what it costs.");
  page.text(
      "The lower bound of Table 1, ⌈n² / 4c⌉ for the branches at the root, forgets the way to "
      "them and from them: 2L - 1 steps more. On the CBFT of four leaves that gives 7 steps. An "
      "exhaustive search finds a schedule with 7 and none with 6; the paper's takes 8. On the "
      "EBFT of four leaves the search finds none with fewer than 6, the paper's number (its "
      "conjecture for n = 4).");
}

/// Steps of the model, of the formula, and the lower bound, in one cell; counts who disagrees.
class StepCells {
 public:
  std::string operator()(const char* operation, const char* algorithm, const FatTree& tree) {
    const FatTreeStudy study = study_fat_tree(operation, algorithm, tree);
    const std::int64_t formula = study.formula.value_or(-1);
    same_ += formula == study.report.steps ? 1 : 0;
    ++all_;
    const auto number = [](std::int64_t n) { return with_commas(static_cast<std::uint64_t>(n)); };
    return number(study.report.steps) + " / " + number(formula) + " / " + number(study.lower_bound);
  }
  int same() const { return same_; }
  int all() const { return all_; }

 private:
  int same_ = 0;
  int all_ = 0;
};

void steps(PaperPage& page, const Effort& effort) {
  page.text(
      "Each cell: model / formula / lower bound. “Formula” is the paper's; “lower bound” is of "
      "any algorithm (Table 1 of the paper, and more where `fat_tree_bounds.h` knows more; for "
      "the EBFT also Lemma 3). The first table holds for any capacities with one link at each "
      "leaf.");
  TextTable any(
      {"n", "broadcast", "scatter, gather", "multinode broadcast, flooding", "without queues"});
  TextTable exchange({"n", "n scatters", "CBFT, (1)", "CBFT, (2)", "EBFT, (1)", "EBFT, (3)"});
  StepCells cell;
  for (int n = 4; n <= effort.of(1024, 128); n *= 2) {
    const FatTree cbft = FatTree::balanced(n);
    const FatTree ebft = cbft.exponential();
    any.row({n, cell("broadcast", "flooding", cbft), cell("scatter", "farthest_first", cbft),
             cell("allgather", "flooding", cbft), cell("allgather", "queueless", cbft)});
    exchange.row({n, cell("alltoall", "scatters", cbft), cell("alltoall", "fat_tree_phased", cbft),
                  cell("alltoall", "fat_tree", cbft), cell("alltoall", "fat_tree_phased", ebft),
                  cell("alltoall", "fat_tree", ebft)});
  }
  page.table("steps", any);
  page.text(
      "Total exchange, apart (1) and pipelined (2), (3). The orders that [F] gives for the CBFT "
      "and the EBFT take the same as ours.");
  page.table("total_exchange_steps", exchange);
  page.compare(
      {.paper = "Theorems 1 and 2, formulas (1) to (3), and the bounds of Table 1.",
       .seen = fmt::format("Formula and model agree in {} of {} cells.", cell.same(), cell.all()),
       .why = "None; what the bounds leave open is the distance between the first and the last "
              "number of a cell."});
}

void all_steps(PaperPage& page, const Effort&) {
  page.text("The steps of the model alone, for programs that read them.");
  TextTable table({"n", "broadcast", "scatter_gather", "multinode_flooding", "multinode_queueless",
                   "total_exchange_CBFT_pipelined", "total_exchange_EBFT_pipelined",
                   "total_exchange_CBFT_phased", "total_exchange_EBFT_phased"});
  for (int n = 4; n <= 128; n *= 2) {
    const FatTree cbft = FatTree::balanced(n);
    const FatTree ebft = cbft.exponential();
    table.row({n, steps_of("broadcast", "flooding", cbft),
               steps_of("scatter", "farthest_first", cbft), steps_of("allgather", "flooding", cbft),
               steps_of("allgather", "queueless", cbft), steps_of("alltoall", "fat_tree", cbft),
               steps_of("alltoall", "fat_tree", ebft),
               steps_of("alltoall", "fat_tree_phased", cbft),
               steps_of("alltoall", "fat_tree_phased", ebft)});
  }
  page.table("fat_tree_steps", table);
}

void speed(PaperPage& page, const Effort& effort) {
  using Clock = std::chrono::steady_clock;
  page.text(
      "How long the packet model itself takes for a total exchange, on one core of this box:");
  TextTable table({"tree", "leaves", "packets", "steps", "seconds"});
  for (const char* name : {"CBFT", "EBFT"}) {
    FatTree tree = FatTree::balanced(effort.of(4096, 128));
    if (name[0] == 'E') tree = tree.exponential();
    const Clock::time_point start = Clock::now();
    const FatTreeReport report = simulate(tree, total_exchange_schedule(tree));
    const std::chrono::duration<double> took = Clock::now() - start;
    table.row({name, tree.leaf_count(), report.packets, report.steps,
               fmt::format("{:.2f}", took.count())});
  }
  page.table("speed", table);
}

constexpr std::array kExperiments = {
    Experiment{"The model", 1, model},
    Experiment{"Scattering", 1, scattering},
    Experiment{"Multinode broadcast", 1, multinode_broadcast},
    Experiment{"Total exchange", 1, total_exchange},
    Experiment{"Table 1 and all steps", 10, steps},
    Experiment{"All steps as one table", 1, all_steps},
    Experiment{"Processors in tree order, and in any other", 2, reproduce_tree_orders},
    Experiment{"λ by level", 1, reproduce_level_trees},
    Experiment{"Speed of the model", 8, speed},
};

constexpr Paper kPaper = {
    .letter = "F",
    .name = "fat_trees",
    .page = "fat_trees",
    .title = "Fat trees",
    .introduction =
        "Dimakopoulos and Dimopoulos, *Communications in Binary Fat Trees* ([F] in the comments): "
        "n "
        "processors at the leaves of a tree, routers above them, branches of several links. What "
        "of it "
        "is here, what a packet-by-packet model of the tree counts, and where that differs from "
        "the "
        "paper.\n\n"
        "| where | what |\n"
        "|---|---|\n"
        "| `fat_trees/fat_tree.h` | the tree: any number of leaves, any arity, any capacities that "
        "do not fall |\n"
        "| `fat_trees/fat_tree_network.h` | the packet model: store and forward, queues, copies by "
        "routers, full and half duplex |\n"
        "| `fat_trees/fat_tree_schedules.h`, `total_exchange_schedule.h` | when each packet "
        "leaves: the paper's algorithms |\n"
        "| `fat_trees/fat_tree_formulas.h`, `fat_tree_bounds.h` | the paper's formulas; lower "
        "bounds for any tree |\n"
        "| `fat_trees/fat_tree_replay.h` | the messages of a trace as packets |\n"
        "| `fat_trees/fat_tree_of_box.h` | a box as a fat tree, with capacities from its NUMA "
        "distances |\n"
        "| `fat_trees/fat_tree_picture.h`, `fat_tree_study.h` | pictures; steps, formula and bound "
        "side by side |\n"
        "| `fat_trees/fat_tree_film.h` | what happens at each step; `postroom simulate … "
        "--fat-tree … --html` plays it in a browser |\n"
        "| `fat_trees/box_tree.h`, `collectives/parts/partner_order.h`, `teams.h` | what the "
        "collectives do with the tree of the box |\n"
        "| `collectives/algorithms/…_farthest_first.h`, `…_flooding.h`, `…_queueless.h`, "
        "`alltoall_fat_tree.h` | the same as programs for processors |\n"
        "| `collectives/models/level_tree.h` | the best broadcast tree where λ depends on the "
        "level |\n\n"
        "All but the last section is exact and the same on every box; the tests in "
        "`tests/fat_trees/` and `tests/collectives/fat_tree_programs_test.cc` hold it fast.",
    .experiments = kExperiments,
};

}  // namespace

const Paper& fat_trees_paper() { return kPaper; }

}  // namespace postroom::cli
