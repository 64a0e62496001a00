// Sorting rows that are nothing but keys: compiled once here, for all types of keys.
#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

#include "sort/config.h"
#include "sort/keys.h"
#include "sort/options.h"

namespace postroom::sorting {

/// What the bits of a key mean.
struct KeyFormat {
  std::size_t bytes;  ///< 1, 2, 4 or 8
  bool is_floating;   ///< of 4 or 8 bytes
  bool is_signed;     ///< true for floating point
  bool descending;    ///< from the largest down
};

template <class K>
KeyFormat format_of(bool descending) {
  return {sizeof(K), std::is_floating_point_v<K>, is_signed_key<K>(), descending};
}

/// Sorts the keys data[0, size), which need not be aligned.
void sort_whole_keys(std::byte* data, std::size_t size, KeyFormat format,
                     const SortOptions& options, const SortConfig* config = nullptr);

/// The order that would sort the keys, which are only read.
std::vector<std::size_t> argsort_whole_keys(const std::byte* data, std::size_t size,
                                            KeyFormat format, const SortOptions& options,
                                            const SortConfig* config = nullptr);

}  // namespace postroom::sorting
