#include "cli/bench/prediction.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <exception>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>

#include "cli/common/failure.h"
#include "cli/common/units.h"
#include "cli/simulate/uneven_operations.h"
#include "collectives/models/variants.h"

namespace postroom::cli {
namespace {

// Times that differ by less are the same: some are sums, some are multiples.
constexpr double kSame = 1 + 1e-6;

/// What break-evens name: without what follows from the size, unless it was given.
Algorithm kind_of(const Prediction& question, Algorithm algorithm) {
  if (!question.only.empty()) return algorithm;
  algorithm.latency = 0;
  algorithm.blocks = 0;
  return algorithm;
}

/// What makes times larger than a clock can count.
std::string beyond_the_clock(const Prediction& question, const Algorithm& algorithm,
                             std::int64_t bytes) {
  const std::size_t unit = question.model.unit_bytes;
  std::string what = counted(bytes, "byte");
  if (unit != 0) what += " in units of " + counted(static_cast<std::int64_t>(unit), "byte");
  return fmt::format("{}: {} takes longer than can be counted; {}a smaller size or --lambda", what,
                     to_string(algorithm), unit != 0 ? "give a larger --unit, " : "give ");
}

/// The longest list of a processor that can be cut into blocks.
std::int64_t longest_list(const Prediction& question, std::int64_t bytes) {
  if (!question.operation.uneven) return bytes;
  const auto block_bytes = static_cast<std::size_t>(bytes);
  const std::size_t most = std::ranges::max(skewed_counts(question.processors, block_bytes));
  return static_cast<std::int64_t>(most * uneven_element_bytes(block_bytes));
}

/// The names of the algorithms that have a time, for a report of one that has none.
std::string those_with_a_time(const Prediction& question, std::int64_t bytes) {
  std::string names;
  std::set<Algorithm::Name> seen;
  for (const Algorithm& each : question.operation.algorithms()) {
    if (!seen.insert(each.name).second) continue;
    try {
      const double ns = question.operation.time(question.processors, bytes, each, question.model);
      if (!std::isfinite(ns)) continue;
    } catch (const std::exception&) {  // not on so many processors, for one
      continue;
    }
    const std::string name = to_string(each);
    names += (names.empty() ? "" : ", ") + name.substr(0, name.find('('));
  }
  return names;
}

/// In nanoseconds; infinite where it does not run on so many processors, or not in this model. One
/// that was asked for is refused there.
double time_of(const Prediction& question, const Algorithm& algorithm, std::int64_t bytes) {
  try {
    const double ns =
        question.operation.time(question.processors, bytes, algorithm, question.model);
    if (!std::isfinite(ns)) {
      throw std::invalid_argument(std::string(question.operation.name) + ": " +
                                  to_string(algorithm) +
                                  " is not allowed; only what this model has a time for: " +
                                  those_with_a_time(question, bytes));
    }
    return ns;
  } catch (const std::overflow_error&) {
    throw UsageError(beyond_the_clock(question, algorithm, bytes));
  } catch (const std::invalid_argument&) {
    if (!question.only.empty()) throw;
    return kNotPredicted;
  }
}

/// The fastest with `bytes`: one of the kind `before` unless another takes less.
Predicted fastest(const Prediction& question, std::int64_t bytes,
                  const std::optional<Algorithm>& before) {
  const std::vector<Predicted> all = question.of_all(bytes);
  if (all.empty()) throw UsageError("no algorithm runs with these parameters");
  for (const Predicted& each : all) {
    if (each.ns > all.front().ns * kSame) break;
    if (kind_of(question, each.algorithm) == before) return each;
  }
  return all.front();
}

/// `sizes`, and all powers of two from the first to `last`.
std::set<std::int64_t> places(std::span<const std::int64_t> sizes, std::int64_t last) {
  std::set<std::int64_t> all(sizes.begin(), sizes.end());
  all.insert(last);
  for (std::int64_t power = 1; power < last; power *= 2) {
    if (power > sizes.front()) all.insert(power);
  }
  return all;
}

}  // namespace

std::vector<Predicted> Prediction::of_all(std::int64_t bytes) const {
  if (const auto found = known.find(bytes); found != known.end()) return found->second;
  std::vector<Predicted> list;
  double done = 0;
  const auto time = [&](const Algorithm& algorithm) {
    if (on_next) on_next(algorithm, bytes, done);
    return time_of(*this, algorithm, bytes);
  };
  for (const Algorithm& algorithm : only) {
    list.push_back({algorithm, time(algorithm)});
    done += 1.0 / static_cast<double>(only.size());
  }
  if (only.empty()) {
    const std::int64_t longest = longest_list(*this, bytes);
    const std::span<const Algorithm> all = operation.algorithms();
    for (const Algorithm& listed : all) {
      if (needs_levels(listed)) continue;
      for (const auto& [algorithm, ns] : timed_variants(listed, processors, longest, model, time)) {
        if (std::isfinite(ns)) list.push_back({algorithm, ns});
      }
      done += 1.0 / static_cast<double>(all.size());
    }
  }
  std::ranges::stable_sort(list, {}, &Predicted::ns);
  known.emplace(bytes, list);
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

Winners Prediction::winners(std::span<const std::int64_t> sizes, std::int64_t last) const {
  Winners found;
  std::optional<Algorithm> best;  // of this kind, and from this size on
  std::int64_t since = 0;
  for (const std::int64_t size : places(sizes, last)) {
    Predicted now = fastest(*this, size, best);
    while (best && kind_of(*this, now.algorithm) != *best) {
      std::int64_t held = since;
      std::int64_t lost = size;
      Algorithm after = kind_of(*this, now.algorithm);
      while (lost - held > 1) {
        const std::int64_t middle = held + (lost - held) / 2;
        const Algorithm there = kind_of(*this, fastest(*this, middle, best).algorithm);
        (there == *best ? held : lost) = middle;
        if (there != *best) after = there;
      }
      found.break_evens.push_back({lost, *best, after});
      best = after;
      since = lost;
      now = fastest(*this, size, best);
    }
    best = kind_of(*this, now.algorithm);
    since = size;
    if (std::ranges::find(sizes, size) != sizes.end()) found.of_size.push_back(now);
  }
  return found;
}

}  // namespace postroom::cli
