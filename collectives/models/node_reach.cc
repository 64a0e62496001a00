#include "collectives/models/node_reach.h"

#include <algorithm>
#include <utility>

namespace postroom {
namespace {

constexpr std::int32_t kImpossible = -1;

}  // namespace

std::int64_t NodeReach::most(std::int64_t time) {
  while (static_cast<std::int64_t>(most_.size()) <= time) add_time();
  return most_[time];
}

std::int64_t NodeReach::least_time(std::int64_t processors) {
  std::int64_t time = 0;
  while (most(time) < processors) ++time;
  return time;
}

std::optional<std::int64_t> NodeReach::gain(std::int64_t time, int duties) const {
  const std::int32_t gain = time < 0 ? (duties == 0 ? 0 : kImpossible) : gain_[time][duties];
  return gain == kImpossible ? std::nullopt : std::optional<std::int64_t>(gain);
}

void NodeReach::add_time() {
  const auto time = static_cast<std::int64_t>(most_.size());
  inside_.push_back(time < node_.near ? 1
                                      : std::min(kPlenty, inside_[time - node_.send_steps] +
                                                              inside_[time - node_.near]));
  std::vector<std::int32_t> gains(node_.size, kImpossible);
  for (int duties = 0; duties < node_.size && duties < inside_[time]; ++duties) {
    gains[duties] = best_gain(time, duties);
  }
  most_.push_back(inside_[time] < node_.size ? inside_[time]
                                             : std::min(kPlenty, node_.size + gains.back()));
  gain_.push_back(std::move(gains));
}

std::int32_t NodeReach::best_gain(std::int64_t time, int duties) const {
  std::int32_t best = std::max(duties == 0 ? 0 : kImpossible, gain_across(time, duties));
  for (int given = 0; given < duties; ++given) {
    best = std::max(best, gain_inside(time, duties, given));
  }
  return std::min(best, kPlenty);
}

std::int32_t NodeReach::gain_across(std::int64_t time, int duties) const {
  if (time < node_.far) return kImpossible;
  const std::int32_t rest = gain_[time - node_.send_steps][duties];
  return rest == kImpossible ? rest : rest + most_[time - node_.far];
}

std::int32_t NodeReach::gain_inside(std::int64_t time, int duties, int given) const {
  if (time < node_.near) return kImpossible;
  const std::int32_t child = gain_[time - node_.near][given];
  const std::int32_t rest = gain_[time - node_.send_steps][duties - 1 - given];
  return child == kImpossible || rest == kImpossible ? kImpossible : child + rest;
}

std::vector<NodeReach::Step> NodeReach::best_steps(std::int64_t time, int duties) const {
  std::vector<Step> steps;
  const std::int32_t best = gain_[time][duties];
  if (best == kImpossible) return steps;
  const auto reaches = [&](std::int32_t gain) { return std::min(gain, kPlenty) == best; };
  if (time >= node_.far && reaches(gain_across(time, duties))) steps.push_back({true, 0});
  for (int given = 0; given < duties; ++given) {
    if (reaches(gain_inside(time, duties, given))) steps.push_back({false, given});
  }
  return steps;
}

}  // namespace postroom
