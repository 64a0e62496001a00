// Elements by target: how many there are for each, and every element to the place of its target.
//
// Elements for one target keep their order. The time is nearly the same whatever the order of the
// targets; what that takes is said at the loops. Elements of 32 and 64 bits for few targets are
// placed by vectors where the CPU has AVX-512 (collectives/route/route_vectors.h), all others by
// place_by_target itself.
//
// Used by one processor. Precondition: all targets are in 0 … processors-1. Cost: one read of the
// targets to count them, one of targets and elements to place these. Memory: eight tables of
// counts.
//
//   const RouteCounts counts = count_targets(targets, self.count());
//   place_by_target(elements, targets, counts, places);   // places[j]: where those for j begin
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "collectives/route/route_relation.h"
#include "collectives/route/route_vectors.h"

namespace postroom {

/// How many there are for each target.
RouteCounts count_targets(std::span<const int> targets, int processors);

/// Whether the CPU will often guess wrong which of the elements before it has an element's target:
/// one target has a third of all or more, but not all, and in a sample of neighbours neither nearly
/// all nor hardly any have the same target. `counts` as by count_targets.
bool are_hard_to_guess(std::span<const int> targets, const RouteCounts& counts);

/// Whether ranks pay: without AVX2 they take 1.7 ns.
#ifdef __AVX2__
inline constexpr bool kHasFastRanks = true;
#else
inline constexpr bool kHasFastRanks = false;
#endif

/// For each of eight targets, how many of those before it among the eight are the same.
class RanksOfEight {
 public:
  static constexpr std::size_t kCount = 8;

  /// Precondition: seven more can be read before them.
  explicit RanksOfEight(const int* targets) {
    const auto read = [](Lanes& lanes, const int* from) {
      std::memcpy(&lanes, from, sizeof(lanes));
    };
    Lanes own;
    read(own, targets);
    Lanes ranks{};
    for_each_distance([&](auto distance) {
      constexpr int kFirst = static_cast<int>(distance);
      constexpr auto kBits = [](int lane) { return lane >= kFirst ? -1 : 0; };
      const Lanes is_among_them{kBits(0), kBits(1), kBits(2), kBits(3),
                                kBits(4), kBits(5), kBits(6), kBits(7)};
      Lanes before;
      read(before, targets - distance);
      ranks -= (own == before) & is_among_them;
    });
    std::memcpy(ranks_.data(), &ranks, sizeof(ranks));
  }
  int operator[](std::size_t i) const noexcept { return ranks_[i]; }

 private:
  // A vector of the compiler's: in plain loops GCC 12 finds none. Not to be returned from
  // functions: how depends on the vectors that the CPU has.
  using Lanes [[gnu::vector_size(kCount * sizeof(int))]] = int;

  template <class Use>
  [[gnu::always_inline]] static void for_each_distance(Use use) {
    [&]<std::size_t... i>(std::index_sequence<i...>) {
      (use(std::integral_constant<std::size_t, i + 1>()), ...);
    }
    (std::make_index_sequence<kCount - 1>());
  }

  std::array<int, kCount> ranks_;
};

/// place_by_target where targets are hard to guess: the places of eight elements are looked up
/// before any of them is moved on, and each has its rank among the eight besides. Not inlined: the
/// usual loop would become slower.
// Where many targets are alike, and they come in no order, the usual loop takes 1.2 to 1.7 ns an
// element, ordered ones 0.36 (Zen 5): which store a load follows is guessed wrong again and again.
// By ranks it is 0.8 whatever the order. Tried and lost: ranks for all, which would slow down the
// others; sixteen at a time, 1.0; the place of the most frequent target in a register, 1.8.
template <Routable T>
[[gnu::noinline]] void place_by_ranks(std::span<const T> elements, std::span<const int> targets,
                                      std::span<T*> next) {
  constexpr std::size_t kTogether = RanksOfEight::kCount;
  const auto next_of = [&](std::size_t k) -> T*& {
    return next[static_cast<std::size_t>(targets[k])];
  };
  std::size_t k = 0;
  for (; k < std::min(kTogether, elements.size()); ++k) *next_of(k)++ = elements[k];
  for (; k + kTogether <= elements.size(); k += kTogether) {
    const RanksOfEight ranks(&targets[k]);
    std::array<T*, kTogether> places;
    for (std::size_t i = 0; i < kTogether; ++i) places[i] = next_of(k + i) + ranks[i];
    for (std::size_t i = 0; i < kTogether; ++i) next_of(k + i) = places[i] + 1;
    for (std::size_t i = 0; i < kTogether; ++i) *places[i] = elements[k + i];
  }
  for (; k < elements.size(); ++k) *next_of(k)++ = elements[k];
}

/// place_by_vectors, where it is worth it, for elements of any type.
template <Routable T>
std::size_t place_first_by_vectors(std::span<const T> elements, std::span<const int> targets,
                                   const RouteCounts& counts, std::vector<T*>& next) {
  if (counts.size() * sizeof(T) > kMostTargetBytes) return 0;
  std::array<TargetRoom, kMostTargetBytes> rooms;
  for (std::size_t j = 0; j < counts.size(); ++j) {
    rooms[j] = {reinterpret_cast<std::byte*>(next[j]),
                reinterpret_cast<std::byte*>(next[j] + counts[j])};
  }
  const std::size_t placed =
      place_by_vectors(reinterpret_cast<const std::byte*>(elements.data()), sizeof(T), targets,
                       std::span(rooms).first(counts.size()));
  for (std::size_t j = 0; j < counts.size(); ++j) next[j] = reinterpret_cast<T*>(rooms[j].next);
  return placed;
}

/// elements[k] goes to the next place for targets[k]; the first of these is next[targets[k]].
/// Precondition: there is room for all. `counts` as by count_targets.
template <Routable T>
void place_by_target(std::span<const T> elements, std::span<const int> targets,
                     const RouteCounts& counts, std::vector<T*> next) {
  const std::size_t placed = place_first_by_vectors(elements, targets, counts, next);
  elements = elements.subspan(placed);
  targets = targets.subspan(placed);
  if (kHasFastRanks && are_hard_to_guess(targets, counts))
    return place_by_ranks<T>(elements, targets, next);
  // A place is loaded right after it was stored, if the same target comes again. The CPU expects
  // that, and lets a load wait for all stores before it whose address it does not know; those of
  // elements have addresses that were just loaded. So the places of eight elements are looked up
  // before the first of them is written. ns an element of 32 bits with 8 targets (Zen 3), all alike
  // and in no order: 0.96 and 1.2; one at a time 0.8 to 1.5 and 3.0; sixteen at a time 2.6 and 1.3;
  // from four parts of the list, with tables of their own, 1.5 and 2.9, counting included.
  constexpr std::size_t kTogether = 8;
  std::size_t k = 0;
  for (; k + kTogether <= elements.size(); k += kTogether) {
    std::array<T*, kTogether> places;
    for (std::size_t i = 0; i < kTogether; ++i) {
      places[i] = next[static_cast<std::size_t>(targets[k + i])]++;
    }
    for (std::size_t i = 0; i < kTogether; ++i) *places[i] = elements[k + i];
  }
  for (; k < elements.size(); ++k) *next[static_cast<std::size_t>(targets[k])]++ = elements[k];
}

}  // namespace postroom
