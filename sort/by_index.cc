#include "sort/by_index.h"

#include <algorithm>
#include <cstring>

#include "numa/cacheline.h"
#include "sort/areas.h"
#include "sort/arguments.h"
#include "sort/by_radix.h"
#include "sort/compiled_sizes.h"
#include "sort/engine.h"
#include "sort/failure.h"
#include "sort/keys.h"
#include "sort/layout.h"
#include "sort/lease.h"
#include "sort/presort.h"
#include "sort/scratch.h"
#include "sort/steps.h"
#include "sort/team.h"

namespace postroom::sorting {
namespace {

using Pairs = Columns<WholeKeyOf<std::uint64_t>, sizeof(std::uint64_t)>;

std::size_t largest_element(std::span<const Moved> arrays) {
  std::size_t largest = 0;
  for (const Moved& array : arrays) largest = std::max(largest, array.element_bytes);
  return largest;
}

// gathered[i] = array[number_of(i)] for the i of `own`. Elements that will be read are asked for
// ahead. `kBytes` is what each has, or 0 where only the array knows.
template <std::size_t kBytes, class NumberOf>
void gather_sized(const Moved& array, Range own, const NumberOf& number_of,
                  std::byte* gathered) noexcept {
  constexpr std::size_t kAhead = 16;
  constexpr std::size_t kMostAsked = 256;
  const std::size_t bytes = kBytes > 0 ? kBytes : array.element_bytes;
  const std::byte* const data = array.data;
  const auto ask = [&](std::size_t i) {
    for (std::size_t at = 0; at < std::min(bytes, kMostAsked); at += kCacheLine) {
      __builtin_prefetch(data + number_of(i) * bytes + at);
    }
  };
  std::size_t i = own.begin;
  for (; i + kAhead < own.end; ++i) {
    ask(i + kAhead);
    std::memcpy(gathered + i * bytes, data + number_of(i) * bytes, bytes);
  }
  for (; i < own.end; ++i) {
    std::memcpy(gathered + i * bytes, data + number_of(i) * bytes, bytes);
  }
}

template <class NumberOf>
void gather(const Moved& array, Range own, const NumberOf& number_of,
            std::byte* gathered) noexcept {
  const bool sized = with_size(array.element_bytes, WholeSizes(), [&]<std::size_t kBytes>() {
    gather_sized<kBytes>(array, own, number_of, gathered);
  });
  if (!sized) gather_sized<0>(array, own, number_of, gathered);
}

void copy_back(const Moved& array, Range own, const std::byte* gathered) noexcept {
  if (own.begin == own.end) return;
  const std::size_t begin = own.begin * array.element_bytes;
  const std::size_t end = own.end * array.element_bytes;
  std::memcpy(array.data + begin, gathered + begin, end - begin);
}

/// Puts all arrays into the order of the numbers, through the memory `gathered`. Nothing in here
/// throws. Called by all processors.
template <class NumberOf, class Barrier>
void move_all(std::span<const Moved> arrays, Range own, NumberOf number_of, std::byte* gathered,
              Barrier barrier) {
  for (const Moved& array : arrays) {
    gather(array, own, number_of, gathered);
    barrier();  // all have read the array
    copy_back(array, own, gathered);
    barrier();  // all have read what was gathered
  }
}

void by_engine(std::span<const Moved> arrays, std::size_t size, const KeyReader& read_keys,
               const SortScratch& scratch, const SortOptions& options, const SortConfig* config) {
  auto* keys = reinterpret_cast<std::uint64_t*>(scratch.area(0));
  auto* numbers = reinterpret_cast<std::uint64_t*>(scratch.area(1));
  std::byte* gathered = scratch.area(2);  // where pairs are away, before
  const Pairs home(scratch.area(0), scratch.area(1), {});
  const Pairs away(gathered, gathered + numbers_offset(size), {});
  SortConfig chosen = config != nullptr ? *config : SortConfig{};
  Lease lease(options, size, chosen.alone_records);
  if (config == nullptr) chosen = lease.config();
  Engine<Pairs> engine(home, away, size, scratch.cold(), lease.processors(), chosen,
                       options.progress);
  Presort<Pairs> presort(home, size, chosen.sample_records, lease.processors());
  Failure failure;
  lease.run([&](Team team) {
    Steps steps(team, failure);
    const Range own = steps.share(0, size);
    const bool read = steps.together([&] {
      read_keys(own.begin, own.end, keys + own.begin);
      for (std::size_t i = own.begin; i < own.end; ++i) numbers[i] = i;
    });
    if (!read) return;
    if (!presort.run(steps)) engine.run(team);
    // Only after the first of these has everyone ended the sort.
    if (!steps.together([] {}) || !steps.together([&] { engine.rethrow(); })) return;
    move_all(
        arrays, own, [numbers](std::size_t i) { return numbers[i]; }, gathered,
        [&] { team.barrier(); });
  });
  failure.rethrow();
}

void by_radix(std::span<const Moved> arrays, std::size_t size, const KeyReader& read_keys,
              const SortScratch& scratch, const SortOptions& options) {
  // The first two areas lie side by side.
  const std::span pairs(reinterpret_cast<NumberedKey*>(scratch.area(0)), size);
  sort_by_radix(pairs, read_keys, options, [&](Processor& self) {
    const Range own = share_of({0, size}, static_cast<std::size_t>(self.id()),
                               static_cast<std::size_t>(self.count()));
    move_all(
        arrays, own, [pairs](std::size_t i) { return pairs[i].number; }, scratch.area(2),
        [&] { self.barrier(); });
  });
}

}  // namespace

void sort_by_index(std::span<const Moved> arrays, std::size_t size, const KeyReader& read_keys,
                   const SortOptions& options, const SortConfig* config) {
  check_options(options);
  const SortScratch scratch(options.scratch, by_index_areas(size, largest_element(arrays)));
  if (options.algorithm == SortAlgorithm::automatic) {
    by_engine(arrays, size, read_keys, scratch, options, config);
  } else {
    by_radix(arrays, size, read_keys, scratch, options);
  }
  if (options.progress) options.progress(1);
}

}  // namespace postroom::sorting
