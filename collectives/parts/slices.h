// A list cut into a slice for each processor, for reductions in which each combines one slice of
// all lists.
//
// Slices are as even as whole lines of the cache allow, so that no two processors write one line
// (of a list that begins with a line), and whole elements. Of two processors one may be favoured:
// five eighths are its slice.
//
//   const Slices slices(self.count(), in.size(), op.element_bytes());
//   const ConstBytes mine = slices.of(in, self.id());
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "numa/cacheline.h"
#include "numa/rounding.h"

namespace postroom {

class Slices {
 public:
  static constexpr int kNobody = -1;

  /// Precondition: two processors, or nobody is favoured.
  Slices(int processors, std::size_t bytes, std::size_t element_bytes, int favoured = kNobody)
      : processors_(static_cast<std::size_t>(processors)),
        bytes_(bytes),
        unit_(std::lcm(element_bytes, kCacheLine)),
        favoured_(favoured) {}

  std::size_t begin(int slice) const noexcept {
    const std::size_t units = ceil_divide(bytes_, unit_);
    return std::min(bytes_, first_unit(slice, units) * unit_);
  }
  std::size_t bytes(int slice) const noexcept { return begin(slice + 1) - begin(slice); }
  std::size_t most_bytes() const noexcept {
    std::size_t most = 0;
    for (int slice = 0; slice < static_cast<int>(processors_); ++slice) {
      most = std::max(most, bytes(slice));
    }
    return most;
  }
  template <class List>
  List of(List list, int slice) const noexcept {
    return list.subspan(begin(slice), bytes(slice));
  }

 private:
  std::size_t first_unit(int slice, std::size_t units) const noexcept {
    const std::size_t fewer = units * 3 / 8;
    if (favoured_ != kNobody && slice == 1) return favoured_ == 0 ? units - fewer : fewer;
    return static_cast<std::size_t>(slice) * units / processors_;
  }

  std::size_t processors_;
  std::size_t bytes_;
  std::size_t unit_;
  int favoured_;
};

}  // namespace postroom
