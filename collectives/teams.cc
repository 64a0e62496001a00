#include "collectives/teams.h"

#include <utility>

namespace postroom {
namespace {

int leader_of(const FatTree& tree, int node, int root) {
  const auto [first, last] = tree.leaves(node);
  return first <= root && root < last ? root : first;
}

/// The leaders of `nodes` [first, last), who are led by `leader`.
Team team_of(const FatTree& tree, int first, int last, int leader, int root) {
  Team team;
  for (int node = first; node < last; ++node) {
    const int member = leader_of(tree, node, root);
    if (member == leader) team.leader = static_cast<int>(team.members.size());
    team.members.push_back(member);
    team.begins.push_back(tree.leaves(node).first);
  }
  team.begins.push_back(tree.leaves(last - 1).second);
  return team;
}

/// Visits the team of the node of `level` above `processor`, the inner one where all below are
/// near, if the processor belongs to it.
void visit_team(const BoxTree& box, int processor, int level, int root,
                const std::function<void(Team)>& visit) {
  const FatTree& tree = box.tree;
  const bool is_inner = level < box.far_level;
  if (!is_inner && leader_of(tree, tree.ancestor(processor, level - 1), root) != processor) return;
  const int node = tree.ancestor(processor, level);
  const auto [first, last] = is_inner ? tree.leaves(node) : tree.children(node);
  Team team = team_of(tree, first, last, leader_of(tree, node, root), root);
  team.is_inner = is_inner;
  if (team.members.size() > 1) visit(std::move(team));
}

}  // namespace

void for_each_inwards(const BoxTree& box, int processor, int root,
                      const std::function<void(Team)>& visit) {
  for (int level = box.tree.levels(); level >= box.far_level - 1; --level) {
    visit_team(box, processor, level, root, visit);
  }
}

void for_each_outwards(const BoxTree& box, int processor, int root,
                       const std::function<void(Team)>& visit) {
  for (int level = box.far_level - 1; level <= box.tree.levels(); ++level) {
    visit_team(box, processor, level, root, visit);
  }
}

}  // namespace postroom
