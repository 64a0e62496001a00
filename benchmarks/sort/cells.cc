#include "benchmarks/sort/cells.h"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_reduce.h>

#include <array>
#include <functional>
#include <ranges>
#include <vector>

#include "sort/keys.h"

namespace postroom::benchmarks {
namespace {

using AnyPair32 = Pair<std::uint32_t, Values::kAny>;
using AnyPair64 = Pair<std::uint64_t, Values::kAny>;
using FloatingPair = Pair<double, Values::kAny>;
using Range = oneapi::tbb::blocked_range<std::size_t>;

constexpr std::size_t kGrain = 1 << 16;

template <class Element>
void fill_part(std::span<Element> part, const DataSet& set, std::size_t first) {
  if constexpr (IsPair<Element>) {
    fill(part | std::views::transform(&Element::key), set, first);
    for (Element& element : part) element.value = Element::value_of(first++);
  } else {
    fill(part, set, first);
  }
}

// A bijection that scatters the bits of a key.
std::uint64_t scatter_bits(std::uint64_t key) {
  key ^= key >> 32;
  key *= 0xd6e8feb86659fd93;
  key ^= key >> 32;
  return key;
}
template <class Element>
std::uint64_t scatter(const Element& element) {
  if constexpr (IsPair<Element>) {
    return scatter_bits(scatter_bits(ordered_bits(element.key)) + element.value);
  } else {
    return scatter_bits(ordered_bits(element));
  }
}

// That the check can fail.
constexpr bool is_in_order(std::array<Pair<std::uint32_t>, 2> pairs, Ties ties) {
  return is_in_order<Pair<std::uint32_t>>(pairs, ties);
}
static_assert(is_in_order({{{1, 0}, {1, 1}}}, Ties::kStable));
static_assert(!is_in_order({{{1, 1}, {1, 0}}}, Ties::kStable));
static_assert(is_in_order({{{1, 1}, {1, 0}}}, Ties::kAnyOrder));
static_assert(is_in_order({{{1, 1}, {2, 0}}}, Ties::kStable));
static_assert(!is_in_order({{{2, 0}, {1, 1}}}, Ties::kAnyOrder));
static_assert(AnyPair32{0, AnyPair32::value_of(7)}.index() == 7);
static_assert(AnyPair64{0, AnyPair64::value_of(7)}.index() == 7);

}  // namespace

template <class Element>
void fill_cell(std::span<Element> elements, Distribution distribution, std::uint64_t input) {
  // N has no seed, but goes on for ever.
  const std::size_t first = distribution == Distribution::N ? input * elements.size() : 0;
  const DataSet set{distribution, first + elements.size(), input + 1};
  oneapi::tbb::parallel_for(Range(0, elements.size(), kGrain), [&](const Range& part) {
    fill_part(elements.subspan(part.begin(), part.size()), set, first + part.begin());
  });
}

template <class Element>
std::uint64_t fingerprint(std::span<const Element> elements) {
  return oneapi::tbb::parallel_reduce(
      Range(0, elements.size(), kGrain), std::uint64_t{0},
      [&](const Range& part, std::uint64_t sum) {
        for (std::size_t i = part.begin(); i < part.end(); ++i) sum += scatter(elements[i]);
        return sum;
      },
      std::plus<>());
}

template <class Element>
std::span<Element> array_of(std::size_t size) {
  static std::vector<Element> memory;
  const std::size_t spare = kArrayAlignment / sizeof(Element);
  if (memory.size() < size + spare) memory.resize(size + spare);
  const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
  const std::size_t before = (kArrayAlignment - address % kArrayAlignment) % kArrayAlignment;
  return std::span(memory).subspan(before / sizeof(Element), size);
}

#define POSTROOM_CELLS_OF(ELEMENT)                                          \
  template void fill_cell(std::span<ELEMENT>, Distribution, std::uint64_t); \
  template std::uint64_t fingerprint(std::span<const ELEMENT>);             \
  template std::span<ELEMENT> array_of(std::size_t);

POSTROOM_CELLS_OF(std::uint32_t)
POSTROOM_CELLS_OF(std::uint64_t)
POSTROOM_CELLS_OF(float)
POSTROOM_CELLS_OF(double)
POSTROOM_CELLS_OF(Pair<std::uint32_t>)
POSTROOM_CELLS_OF(Pair<std::uint64_t>)
POSTROOM_CELLS_OF(AnyPair32)
POSTROOM_CELLS_OF(AnyPair64)
POSTROOM_CELLS_OF(FloatingPair)

}  // namespace postroom::benchmarks
