// Lists to send: of sizes on both sides of what fits into a mailbox's cell, and well beyond.
#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

namespace postroom {

inline constexpr std::size_t kMessageSizes[] = {0,   1,   11,   12,      13,     63,
                                                256, 257, 1000, 100'000, 200'000};

/// `from` and the numbers that follow it.
inline std::vector<int> counting(std::size_t n, int from) {
  std::vector<int> values(n);
  std::iota(values.begin(), values.end(), from);
  return values;
}

}  // namespace postroom
