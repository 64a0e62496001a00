#include "benchmarks/sort/cells.h"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_reduce.h>

#include <functional>

namespace postroom::benchmarks {
namespace {

using Range = oneapi::tbb::blocked_range<std::size_t>;

constexpr std::size_t kGrain = 1 << 16;

template <class Key>
void fill_all(std::span<Key> keys, Distribution distribution) {
  const DataSet set{distribution, keys.size()};
  oneapi::tbb::parallel_for(Range(0, keys.size(), kGrain), [&](const Range& part) {
    fill(keys.subspan(part.begin(), part.size()), set, part.begin());
  });
}

// A bijection that scatters the bits of a key.
std::uint64_t scatter(std::uint64_t key) {
  key ^= key >> 32;
  key *= 0xd6e8feb86659fd93;
  key ^= key >> 32;
  return key;
}

template <class Key>
std::uint64_t fingerprint_all(std::span<const Key> keys) {
  return oneapi::tbb::parallel_reduce(
      Range(0, keys.size(), kGrain), std::uint64_t{0},
      [&](const Range& part, std::uint64_t sum) {
        for (std::size_t i = part.begin(); i < part.end(); ++i) sum += scatter(keys[i]);
        return sum;
      },
      std::plus<>());
}

template <class Key>
std::span<Key> grown(std::size_t size) {
  static std::vector<Key> memory;
  if (memory.size() < size) memory.resize(size);
  return std::span(memory).first(size);
}

}  // namespace

void fill_cell(std::span<std::uint32_t> keys, Distribution distribution) {
  fill_all(keys, distribution);
}
void fill_cell(std::span<std::uint64_t> keys, Distribution distribution) {
  fill_all(keys, distribution);
}

std::uint64_t fingerprint(std::span<const std::uint32_t> keys) { return fingerprint_all(keys); }
std::uint64_t fingerprint(std::span<const std::uint64_t> keys) { return fingerprint_all(keys); }

std::span<std::uint32_t> array_of_u32(std::size_t size) { return grown<std::uint32_t>(size); }
std::span<std::uint64_t> array_of_u64(std::size_t size) { return grown<std::uint64_t>(size); }

}  // namespace postroom::benchmarks
