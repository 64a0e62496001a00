// The data sets on which sorts are tested and measured.
//
// Element i of a set follows from the set and i alone, so blocks may be made by any number of
// processors, in any order, and the set stays the same.
//
// Sources: R, S, C, N are those of [H], section 5.1; N is the key sequence of the NAS Parallel
// Benchmark IS. [H] deals C over its p processors; here that p is a parameter of the set. All
// random bits but those of N are a hash of seed and index, so they are the same on every box
// (zipf: as far as the C library's exp2 is).
//
//   R                31 random bits
//   S                bitwise AND of five draws of R: 6.2 bits of entropy
//   C                0 … n-1, dealt in turn to p blocks: block 0 has 0, p, 2p, …
//   N                0 … 2^19-1, the mean of four draws of x ← 5^13·x mod 2^46 from 314159265
//   uniform          any value of the type; floating point: whole numbers of either sign
//   sorted           ascending, spread evenly over the type
//   reverse          the same, descending
//   equal            one value
//   zipf             2^20 values, the k-th most frequent about 1/k as often as the first
//   nearly_sorted    sorted, but one element in 64 is a random value
//   few_distinct     64 values, equally often
//   high_bits_equal  only the lower half of the bits varies
//   organ_pipe       ascending to the middle, then descending
//   sawtooth         64 ascending runs
//   appended         sorted, but of the last tenth, rounded down, each is a random value
//
// Element types: whatever std::uint64_t converts to by static_cast. All sets but `uniform` hold
// whole numbers ≥ 0 of as many bits as the type holds exactly (u32: 32, int: 31, float: 24, …);
// where a set would need more, R, S and C keep the lower bits and N the upper ones.
//
// Cost, ns an element of 4 bytes on one core of an AMD Zen 5: 0.3 to 3 (C 4.5, N 5, S 6, zipf 8).
// No memory. Errors: std::invalid_argument for indices outside of the set and for dealt_over < 1.
//
//   std::vector<std::uint32_t> keys(1000);
//   fill(keys, Distribution::zipf, /*seed=*/1);
//
//   const DataSet set{Distribution::C, /*elements=*/n};
//   fill(own_block, set, /*first_index=*/blocks.first(self.id()));
#pragma once

#include <array>
#include <cstdint>
#include <ranges>
#include <string>

#include "sort/datasets_generators.h"

namespace postroom {

enum class Distribution {
  R,
  S,
  C,
  N,
  uniform,
  sorted,
  reverse,
  equal,
  zipf,
  nearly_sorted,
  few_distinct,
  high_bits_equal,
  organ_pipe,
  sawtooth,
  appended,
};

inline constexpr std::array kDistributions{
    Distribution::R,
    Distribution::S,
    Distribution::C,
    Distribution::N,
    Distribution::uniform,
    Distribution::sorted,
    Distribution::reverse,
    Distribution::equal,
    Distribution::zipf,
    Distribution::nearly_sorted,
    Distribution::few_distinct,
    Distribution::high_bits_equal,
    Distribution::organ_pipe,
    Distribution::sawtooth,
    Distribution::appended,
};

/// The name as in the list above.
std::string to_string(Distribution distribution);

struct DataSet {
  Distribution distribution = Distribution::uniform;
  /// n: needed even where only a part is made, because most sets depend on it.
  std::uint64_t elements = 0;
  /// Ignored by C, N, sorted, reverse, organ_pipe and sawtooth.
  std::uint64_t seed = 1;
  /// The p of C; ignored by all others.
  int dealt_over = 16;
};

/// Elements first_index, first_index + 1, … of the set, as many as fit into `range`.
template <std::ranges::forward_range R>
void fill(R&& range, const DataSet& set, std::uint64_t first_index = 0);

/// The whole set of as many elements as `range` has.
template <std::ranges::forward_range R>
void fill(R&& range, Distribution distribution, std::uint64_t seed = 1) {
  fill(range,
       DataSet{distribution, static_cast<std::uint64_t>(std::ranges::distance(range)), seed});
}

// --- Below: how.

namespace datasets {

/// Throws unless the set has elements first_index … first_index + count - 1 and dealt_over ≥ 1.
void check_indices(const DataSet& set, std::uint64_t first_index, std::uint64_t count);

/// Calls `use` with the generator of the set for elements of type T.
template <class T, class Use>
void with_generator(const DataSet& set, Use use) {
  constexpr int kBits = kKeyBits<T>;
  const Seed seed(set.seed);
  const std::uint64_t n = set.elements;
  switch (set.distribution) {
    case Distribution::R:
      return use(RandomBits{seed, low_bits(kBits < 31 ? kBits : 31)});
    case Distribution::S:
      return use(AndOfFive{{seed, low_bits(kBits < 31 ? kBits : 31)}});
    case Distribution::C:
      return use(Dealt(n, set.dealt_over, low_bits(kBits)));
    case Distribution::N:
      return use(NasKeys(kBits < 19 ? kBits : 19));
    case Distribution::uniform:
      return use(Uniform<T>{seed});
    case Distribution::sorted:
      return use(Ascending(n, kBits));
    case Distribution::reverse:
      return use(Descending{Ascending(n, kBits), n});
    case Distribution::equal:
      return use(Equal{seed.bits(0) & low_bits(kBits)});
    case Distribution::zipf:
      return use(Zipf{seed, low_bits(kBits)});
    case Distribution::nearly_sorted:
      return use(NearlySorted{seed, Ascending(n, kBits), kBits});
    case Distribution::few_distinct:
      return use(FewDistinct{seed, low_bits(kBits)});
    case Distribution::high_bits_equal:
      return use(HighBitsEqual(seed, kBits));
    case Distribution::organ_pipe:
      return use(OrganPipe{Ascending((n + 1) / 2, kBits), n});
    case Distribution::sawtooth:
      return use(Sawtooth(n, kBits));
    case Distribution::appended:
      return use(Appended{seed, Ascending(n, kBits), n, kBits});
  }
}

}  // namespace datasets

template <std::ranges::forward_range R>
void fill(R&& range, const DataSet& set, std::uint64_t first_index) {
  using T = std::ranges::range_value_t<R>;
  datasets::check_indices(set, first_index,
                          static_cast<std::uint64_t>(std::ranges::distance(range)));
  datasets::with_generator<T>(set, [&](auto generator) {
    std::uint64_t index = first_index;
    for (T& element : range) element = static_cast<T>(generator(index++));
  });
}

}  // namespace postroom
