#include "collectives/combine_schedule.h"

#include <algorithm>

#include "collectives/postal_model.h"

namespace postroom {
namespace {

/// ε(0) … ε(t-λ).
std::vector<bool> deficiencies(const PostalModel& model, std::int64_t rounds, int processors) {
  const std::int64_t last_weight = rounds - model.latency().numerator();
  std::vector<bool> taken(static_cast<std::size_t>(last_weight) + 1, false);
  std::int64_t deficiency = model.reach(rounds) - processors;
  for (std::int64_t weight = last_weight; weight >= 0; --weight) {
    const std::int64_t size = model.reach(weight);
    if (size > deficiency) continue;
    deficiency -= size;
    taken[static_cast<std::size_t>(last_weight - weight)] = true;
  }
  return taken;
}

}  // namespace

CombineSchedule::CombineSchedule(std::int64_t whole_latency, int processors)
    : latency_(whole_latency), processors_(processors) {
  const PostalModel model(whole_latency);
  rounds_ = model.time(processors).numerator();
  if (processors == 1) return;

  const std::vector<bool> without_own = deficiencies(model, rounds_, processors);
  std::vector<std::int64_t> neighbours{1};  // N(λ-1), N(λ), …
  const auto neighbours_after = [&](std::int64_t round) {
    const std::int64_t at = round - (latency_ - 1);
    return at < 0 ? 1 : neighbours[static_cast<std::size_t>(at)];
  };
  for (std::int64_t round = 0; round <= rounds_ - latency_; ++round) {
    const std::int64_t less = without_own[static_cast<std::size_t>(round)] ? 1 : 0;
    const std::int64_t held = neighbours_after(round);
    messages_.push_back({static_cast<int>(neighbours.back() - less), less == 1, held - less == 0});
    neighbours.push_back(neighbours.back() + held - less);
  }
}

CombineSchedule CombineSchedule::delay_receive(Rational latency, int processors) {
  (void)PostalModel(latency);  // refuses a latency below 1 as it is, not rounded
  return CombineSchedule(latency.ceil(), processors);
}

CombineSchedule CombineSchedule::delay_send(Rational latency, int processors) {
  (void)PostalModel(latency);
  return CombineSchedule(latency.floor(), processors);
}

CombineSchedule CombineSchedule::fastest(Rational latency, int processors) {
  CombineSchedule receive = delay_receive(latency, processors);
  if (latency.is_whole()) return receive;
  CombineSchedule send = delay_send(latency, processors);
  return send.time(latency) < receive.time(latency) ? send : receive;
}

// All processors do the same at the same time, so one of them tells.
Rational CombineSchedule::time(Rational latency) const {
  std::vector<Rational> sent(messages_.size());
  Rational now;
  Rational port_free;
  for_each_step(
      [&](std::size_t message) {
        sent[message] = std::max(now, port_free);
        port_free = sent[message] + 1;
      },
      [&](std::size_t message) { now = std::max(now, sent[message] + latency); });
  return now;
}

Rational CombineSchedule::time_with_idling(Rational latency) const {
  return Rational(rounds_) * std::max(Rational(1), latency / latency_);
}

int CombineSchedule::sends() const {
  return static_cast<int>(std::ranges::count(messages_, false, &Message::empty));
}

}  // namespace postroom
