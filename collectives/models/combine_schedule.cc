#include "collectives/models/combine_schedule.h"

#include <algorithm>

#include "collectives/models/postal_model.h"

namespace postroom {
namespace {

/// ε(0) … ε(t-λ). `reached` has N_λ(λ), N_λ(λ+1), … N_λ(t); before λ it is 1.
std::vector<bool> deficiencies(const std::vector<PostalModel::Corner>& reached,
                               std::int64_t latency, int processors) {
  std::vector<bool> taken(reached.size(), false);
  std::int64_t deficiency = reached.back().processors - processors;
  for (std::size_t round = 0; round < reached.size(); ++round) {
    const auto weight = static_cast<std::int64_t>(reached.size() - 1 - round);
    const std::int64_t size =
        weight < latency ? 1 : reached[static_cast<std::size_t>(weight - latency)].processors;
    if (size > deficiency) continue;
    deficiency -= size;
    taken[round] = true;
  }
  return taken;
}

}  // namespace

CombineSchedule::CombineSchedule(std::int64_t whole_latency, int processors)
    : latency_(whole_latency), processors_(processors) {
  // With a whole latency N_λ grows at every whole time from λ on.
  const std::vector<PostalModel::Corner> reached = PostalModel(whole_latency).corners(processors);
  if (processors == 1) return;
  rounds_ = reached.back().steps;

  const std::vector<bool> without_own = deficiencies(reached, latency_, processors);
  std::vector<std::int64_t> neighbours{1};  // N(λ-1), N(λ), …
  for (std::size_t round = 0; round < without_own.size(); ++round) {
    const std::int64_t less = without_own[round] ? 1 : 0;
    const std::int64_t at = static_cast<std::int64_t>(round) - (latency_ - 1);
    const std::int64_t held = at < 0 ? 1 : neighbours[static_cast<std::size_t>(at)];
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

// All processors do the same at the same time, so one of them tells. In steps of 1/f.
Rational CombineSchedule::time(Rational latency) const {
  std::vector<std::int64_t> sent(messages_.size());
  std::int64_t now = 0;
  std::int64_t port_free = 0;
  for_each_step(
      [&](std::size_t message) {
        sent[message] = std::max(now, port_free);
        port_free = sent[message] + latency.denominator();
      },
      [&](std::size_t message) { now = std::max(now, sent[message] + latency.numerator()); });
  return Rational(now, latency.denominator());
}

Rational CombineSchedule::time_with_idling(Rational latency) const {
  return Rational(rounds_) * std::max(Rational(1), latency / latency_);
}

int CombineSchedule::sends() const {
  return static_cast<int>(std::ranges::count(messages_, false, &Message::empty));
}

}  // namespace postroom
