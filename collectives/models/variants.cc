#include "collectives/models/variants.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "numa/rounding.h"

namespace postroom {
namespace {

using Name = Algorithm::Name;

// A replay of blocks takes processors times blocks steps.
constexpr std::int64_t kMostSteps = 1 << 15;
// With a size for each processor a replay takes processors times as many. One block is always
// tried.
constexpr std::int64_t kMostUnevenSteps = 1 << 23;
constexpr int kMostChildren = 4;
// Where memory is shared, a prediction has to be shorter by so much to be preferred.
constexpr double kShorterBeyondDoubt = 0.5;

/// The least radix for each number of subphases: r^w >= p.
std::vector<int> radices(int processors) {
  std::vector<int> list;
  for (int radix = std::max(2, processors); radix >= 2;) {
    list.push_back(radix);
    int subphases = 0;
    for (std::int64_t power = 1; power < processors; power *= radix) ++subphases;
    // The next one takes a subphase more.
    int next = radix - 1;
    const auto reaches = [&](int r) {
      std::int64_t power = 1;
      for (int i = 0; i <= subphases; ++i) power = std::min<std::int64_t>(power * r, processors);
      return power >= processors;
    };
    while (next > 2 && reaches(next - 1)) --next;
    radix = next;
  }
  std::ranges::reverse(list);
  return list;
}

std::vector<int> port_counts(const TimeModel& model, int most) {
  // While one message is under way, λ others can be sent.
  const double lambda = model.latency_ns / std::max(model.busy_ns, 1e-3);
  const auto at_once = static_cast<std::int64_t>(std::ceil(std::min(lambda, 64.0)));
  const int worthwhile = static_cast<int>(std::min<std::int64_t>(model.ports * at_once + 1, most));
  std::vector<int> list;
  for (int ports = 1; ports <= worthwhile; ports += 1 + ports / 4) {
    list.push_back(ports);
  }
  const bool has_most = !list.empty() && list.back() == most;
  if (list.empty() || (most == model.ports && !has_most)) list.push_back(std::max(1, most));
  return list;
}

std::vector<int> block_counts(int processors, std::int64_t bytes, const TimeModel& model) {
  std::vector<int> list;
  // One block is seldom the best number, and not worth a replay of very many processors.
  if (processors <= kMostSteps) list.push_back(1);
  const bool small_is_faster = model.unit_bytes != 0 || model.per_byte_ns > 0;
  if (!small_is_faster) return list;
  const auto units = static_cast<std::int64_t>(static_cast<std::uint64_t>(bytes) /
                                               std::max<std::size_t>(model.unit_bytes, 1));
  const std::int64_t most = std::min(units, kMostSteps / processors);
  for (std::int64_t blocks = 2; blocks <= most; blocks = blocks < 4 ? blocks + 1 : 4 * blocks) {
    list.push_back(static_cast<int>(blocks));
  }
  return list;
}

std::int64_t block_bytes(std::int64_t bytes, int blocks) {
  return blocks <= 1 ? bytes : ceil_divide<std::int64_t>(bytes, blocks);
}

/// With other numbers of blocks; λ is that of a block.
Algorithm with_blocks(Algorithm algorithm, int blocks, std::int64_t bytes, const TimeModel& model) {
  algorithm.blocks = blocks;
  if (algorithm.latency != 0) {
    algorithm.latency = latency_of_message(block_bytes(bytes, blocks), model);
  }
  return algorithm;
}

/// Direct sends that others do as well, and whose times are expensive to know.
bool is_never_best(Name name) { return name == Name::kQueueless || name == Name::kFatTree; }

}  // namespace

Rational latency_of_message(std::int64_t bytes, const TimeModel& model) {
  constexpr int kMostDenominator = 32;
  constexpr double kMost = 1e6;
  const double busy = model.busy(bytes);
  const double lambda = std::clamp(busy > 0 ? model.arrival(bytes) / busy : kMost, 1.0, kMost);
  int best = 1;
  double least = 1;
  for (int denominator = 1; denominator <= kMostDenominator; ++denominator) {
    const double scaled = lambda * denominator;
    const double error = std::abs(scaled - std::round(scaled)) / denominator;
    if (error >= least - 1e-9) continue;
    best = denominator;
    least = error;
  }
  return std::max(Rational(1), Rational(std::llround(lambda * best), best));
}

std::vector<Algorithm> variants_of(const Algorithm& listed, int processors, std::int64_t bytes,
                                   const TimeModel& model) {
  std::vector<Algorithm> list;
  const bool is_tree = listed.name == Name::kDTree;
  if (listed.blocks != 0) {
    for (const int blocks : block_counts(processors, bytes, model)) {
      const Algorithm cut = with_blocks(listed, blocks, bytes, model);
      list.push_back(cut);
      for (int children = 1; is_tree && children <= kMostChildren; ++children) {
        if (children != cut.radix) list.push_back(Algorithm::d_tree(children, blocks));
      }
    }
    return list;
  }
  Algorithm one = listed;
  if (one.latency != 0) one.latency = latency_of_message(bytes, model);
  if (one.ports == 0) return {one};
  for (const int radix : one.radix == 0 ? std::vector{0} : radices(processors)) {
    for (const int ports : port_counts(model, std::max(1, (radix == 0 ? processors : radix) - 1))) {
      one.radix = radix;
      one.ports = ports;
      list.push_back(one);
    }
  }
  return list;
}

std::vector<Timed> timed_variants(const Algorithm& listed, int processors, std::int64_t bytes,
                                  const TimeModel& model,
                                  const std::function<double(const Algorithm&)>& time) {
  std::vector<Timed> list;
  const auto add = [&](const Algorithm& algorithm) {
    list.push_back({algorithm, time(algorithm)});
  };
  for (const Algorithm& variant : variants_of(listed, processors, bytes, model)) add(variant);
  if (list.empty()) return list;
  const Algorithm best = std::ranges::min_element(list, {}, &Timed::time)->algorithm;
  if (best.blocks <= 1) return list;
  for (const int blocks : {best.blocks / 2, best.blocks * 3 / 4, best.blocks * 3 / 2,
                           best.blocks * 2, best.blocks * 3}) {
    add(with_blocks(best, blocks, bytes, model));
  }
  return list;
}

bool replays_too_long(int processors, const Algorithm& algorithm) {
  const std::int64_t steps = std::int64_t{processors} * processors * algorithm.blocks;
  return algorithm.blocks > 1 && steps > kMostUnevenSteps;
}

Algorithm fastest_of(std::span<const Algorithm> listed, int processors, std::int64_t bytes,
                     const TimeModel& model, TimeOf time_of, const Algorithm& usual) {
  return fastest_of(
      listed, processors, bytes, model,
      [&](const Algorithm& algorithm) { return time_of(processors, bytes, algorithm, model); },
      usual);
}

Algorithm fastest_of(std::span<const Algorithm> listed, int processors, std::int64_t bytes,
                     const TimeModel& model, const std::function<double(const Algorithm&)>& time,
                     const Algorithm& usual) {
  const auto time_if_it_runs = [&](const Algorithm& algorithm) {
    try {
      return time(algorithm);
    } catch (const std::logic_error&) {
    } catch (const std::overflow_error&) {
    }
    return std::numeric_limits<double>::infinity();
  };
  Algorithm best = usual;
  double least = time_if_it_runs(usual) * (model.shares_memory ? kShorterBeyondDoubt : kShorter);
  for (const Algorithm& each : listed) {
    if (is_never_best(each.name)) continue;
    for (const Timed& variant : timed_variants(each, processors, bytes, model, time_if_it_runs)) {
      if (variant.time >= least) continue;
      best = variant.algorithm;
      least = variant.time * kShorter;
    }
  }
  return best;
}

}  // namespace postroom
