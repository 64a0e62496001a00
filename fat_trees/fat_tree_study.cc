#include "fat_trees/fat_tree_study.h"

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>
#include <string>

#include "fat_trees/fat_tree_bounds.h"
#include "fat_trees/fat_tree_formulas.h"
#include "fat_trees/fat_tree_schedules.h"
#include "fat_trees/total_exchange_schedule.h"

namespace postroom {
namespace {

using Formula = std::optional<std::int64_t>;

struct Entry {
  FatTreeStudyName name;
  PacketSchedule (*schedule)(const FatTree& tree, int root);
  Formula (*formula)(int leaves, const std::vector<int>& capacities);
};

bool is_constant(const std::vector<int>& capacities) {
  return capacities.empty() || capacities.back() == 1;
}
bool is_exponential(const std::vector<int>& capacities) {
  for (std::size_t i = 0; i < capacities.size(); ++i) {
    if (capacities[i] != 1 << i) return false;
  }
  return true;
}

template <ExchangeOrder kOrder, Phases kPhases>
PacketSchedule exchange(const FatTree& tree, int) {
  return total_exchange_schedule(tree, kOrder, kPhases);
}
template <Phases kPhases>
Formula exchange_formula(int leaves, const std::vector<int>& capacities) {
  return total_exchange_steps(leaves, capacities, kPhases);
}

/// Formulas for one link at each leaf.
template <std::int64_t (*kSteps)(int leaves)>
Formula formula(int leaves, const std::vector<int>& capacities) {
  if (!capacities.empty() && capacities[0] != 1) return {};
  return kSteps(leaves);
}

constexpr std::array kEntries{
    Entry{{"broadcast", "flooding"},
          [](const FatTree& tree, int root) { return broadcast_schedule(tree, root); },
          formula<broadcast_steps>},
    Entry{{"scatter", "farthest_first"},
          [](const FatTree& tree, int root) { return scatter_schedule(tree, root); },
          formula<scatter_steps>},
    Entry{{"gather", "farthest_first"},
          [](const FatTree& tree, int root) { return gather_schedule(tree, root); },
          formula<scatter_steps>},
    Entry{{"allgather", "flooding"},
          [](const FatTree& tree, int) { return multinode_flooding_schedule(tree); },
          formula<scatter_steps>},
    Entry{{"allgather", "queueless"},
          [](const FatTree& tree, int) { return multinode_queueless_schedule(tree); },
          formula<multinode_queueless_steps>},
    Entry{{"alltoall", "fat_tree"},
          exchange<ExchangeOrder::kAny, Phases::kPipelined>,
          exchange_formula<Phases::kPipelined>},
    Entry{{"alltoall", "fat_tree_phased"},
          exchange<ExchangeOrder::kAny, Phases::kApart>,
          exchange_formula<Phases::kApart>},
    Entry{{"alltoall", "constant_order"},
          exchange<ExchangeOrder::kConstant, Phases::kPipelined>,
          [](int leaves, const std::vector<int>& capacities) {
            return is_constant(capacities)
                       ? exchange_formula<Phases::kPipelined>(leaves, capacities)
                       : Formula{};
          }},
    Entry{{"alltoall", "exponential_order"},
          exchange<ExchangeOrder::kExponential, Phases::kPipelined>,
          [](int leaves, const std::vector<int>& capacities) {
            return is_constant(capacities) || is_exponential(capacities)
                       ? exchange_formula<Phases::kPipelined>(leaves, capacities)
                       : Formula{};
          }},
    Entry{{"alltoall", "scatters"},
          [](const FatTree& tree, int) { return consecutive_scatters_schedule(tree); },
          formula<consecutive_scatters_steps>},
};

constexpr auto kNames = [] {
  std::array<FatTreeStudyName, kEntries.size()> names{};
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kEntries[i].name;
  return names;
}();

const Entry& entry_of(std::string_view operation, std::string_view algorithm) {
  std::string has;
  bool is_operation = false;
  for (const Entry& entry : kEntries) {
    if (entry.name.operation != operation) continue;
    if (entry.name.algorithm == algorithm) return entry;
    is_operation = true;
    has += (has.empty() ? "" : ", ") + std::string(entry.name.algorithm);
  }
  if (is_operation) {
    throw std::invalid_argument(std::string(operation) + " on a fat tree: " +
                                std::string(algorithm) + " is not allowed; " + has);
  }
  throw std::invalid_argument("operation on a fat tree: " + std::string(operation) +
                              " is not allowed; broadcast, scatter, gather, allgather, alltoall");
}

/// Whether the formulas of [F] are about this tree.
bool is_of_the_paper(const FatTree& tree) {
  if (!std::has_single_bit(static_cast<unsigned>(tree.leaf_count()))) return false;
  const FatTree binary = FatTree::balanced(tree.leaf_count());
  return tree.levels() == binary.levels() && tree == binary.with_capacities(tree.capacities());
}

}  // namespace

std::span<const FatTreeStudyName> fat_tree_studies() { return kNames; }

std::int64_t fat_tree_lower_bound(std::string_view operation, const FatTree& tree, int root) {
  if (operation == "broadcast") return broadcast_bound(tree, root);
  if (operation == "scatter" || operation == "gather") return scatter_bound(tree, root);
  if (operation == "allgather") return multinode_broadcast_bound(tree);
  if (operation != "alltoall") (void)entry_of(operation, "");
  const std::int64_t bound = total_exchange_bound(tree);
  const bool is_ebft =
      tree.leaf_count() >= 4 && is_of_the_paper(tree) && is_exponential(tree.capacities());
  return is_ebft ? std::max(bound, total_exchange_exponential_bound(tree.leaf_count())) : bound;
}

FatTreeStudy study_fat_tree(std::string_view operation, std::string_view algorithm,
                            const FatTree& tree, int root, Duplex duplex,
                            const StepObserver& after_step) {
  const Entry& entry = entry_of(operation, algorithm);
  FatTreeStudy study;
  study.report = simulate(tree, entry.schedule(tree, root), duplex, after_step);
  if (duplex == Duplex::full && is_of_the_paper(tree)) {
    study.formula = entry.formula(tree.leaf_count(), tree.capacities());
  }
  study.lower_bound = fat_tree_lower_bound(operation, tree, root);
  return study;
}

}  // namespace postroom
