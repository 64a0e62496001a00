// A part of the records, and on which side it is.
//
// Records go to and fro between two sides, home (the caller's memory) and away (the scratch), and
// keep their indices there. A part that is to be sorted is wanted at home in the end.
#pragma once

#include <cstddef>
#include <cstdint>

namespace postroom::sorting {

/// Records [begin, end).
struct Part {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool away = false;

  std::size_t size() const noexcept { return end - begin; }
};

/// A place in piece `i` of pieces of `step`, another within each: for samples.
constexpr std::size_t anywhere_in_piece(std::uint32_t i, std::size_t step) noexcept {
  constexpr std::uint32_t kAnywhere = 0x9e37'79b9;  // 2^32 / golden ratio
  const std::uint64_t within = std::uint64_t{step} * (i * kAnywhere) >> 32;
  return i * step + static_cast<std::size_t>(within);
}

}  // namespace postroom::sorting
