#include "collectives/route_cost.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>
#include <string>

#include "collectives/allgather.h"
#include "collectives/alltoall.h"
#include "collectives/models/replay_rounds.h"
#include "collectives/models/time_replay.h"
#include "collectives/parts/arguments.h"
#include "collectives/route/route_blocks.h"

namespace postroom {
namespace {

constexpr std::int64_t kCountBytes = sizeof(RouteCounts::value_type);

/// What goes from whom to whom.
class Matrix {
 public:
  Matrix(int processors, std::span<const std::uint64_t> counts)
      : processors_(processors), counts_(counts) {
    require_sizes("route", processors, 0);
    const auto p = static_cast<std::size_t>(processors);
    if (counts.size() != p * p) {
      throw std::invalid_argument("route: counts of " + std::to_string(counts.size()) +
                                  " numbers is not allowed; " + std::to_string(p * p) +
                                  ", one for each pair of processors");
    }
    for (std::size_t i = 0; i < p; ++i) {
      const auto row = counts.subspan(i * p, p);
      std::uint64_t received = 0;
      for (std::size_t source = 0; source < p; ++source) received += counts[source * p + i];
      relation_.most_sent = std::max(relation_.most_sent, std::reduce(row.begin(), row.end()));
      relation_.most_received = std::max(relation_.most_received, received);
    }
  }

  std::uint64_t operator()(int source, int target) const {
    return counts_[static_cast<std::size_t>(source) * static_cast<std::size_t>(processors_) +
                   static_cast<std::size_t>(target)];
  }
  int processors() const { return processors_; }
  const Relation& relation() const { return relation_; }

 private:
  int processors_;
  std::span<const std::uint64_t> counts_;
  Relation relation_;
};

/// The blocks of the two transposes.
std::array<std::int64_t, 2> transposed_blocks(const Matrix& matrix, const RouteBytes& bytes) {
  const int p = matrix.processors();
  const auto block = [&](std::size_t bound) {
    const RouteBlockLayout layout(p, bound, bytes.element, bytes.alignment);
    return static_cast<std::int64_t>(layout.bytes);
  };
  return {block(first_bin_bound(matrix.relation().most_sent, p)),
          block(second_bin_bound(matrix.relation().most_received, p))};
}

double two_transpose_time(const Matrix& matrix, const RouteBytes& bytes, const TimeModel& model) {
  const int p = matrix.processors();
  double time = alltoall_time(p, kCountBytes, Algorithm::automatic, model) +
                allgather_time(p, sizeof(Relation), Algorithm::automatic, model);
  for (const std::int64_t block : transposed_blocks(matrix, bytes)) {
    time += alltoall_time(p, block, Algorithm::automatic, model);
  }
  return time;
}

double one_phase_time(const Matrix& matrix, const RouteBytes& bytes, const TimeModel& model) {
  const int p = matrix.processors();
  TimeReplay replay(model, p, model.ports);
  for (int step = 1; step < p; ++step) {
    const auto target_of = [&](int i) { return one_phase_step(step, i, p).target; };
    replay_round(replay, p, target_of,
                 [&](int i) { return matrix(i, target_of(i)) * bytes.element; });
  }
  return alltoall_time(p, kCountBytes, Algorithm::automatic, model) + replay.finish_ns();
}

double direct_time(const Matrix& matrix, const RouteBytes& bytes, const TimeModel& model) {
  if (!model.shares_memory) return kNotPredicted;
  const int p = matrix.processors();
  if (p == 1) return 0;
  const double windows = model.fan_in(p - 1, 0) + model.arrival(0);
  const auto written = static_cast<double>(matrix.relation().most_sent * bytes.element);
  return alltoall_time(p, kCountBytes, Algorithm::automatic, model) + windows +
         written * model.copy_per_byte_ns;
}

void check_algorithm(const Algorithm& algorithm) {
  if (algorithm.is_automatic()) return;
  if (std::ranges::count(route_algorithms(), algorithm) > 0) return;
  throw_unknown_algorithm("route", algorithm, route_algorithms());
}

}  // namespace

Cost route_cost(int processors, std::span<const std::uint64_t> counts, const RouteBytes& bytes,
                const Algorithm& algorithm, const TimeModel* model) {
  if (model != nullptr) model->check();
  const Matrix matrix(processors, counts);
  check_algorithm(algorithm);
  const bool chosen_in_model = algorithm.is_automatic() && model != nullptr;
  const Algorithm router = chosen_in_model ? choose_route(processors, *model) : algorithm;
  switch (router.name) {
    case Algorithm::Name::kOnePhase:
      return route_one_phase_cost(processors, counts, bytes.element, model);
    case Algorithm::Name::kTwoTranspose: {
      Cost cost = find_relation_cost(processors, model);
      for (const std::int64_t block : transposed_blocks(matrix, bytes)) {
        cost += transpose_cost(processors, block, model);
      }
      return cost;
    }
    case Algorithm::Name::kTurns:
      return {};
    default:
      return route_direct_cost(processors, model);
  }
}

double route_time(int processors, std::span<const std::uint64_t> counts, const RouteBytes& bytes,
                  const Algorithm& algorithm, const TimeModel& model) {
  model.check();
  const Matrix matrix(processors, counts);
  check_algorithm(algorithm);
  const Algorithm router = algorithm.is_automatic() ? choose_route(processors, model) : algorithm;
  switch (router.name) {
    case Algorithm::Name::kOnePhase:
      return one_phase_time(matrix, bytes, model);
    case Algorithm::Name::kTwoTranspose:
      return two_transpose_time(matrix, bytes, model);
    case Algorithm::Name::kTurns:
      return kNotPredicted;
    default:
      return direct_time(matrix, bytes, model);
  }
}

}  // namespace postroom
