#include "cli/simulate/level_bandwidth.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "cli/common/failure.h"
#include "cli/common/memory_check.h"
#include "cli/common/robust.h"
#include "cli/common/units.h"
#include "fat_trees/fat_tree_of_box.h"
#include "numa/memory.h"

namespace postroom::cli {
namespace {

constexpr int kRepetitions = 7;

/// Who is at the place of `leaf` in the subtree `turn` further below the node of `level`; nobody
/// where there is no other subtree, or it is too small.
std::optional<int> across(const FatTree& tree, int leaf, int level, int turn) {
  const auto [first, last] = tree.children(tree.ancestor(leaf, level));
  const int own = tree.ancestor(leaf, level - 1);
  const int other = first + (own - first + turn + last - first) % (last - first);
  const int place = leaf - tree.leaves(own).first;
  if (other == own || place >= tree.size(other)) return std::nullopt;
  return tree.leaves(other).first + place;
}

int copies_at(const FatTree& tree, int level) {
  int copies = 0;
  for (int leaf = 0; leaf < tree.leaf_count(); ++leaf) {
    if (across(tree, leaf, level, -1)) ++copies;
  }
  return copies;
}

/// Nanoseconds of each repetition, all processors copying at once.
std::vector<double> time_level(Processor& self, const FatTree& tree, int level,
                               std::span<std::byte> own, std::span<std::byte> copy) {
  const std::optional<int> reader = across(tree, self.id(), level, +1);
  const std::optional<int> writer = across(tree, self.id(), level, -1);
  std::vector<double> samples;
  for (int repetition = 0; repetition <= kRepetitions; ++repetition) {
    std::memset(own.data(), repetition, own.size());
    self.barrier();
    const auto begin = std::chrono::steady_clock::now();
    Pending lent;
    if (reader) lent = self.lend(*reader, own);
    if (writer) {
      const Borrowed borrowed = self.borrow_bytes(*writer);
      std::memcpy(copy.data(), borrowed.bytes().data(), copy.size());
    }
    lent.wait();
    self.barrier();
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
    if (repetition > 0) samples.push_back(taken.count());  // the first is to warm up
  }
  return samples;
}

}  // namespace

std::vector<LevelBandwidth> measure_levels(Machine& machine, const FatTree& tree,
                                           std::size_t bytes) {
  std::vector<LevelBandwidth> bandwidths(static_cast<std::size_t>(tree.levels()));
  machine.run([&](Processor& self) {
    // Each touches its own pages first, so they lie near it.
    PlacedBuffer own(bytes), copy(bytes);
    touch_pages(own.memory());
    touch_pages(copy.memory());
    for (int level = 1; level <= tree.levels(); ++level) {
      const std::vector<double> samples =
          time_level(self, tree, level, own.memory(), copy.memory());
      if (self.id() != 0) continue;
      bandwidths[static_cast<std::size_t>(level - 1)] = {
          copies_at(tree, level), static_cast<double>(bytes) / summarize(samples).median};
    }
  });
  return bandwidths;
}

std::vector<int> capacities_from(const FatTree& tree,
                                 const std::vector<LevelBandwidth>& bandwidths) {
  std::vector<int> capacities;
  const FatTree leaves_below = tree.exponential();  // as many links as there are leaves below
  for (int level = 1; level <= tree.levels(); ++level) {
    const double share = bandwidths[static_cast<std::size_t>(level - 1)].bytes_per_ns_each /
                         bandwidths.front().bytes_per_ns_each;
    const int most = leaves_below.capacity(level);
    const int usable = std::clamp(static_cast<int>(std::lround(most * share)), 1, most);
    capacities.push_back(capacities.empty() ? usable : std::max(capacities.back(), usable));
  }
  return capacities;
}

MeasuredFatTree measure_fat_tree(const Topology& box, int processors) {
  if (!box.is_this_machine()) {
    throw UsageError(fmt::format("--measure: {} is not allowed; this machine alone", box.name()));
  }
  if (processors > box.leaf_count()) {
    throw UsageError(
        fmt::format("--measure: {} processors are not allowed; at most {}, one on "
                    "each CPU",
                    processors, box.leaf_count()));
  }
  check_memory(counted(processors, "processor"),
               2 * kMeasuredBytes * static_cast<std::uint64_t>(processors));
  Machine machine({.processors = processors,
                   .threads = processors,
                   .topology = std::make_shared<const Topology>(box)});
  const FatTree tree = fat_tree_of(box, machine.placement().leaf_of_processor);
  std::vector<LevelBandwidth> bandwidths = measure_levels(machine, tree);
  return {tree.with_capacities(capacities_from(tree, bandwidths)), std::move(bandwidths)};
}

std::string to_text(const MeasuredFatTree& measured) {
  std::string text;
  for (std::size_t i = 0; i < measured.bandwidths.size(); ++i) {
    const LevelBandwidth& each = measured.bandwidths[i];
    text += fmt::format("measured     level {}: {} copies at a time, {:.1f} GB/s each\n", i + 1,
                        each.copies, each.bytes_per_ns_each);
  }
  if (measured.bandwidths.size() <= 1) {
    text += "measured     there are no two levels to compare: a link for each processor\n";
  }
  return text;
}

}  // namespace postroom::cli
