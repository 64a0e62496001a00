// A part of the records, and on which side it is.
//
// Records go to and fro between two sides, home (the caller's memory) and away (the scratch), and
// keep their indices there. A part that is to be sorted is wanted at home in the end.
#pragma once

#include <cstddef>

namespace postroom::sorting {

/// Records [begin, end).
struct Part {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool away = false;

  std::size_t size() const noexcept { return end - begin; }
};

}  // namespace postroom::sorting
