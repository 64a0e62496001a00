// What all competitors sort, how it is timed and how it is checked.
//
// A cell is a type of element (integers or floating-point numbers alone, or pairs of a key and a
// value as large: its index, or any), a distribution and a number of elements; a benchmark is
// named TYPE/DISTRIBUTION/N/COMPETITOR. Before each call the array is filled with the next input,
// the same ones for all competitors, and afterwards it is checked, in order and against a
// fingerprint of the input, both outside of the timed part; of what is called stable, pairs of one
// key have to be in the order of the input, too. Given one input of 1,000 elements again and again,
// a CPU learns all branches by heart, and std::sort takes 3 ns an element for 20. The array lies in
// memory that has been touched; scratch is the competitors' own affair and inside the timed part.
//
//   bazel run -c opt //benchmarks/sort -- --benchmark_filter='u32/.*/1000000/'
//
// For figures to keep, and a table of all cells: benchmarks/sort/run.
//
// The counter ns_per_key is what to compare; the row `copy` of the same cell is what two threads
// need to copy the array.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

#include "sort/datasets.h"
#include "sort/keys.h"

namespace postroom::benchmarks {

inline constexpr Distribution kMeasured[] = {Distribution::uniform,
                                             Distribution::S,
                                             Distribution::C,
                                             Distribution::N,
                                             Distribution::sorted,
                                             Distribution::reverse,
                                             Distribution::equal,
                                             Distribution::zipf,
                                             Distribution::nearly_sorted,
                                             Distribution::few_distinct,
                                             Distribution::high_bits_equal,
                                             Distribution::organ_pipe,
                                             Distribution::sawtooth,
                                             Distribution::appended};

// A call for 100 is timed with what it takes to read a clock, some 20 ns.
inline constexpr std::size_t kSizes[] = {100,       1'000,      10'000,     100'000,
                                         1'000'000, 10'000'000, 100'000'000};

/// The values of pairs as they are filled: the index of each, or any number that tells it.
enum class Values { kRising, kAny };

/// A key and what belongs to it, in order by the key alone.
template <class K, Values kValues = Values::kRising>
struct Pair {
  using Key = K;
  using Value = sorting::KeyBits<K>;
  static constexpr bool kRises = kValues == Values::kRising;
  K key;
  Value value;

  static constexpr Value value_of(std::size_t index) noexcept {
    return static_cast<Value>(index) * kFactor;
  }
  constexpr Value index() const noexcept { return value * inverse_of(kFactor); }

  friend constexpr bool operator<(const Pair& a, const Pair& b) noexcept { return a.key < b.key; }

