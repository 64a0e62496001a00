#include "collectives/models/node_patterns.h"

#include <algorithm>
#include <functional>
#include <set>

namespace postroom {

bool is_no_later(std::span<const int> sooner, std::span<const int> later) {
  int ahead = 0;
  for (std::size_t i = 0; i < sooner.size(); ++i) {
    ahead += sooner[i] - later[i];
    if (ahead < 0) return false;
  }
  return true;
}

bool NodePattern::sends_across() const {
  return std::ranges::any_of(arrivals, [](int count) { return count > 0; });
}

NodePatterns::NodePatterns(NodeReach& reach, std::int64_t time, std::int64_t most_loss,
                           SearchEffort& effort)
    : reach_(reach), most_loss_(most_loss), effort_(effort) {
  (void)reach.most(time);
  find_slots(time);
}

void NodePatterns::find_slots(std::int64_t whole_time) {
  const NodeLatency& node = reach_.node();
  std::set<std::int64_t> free = {whole_time};  // times at which somebody may send next
  std::set<std::int64_t, std::greater<>> entries = {whole_time};
  while (!free.empty()) {
    const std::int64_t next = *free.rbegin();
    free.erase(next);
    if (next < node.far) break;
    free.insert({next - node.send_steps, next - node.near, next - node.far});
    entries.insert(next - node.far);
  }
  for (const std::int64_t entry : entries) {  // from the earliest on
    const std::int64_t time = alike(entry);
    effort_.spend(1 + entry - time);
    if (slot_times_.empty() || slot_times_.back() != time) slot_times_.push_back(time);
    slots_[entry] = slots() - 1;
  }
}

std::int64_t NodePatterns::alike(std::int64_t time) const {
  const NodeLatency& node = reach_.node();
  const auto served = [&](std::int64_t left) {
    return std::min<std::int64_t>(node.size, reach_.inside(left));
  };
  if (time >= node.far) return time;
  while (time > 0 && served(time - 1) == served(time)) --time;
  return time;
}

const std::vector<NodePattern>& NodePatterns::of(std::int64_t time, int duties) {
  const std::pair key(time, duties);
  const auto found = made_.find(key);
  if (found != made_.end()) return found->second;
  return made_.emplace(key, find(time, duties)).first->second;
}

NodePatterns::Patterns NodePatterns::find(std::int64_t time, int duties) {
  const NodeLatency& node = reach_.node();
  if (!reach_.gain(time, duties)) return {};
  Patterns patterns;
  if (duties == 0 && time < node.far) {
    patterns.emplace_back().arrivals.resize(slots());
    return patterns;
  }
  if (time >= node.far) add_across(time, duties, patterns);
  if (time >= node.near) {
    for (int given = 0; given < duties; ++given) add_inside(time, duties, given, patterns);
  }
  return patterns;
}

void NodePatterns::add_across(std::int64_t time, int duties, Patterns& patterns) {
  const NodeLatency& node = reach_.node();
  const auto rest = reach_.gain(time - node.send_steps, duties);
  if (!rest) return;
  const std::int64_t loss = *reach_.gain(time, duties) - *rest - reach_.most(time - node.far);
  if (loss > most_loss_) return;
  const Patterns& after = of(time - node.send_steps, duties);
  for (std::size_t i = 0; i < after.size(); ++i) {
    NodePattern pattern{after[i].arrivals,  after[i].loss + loss, false, {true, 0}, 0,
                        static_cast<int>(i)};
    ++pattern.arrivals[slot_of(time - node.far)];
    add(std::move(pattern), patterns);
  }
}

void NodePatterns::add_inside(std::int64_t time, int duties, int given, Patterns& patterns) {
  const NodeLatency& node = reach_.node();
  const int kept = duties - 1 - given;
  const auto child = reach_.gain(time - node.near, given);
  const auto rest = reach_.gain(time - node.send_steps, kept);
  if (!child || !rest) return;
  const std::int64_t loss = *reach_.gain(time, duties) - *child - *rest;
  if (loss > most_loss_) return;
  const Patterns& below = of(time - node.near, given);
  const Patterns& after = of(time - node.send_steps, kept);
  for (std::size_t i = 0; i < below.size(); ++i) {
    for (std::size_t j = 0; j < after.size(); ++j) {
      const std::int64_t sum = loss + below[i].loss + after[j].loss;
      if (sum > most_loss_) continue;
      NodePattern pattern{below[i].arrivals,  sum, false, {false, given}, static_cast<int>(i),
                          static_cast<int>(j)};
      std::ranges::transform(pattern.arrivals, after[j].arrivals, pattern.arrivals.begin(),
                             std::plus());
      add(std::move(pattern), patterns);
    }
  }
}

void NodePatterns::add(NodePattern pattern, Patterns& patterns) {
  effort_.spend(static_cast<std::int64_t>(patterns.size()) + slots());
  if (pattern.loss > most_loss_) return;
  for (const NodePattern& other : patterns) {
    if (is_no_later(other.arrivals, pattern.arrivals)) return;
  }
  std::erase_if(patterns, [&](const NodePattern& other) {
    return is_no_later(pattern.arrivals, other.arrivals);
  });
  patterns.push_back(std::move(pattern));
}

}  // namespace postroom
