#include "sort/by_index.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "numa/cacheline.h"
#include "numa/prefetch.h"
#include "sort/areas.h"
#include "sort/arguments.h"
#include "sort/compiled_sizes.h"
#include "sort/engine/lease.h"
#include "sort/engine/team.h"
#include "sort/scratch.h"

namespace postroom::sorting {
namespace {

std::size_t largest_element(std::span<const Moved> arrays) {
  std::size_t largest = 0;
  for (const Moved& array : arrays) largest = std::max(largest, array.element_bytes);
  return largest;
}

// gathered[i] = array[rows[i].number] for the i of `own`. Elements that will be read are asked
// for ahead. `kBytes` is what each has, or 0 where only the array knows.
template <std::size_t kBytes, class Row>
void gather_sized(const Moved& array, Range own, std::span<const Row> rows,
                  std::byte* gathered) noexcept {
  constexpr std::size_t kAhead = 16;
  constexpr std::size_t kMostAsked = 256;
  const std::size_t bytes = kBytes > 0 ? kBytes : array.element_bytes;
  const auto from = [&, data = array.data](std::size_t i) { return data + rows[i].number * bytes; };
  const auto ask = [&](std::size_t i) {
    for (std::size_t at = 0; at < std::min(bytes, kMostAsked); at += kCacheLine) {
      prefetch_to_read(from(i) + at);
    }
  };
  std::size_t i = own.begin;
  for (; i + kAhead < own.end; ++i) {
    ask(i + kAhead);
    std::memcpy(gathered + i * bytes, from(i), bytes);
  }
  for (; i < own.end; ++i) {
    std::memcpy(gathered + i * bytes, from(i), bytes);
  }
}

template <class Row>
void gather(const Moved& array, Range own, std::span<const Row> rows,
            std::byte* gathered) noexcept {
  const bool sized = with_size(array.element_bytes, WholeSizes(), [&]<std::size_t kBytes>() {
    gather_sized<kBytes>(array, own, rows, gathered);
  });
  if (!sized) gather_sized<0>(array, own, rows, gathered);
}

void copy_back(const Moved& array, Range own, const std::byte* gathered) noexcept {
  if (own.begin == own.end) return;
  const std::size_t begin = own.begin * array.element_bytes;
  const std::size_t end = own.end * array.element_bytes;
  std::memcpy(array.data + begin, gathered + begin, end - begin);
}

// Puts all arrays into the order of the rows, through the memory `gathered`. Once it has begun,
// nothing can fail.
template <class Row>
void move_all(std::span<const Moved> arrays, std::span<const Row> rows, std::byte* gathered,
              Lease& lease) {
  lease.run([&](Team team) {
    const Range own = share_of({0, rows.size()}, team.id(), team.count());
    for (const Moved& array : arrays) {
      gather(array, own, rows, gathered);
      team.barrier();  // all have read the array
      copy_back(array, own, gathered);
      team.barrier();  // all have read what was gathered
    }
  });
}

template <class Row>
void sort_by_numbers(std::span<const Moved> arrays, std::size_t size,
                     std::span<const KeyReader> words, const SortOptions& options,
                     const SortConfig* config) {
  const SortScratch scratch(options.scratch, by_index_areas(size, largest_element(arrays)));
  const std::span rows(reinterpret_cast<Row*>(scratch.area(0)), size);
  std::byte* const gathered = scratch.area(1);  // before, room for the rows
  number_in_order(rows, words, {gathered, scratch.cold_from(1)}, options, config);
  Lease lease(options, size, (config != nullptr ? *config : SortConfig{}).alone_records);
  move_all<Row>(arrays, rows, gathered, lease);
}

}  // namespace

void sort_by_index(std::span<const Moved> arrays, std::size_t size,
                   std::span<const KeyReader> words, const SortOptions& options,
                   const SortConfig* config) {
  check_options(options);
  if (fit_narrow_rows(size, words.front().bytes)) {
    sort_by_numbers<NarrowRow>(arrays, size, words, options, config);
  } else {
    sort_by_numbers<WideRow>(arrays, size, words, options, config);
  }
  if (options.progress) options.progress(1);
}

void sort_by_index(std::span<const Moved> arrays, std::size_t size, const KeyReader& keys,
                   const SortOptions& options, const SortConfig* config) {
  sort_by_index(arrays, size, std::span(&keys, 1), options, config);
}

}  // namespace postroom::sorting
