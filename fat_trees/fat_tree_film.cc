#include "fat_trees/fat_tree_film.h"

#include <utility>

namespace postroom {

void FatTreeFilm::add(const FatTreeNetwork& network) {
  const std::vector<UpDown>& load = network.report().load;
  load_.resize(load.size());
  Frame frame{network.now(), {}};
  for (int node = 0; node < network.tree().root(); ++node) {
    const UpDown carried{load[node].up - load_[node].up, load[node].down - load_[node].down};
    const UpDown waiting = network.waiting(node);
    if (carried == UpDown{} && waiting == UpDown{}) continue;
    frame.branches.push_back({node, carried, waiting});
  }
  load_ = load;
  if (!frame.branches.empty()) frames_.push_back(std::move(frame));
}

}  // namespace postroom
