#include "cli/prediction.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>

#include "collectives/variants.h"

namespace postroom::cli {
namespace {

// Times that differ by less are the same: some are sums, some are multiples.
constexpr double kSame = 1 + 1e-6;

/// The same but for what follows from the size: λ and the number of blocks.
bool same_kind(const Algorithm& a, const Algorithm& b) {
  return a.name == b.name && a.radix == b.radix && a.ports == b.ports;
}

void add_if_it_runs(const Prediction& question, const Algorithm& algorithm, std::int64_t bytes,
                    std::vector<Predicted>& list) {
  try {
    const double ns =
        question.operation.time(question.processors, bytes, algorithm, question.model);
    if (!std::isfinite(ns)) {
      throw std::invalid_argument(std::string(question.operation.name) + ": " +
                                  to_string(algorithm) +
                                  " is not allowed; only what this model has a time for");
    }
    list.push_back({algorithm, ns});
  } catch (const std::invalid_argument&) {
    // Not on so many processors, or not in this model.
    if (!question.only.empty()) throw;
  }
}

/// The least time of what is like `kind`.
double time_of_kind(const Prediction& question, const Algorithm& kind, std::int64_t bytes) {
  for (const Predicted& each : question.of_all(bytes)) {
    if (same_kind(each.algorithm, kind)) return each.ns;
  }
  return HUGE_VAL;
}

}  // namespace

std::vector<Predicted> Prediction::of_all(std::int64_t bytes) const {
  std::vector<Predicted> list;
  if (!only.empty()) {
    for (const Algorithm& algorithm : only) add_if_it_runs(*this, algorithm, bytes, list);
  } else {
    for (const Algorithm& listed : operation.algorithms()) {
      if (needs_levels(listed)) continue;
      for (const Algorithm& variant : variants_of(listed, processors, bytes, model)) {
        add_if_it_runs(*this, variant, bytes, list);
      }
    }
  }
  std::ranges::stable_sort(list, {}, &Predicted::ns);
  return list;
}

std::vector<Predicted> Prediction::of_each(std::int64_t bytes) const {
  std::vector<Predicted> best;
  for (const Predicted& each : of_all(bytes)) {
    const bool is_slower = std::ranges::any_of(best, [&](const Predicted& other) {
      return only.empty() && other.algorithm.name == each.algorithm.name;
    });
    if (!is_slower) best.push_back(each);
  }
  return best;
}

std::vector<BreakEven> Prediction::break_evens(std::span<const std::int64_t> sizes) const {
  std::vector<BreakEven> list;
  std::optional<Algorithm> best;  // so far; whoever is as fast does not take its place
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::vector<Predicted> all = of_all(sizes[i]);
    if (all.empty()) continue;
    const Algorithm after = all.front().algorithm;
    const auto overtakes = [&](std::int64_t bytes) {
      return time_of_kind(*this, after, bytes) * kSame < time_of_kind(*this, *best, bytes);
    };
    if (best && !overtakes(sizes[i])) continue;
    if (best) {
      std::int64_t slower = sizes[i - 1];
      std::int64_t faster = sizes[i];
      while (faster - slower > 1) {
        const std::int64_t middle = slower + (faster - slower) / 2;
        (overtakes(middle) ? faster : slower) = middle;
      }
      list.push_back({faster, *best, after});
    }
    best = after;
  }
  return list;
}

}  // namespace postroom::cli
