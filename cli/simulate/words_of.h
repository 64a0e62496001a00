// A list of bytes as 64-bit numbers.
//
//   std::vector<std::uint8_t> list(24);
//   words_of(list)[2] = 7;
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace postroom::cli {

inline std::span<const std::uint64_t> words_of(const std::vector<std::uint8_t>& list) {
  return {reinterpret_cast<const std::uint64_t*>(list.data()), list.size() / 8};
}
inline std::span<std::uint64_t> words_of(std::vector<std::uint8_t>& list) {
  return {reinterpret_cast<std::uint64_t*>(list.data()), list.size() / 8};
}

}  // namespace postroom::cli
