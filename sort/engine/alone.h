// Few records, sorted by the calling thread alone: no machine, no barriers, no tables shared.
//
// Cost: as sort/engine/finish.h; to settle the order a read that ends at the first disorder.
// Errors: what a key throws goes through; the records are a permutation.
#pragma once

#include <cstddef>
#include <optional>

#include "sort/engine/by_words.h"
#include "sort/engine/config.h"
#include "sort/engine/count.h"
#include "sort/engine/count_all.h"
#include "sort/engine/count_most.h"
#include "sort/engine/digit.h"
#include "sort/engine/failure.h"
#include "sort/engine/few_keys.h"
#include "sort/engine/few_networks.h"
#include "sort/engine/few_records.h"
#include "sort/engine/few_rows.h"
#include "sort/engine/finish.h"
#include "sort/engine/heavy.h"
#include "sort/engine/insert.h"
#include "sort/engine/one_network.h"
#include "sort/engine/order.h"
#include "sort/engine/part.h"
#include "sort/engine/rank_few.h"
#include "sort/engine/spread.h"
#include "sort/engine/spread_words.h"
#include "sort/engine/steps.h"
#include "sort/engine/team.h"
#include "sort/vectors/network_sort.h"

namespace postroom::sorting {

/// Sorts home[0, size), which are so few that nothing else is faster.
template <class Records>
void sort_very_few(Records home, std::size_t size) {
  if constexpr (Records::kNetworkKeys) {
    constexpr std::size_t kLeast = 8;  // seven u32 3.3 ns a key, ranked 3.15; u64 2.7 and 3.6
    const std::size_t most = most_in_network<typename Records::Bits>(network_vector_bytes());
    if (size >= kLeast && size <= most) return sort_by_one_network(home, size);
  }
  if constexpr (Records::kMayBeWords) {
    constexpr std::size_t kLeast = 8;
    if (size >= kLeast && size <= kMostInOneNetwork && home.are_words()) {
      return home.take_sorted_words(home, size, size);
    }
  }
  if (size <= kMostRanked) return rank_all(home, size);
  std::size_t begin = 0;
  insert_home(home, home, true, begin, size, static_cast<std::size_t>(-1));
}

/// Sorts home[0, size), of which some keys occur very often.
template <class Records>
void sort_without_heavy(HeavyOf<Records>& heavy, const SortConfig& config) {
  Failure failure;
  Steps steps(Team(), failure);
  if (heavy.take_out(steps, {})) {
    steps.apart([&] {
      Finisher<Records>(heavy.light_home(), heavy.light_away(), heavy.lights(), config)
          .finish(heavy.light_part());
    });
    heavy.put_back(steps);
  }
  failure.rethrow();
}

/// Whether home[0, size) were a few rows in order; they are one now. `away` has room for as many.
/// Not inlined: it is rare, and what is around it should stay as it is.
template <class Records>
[[gnu::noinline]] bool sort_few_rows(const Records& home, const Records& away, std::size_t size,
                                     const SortConfig& config) {
  if (!FewRows<Records>::pays(home, size, config)) return false;
  FewRows<Records> rows(home, away, size, 1, config);
  Failure failure;
  Steps steps(Team(), failure);
  const bool sorted = rows.sort(steps, {});
  failure.rethrow();
  return sorted;
}

/// Two rows in order, home[0, middle) and home[middle, size), become one. `away` as above.
template <class Records>
[[gnu::noinline]] void merge_two_rows(const Records& home, const Records& away, std::size_t middle,
                                      std::size_t size, const SortConfig& config) {
  FewRows<Records> rows(home, away, size, 1, config);
  Failure failure;
  Steps steps(Team(), failure);
  rows.merge_two_rows(steps, middle, {});
  failure.rethrow();
}

/// Whether home[0, size) were records of few different keys; they are in order now. `away` has
/// room for as many. Not inlined, as above.
template <class Records>
[[gnu::noinline]] bool sort_few_records(const Records& home, const Records& away, std::size_t size,
                                        const SortConfig& config) {
  FewRecords<Records> few(home, away, size, 1, config);
  Failure failure;
  Steps steps(Team(), failure);
  const bool sorted = few.sort(steps, {});
  failure.rethrow();
  return sorted;
}

/// Whether home[0, size) was in order, or in reverse: then it is in order now.
template <class Records>
bool settle_order(Records home, std::size_t size) {
  const Order order = order_of(home, 0, size);
  if (order.none()) return false;
  if (order.rising) return true;
  turn_round(home, 0, size / 2, size);
  if (!order.distinct && !Records::kWholeKeys) turn_runs_round(home, 0, size);
  return true;
}

/// Whether records are so few that they are read before another processor would have been woken.
template <class Records>
bool is_read_soon(std::size_t size, const SortConfig& config) noexcept {
  constexpr std::size_t kTimes = Records::kWholeKeys || Records::kComparesRows ? 2 : 1;
  return size <= config.order_alone_bytes * kTimes / Records::kRecordBytes;
}

/// Whether another processor would be woken too late to be of use.
template <class Records>
bool is_for_one(std::size_t size, const SortConfig& config) noexcept {
  if (size <= config.alone_records) return true;
  return can_spread<Records>(config) && size <= config.network_alone_records;
}

/// Whether home[0, size) were sorted by words (sort/engine/by_words.h): not where other ways are
/// faster. `away` has room for as many.
template <class Records>
[[gnu::noinline]] bool sort_by_words_alone(
    const Records& home, const Records& away, std::size_t size,
    const SortConfig& config) requires(Records::kHoldsWords) {
  if (!can_sort_by_words<Records>(size, config)) return false;
  const auto sampled = sampled_bits(home, 0, size, config.sample_records);
  if (sampled == 0) return false;
  // A pass or two over light digits take no longer, once their tables are made up for.
  constexpr std::size_t kFew = 256;
  if (size > kFew && whole_digit(sampled).bits <= 2 * config.light_bits) return false;
  return sorts_by_words(home, size, sampled) && sort_by_words(home, away, size, sampled, config);
}

/// Whether home[0, size) were keys that differ in so few bits that all are counted and written; in
/// order now. Where `away` has room for as many, also where a few lie far from all others. Not
/// inlined, as above.
template <class Records>
[[gnu::noinline]] bool sort_by_counts(const Records& home, const Records* away, std::size_t size,
                                      const SortConfig& config) {
  if (!CountAll<Records>::pays(home, size, config)) return false;
  CountAll<Records> all(home, size, 1, config);
  Failure failure;
  Steps steps(Team(), failure);
  bool sorted = all.sort(steps);
  if constexpr (Records::kNetworkKeys) {
    const std::optional<Digit> digit = all.misled_by(0);
    if (!sorted && digit && away != nullptr && CountMost<Records>::suits(config)) {
      sorted = CountMost<Records>(home, *away, size, 1, config).sort(steps, *digit);
    }
  }
  failure.rethrow();
  return sorted;
}

/// Sorts home[0, size), which is not in order; `away` has room for as many.
template <class Records>
void sort_alone(Records home, const Records& away, std::size_t size, const SortConfig& config) {
  if constexpr (Records::kNetworkKeys) {
    if (goes_to_few_networks<Records>(size, config)) {
      return FewNetworks<Records>(home, away).sort({0, size, false});
    }
  }
  if constexpr (Records::kWholeKeys) {
    if (sort_by_counts(home, &away, size, config)) return;
  }
  if (sort_few_rows(home, away, size, config)) return;
  if constexpr (Records::kNetworkKeys) {
    if (takes_sides_soon<Records>(config)) {
      if (has_few_different(home, size, config.least_few_different, config) &&
          sort_few_different(home, size))
        return;
      return Finisher<Records>(home, away, size, config).finish({0, size, false});
    }
  }
  if constexpr (!Records::kWholeKeys) {
    if (FewRecords<Records>::pays(home, size, config) &&
        sort_few_records(home, away, size, config)) {
      return;
    }
  }
  if constexpr (Records::kMayBeWords) {
    if (can_spread_words(home, config)) {
      return WordSpreader<Records>(home, away, size, config).sort_any({0, size, false}, size);
    }
  }
  if constexpr (Records::kHoldsWords && !Records::kWholeKeys) {
    if (sort_by_words_alone(home, away, size, config)) return;
  }
  HeavyOf<Records> heavy(home, away, size, 1, config);
  if (heavy.pays()) {
    if constexpr (Records::kWholeKeys) {
      if (sort_few_different(home, size)) return;
    }
    return sort_without_heavy<Records>(heavy, config);
  }
  Finisher<Records>(home, away, size, config).finish({0, size, false});
}

}  // namespace postroom::sorting
