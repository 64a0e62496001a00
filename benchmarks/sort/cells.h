// What all competitors sort, how it is timed and how it is checked.
//
// A cell is a type of key, a distribution and a number of keys; a benchmark is named
// TYPE/DISTRIBUTION/N/COMPETITOR. Before each call the array is filled anew and afterwards it is
// checked, in order and against a fingerprint of the input, both outside of the timed part. The
// array lies in memory that has been touched; scratch is the competitors' own affair and inside the
// timed part.
//
//   bazel run -c opt //benchmarks/sort -- --benchmark_filter='u32/.*/1000000/'
//
// For figures to keep: nine repetitions, interleaved, on a quiet machine:
//   --benchmark_repetitions=9 --benchmark_enable_random_interleaving=true
//   --benchmark_report_aggregates_only=true
//
// The counter ns_per_key is what to compare; the row `copy` of the same cell is what two threads
// need to copy the array.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sort/datasets.h"

namespace postroom::benchmarks {

inline constexpr Distribution kMeasured[] = {
    Distribution::kUniform, Distribution::kS,       Distribution::kC,     Distribution::kN,
    Distribution::kSorted,  Distribution::kReverse, Distribution::kEqual, Distribution::kZipf};

inline constexpr std::size_t kSizes[] = {1'000,     10'000,     100'000,
                                         1'000'000, 10'000'000, 100'000'000};

template <class Key>
const char* name_of_type() {
  return sizeof(Key) == 4 ? "u32" : "u64";
}

/// Fills the keys with all cores.
void fill_cell(std::span<std::uint32_t> keys, Distribution distribution);
void fill_cell(std::span<std::uint64_t> keys, Distribution distribution);

/// The same for any order of the same keys, and very likely another one for others.
std::uint64_t fingerprint(std::span<const std::uint32_t> keys);
std::uint64_t fingerprint(std::span<const std::uint64_t> keys);

/// Touched memory for `size` keys, the same for all cells that need no more.
std::span<std::uint32_t> array_of_u32(std::size_t size);
std::span<std::uint64_t> array_of_u64(std::size_t size);

template <class Key>
std::span<Key> array_of(std::size_t size) {
  if constexpr (sizeof(Key) == 4) {
    return array_of_u32(size);
  } else {
    return array_of_u64(size);
  }
}

/// The counter to compare, when all iterations together took so long.
inline void tell_ns_per_key(benchmark::State& state, double seconds, std::size_t size) {
  state.counters["ns_per_key"] =
      seconds * 1e9 / (static_cast<double>(size) * static_cast<double>(state.iterations()));
}

/// Times `sort(keys)`, a call for each iteration.
template <class Key, class Sort>
void measure(benchmark::State& state, Distribution distribution, std::size_t size, Sort sort) {
  const std::span<Key> keys = array_of<Key>(size);
  double seconds = 0;
  for (auto _ : state) {
    fill_cell(keys, distribution);
    const std::uint64_t before = fingerprint(keys);
    const auto start = std::chrono::steady_clock::now();
    sort(keys);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    state.SetIterationTime(taken.count());
    seconds += taken.count();
    if (!std::ranges::is_sorted(keys) || fingerprint(keys) != before) {
      state.SkipWithError("wrong result");
      return;
    }
  }
  tell_ns_per_key(state, seconds, size);
}

/// Registers `sort` as a competitor in all cells of this type of key.
template <class Key, class Sort>
void add_competitor(const std::string& name, Sort sort) {
  for (const Distribution distribution : kMeasured) {
    for (const std::size_t size : kSizes) {
      const std::string cell = std::string(name_of_type<Key>()) + "/" +
                               std::string(name_of(distribution)) + "/" + std::to_string(size);
      benchmark::RegisterBenchmark(
          (cell + "/" + name).c_str(),
          [=](benchmark::State& state) { measure<Key>(state, distribution, size, sort); })
          ->UseManualTime()
          ->Iterations(static_cast<std::int64_t>(std::max<std::size_t>(1'000'000 / size, 1)))
          ->Unit(benchmark::kMillisecond);
    }
  }
}

/// Registers a sort of any std::span of keys in all cells. Returns true, to begin a constant with.
template <class Sort>
bool add_to_all_cells(const std::string& name, Sort sort) {
  add_competitor<std::uint32_t>(name, sort);
  add_competitor<std::uint64_t>(name, sort);
  return true;
}

}  // namespace postroom::benchmarks