 private:
  static constexpr Value kFactor =
      kRises ? Value{1} : static_cast<Value>(0x9e37'79b9'7f4a'7c15);  // odd

  // Newton's iteration: each turn doubles the bits that are right, three at first.
  static constexpr Value inverse_of(Value odd) noexcept {
    Value inverse = odd;
    for (int turn = 0; turn < 5; ++turn) inverse *= 2 - odd * inverse;
    return inverse;
  }
};

template <class Element>
concept IsPair = requires {
  typename Element::Key;
};

template <class Element>
inline constexpr bool kIsFloatingPair = false;
template <std::floating_point K, Values kValues>
inline constexpr bool kIsFloatingPair<Pair<K, kValues>> = true;

template <class Element>
const char* name_of_type() {
  if constexpr (kIsFloatingPair<Element>) {
    return "f64_any_pair";
  } else if constexpr (IsPair<Element>) {
    if (Element::kRises) return sizeof(Element) == 8 ? "u32_pair" : "u64_pair";
    return sizeof(Element) == 8 ? "u32_any_pair" : "u64_any_pair";
  } else if constexpr (std::is_floating_point_v<Element>) {
    return sizeof(Element) == 4 ? "f32" : "f64";
  } else {
    return sizeof(Element) == 4 ? "u32" : "u64";
  }
}

/// Fills the elements with input 0, 1, … of the distribution, with all cores. C, sorted and reverse
/// have only one.
template <class Element>
void fill_cell(std::span<Element> elements, Distribution distribution, std::uint64_t input);

/// The same for any order of the same elements, and very likely another one for others.
template <class Element>
std::uint64_t fingerprint(std::span<const Element> elements);

inline constexpr std::size_t kArrayAlignment = 256;  // one of the competitors requires it

/// What a competitor promises for elements of one key. Only pairs can show it.
enum class Ties { kAnyOrder, kStable };

/// Whether the elements are sorted; for kStable, pairs of one key by their index.
template <class Element>
constexpr bool is_in_order(std::span<const Element> elements, Ties ties) {
  return std::is_sorted(elements.begin(), elements.end(), [&](const Element& a, const Element& b) {
    if constexpr (IsPair<Element>) {
      if (ties == Ties::kStable && a.key == b.key) return a.index() < b.index();
    }
    return a < b;
  });
}

/// Touched memory for `size` elements, the same for all cells that need no more.
template <class Element>
std::span<Element> array_of(std::size_t size);

/// The counter to compare, when all iterations together took so long.
inline void tell_ns_per_key(benchmark::State& state, double seconds, std::size_t size) {
  state.counters["ns_per_key"] =
      seconds * 1e9 / (static_cast<double>(size) * static_cast<double>(state.iterations()));
}

/// Times `sort(keys)`, a call for each iteration.
template <class Element, class Sort>
void measure(benchmark::State& state, Distribution distribution, std::size_t size, Ties ties,
             Sort sort) {
  const std::span<Element> keys = array_of<Element>(size);
  double seconds = 0;
  std::uint64_t input = 0;
  for (auto _ : state) {
    fill_cell(keys, distribution, input++);
    const std::uint64_t before = fingerprint<Element>(keys);
    const auto start = std::chrono::steady_clock::now();
    sort(keys);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    state.SetIterationTime(taken.count());
    seconds += taken.count();
    if (!is_in_order<Element>(keys, ties) || fingerprint<Element>(keys) != before) {
      state.SkipWithError("wrong result");
      return;
    }
  }
  tell_ns_per_key(state, seconds, size);
}

/// Registers `sort` as a competitor in all cells of this type of element.
template <class Element, class Sort>
void add_competitor(const std::string& name, Sort sort, Ties ties = Ties::kAnyOrder) {
  for (const Distribution distribution : kMeasured) {
    for (const std::size_t size : kSizes) {
      const std::string cell = std::string(name_of_type<Element>()) + "/" +
                               to_string(distribution) + "/" + std::to_string(size);
      benchmark::RegisterBenchmark(
          (cell + "/" + name).c_str(),
          [=](benchmark::State& state) { measure<Element>(state, distribution, size, ties, sort); })
          ->UseManualTime()
          ->Iterations(static_cast<std::int64_t>(std::max<std::size_t>(1'000'000 / size, 1)))
          ->Unit(benchmark::kMillisecond);
    }
  }
}

/// Registers a sort of any std::span of integers in all cells of those alone. Returns true, to
/// begin a constant with.
template <class Sort>
bool add_to_integer_cells(const std::string& name, Sort sort, Ties ties = Ties::kAnyOrder) {
  add_competitor<std::uint32_t>(name, sort, ties);
  add_competitor<std::uint64_t>(name, sort, ties);
  return true;
}

/// The same for integers and floating-point numbers.
template <class Sort>
bool add_to_key_cells(const std::string& name, Sort sort, Ties ties = Ties::kAnyOrder) {
  add_competitor<float>(name, sort, ties);
  add_competitor<double>(name, sort, ties);
  return add_to_integer_cells(name, sort, ties);
}

/// The same for pairs.
template <class Sort>
bool add_to_pair_cells(const std::string& name, Sort sort, Ties ties = Ties::kAnyOrder) {
  add_competitor<Pair<std::uint32_t>>(name, sort, ties);
  add_competitor<Pair<std::uint64_t>>(name, sort, ties);
  add_competitor<Pair<std::uint32_t, Values::kAny>>(name, sort, ties);
  add_competitor<Pair<std::uint64_t, Values::kAny>>(name, sort, ties);
  return true;
}

/// All cells but those of floating-point numbers, alone or in pairs.
template <class Sort>
bool add_to_cells_by_integers(const std::string& name, Sort sort, Ties ties = Ties::kAnyOrder) {
  return add_to_integer_cells(name, sort, ties) && add_to_pair_cells(name, sort, ties);
}

template <class Sort>
bool add_to_all_cells(const std::string& name, Sort sort, Ties ties = Ties::kAnyOrder) {
  add_competitor<Pair<double, Values::kAny>>(name, sort, ties);
  return add_to_key_cells(name, sort, ties) && add_to_pair_cells(name, sort, ties);
}

}  // namespace postroom::benchmarks
