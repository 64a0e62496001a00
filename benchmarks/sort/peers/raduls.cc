// RADULS, from the folder of its sources: Raduls/raduls.h. Records of whole 8 bytes, not stable.
// Its second array is kept from call to call: with fresh memory it takes nearly twice as long.
#include <raduls.h>

#include <thread>
#include <vector>

#include "benchmarks/sort/cells.h"

// Its other source file is no header, but has to be compiled with the same settings.
#include <sorting_network.cpp>

namespace postroom::benchmarks {
namespace {

constexpr std::size_t kAlignment = raduls::ALIGNMENT;
static_assert(kArrayAlignment % kAlignment == 0);
constexpr std::size_t kKeyBytes = 8;

std::uint8_t* aligned(std::uint8_t* place) {
  const auto address = reinterpret_cast<std::uintptr_t>(place);
  return place + (kAlignment - address % kAlignment) % kAlignment;
}

// Touched memory for so many bytes, the same in each call that needs no more.
std::uint8_t* spare(std::vector<std::uint8_t>& memory, std::size_t bytes) {
  if (memory.size() < bytes + kAlignment) memory.resize(bytes + kAlignment);
  return aligned(memory.data());
}

template <class Element>
void radix_sort(std::span<Element> elements) {
  static std::vector<std::uint8_t> memory;
  raduls::RadixSortMSD(reinterpret_cast<std::uint8_t*>(elements.data()),
                       spare(memory, elements.size_bytes()), elements.size(), sizeof(Element),
                       kKeyBytes, std::thread::hardware_concurrency());
}

template <class Element>
void add() {
  add_competitor<Element>("raduls", [](std::span<Element> elements) { radix_sort(elements); });
}

const bool kAdded = (add<std::uint64_t>(), add<Pair<std::uint64_t>>(),
                     add<Pair<std::uint64_t, Values::kAny>>(), true);

}  // namespace
}  // namespace postroom::benchmarks
