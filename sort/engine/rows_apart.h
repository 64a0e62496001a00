// A table with a row for each of those that write it at the same time: no two rows have a line in
// common, or a pair of lines that travel together.
//
//   RowsApart<std::size_t> counts(processors, digit.values());
//   ++counts.row(self)[digit.of(key)];
//
// Memory: kNoSharing - 1 bytes a row on top of its elements at most.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <type_traits>

#include "numa/cacheline.h"
#include "numa/rounding.h"

namespace postroom::sorting {

template <class T>
class RowsApart {
 public:
  RowsApart() = default;
  /// What is in the rows at first does not count as anything. Throws std::bad_alloc.
  RowsApart(std::size_t rows, std::size_t length)
      : stride_(ceil_divide(length, sizeof(Lines) / sizeof(T))),
        lines_(std::make_unique_for_overwrite<Lines[]>(rows * stride_)) {}

  T* row(std::size_t i) const noexcept { return reinterpret_cast<T*>(lines_.get() + i * stride_); }

 private:
  struct alignas(kNoSharing) Lines {
    std::array<std::byte, kNoSharing> bytes;
  };
  static_assert(sizeof(Lines) == kNoSharing && alignof(Lines) == kNoSharing,
                "rows begin where a pair of lines does");
  static_assert(std::is_trivial_v<T> && kNoSharing % sizeof(T) == 0);

  std::size_t stride_ = 0;  // in lines
  std::unique_ptr<Lines[]> lines_;
};

}  // namespace postroom::sorting
