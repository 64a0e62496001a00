// Keys that several processors have moved to both sides, each within its own share, brought to the
// sides of all: those behind the border that belong before it change places with as many before it.
//
// Private to one processor; all come to the same. Cost: a look at each share; each such key is read
// and written once. Memory: two ranges for each processor, had by the constructor. Nothing else
// throws. Source: our own.
//
//   Misplaced wrong(shares);
//   wrong.begin(border);                 // where the sides of all meet
//   wrong.add(share, front);             // of each: so many of it belong before the border
//   wrong.swap(share_of({0, wrong.count()}, id, processors), [&](a, b, count) { … });
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "sort/engine/team.h"

namespace postroom::sorting {

class Misplaced {
 public:
  explicit Misplaced(std::size_t shares) {
    firsts_.reserve(shares);
    others_.reserve(shares);
  }

  void begin(std::size_t border) noexcept {
    border_ = border;
    count_ = 0;
    firsts_.clear();
    others_.clear();
  }
  void add(Range share, std::size_t front) noexcept {
    const std::size_t middle = share.begin + front;
    const Range first{std::max(share.begin, border_), middle};
    const Range other{middle, std::min(share.end, border_)};
    if (first.begin < first.end) firsts_.push_back(first);
    if (other.begin >= other.end) return;
    others_.push_back(other);
    count_ += other.end - other.begin;
  }

  /// How many of either.
  std::size_t count() const noexcept { return count_; }

  /// Of `own` of them, counted through: calls swap_rows(place, other place, count).
  template <class SwapRows>
  void swap(Range own, const SwapRows& swap_rows) const {
    if (own.begin == own.end) return;
    Places others(others_, own.begin);
    Places firsts(firsts_, own.begin);
    for (std::size_t left = own.end - own.begin; left > 0;) {
      const Range other = others.take(left);
      for (std::size_t place = other.begin; place < other.end;) {
        const Range first = firsts.take(other.end - place);
        const std::size_t count = first.end - first.begin;
        swap_rows(place, first.begin, count);
        place += count;
      }
      left -= other.end - other.begin;
    }
  }

 private:
  // What of a row of ranges lies from the `skip`-th place on.
  class Places {
   public:
    explicit Places(const std::vector<Range>& ranges, std::size_t skip) : at_(ranges.begin()) {
      for (; skip > 0 && skip >= at_->end - at_->begin; ++at_) skip -= at_->end - at_->begin;
      next_ = skip;
    }
    // The next of them that lie side by side, `most` at most; there are any.
    Range take(std::size_t most) {
      while (next_ == at_->end - at_->begin) {
        ++at_;
        next_ = 0;
      }
      const std::size_t begin = at_->begin + next_;
      const std::size_t end = std::min(at_->end, begin + most);
      next_ += end - begin;
      return {begin, end};
    }

   private:
    std::vector<Range>::const_iterator at_;
    std::size_t next_;
  };

  std::size_t border_ = 0;
  std::size_t count_ = 0;
  std::vector<Range> firsts_;  // that belong before the border
  std::vector<Range> others_;
};

}  // namespace postroom::sorting
