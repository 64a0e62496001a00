#include "collectives/parts/teams.h"

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
    if (member == leader) team.leader = team.size();
    team.members.push_back(member);
    team.begins.push_back(tree.leaves(node).first);
  }
  team.begins.push_back(tree.leaves(last - 1).second);
  return team;
}

/// That of `node` of `level`: the inner one where all below are near each other.
Team team_at(const BoxTree& box, int node, int level, int root) {
  const FatTree& tree = box.tree;
  const bool is_inner = level < box.border_level();
  const auto [first, last] = is_inner ? tree.leaves(node) : tree.children(node);
  Team team = team_of(tree, first, last, leader_of(tree, node, root), root);
  team.is_inner = is_inner;
  return team;
}

/// Visits the team of the node of `level` above `processor`, if the processor belongs to it.
void visit_team(const BoxTree& box, int processor, int level, int root,
                const std::function<void(Team)>& visit) {
  const FatTree& tree = box.tree;
  const bool is_inner = level < box.border_level();
  if (!is_inner && leader_of(tree, tree.ancestor(processor, level - 1), root) != processor) return;
  Team team = team_at(box, tree.ancestor(processor, level), level, root);
  if (team.size() > 1) visit(std::move(team));
}

}  // namespace

void for_each_inwards(const BoxTree& box, int processor, int root,
                      const std::function<void(Team)>& visit) {
  for (int level = box.tree.levels(); level >= box.border_level() - 1; --level) {
    visit_team(box, processor, level, root, visit);
  }
}

void for_each_outwards(const BoxTree& box, int processor, int root,
                       const std::function<void(Team)>& visit) {
  for (int level = box.border_level() - 1; level <= box.tree.levels(); ++level) {
    visit_team(box, processor, level, root, visit);
  }
}

std::vector<std::vector<Team>> teams_by_level(const BoxTree& box, int root) {
  std::vector<std::vector<Team>> levels;
  for (int level = box.tree.levels(); level >= box.border_level() - 1; --level) {
    std::vector<Team>& teams = levels.emplace_back();
    const auto [first, last] = box.tree.nodes(level);
    for (int node = first; node < last; ++node) {
      Team team = team_at(box, node, level, root);
      if (team.size() > 1) teams.push_back(std::move(team));
    }
  }
  return levels;
}

}  // namespace postroom
